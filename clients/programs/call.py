"""Runs one case of the table: the call is on the standard input, `async` as argument uses the client for asyncio."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from dataclasses import asdict, is_dataclass
from typing import Any

import kuraka


def plain(value: Any) -> Any:
    if isinstance(value, list):
        return [plain(element) for element in value]
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else value


def blocking(case: dict[str, Any]) -> Any:
    values: list[Any] = []
    with kuraka.Kuraka(**case["options"]) as client:
        for _ in range(case.get("repeat", 1)):
            found = getattr(client, case["call"])(**case["arguments"])
            values.append(list(found) if hasattr(found, "__next__") else found)
    return values if "repeat" in case else values[0]


async def awaiting(case: dict[str, Any]) -> Any:
    values: list[Any] = []
    async with kuraka.AsyncKuraka(**case["options"]) as client:
        for _ in range(case.get("repeat", 1)):
            found = getattr(client, case["call"])(**case["arguments"])
            values.append([item async for item in found] if hasattr(found, "__anext__") else await found)
    return values if "repeat" in case else values[0]


def outcome(case: dict[str, Any]) -> dict[str, Any]:
    time.sleep(max(0, case.get("at", 0) - time.time()))
    try:
        if case["call"].endswith("_webhook"):
            found = getattr(kuraka, case["call"])(**case["arguments"])
        else:
            found = asyncio.run(awaiting(case)) if sys.argv[1:] == ["async"] else blocking(case)
    except kuraka.KurakaError as error:
        names = ("code", "message", "retryable", "status", "request_id", "retry_after", "details")
        is_connection = isinstance(error, kuraka.KurakaConnectionError)
        return {"error": {**{name: getattr(error, name) for name in names}, "connection": is_connection}}
    return {"value": plain(found)}


print(json.dumps(outcome(json.load(sys.stdin))))
