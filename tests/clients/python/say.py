"""What is asked, and how an answer is printed, in each program of this folder."""

import datetime
import json
import sys
from collections.abc import Sequence

BASE_URL, TOKEN = sys.argv[1:3]
COMPANY, ABSENT = "20999990038", "20999999990"
DAY, RATE_DAY = datetime.date(2026, 10, 24), datetime.date(2026, 9, 6)
ISSUED = datetime.date(2026, 1, 15)


def word(value: object) -> str:
    """A value as JSON has it, without quotes."""
    return value if isinstance(value, str) else json.dumps(value, default=str).strip('"')


def say(name: str, *groups: Sequence[object]) -> None:
    """A line with a name and groups of values."""
    print(name, ", ".join(" ".join(map(word, group)) for group in groups))
