"""The operations of the API and the rule of retries, written once for both clients, without sending or waiting.

A call is a generator: it yields a `Request` to send, and is sent the response or why there is none; or it yields the
seconds to wait. A stream also yields lists of results for the caller.
"""

from __future__ import annotations

import os
import random
from collections.abc import Generator, Iterable, Mapping
from typing import Any, Callable, NamedTuple, Optional, TypeVar, Union

import httpx

from . import records as r
from .errors import KurakaConnectionError, KurakaError
from .ruc import is_valid_ruc

T = TypeVar("T")
Voucher = Union[r.VoucherRequest, r.VoucherInBatch]

_LOCAL, _REMOTE = 10.0, 40.0
_LONGEST_WAIT = 60
_RATE_LIMITED_RETRIES = 8
_INVALID_RUC = "El RUC no es válido: debe tener 11 dígitos y el dígito verificador que les corresponde."


class Request(NamedTuple):
    """A call of the API. `cost` is the number of queries that it may cost."""

    method: str
    path: str
    body: Optional[Mapping[str, Any]] = None
    cost: int = 1
    timeout: float = _LOCAL


Sent = Union[httpx.Response, httpx.RequestError, None]
Steps = Generator[Union[Request, float], Sent, T]
Stream = Generator[Union[Request, float, list[T]], Sent, None]
_Send = Callable[[list[Any]], Generator[Union[Request, float], Sent, Any]]


def stream(steps: Steps[T]) -> Stream[T]:
    """The only result of a call, as a stream."""
    yield [(yield from steps)]


def _send(request: Request, kind: type[T], max_retries: int) -> Steps[T]:
    """The record of the answer, after the repetitions that the documented rule allows."""
    retries = refusals = 0
    while True:
        try:
            return r.decode(kind, _data((yield request)))
        except KurakaError as error:
            is_refusal = error.code == "rate_limited"
            attempt, allowed = (refusals, _RATE_LIMITED_RETRIES) if is_refusal else (retries, max_retries)
            may_be_charged_twice = isinstance(error, KurakaConnectionError) and request.cost > 1
            wait = 1 if is_refusal and error.retry_after is None else error.retry_after
            is_final = not error.retryable or attempt >= allowed or (wait or 0) > _LONGEST_WAIT
            if is_final or may_be_charged_twice:
                raise
        refusals, retries = refusals + is_refusal, retries + (not is_refusal)
        yield _pause(wait, attempt)


def _pause(retry_after: Optional[int], attempt: int) -> float:
    """What the server asks for, doubled with each attempt, and up to a second; otherwise, full jitter."""
    jitter = random.random() * (2**attempt if retry_after is None else 1)
    return float((retry_after or 0) * 2**attempt + jitter)


def _data(response: Sent) -> Any:
    if not isinstance(response, httpx.Response):
        raise KurakaConnectionError(f"No hubo respuesta: {str(response) or type(response).__name__}.") from response
    status, headers = response.status_code, response.headers
    try:
        envelope = response.json()
    except ValueError:
        envelope = None
    if not isinstance(envelope, dict) or not isinstance(envelope.get("success"), bool):
        raise KurakaConnectionError(f"Respondió otro programa, no Kuraka (HTTP {status}).", status >= 500, status)
    if envelope["success"]:
        return envelope.get("data")
    wait = headers.get("retry-after", "")
    retry_after = int(wait) if wait.isascii() and wait.isdigit() else None
    code, message, retryable = envelope.get("code"), envelope.get("message"), envelope.get("retryable")
    request_id = headers.get("x-request-id")
    raise KurakaError(str(code), str(message), retryable is True, status, request_id, retry_after, envelope)


class Calls:
    """The settings of a client, and its calls as steps."""

    def __init__(self, token: Optional[str], base_url: Optional[str], max_retries: int) -> None:
        self.token = (token or os.environ.get("KURAKA_TOKEN") or "").strip()
        self.base_url = (base_url or os.environ.get("KURAKA_URL") or "").rstrip("/")
        if not self.token or not self.base_url:
            raise KurakaError("invalid_input", "Falta el token o la dirección: KURAKA_TOKEN, KURAKA_URL.")
        self._max_retries = max_retries
        self._limits: Optional[r.ListsRecord] = None

    def ruc(self, ruc: str) -> Steps[Optional[r.SummaryRecord]]:
        """A taxpayer's summary."""
        return self._look_up("/ruc", ruc, r.SummaryRecord)

    def ruc_official(self, ruc: str) -> Steps[Optional[r.DetailRecord]]:
        """A taxpayer's detail from SUNAT's page, from a provider, or from open data."""
        return self._look_up("/ruc-official", ruc, r.DetailRecord, timeout=_REMOTE)

    def ruc_ficha(self, ruc: str) -> Steps[Optional[r.ProfileRecord]]:
        """All that the published files say about a taxpayer."""
        return self._look_up("/ruc-ficha", ruc, r.ProfileRecord)

    def ruc_anexos(self, ruc: str) -> Steps[Optional[list[r.AnnexRecord]]]:
        """A taxpayer's other premises; an empty list if there are none."""
        return self._look_up("/ruc-anexos", ruc, list[r.AnnexRecord])

    def ruc_ssco(self, ruc: str) -> Steps[Optional[r.OperatingCapacityRecord]]:
        """Whether a taxpayer was declared without operating capacity."""
        return self._look_up("/ruc-ssco", ruc, r.OperatingCapacityRecord)

    def ruc_domicilio_fiscal(self, ruc: str) -> Steps[Optional[r.FiscalAddressRecord]]:
        """A company's fiscal address in parts."""
        return self._look_up("/ruc-domicilio-fiscal", ruc, r.FiscalAddressRecord)

    def ruc_historial(self, ruc: str, fecha: Optional[str] = None) -> Steps[Optional[r.HistoryRecord]]:
        """A taxpayer's recorded changes, and what it was on a day (`YYYY-MM-DD`)."""
        return self._look_up("/ruc-historial", ruc, r.HistoryRecord, fecha)

    def ruc_busqueda(
        self, nombre: str, *, modo: Optional[r.SearchModeName] = None, estado: Optional[str] = None,
        condicion: Optional[str] = None, departamento: Optional[str] = None, limite: Optional[int] = None,
    ) -> Stream[r.SummaryRecord]:  # fmt: skip
        """Companies by name, page after page of `limite` as they are read. A page costs one query."""
        body = _present(
            nombre=nombre, modo=modo, estado=estado, condicion=condicion, departamento=departamento, limite=limite
        )
        while True:
            page = yield from self._send("/ruc-busqueda", r.SearchRecord, body)
            yield page.resultados
            if page.siguiente is None:
                return
            body["cursor"] = page.siguiente

    def ruc_multiple(self, rucs: Iterable[r.RucItem], *, ficha: bool = False) -> Stream[r.RucItemRecord]:
        """Any number of RUCs, today or on a day: a result for each, in order. `ficha`: with all of `ruc_ficha`."""
        def send(items: list[Any]) -> Steps[r.RucBatchRecord]:
            return self._send("/ruc-multiple", r.RucBatchRecord, {"rucs": items, "ficha": ficha}, cost=len(items))

        return self._batches(list(rucs), "rucs", send, _refuse_ruc)

    def cpe(self, comprobante: r.VoucherRequest) -> Steps[r.VoucherRecord]:
        """What SUNAT says about a voucher. "Does not exist" is a result too."""
        _check(comprobante["ruc_emisor"])
        return (yield from self._send("/cpe", r.VoucherRecord, comprobante, timeout=_REMOTE))

    def cpe_multiple(self, comprobantes: Iterable[Voucher]) -> Stream[r.VoucherItemRecord]:
        """Any number of vouchers: a result for each, in order."""
        def send(items: list[Any]) -> Steps[r.VoucherBatchRecord]:
            body = {"comprobantes": items}
            return self._send("/cpe-multiple", r.VoucherBatchRecord, body, cost=len(items), timeout=_REMOTE)

        return self._batches(list(comprobantes), "comprobantes", send, _refuse_voucher)

    def seguimiento(
        self, agregar: Iterable[r.WatchItem] = (), quitar: Iterable[str] = ()
    ) -> Steps[r.WatchChangeRecord]:
        """Adds RUCs to the account's watch list and removes others, up to 1,000 of each."""
        added = list(agregar)
        body = {"agregar": added, "quitar": list(quitar)}
        return self._send("/seguimiento", r.WatchChangeRecord, body, cost=len(added))

    def seguimiento_lista(self) -> Stream[r.WatchedRecord]:
        """The account's watch list."""
        path = "/seguimiento"
        while True:
            page = yield from self._send(path, r.WatchListRecord)
            yield page.rucs
            if page.siguiente is None:
                return
            path = f"/seguimiento?cursor={page.siguiente}"

    def cambios(
        self, desde: Optional[str] = None, *, todos: Optional[bool] = None,
        datos: Optional[list[r.ChangedDatumName]] = None, limite: Optional[int] = None,
    ) -> Stream[r.FeedRecord]:  # fmt: skip
        """Pages of changes since a cursor or a day, until there are no more, or the cursor does not advance.

        Begin later at the last `siguiente`.
        """
        while True:
            body = _present(desde=desde, todos=todos, datos=datos, limite=limite)
            page = yield from self._send("/cambios", r.FeedRecord, body)
            yield [page]
            # A server without the cursor's edition returns the same cursor.
            if page.al_dia or page.siguiente == desde:
                return
            desde = page.siguiente

    def tipo_de_cambio(self, fecha: Optional[str] = None) -> Steps[r.ExchangeRateRecord]:
        """The exchange rate of a day (`YYYY-MM-DD`), by default of today."""
        return self._send("/tipo-de-cambio", r.ExchangeRateRecord, _present(fecha=fecha))

    def tipo_de_cambio_mes(self, mes: str) -> Steps[list[r.ExchangeRateRecord]]:
        """The exchange rates of the known days of a month (`YYYY-MM`)."""
        return self._send("/tipo-de-cambio", list[r.ExchangeRateRecord], {"mes": mes})

    def ubigeos(self) -> Steps[list[r.DistrictRecord]]:
        """The districts of Peru. Costs nothing."""
        return self._send("/ubigeos", list[r.DistrictRecord])

    def usage(self) -> Steps[r.UsageRecord]:
        """The plan, its limits and the queries left. Costs nothing."""
        return self._send("/usage", r.UsageRecord)

    def _send(self, path: str, kind: type[T], body: Optional[Mapping[str, Any]] = None, **options: Any) -> Steps[T]:
        return _send(Request("GET" if body is None else "POST", path, body, **options), kind, self._max_retries)

    def _look_up(
        self, path: str, ruc: str, kind: type[T], fecha: Optional[str] = None, **options: Any
    ) -> Steps[Optional[T]]:
        _check(ruc)
        try:
            return (yield from self._send(path, kind, _present(ruc=ruc, fecha=fecha), **options))
        except KurakaError as error:
            if error.code != "document_not_found":
                raise
            return None

    def _batches(self, items: list[Any], name: str, send: _Send, refuse: Callable[[Any], T]) -> Stream[T]:
        if len(items) > 1 and self._limits is None:
            self._limits = (yield from self.usage()).listas
        for start in range(0, len(items), size := max(1, getattr(self._limits, name, 1))):
            yield (yield from self._batch(items[start : start + size], send, refuse))

    def _batch(self, items: list[Any], send: _Send, refuse: Callable[[Any], T]) -> Steps[list[T]]:
        results: list[Any] = [refuse(item) for item in items]
        pending = [index for index, item in enumerate(items) if is_valid_ruc(_ruc(item))]
        for attempt in range(self._max_retries + 1):
            if not pending:
                break
            if attempt:
                yield _pause(max(results[index].retry_after or 0 for index in pending), attempt - 1)
            try:
                answer = (yield from send([items[index] for index in pending])).resultados
            except KurakaError:
                if not attempt:
                    raise
                break  # The results of the first attempt have been paid.
            for index, result in zip(pending, answer):
                results[index] = result
            again = [index for index in pending if results[index].retryable]
            pending = [index for index in again if (results[index].retry_after or 0) <= _LONGEST_WAIT]
        return results


def _ruc(item: Any) -> str:
    return item if isinstance(item, str) else str(item.get("ruc") or item.get("ruc_emisor") or "")


def _check(ruc: str) -> None:
    if not is_valid_ruc(ruc):
        raise KurakaError("invalid_input", _INVALID_RUC)


def _refuse_ruc(item: Any) -> r.RucItemRecord:
    sent = {"ruc": item} if isinstance(item, str) else item
    return r.RucItemRecord("invalid_input", False, message=_INVALID_RUC, **sent)


def _refuse_voucher(item: Mapping[str, Any]) -> r.VoucherItemRecord:
    sent: dict[str, Any] = {name: str(value) for name, value in item.items()}
    return r.VoucherItemRecord("invalid_input", False, message=_INVALID_RUC, **sent)


def _present(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}
