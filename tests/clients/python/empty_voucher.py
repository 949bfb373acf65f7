"""The type checker must refuse this file: a voucher has six fields."""

from kuraka_client.models import VoucherRequest

voucher = VoucherRequest()
