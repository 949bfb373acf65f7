"""Rules that a schema cannot express: the check digit of a RUC, a date that is not in the future, and a total with at
most two decimals, unlike most floats."""

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


def is_in_the_future(value: object) -> bool:
    try:
        return isinstance(value, str) and datetime.date.fromisoformat(value) > datetime.date.today()
    except ValueError:
        return False


@schemathesis.hook
def filter_body(context, body) -> bool:
    if not isinstance(body, dict):
        return True
    total = body.get("total")
    is_untidy = isinstance(total, float) and not DECIMAL.match(json.dumps(total))
    return not (is_untidy or is_in_the_future(body.get("fecha_de_emision")))
