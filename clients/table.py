#!/usr/bin/env python3
"""Runs the cases of `cases.json` against a client: `table.py NAME COMMAND…`.

A scripted server answers each case with what its `answers` say, in order. COMMAND gets a case's `call`, `arguments` and
`options` as JSON on its standard input and prints `{"value": …}` or `{"error": …}`. Every operation of the OpenAPI
document must have a case, so that a client without a new operation fails.

| of an answer | the server |
|---|---|
| `example` | sends the example of the OpenAPI document |
| `data` | sends this record |
| `code` | sends this error, with `headers` |
| `but` | sends a result for each item of the batch: `found`, or the code that `but` has for its RUC |
| `text` | sends this text with `status`, without an envelope |
| `cut` | closes the connection |
| `after` | waits as many seconds first |

`expect` has the `value`, or the fields of the `error`; the bodies of the `requests`, or their number; and the `waits`
between them, in seconds, to which a client may add up to one. Objects may have more fields than the expected ones. A case
is not for the clients in `except`, which gives the reason.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
DOCUMENT = json.loads((ROOT / "docs" / "reference" / "openapi.json").read_text("utf-8"))
CASES: list[dict[str, Any]] = json.loads((ROOT / "clients" / "cases.json").read_text("utf-8"))
STATUSES = {
    "invalid_input": 400, "date_not_covered": 400, "cursor_expired": 400, "unauthenticated": 401, "forbidden": 403,
    "document_not_found": 404, "route_not_found": 404, "rate_limited": 429, "quota_exceeded": 429,
    "internal_error": 500, "upstream_unavailable": 503, "service_unavailable": 503,
}  # fmt: skip
RETRYABLE = {"rate_limited", "internal_error", "upstream_unavailable", "service_unavailable"}
# A client under load is late; this much does not fail a case.
SLACK = 2.5
LIMIT = 2


def operations() -> set[str]:
    found = (operation["operationId"] for path in DOCUMENT["paths"].values() for operation in path.values())
    return {name.replace("-", "_") for name in found if not name.endswith("-get")}


def example(method: str, path: str) -> Any:
    content = DOCUMENT["paths"][path][method]["responses"]["200"]["content"]["application/json"]
    return next(iter(content["examples"].values()))["value"]["data"]


class Handler(BaseHTTPRequestHandler):
    """A case's requests have its number in front of their path."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.answer(None)

    def do_POST(self) -> None:
        self.answer(json.loads(self.rfile.read(int(self.headers["content-length"]))))

    def answer(self, body: Any) -> None:
        _, number, path = self.path.split("/", 2)
        case, log = CASES[int(number)], LOG[int(number)]
        wrong = self.wrong_header()
        if path == "usage" and case["call"] != "usage":
            record = {**example("get", "/usage"), "listas": {"rucs": LIMIT, "comprobantes": LIMIT}}
            return self.send(200, envelope(record))
        log.append({"at": time.monotonic(), "path": f"/{path}", "body": body, "method": self.command})
        if wrong or len(log) > len(case["answers"]):
            return self.send(400, failure("invalid_input", wrong or "one request too many"))
        script = case["answers"][len(log) - 1]
        time.sleep(script.get("after", 0))
        if script.get("cut"):
            self.close_connection = True
            return self.connection.close()
        headers = {"X-Request-Id": f"request-{len(log)}", **script.get("headers", {})}
        if "text" in script:
            self.send(script["status"], script["text"].encode(), headers)
        elif "code" in script:
            self.send(STATUSES[script["code"]], failure(script["code"], "No.", script.get("fields")), headers)
        elif "but" in script:
            self.send(200, envelope(batch(body, script)), headers)
        else:
            name = path.partition("?")[0]
            record = example(self.command.lower(), f"/{name}") if script.get("example") else script["data"]
            self.send(200, envelope(record), headers)

    def wrong_header(self) -> str:
        name, _, version = self.headers["user-agent"].partition("/")
        if not name.startswith("kuraka-") or not version[:1].isdigit():
            return "the user agent must be kuraka-LANGUAGE/VERSION"
        if "idempotency-key" in self.headers or self.headers["authorization"] != f"Bearer {TOKEN}":
            return "wrong headers"
        return ""

    def send(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        try:
            self.send_response(status)
            for name, value in {"Content-Length": str(len(body)), **(headers or {})}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)
        except OSError:
            self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:
        pass


def envelope(record: Any) -> bytes:
    return json.dumps({"success": True, "code": "found", "retryable": False, "data": record, "time": 0.001}).encode()


def failure(code: str, message: str, fields: dict[str, Any] | None = None) -> bytes:
    found = {"success": False, "code": code, "retryable": code in RETRYABLE, "message": message, **(fields or {})}
    return json.dumps(found).encode()


def batch(body: Any, script: dict[str, Any]) -> Any:
    """The results of a batch, with the items' own RUCs."""
    found = []
    for item in body.get("rucs") or body["comprobantes"]:
        sent = {"ruc": item} if isinstance(item, str) else item
        ruc = sent.get("ruc") or sent["ruc_emisor"]
        code = script["but"].get(ruc, "found")
        result = {**{name: str(value) for name, value in sent.items()}, "code": code, "retryable": code in RETRYABLE}
        if code == "found":
            path = "/ruc" if "rucs" in body else "/cpe"
            result["data"] = {**example("post", path), "ruc" if "rucs" in body else "ruc_emisor": ruc}
        else:
            result["message"] = "No."
        if code in RETRYABLE:
            result["retry_after"] = script.get("retry_after", 1)
        found.append(result)
    return {"edicion": "2026-11-21-1ffd6c97", "total": len(found), "encontrados": 0, "resultados": found}


def differs(wanted: Any, found: Any, where: str) -> str:
    """Why the value is not the expected one; empty if it is."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        pairs = ((value, found.get(name), f"{where}.{name}") for name, value in wanted.items())
    elif isinstance(wanted, list) and isinstance(found, list) and len(wanted) == len(found):
        pairs = ((value, found[index], f"{where}[{index}]") for index, value in enumerate(wanted))
    else:
        return "" if wanted == found else f"{where} is {json.dumps(found)}, not {json.dumps(wanted)}"
    return next(filter(None, (differs(*pair) for pair in pairs)), "")


def outcome_differs(wanted: Any, found: Any, where: str) -> str:
    """As `differs`, for what a program prints. An error has no value, which is not a value of null."""
    other = wanted and wanted.keys() != found.keys()
    return f"{where} is {json.dumps(found)}" if other else differs(wanted, found, where)


def run(number: int, address: str, command: list[str]) -> str:
    """Runs a case and returns what was wrong."""
    case, expect = CASES[number], CASES[number]["expect"]
    environment = {**os.environ, "KURAKA_URL": f"{address}/{number}", "KURAKA_TOKEN": TOKEN, **case.get("environment", {})}
    given = json.dumps({name: case.get(name, {}) for name in ("call", "arguments", "options")})
    done = subprocess.run(command, input=given, env=environment, capture_output=True, text=True, timeout=120)
    try:
        outcome = json.loads(done.stdout)
    except ValueError:
        return f"printed {done.stdout!r} {done.stderr[-2000:]}"
    wanted = {name: expect[name] for name in ("value", "error") if name in expect}
    if wanted.get("value") == "example":
        operation = next(iter(LOG[number]), {"method": "POST", "path": ""})
        wanted["value"] = example(operation["method"].lower(), operation["path"])
    requests = expect.get("requests", len(case["answers"]))
    sent = LOG[number]
    count = requests if isinstance(requests, int) else len(requests)
    wrong = outcome_differs(wanted, outcome, "outcome")
    if len(sent) != count:
        wrong = wrong or f"{len(sent)} requests instead of {count}"
    if isinstance(requests, list):
        wrong = wrong or differs(requests, [request["body"] or request["path"] for request in sent], "request")
    for index, seconds in enumerate(expect.get("waits", [])):
        waited = sent[index + 1]["at"] - sent[index]["at"] if len(sent) > index + 1 else -1
        if not seconds <= waited <= seconds + 1 + SLACK:
            wrong = wrong or f"waited {waited:.1f} s before request {index + 2} instead of {seconds} to {seconds + 1}"
    least = expect.get("at_least", 0)
    if least and sent[-1]["at"] - sent[0]["at"] < least:
        wrong = wrong or "the waits have no jitter"
    return wrong


TOKEN = "kur_0123"
LOG: list[list[dict[str, Any]]] = [[] for _ in CASES]


def main() -> None:
    name, command = sys.argv[1], sys.argv[2:]
    missing = operations() - {case["call"] for case in CASES}
    if missing:
        sys.exit(f"cases.json has no case of {', '.join(sorted(missing))}")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    # The longest first. Most of them wait.
    order = sorted(range(len(CASES)), key=lambda number: -CASES[number].get("seconds", 0))
    only = os.environ.get("CASE", "")
    order = [number for number in order if only in CASES[number]["name"]]
    order = [number for number in order if not name.startswith(tuple(CASES[number].get("except", ["-"])))]
    with ThreadPoolExecutor(8) as pool:
        found = dict(zip(order, pool.map(lambda number: run(number, address, command), order)))
    wrong = [f"{name}: {CASES[number]['name']}: {why}" for number, why in sorted(found.items()) if why]
    print(f"{name}: {len(order) - len(wrong)} of {len(order)} cases", *wrong, sep="\n")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
