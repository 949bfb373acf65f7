"""Compiles with `mypy --strict`: what callers get is typed."""

import asyncio
from collections.abc import Iterator
from typing import Optional

from kuraka import AsyncKuraka, Kuraka, RucItemRecord, SummaryRecord, VoucherRequest


def blocking(client: Kuraka, voucher: VoucherRequest) -> None:
    company: Optional[SummaryRecord] = client.ruc("20100119227")
    items: Iterator[RucItemRecord] = client.ruc_multiple(["20100119227"], ficha=True)
    client.ruc(20100119227)  # type: ignore[arg-type]
    print(company, items, client.cpe(voucher).comprobante_estado_codigo)


async def awaiting(client: AsyncKuraka) -> None:
    print(await client.ruc("20100119227"), [item.ruc async for item in client.ruc_busqueda("molinos")])


if __name__ == "__main__":
    asyncio.run(awaiting(AsyncKuraka()))
