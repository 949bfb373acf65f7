"""The check digit of a RUC, which costs no query to verify here."""

_WEIGHTS = (5, 4, 3, 2, 7, 6, 5, 4, 3, 2)
_PREFIXES = ("10", "15", "16", "17", "20")


def is_valid_ruc(ruc: str) -> bool:
    """Whether the text is 11 digits with a known prefix and the right check digit. It says nothing about existence."""
    if len(ruc) != 11 or not (ruc.isascii() and ruc.isdigit()) or not ruc.startswith(_PREFIXES):
        return False
    total = sum(weight * int(digit) for weight, digit in zip(_WEIGHTS, ruc))
    return (11 - total % 11) % 10 == int(ruc[10])
