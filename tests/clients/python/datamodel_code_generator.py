"""Sends and reads the models that datamodel-code-generator generates."""

import json
from typing import TypeVar
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from models import (
    CodigoTipoDocumento,
    CpeAnswer,
    ErrorAnswer,
    HistoryRequest,
    RucAnswer,
    RucBatchRequest,
    RucBusquedaAnswer,
    RucFichaAnswer,
    RucHistorialAnswer,
    RucItem,
    RucMultipleAnswer,
    RucOnDay,
    RucRequest,
    SearchRequest,
    TipoDeCambioGetAnswer,
    VoucherRequest,
)
from pydantic import BaseModel
from say import ABSENT, BASE_URL, COMPANY, DAY, ISSUED, RATE_DAY, TOKEN, say

M = TypeVar("M", bound=BaseModel)


def call(model: type[M], path: str, body: BaseModel | None = None, token: str = TOKEN) -> M:
    """The answer as this model."""
    sent = body.model_dump_json(exclude_none=True).encode() if body else None
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    try:
        with urlopen(Request(BASE_URL + path, sent, headers)) as answer:
            return model.model_validate_json(answer.read())
    except HTTPError as error:
        return model.model_validate_json(error.read())


def voucher(series: str, total: float | str) -> VoucherRequest:
    fields = {"ruc_emisor": "20999990062", "serie_documento": series, "numero_documento": "1", "total": total}
    fields |= {"codigo_tipo_documento": CodigoTipoDocumento("01"), "fecha_de_emision": ISSUED.isoformat()}
    return VoucherRequest.model_validate_json(json.dumps(fields))


company = call(RucAnswer, "/ruc", RucRequest(ruc=COMPANY)).data
say("ruc", [company.ruc, company.departamento, company.condicion])
profile = call(RucFichaAnswer, f"/ruc-ficha/{COMPANY}").data
say("ficha", [profile.datos_abiertos and profile.datos_abiertos.trabajadores, profile.sin_capacidad_operativa])
day = call(RucHistorialAnswer, "/ruc-historial", HistoryRequest(ruc=COMPANY, fecha=DAY)).data.en_fecha
say("historial", [day and day.fecha, day and day.condicion])
batch = RucBatchRequest(rucs=[RucItem(root=COMPANY), RucItem(root=RucOnDay(ruc=COMPANY, fecha=DAY)), RucItem(root=ABSENT)])
items = call(RucMultipleAnswer, "/ruc-multiple", batch).data.resultados
say("multiple", *([it.code, *([it.data.condicion] if it.data else [])] for it in items))
page = call(RucBusquedaAnswer, "/ruc-busqueda", SearchRequest(nombre="molin", limite=1)).data
following = SearchRequest(nombre="molin", limite=1, cursor=page.siguiente)
rest = call(RucBusquedaAnswer, "/ruc-busqueda", following).data
say("busqueda", *([it.ruc] for it in page.resultados + rest.resultados))
answers = [call(CpeAnswer, "/cpe", voucher("F001", total)).data for total in (118.0, "118.00")]
say("cpe", *([it.comprobante_estado_codigo, it.comprobante_estado_descripcion] for it in answers))
rate = call(TipoDeCambioGetAnswer, f"/tipo-de-cambio/{RATE_DAY}").data
say("tipo-de-cambio", [rate.fecha_busqueda, rate.compra, rate.venta, rate.fecha_cierre])
absent = call(ErrorAnswer, "/ruc", RucRequest(ruc=ABSENT))
say("absent", [absent.code.value, absent.retryable])
invalid = call(ErrorAnswer, "/cpe", voucher("B001", 118.0))
say("invalid", [invalid.code.value, invalid.retryable])
say("stranger", [call(ErrorAnswer, "/usage", token="").code.value])
