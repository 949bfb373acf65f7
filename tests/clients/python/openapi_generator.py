"""Calls with the client that openapi-generator generates for Python."""

from collections.abc import Callable

from kuraka_openapi import ApiClient, ApiException, ComprobantesApi, Configuration, ContribuyentesApi, CuentaApi, TablasApi
from kuraka_openapi.models import (
    ErrorAnswer,
    HistoryRequest,
    RucBatchRequest,
    RucItem,
    RucOnDay,
    RucRequest,
    SearchRequest,
    VoucherInBatchTotal,
    VoucherRequest,
)
from say import ABSENT, BASE_URL, COMPANY, DAY, ISSUED, RATE_DAY, TOKEN, say

client = ApiClient(Configuration(host=BASE_URL, access_token=TOKEN))
taxpayers, vouchers = ContribuyentesApi(client), ComprobantesApi(client)


def failed(call: Callable[[], object]) -> ErrorAnswer:
    try:
        raise SystemExit(f"no error: {call()}")
    except ApiException as error:
        assert isinstance(error.data, ErrorAnswer), error
        return error.data


def voucher(series: str, total: float | str) -> VoucherRequest:
    return VoucherRequest(
        ruc_emisor="20999990062",
        codigo_tipo_documento="01",
        serie_documento=series,
        numero_documento="1",
        fecha_de_emision=ISSUED,
        total=VoucherInBatchTotal(total),
    )


company = taxpayers.ruc(RucRequest(ruc=COMPANY)).data
say("ruc", [company.ruc, company.departamento, company.condicion])
profile = taxpayers.ruc_ficha_get(COMPANY).data
say("ficha", [profile.datos_abiertos and profile.datos_abiertos.trabajadores, profile.sin_capacidad_operativa])
day = taxpayers.ruc_historial(HistoryRequest(ruc=COMPANY, fecha=DAY)).data.en_fecha
say("historial", [day and day.fecha, day and day.condicion])
items = [RucItem(COMPANY), RucItem(RucOnDay(ruc=COMPANY, fecha=DAY)), RucItem(ABSENT)]
items = taxpayers.ruc_multiple(RucBatchRequest(rucs=items)).data.resultados
say("multiple", *([it.code, *([it.data.condicion] if it.data else [])] for it in items))
page = taxpayers.ruc_busqueda(SearchRequest(nombre="molin", limite=1)).data
rest = taxpayers.ruc_busqueda(SearchRequest(nombre="molin", limite=1, cursor=page.siguiente)).data
say("busqueda", *([it.ruc] for it in page.resultados + rest.resultados))
answers = [vouchers.cpe(voucher("F001", total)).data for total in (118.0, "118.00")]
say("cpe", *([it.comprobante_estado_codigo, it.comprobante_estado_descripcion] for it in answers))
rate = TablasApi(client).tipo_de_cambio_get(RATE_DAY.isoformat()).data
say("tipo-de-cambio", [rate.fecha_busqueda, rate.compra, rate.venta, rate.fecha_cierre])
absent = failed(lambda: taxpayers.ruc(RucRequest(ruc=ABSENT)))
say("absent", [absent.code.value, absent.retryable])
invalid = failed(lambda: vouchers.cpe(voucher("B001", 118.0)))
say("invalid", [invalid.code.value, invalid.retryable])
stranger = CuentaApi(ApiClient(Configuration(host=BASE_URL)))
say("stranger", [failed(lambda: stranger.usage()).code.value])
