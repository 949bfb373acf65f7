"""The peer with FastAPI, uvicorn and sqlite3: `POST /ruc` from the database that load.py made.

DATABASE=… DEPARTMENTS=… uvicorn app:app --workers 1 --no-access-log --log-level warning
"""

import hashlib
import hmac
import json
import os
import pathlib
import sqlite3
import time
from typing import Annotated

from fastapi import Depends, FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from pydantic import BaseModel, Field

DEPARTMENTS = json.loads(pathlib.Path(os.environ["DEPARTMENTS"]).read_text())
QUERY = """
SELECT *, EXISTS (SELECT 1 FROM retencion r WHERE r.ruc = p.ruc),
       EXISTS (SELECT 1 FROM buen_contribuyente b WHERE b.ruc = p.ruc)
FROM padron p WHERE ruc = ?
"""

database = sqlite3.connect(os.environ["DATABASE"], check_same_thread=False)
database.execute("PRAGMA mmap_size = 4294967296")
tokens = [digest for (digest,) in database.execute("SELECT digest FROM token")]


class Question(BaseModel):
    ruc: Annotated[str, Field(pattern=r"^\d{11}$")]


class Taxpayer(BaseModel):
    ruc: str
    nombre_o_razon_social: str
    estado: str
    condicion: str
    direccion: str
    departamento: str
    es_agente_de_retencion: str
    es_buen_contribuyente: str


class Found(BaseModel):
    success: bool = True
    code: str = "found"
    retryable: bool = False
    data: Taxpayer
    time: float


class Unauthorized(Exception):
    pass


app = FastAPI(openapi_url=None)
bearer = HTTPBearer(auto_error=False)


def failure(status, code, message):
    return JSONResponse({"success": False, "code": code, "retryable": False, "message": message}, status)


@app.exception_handler(RequestValidationError)
async def invalid(_request, _error):
    return failure(400, "invalid_input", "El RUC no es válido")


@app.exception_handler(Unauthorized)
async def unauthorized(_request, _error):
    return failure(401, "unauthorized", "El token no es válido")


async def authenticate(credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]):
    digest = hashlib.sha256(credentials.credentials.encode() if credentials else b"").digest()
    if not any([hmac.compare_digest(digest, known) for known in tokens]):
        raise Unauthorized


def clean(value):
    value = " ".join(value.split())
    # Hyphens alone stand for no value.
    return value if value.strip("-") else ""


def address(row):
    columns = [("", row[5]), ("", row[6]), ("NRO. ", row[9]), ("INT. ", row[10]), ("DPTO. ", row[12]), ("MZA. ", row[13])]
    columns += [("LOTE. ", row[11]), ("KM. ", row[14]), ("", row[7]), ("", row[8])]
    return " ".join(prefix + value for prefix, text in columns if (value := clean(text)))


# `async`, because a query takes microseconds: less than the way to a thread and back.
@app.post("/ruc", dependencies=[Depends(authenticate)])
async def ruc(question: Question) -> Found:
    started = time.perf_counter()
    row = database.execute(QUERY, (int(question.ruc),)).fetchone()
    if row is None:
        return failure(404, "document_not_found", "El RUC no existe")
    department = row[4][:2]
    taxpayer = Taxpayer(
        ruc=question.ruc,
        nombre_o_razon_social=clean(row[1]),
        estado=clean(row[2]),
        condicion=clean(row[3]),
        direccion=address(row),
        departamento=DEPARTMENTS[int(department) - 1] if department.isdigit() else "",
        es_agente_de_retencion="SI" if row[15] else "NO",
        es_buen_contribuyente="SI" if row[16] else "NO",
    )
    return Found(data=taxpayer, time=time.perf_counter() - started)
