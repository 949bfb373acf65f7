"""Rules that the document does not express: the check digit of a RUC, words to search for, the texts of filters, a date that is not in the future, a total with at
most two decimals, unlike most floats, and which series suit a kind of voucher."""

import datetime
import json
import re

import schemathesis
from hypothesis import strategies as st

WEIGHTS = (5, 4, 3, 2, 7, 6, 5, 4, 3, 2)
DECIMAL = re.compile(r"^(0|[1-9][0-9]{0,11})(\.[0-9]{1,2})?$")


def with_check_digit(ten: str) -> str:
    rest = 11 - sum(int(digit) * weight for digit, weight in zip(ten, WEIGHTS)) % 11
    return ten + str(rest % 10)


rucs = st.builds(
    lambda prefix, middle: with_check_digit(f"{prefix}{middle:08}"),
    st.sampled_from(("10", "15", "16", "17", "20")),
    st.integers(min_value=0, max_value=99_999_999),
)
schemathesis.openapi.format("ruc", rucs)

# At most ten words, none too short for any mode.
words = st.lists(st.text("abcñÑéR9", min_size=3, max_size=9), min_size=1, max_size=10)
schemathesis.openapi.format("nombre", words.map(" ".join))
schemathesis.openapi.format("estado", st.sampled_from(("ACTIVO", "baja de oficio", "SUSPENSION TEMPORAL")))
schemathesis.openapi.format("departamento", st.sampled_from(("LIMA", "Áncash", "la libertad")))
schemathesis.openapi.format("condicion", st.sampled_from(("HABIDO", "no habido", "POR VERIFICAR")))

days = st.dates(datetime.date(2000, 1, 1), datetime.date.today()).map(str)
schemathesis.openapi.format("dia", days)


def is_in_the_future(value: object) -> bool:
    try:
        return isinstance(value, str) and datetime.date.fromisoformat(value) > datetime.date.today()
    except ValueError:
        return False


# The first letter of a series that suits a kind of voucher. The other kinds take any series.
LETTERS = {"01": "F", "03": "B", "07": "F", "08": "B"}


@schemathesis.hook
def before_call(context, case, kwargs):
    """Makes a series that the schema allows suit its kind, and removes cursors, which belong to one query. A body that the
    schema refuses stays refused."""
    if isinstance(case.query, dict) and ("cursor" in case.query or is_uncovered(case.query.get("fecha"))):
        case.query = {}
    if isinstance(case.path_parameters, dict) and is_date(case.path_parameters.get("fecha")):
        case.path_parameters = {"fecha": RATE_DAY}
    if not isinstance(case.body, dict):
        return
    mode = str(getattr(getattr(case.meta, "generation", None), "mode", ""))
    case.body = as_the_document_says(case.body, "negative" in mode.lower())
    if case.operation.path == "/tipo-de-cambio":
        case.body = with_a_known_rate(case.body)
    added, removed = case.body.get("agregar"), case.body.get("quitar")
    if isinstance(added, list) and isinstance(removed, list) and max(len(added), len(removed)) <= 1000:
        # The maximum is of both together.
        case.body = case.body | {"quitar": removed[: 1000 - len(added)]}
    is_missing = all(case.body.get(field) is None for field in ("agregar", "quitar"))
    if case.operation.path.endswith("/seguimiento") and is_missing:
        # One of two fields that may be missing must be there.
        case.body = case.body | {"quitar": []}
    if isinstance(case.body.get("cursor"), str) and len(case.body["cursor"]) <= 512:
        case.body = {key: value for key, value in case.body.items() if key != "cursor"}
    kind, series = case.body.get("codigo_tipo_documento"), case.body.get("serie_documento")
    is_series = isinstance(series, str) and re.fullmatch("[A-Z0-9]{1,4}", series) and not series.isdigit()
    if isinstance(kind, str) and kind in LETTERS and is_series:
        case.body = case.body | {"serie_documento": (LETTERS[kind] + series)[:4].ljust(4, "0")}


# A day and a month of which the sample has exchange rates.
RATE_DAY, RATE_MONTH = "2026-09-06", "2026-09"


def with_a_known_rate(body: dict) -> dict:
    """A day or a month of the sample, in the currency that has a rate. What the schema refuses stays refused."""
    if isinstance(body.get("mes"), str) and re.fullmatch(r"[0-9]{4}-[0-9]{2}", body["mes"]):
        body = {key: value for key, value in body.items() if key != "fecha"} | {"mes": RATE_MONTH}
    elif body.get("mes") is None and (body.get("fecha") is None or is_date(body["fecha"])):
        body = body | {"fecha": RATE_DAY}
    return body | {"moneda": "USD"} if isinstance(body.get("moneda"), str) else body


def is_date(value: object) -> bool:
    return isinstance(value, str) and bool(re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value))


def is_uncovered(fecha: object) -> bool:
    """Whether a date is one that the sample's record of changes may not cover."""
    return is_date(fecha) and not "2026-10-24" <= fecha <= "2026-10-31"


def as_the_document_says(body: dict, is_wrong: bool) -> dict:
    """A list that the sample's plan accepts, without items that have a code of their own, and no date that may not be
    covered."""
    rucs, vouchers = body.get("rucs"), body.get("comprobantes")
    if is_wrong and isinstance(rucs, list) and any(isinstance(item, dict) for item in rucs):
        body = body | {"rucs": []}
    elif isinstance(rucs, list) and len(rucs) <= 1000:
        body = body | {"rucs": rucs[:100]}
    if is_wrong and isinstance(vouchers, list) and any(isinstance(item, dict) for item in vouchers):
        body = body | {"comprobantes": []}
    elif isinstance(vouchers, list) and len(vouchers) <= 100:
        body = body | {"comprobantes": vouchers[:20]}
    added = body.get("agregar")
    if is_wrong and isinstance(added, list) and any(isinstance(item, dict) for item in added):
        body = body | {"agregar": "no list"}
    # A format of a field that may be null is not always followed.
    for field, known in (("estado", "ACTIVO"), ("condicion", "HABIDO"), ("departamento", "LIMA")):
        if isinstance(body.get(field), str):
            body = body | {field: known}
    # A text that is no date is a cursor, which belongs to one account.
    since = body.get("desde")
    if isinstance(since, str) and len(since) <= 512 and not "2026-10-24" <= since <= "2026-10-31":
        body = {key: value for key, value in body.items() if key != "desde"}
    return {key: value for key, value in body.items() if key != "fecha" or not is_uncovered(value)}


@schemathesis.hook
def filter_body(context, body) -> bool:
    if isinstance(body, str):
        return bool(body.strip())
    if not isinstance(body, dict):
        return True
    total = body.get("total")
    is_untidy = isinstance(total, float) and not DECIMAL.match(json.dumps(total))
    return not (is_untidy or is_in_the_future(body.get("fecha_de_emision")))
