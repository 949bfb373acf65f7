"""Calls every operation with the client that openapi-python-client generates, and handles every error by one type."""

import datetime
import sys
from typing import TypeVar

from kuraka_client import AuthenticatedClient, Client
from kuraka_client.api.comprobantes import cpe
from kuraka_client.api.contribuyentes import (
    ruc,
    ruc_anexos,
    ruc_anexos_get,
    ruc_busqueda,
    ruc_domicilio_fiscal,
    ruc_domicilio_fiscal_get,
    ruc_ficha,
    ruc_ficha_get,
    ruc_get,
    ruc_official,
    ruc_official_get,
    ruc_ssco,
    ruc_ssco_get,
)
from kuraka_client.api.cuenta import usage
from kuraka_client.api.tablas import ubigeos
from kuraka_client.models import (
    ErrorAnswer,
    ErrorCode,
    IncapacityRecord,
    OpenDataRecord,
    RucRequest,
    SearchRequest,
    VoucherRequest,
    VoucherRequestCodigoTipoDocumento,
)

COMPANY, SANCTIONED, ABSENT = "20999990038", "20999990755", "20999999990"

T = TypeVar("T")
calls = 0


def found(answer: T | ErrorAnswer | None) -> T:
    """The answer, which must be a success."""
    global calls
    calls += 1
    if answer is None or isinstance(answer, ErrorAnswer):
        raise SystemExit(f"no success: {answer}")
    return answer


def failed(answer: object) -> ErrorCode:
    """The code of an answer that must be a failure."""
    global calls
    calls += 1
    if not isinstance(answer, ErrorAnswer):
        raise SystemExit(f"no error: {answer}")
    assert not answer.success and not answer.retryable and answer.message, answer
    return answer.code


def voucher(series: str, total: float | str) -> VoucherRequest:
    return VoucherRequest(
        ruc_emisor="20999990062",
        codigo_tipo_documento=VoucherRequestCodigoTipoDocumento("01"),
        serie_documento=series,
        numero_documento="1",
        fecha_de_emision=datetime.date(2026, 1, 15),
        total=total,
    )


def main(base_url: str, token: str) -> None:
    api = AuthenticatedClient(base_url=base_url, token=token, raise_on_unexpected_status=True)
    company, absent = RucRequest(ruc=COMPANY), RucRequest(ruc=ABSENT)

    summary = found(ruc.sync(client=api, body=company)).data
    assert summary == found(ruc_get.sync(COMPANY, client=api)).data
    assert (summary.ruc, summary.departamento) == (COMPANY, "PUNO")

    detail = found(ruc_official.sync(client=api, body=company)).data
    assert detail == found(ruc_official_get.sync(COMPANY, client=api)).data
    since: datetime.date | None = detail.emision_electronica.desde
    assert (since, detail.fecha_baja) == (datetime.date(2018, 5, 25), None)
    assert detail.actividades_economicas_detalle[0].ciiu == "5610"

    profile = found(ruc_ficha.sync(client=api, body=company)).data
    assert profile == found(ruc_ficha_get.sync(COMPANY, client=api)).data
    open_data: OpenDataRecord | None = profile.datos_abiertos
    assert open_data is not None and open_data.trabajadores == 148
    assert (profile.sin_capacidad_operativa, profile.sanciones) == (None, [])

    annexes = found(ruc_anexos.sync(client=api, body=company)).data
    assert annexes == found(ruc_anexos_get.sync(COMPANY, client=api)).data
    assert (len(annexes), annexes[0].ubigeo) == (3, "150101")

    capacity = found(ruc_ssco.sync(client=api, body=RucRequest(ruc=SANCTIONED))).data
    assert capacity == found(ruc_ssco_get.sync(SANCTIONED, client=api)).data
    incapacity: IncapacityRecord | None = capacity.sin_capacidad_operativa
    assert incapacity is not None and incapacity.firme_desde == datetime.date(2025, 5, 6)

    address = found(ruc_domicilio_fiscal.sync(client=api, body=company)).data
    assert address == found(ruc_domicilio_fiscal_get.sync(COMPANY, client=api)).data
    assert (address.ruc, address.ubigeo) == (COMPANY, "210101")

    page = found(ruc_busqueda.sync(client=api, body=SearchRequest(nombre="molin", limite=1))).data
    following = SearchRequest(nombre="molin", limite=1, cursor=page.siguiente)
    last = found(ruc_busqueda.sync(client=api, body=following)).data
    assert [company.ruc for company in page.resultados + last.resultados] == ["20999990062", "20140996549"]
    assert last.siguiente is None
    assert found(ubigeos.sync(client=api)).data[0].ubigeo == "010101"

    assert found(cpe.sync(client=api, body=voucher("F001", 118.0))).data.comprobante_estado_descripcion == "ACEPTADO"
    assert found(cpe.sync(client=api, body=voucher("F001", "118.00"))).data.comprobante_estado_codigo == "1"

    queries = found(usage.sync(client=api)).data.consultas
    assert queries.limite == queries.usadas + queries.restantes

    failures = [
        failed(ruc.sync(client=api, body=absent)),
        failed(ruc_official_get.sync(ABSENT, client=api)),
        failed(ruc_ficha.sync(client=api, body=absent)),
        failed(ruc_anexos_get.sync(ABSENT, client=api)),
        failed(ruc_domicilio_fiscal.sync(client=api, body=absent)),
        failed(ruc_ssco.sync(client=api, body=RucRequest(ruc="20999999991"))),
        failed(ruc_busqueda.sync(client=api, body=SearchRequest(nombre="m"))),
        failed(cpe.sync(client=api, body=voucher("B001", 118.0))),
        failed(usage.sync(client=Client(base_url=base_url))),
    ]
    expected = [ErrorCode.DOCUMENT_NOT_FOUND] * 5 + [ErrorCode.INVALID_INPUT] * 3 + [ErrorCode.UNAUTHENTICATED]
    assert failures == expected, failures
    print(f"Python, {base_url}: {calls} calls")


main(sys.argv[1], sys.argv[2])
