"""The two clients, which differ in how they send and wait."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Coroutine, Iterator
from functools import wraps
from typing import TYPE_CHECKING, Any, Callable, Optional

import httpx

from .calls import Calls, Request, Steps, Stream, stream
from .records import VERSION, T

if TYPE_CHECKING:
    from typing_extensions import Concatenate, ParamSpec

    P = ParamSpec("P")


class _Client:
    _transport: Any

    def __init__(
        self, token: Optional[str] = None, base_url: Optional[str] = None, timeout: Optional[float] = None,
        max_retries: int = 2,
    ) -> None:  # fmt: skip
        """`token` and `base_url` default to the variables `KURAKA_TOKEN` and `KURAKA_URL`.

        `timeout` is in seconds; by default 10, or 40 for what SUNAT answers. `max_retries` does not count waiting for
        the plan's rate.
        """
        self._calls = Calls(token, base_url, max_retries)
        self._timeout = timeout
        headers = {"authorization": f"Bearer {self._calls.token}", "user-agent": f"kuraka-python/{VERSION}"}
        self._http = self._transport(base_url=self._calls.base_url, headers=headers)

    def _arguments(self, request: Request) -> dict[str, Any]:
        total = self._timeout or request.timeout
        timeout = httpx.Timeout(total, connect=min(5.0, total))
        return {"method": request.method, "url": request.path, "json": request.body, "timeout": timeout}


def _one(call: Callable[Concatenate[Calls, P], Steps[T]]) -> Callable[Concatenate[Kuraka, P], T]:
    @wraps(call)
    def run(self: Kuraka, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return next(self._results(stream(call(self._calls, *args, **kwargs))))

    return run


def _many(call: Callable[Concatenate[Calls, P], Stream[T]]) -> Callable[Concatenate[Kuraka, P], Iterator[T]]:
    @wraps(call)
    def run(self: Kuraka, /, *args: P.args, **kwargs: P.kwargs) -> Iterator[T]:
        return self._results(call(self._calls, *args, **kwargs))

    return run


def _one_async(
    call: Callable[Concatenate[Calls, P], Steps[T]],
) -> Callable[Concatenate[AsyncKuraka, P], Coroutine[Any, Any, T]]:
    @wraps(call)
    async def run(self: AsyncKuraka, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self._results(stream(call(self._calls, *args, **kwargs))).__anext__()

    return run


def _many_async(
    call: Callable[Concatenate[Calls, P], Stream[T]],
) -> Callable[Concatenate[AsyncKuraka, P], AsyncIterator[T]]:
    @wraps(call)
    def run(self: AsyncKuraka, /, *args: P.args, **kwargs: P.kwargs) -> AsyncIterator[T]:
        return self._results(call(self._calls, *args, **kwargs))

    return run


class Kuraka(_Client):
    """A blocking client, which threads may share.

    Lookups return `None` only if a source says that the RUC does not exist; what could not be found out raises
    `KurakaError`.
    """

    _transport = httpx.Client

    ruc = _one(Calls.ruc)
    ruc_official = _one(Calls.ruc_official)
    ruc_ficha = _one(Calls.ruc_ficha)
    ruc_anexos = _one(Calls.ruc_anexos)
    ruc_ssco = _one(Calls.ruc_ssco)
    ruc_domicilio_fiscal = _one(Calls.ruc_domicilio_fiscal)
    ruc_historial = _one(Calls.ruc_historial)
    ruc_busqueda = _many(Calls.ruc_busqueda)
    ruc_multiple = _many(Calls.ruc_multiple)
    cpe = _one(Calls.cpe)
    cpe_multiple = _many(Calls.cpe_multiple)
    seguimiento = _one(Calls.seguimiento)
    seguimiento_lista = _many(Calls.seguimiento_lista)
    cambios = _many(Calls.cambios)
    tipo_de_cambio = _one(Calls.tipo_de_cambio)
    tipo_de_cambio_mes = _one(Calls.tipo_de_cambio_mes)
    ubigeos = _one(Calls.ubigeos)
    usage = _one(Calls.usage)

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def __enter__(self) -> Kuraka:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _results(self, steps: Stream[T]) -> Iterator[T]:
        step = next(steps, None)
        while step is not None:
            if isinstance(step, list):
                yield from step
                step = next(steps, None)
            elif isinstance(step, Request):
                step = steps.send(self._send(step))
            else:
                time.sleep(step)
                step = next(steps, None)

    def _send(self, request: Request) -> Any:
        try:
            return self._http.request(**self._arguments(request))
        except httpx.RequestError as error:
            return error


class AsyncKuraka(_Client):
    """A client for asyncio.

    Lookups return `None` only if a source says that the RUC does not exist; what could not be found out raises
    `KurakaError`.
    """

    _transport = httpx.AsyncClient

    ruc = _one_async(Calls.ruc)
    ruc_official = _one_async(Calls.ruc_official)
    ruc_ficha = _one_async(Calls.ruc_ficha)
    ruc_anexos = _one_async(Calls.ruc_anexos)
    ruc_ssco = _one_async(Calls.ruc_ssco)
    ruc_domicilio_fiscal = _one_async(Calls.ruc_domicilio_fiscal)
    ruc_historial = _one_async(Calls.ruc_historial)
    ruc_busqueda = _many_async(Calls.ruc_busqueda)
    ruc_multiple = _many_async(Calls.ruc_multiple)
    cpe = _one_async(Calls.cpe)
    cpe_multiple = _many_async(Calls.cpe_multiple)
    seguimiento = _one_async(Calls.seguimiento)
    seguimiento_lista = _many_async(Calls.seguimiento_lista)
    cambios = _many_async(Calls.cambios)
    tipo_de_cambio = _one_async(Calls.tipo_de_cambio)
    tipo_de_cambio_mes = _one_async(Calls.tipo_de_cambio_mes)
    ubigeos = _one_async(Calls.ubigeos)
    usage = _one_async(Calls.usage)

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> AsyncKuraka:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def _results(self, steps: Stream[T]) -> AsyncIterator[T]:
        step = next(steps, None)
        while step is not None:
            if isinstance(step, list):
                for result in step:
                    yield result
                step = next(steps, None)
            elif isinstance(step, Request):
                step = steps.send(await self._send(step))
            else:
                await asyncio.sleep(step)
                step = next(steps, None)

    async def _send(self, request: Request) -> Any:
        try:
            return await self._http.request(**self._arguments(request))
        except httpx.RequestError as error:
            return error
