"""A client of a Kuraka server: RUC, vouchers and exchange rates of Peru.

`Kuraka` blocks, `AsyncKuraka` is for asyncio. Both have one method for each operation of the API, named after it. The
operations, their fields and their codes are documented at `/docs` of every server.
"""

from . import records
from .client import AsyncKuraka, Kuraka
from .errors import KurakaConnectionError, KurakaError
from .records import *  # noqa: F403
from .records import VERSION as __version__
from .ruc import is_valid_ruc
from .webhook import read_webhook, verify_webhook

__all__ = ["AsyncKuraka", "Kuraka", "KurakaConnectionError", "KurakaError", "__version__"]
__all__ += ["is_valid_ruc", "read_webhook", "verify_webhook", *records.__all__]
