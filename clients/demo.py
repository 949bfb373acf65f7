#!/usr/bin/env python3
"""Calls two demo servers with a client: `demo.py NAME URL TOKEN LIMITED_URL LIMITED_TOKEN COMMAND…`.

The first must answer every operation. The plan of the second allows 20 calls a second: 30 workers make 300 calls, and none
may be lost. COMMAND is that of `table.py`; `at` and `repeat` ask it to wait until a moment and to repeat its call.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from table import operations, outcome_differs

RUC = "20999990038"
VOUCHER = {
    "ruc_emisor": "20999990062", "codigo_tipo_documento": "01", "serie_documento": "F001", "numero_documento": "1",
    "fecha_de_emision": "2026-01-15", "total": "118.00",
}  # fmt: skip
CALLS: list[tuple[str, dict[str, Any], Any]] = [
    ("ruc", {"ruc": RUC}, {"ruc": RUC, "departamento": "PUNO"}),
    ("ruc", {"ruc": "20999999990"}, None),
    ("ruc_official", {"ruc": "20999990062"}, {"ruc": "20999990062"}),
    ("ruc_ficha", {"ruc": RUC}, {"ruc": RUC, "sin_capacidad_operativa": None}),
    ("ruc_anexos", {"ruc": "20999999990"}, None),
    ("ruc_ssco", {"ruc": RUC}, {"ruc": RUC, "sin_capacidad_operativa": None}),
    ("ruc_domicilio_fiscal", {"ruc": RUC}, {"ruc": RUC, "departamento": "PUNO"}),
    ("ruc_historial", {"ruc": RUC, "fecha": "2026-10-24"}, {"en_fecha": {"condicion": "NO HABIDO"}}),
    ("ruc_busqueda", {"nombre": "molin", "limite": 1}, [{"ruc": "20999990062"}, {"ruc": "20140996549"}]),
    (
        "ruc_multiple",
        {"rucs": [RUC, {"ruc": RUC, "fecha": "2026-10-24"}, "20999999990"], "ficha": False},
        [{"data": {"condicion": "HABIDO"}}, {"data": {"condicion": "NO HABIDO"}}, {"code": "document_not_found"}],
    ),
    ("cpe", {"comprobante": VOUCHER}, {"comprobante_estado_codigo": "1"}),
    ("cpe_multiple", {"comprobantes": [VOUCHER, VOUCHER]}, [{"code": "found"}, {"code": "found"}]),
    ("seguimiento", {"agregar": [{"ruc": RUC, "codigo": "P-0042"}], "quitar": []}, {"total": 1, "no_validos": []}),
    ("seguimiento_lista", {}, [{"ruc": RUC, "codigo": "P-0042"}]),
    ("cambios", {"desde": "2026-10-24"}, [{"cambios": [{"ruc": RUC}], "al_dia": True}]),
    ("tipo_de_cambio", {"fecha": "2026-09-06"}, {"venta": 3.369, "fecha_cierre": "2026-09-04"}),
    ("usage", {}, {"plan": "free"}),
]
WORKERS, EACH = 30, 10


def call(command: list[str], url: str, token: str, **given: Any) -> dict[str, Any]:
    environment = {**os.environ, "KURAKA_URL": url, "KURAKA_TOKEN": token}
    sent = json.dumps({"options": {}, **given})
    done = subprocess.run(command, input=sent, env=environment, capture_output=True, text=True, timeout=300)
    try:
        found: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        return {"error": done.stderr[-2000:]}
    return found


def main() -> None:
    name, url, token, limited, limited_token, *command = sys.argv[1:]
    wrong = []
    for operation, arguments, wanted in CALLS:
        found = call(command, url, token, call=operation, arguments=arguments)
        why = outcome_differs({"value": wanted}, found, operation)
        if why:
            wrong.append(f"{name}: {why}")
    for operation, arguments, least in (("ubigeos", {}, 1800), ("tipo_de_cambio_mes", {"mes": "2026-09"}, 1)):
        listed = call(command, url, token, call=operation, arguments=arguments)
        if len(listed.get("value", [])) < least:
            wrong.append(f"{name}: {operation}: {listed}")
    untried = operations() - {operation for operation, _, _ in CALLS} - {"ubigeos"}
    wrong += [f"{name}: {operation} is not called" for operation in untried]

    given = {"call": "ruc", "arguments": {"ruc": RUC}, "repeat": EACH, "at": time.time() + 15}
    with ThreadPoolExecutor(WORKERS) as pool:
        found = list(pool.map(lambda _: call(command, limited, limited_token, **given), range(WORKERS)))
    answered = sum(len(one.get("value", [])) for one in found)
    seconds = time.time() - given["at"]
    print(f"{name}: {answered} of {WORKERS * EACH} calls by {WORKERS} workers in {seconds:.1f} s", *wrong, sep="\n")
    sys.exit(1 if wrong or answered < WORKERS * EACH else 0)


if __name__ == "__main__":
    main()
