"""Calls with the client that openapi-python-client generates."""

from typing import TypeVar

from kuraka_client import AuthenticatedClient, Client
from kuraka_client.api.comprobantes import cpe
from kuraka_client.api.contribuyentes import ruc, ruc_busqueda, ruc_ficha_get, ruc_historial, ruc_multiple
from kuraka_client.api.cuenta import usage
from kuraka_client.api.tablas import tipo_de_cambio_get
from kuraka_client.models import (
    DayRecord,
    ErrorAnswer,
    HistoryRequest,
    OpenDataRecord,
    RucBatchRequest,
    RucOnDay,
    RucRequest,
    SearchRequest,
    TaxpayerData,
    VoucherRequest,
    VoucherRequestCodigoTipoDocumento,
)
from say import ABSENT, BASE_URL, COMPANY, DAY, ISSUED, RATE_DAY, TOKEN, say

T = TypeVar("T")
api = AuthenticatedClient(base_url=BASE_URL, token=TOKEN, raise_on_unexpected_status=True)


def found(answer: T | ErrorAnswer | None) -> T:
    assert answer is not None and not isinstance(answer, ErrorAnswer), answer
    return answer


def failed(answer: object) -> ErrorAnswer:
    assert isinstance(answer, ErrorAnswer), answer
    return answer


def voucher(series: str, total: float | str) -> VoucherRequest:
    invoice = VoucherRequestCodigoTipoDocumento("01")
    return VoucherRequest(invoice, ISSUED, "1", "20999990062", series, total)


company = found(ruc.sync(client=api, body=RucRequest(COMPANY))).data
say("ruc", [company.ruc, company.departamento, company.condicion])
profile = found(ruc_ficha_get.sync(COMPANY, client=api)).data
open_data: OpenDataRecord | None = profile.datos_abiertos
say("ficha", [open_data and open_data.trabajadores, profile.sin_capacidad_operativa])
day: DayRecord | None = found(ruc_historial.sync(client=api, body=HistoryRequest(COMPANY, DAY))).data.en_fecha
say("historial", [day and day.fecha, day and day.condicion])
batch = RucBatchRequest([COMPANY, RucOnDay(DAY, COMPANY), ABSENT])
items = found(ruc_multiple.sync(client=api, body=batch)).data.resultados
say("multiple", *([it.code, *([it.data.condicion] if isinstance(it.data, TaxpayerData) else [])] for it in items))
page = found(ruc_busqueda.sync(client=api, body=SearchRequest("molin", limite=1))).data
following = SearchRequest("molin", limite=1, cursor=page.siguiente)
rest = found(ruc_busqueda.sync(client=api, body=following)).data
say("busqueda", *([it.ruc] for it in page.resultados + rest.resultados))
answers = [found(cpe.sync(client=api, body=voucher("F001", total))).data for total in (118.0, "118.00")]
say("cpe", *([it.comprobante_estado_codigo, it.comprobante_estado_descripcion] for it in answers))
rate = found(tipo_de_cambio_get.sync(RATE_DAY.isoformat(), client=api)).data
say("tipo-de-cambio", [rate.fecha_busqueda, rate.compra, rate.venta, rate.fecha_cierre])
absent = failed(ruc.sync(client=api, body=RucRequest(ABSENT)))
say("absent", [absent.code.value, absent.retryable])
invalid = failed(cpe.sync(client=api, body=voucher("B001", 118.0)))
say("invalid", [invalid.code.value, invalid.retryable])
say("stranger", [failed(usage.sync(client=Client(base_url=BASE_URL))).code.value])
