"""Verifies webhooks as the Standard Webhooks specification says."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from typing import Optional, Union

from .errors import KurakaError
from .records import WebhookRecord, decode

Body = Union[bytes, str]
_TOLERANCE = 5 * 60


def verify_webhook(secret: str, headers: Mapping[str, str], body: Body, *, now: Optional[float] = None) -> None:
    """Raises `KurakaError` unless the webhook is signed with the secret and at most five minutes old.

    `body` is the body as it arrived, byte for byte. `now` is in seconds since 1970.
    """
    lowered = {name.lower(): value for name, value in headers.items()}
    message, sent = lowered.get("webhook-id", ""), lowered.get("webhook-timestamp", "")
    if not message or not (sent.isascii() and sent.isdigit() and len(sent) < 13):
        raise _invalid("faltan sus encabezados")
    if abs((time.time() if now is None else now) - int(sent)) > _TOLERANCE:
        raise _invalid("su fecha difiere en más de cinco minutos")
    content = body.encode() if isinstance(body, str) else body
    digest = hmac.new(_key(secret), f"{message}.{sent}.".encode() + content, hashlib.sha256).digest()
    wanted = b"v1," + base64.b64encode(digest)
    for signature in lowered.get("webhook-signature", "").split():
        if hmac.compare_digest(wanted, signature.encode()):
            return
    raise _invalid("la firma no es de este secreto")


def read_webhook(secret: str, headers: Mapping[str, str], body: Body, *, now: Optional[float] = None) -> WebhookRecord:
    """Verifies a webhook as `verify_webhook` does, and returns what it says."""
    verify_webhook(secret, headers, body, now=now)
    return decode(WebhookRecord, json.loads(body))


def _key(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret[6:] if secret.startswith("whsec_") else secret, validate=True)
    except ValueError:
        key = b""
    if not key:  # A key that everyone knows.
        raise _invalid("el secreto está vacío o no es base64")
    return key


def _invalid(reason: str) -> KurakaError:
    return KurakaError("webhook_invalid", f"El aviso no es auténtico: {reason}.")
