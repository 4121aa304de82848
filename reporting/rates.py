"""How the page writes numbers: rates without a leading zero, an interval beside them, a mark for what is missing."""

import math
from decimal import Decimal

MINUS = "\u2212"
STORED_DIGITS = 6
MISSING = "–"


def short(value):
    """A number in two digits (".58", "1.00", "−.03"), with as many more as keep what is not 0 or 1 apart from it.

    >>> short(0.0026), short(0.9987), short(-0.031), short(0), short(0.00002), short(1)
    ('.003', '.999', '−.03', '.00', '.00002', '1.00')
    """
    size = abs(value)
    away = min(size, abs(1 - size))
    digits = 2 if away >= 0.01 or not away else min(math.ceil(-math.log10(away)), STORED_DIGITS)
    text = f"{size:.{digits}f}"
    return f"{MINUS if value < 0 else ''}{text.removeprefix('0') if size < 1 else text}"


def published(printed, unit):
    """A printed number as our rates are written, no digit more or less; other units and bounds as printed.

    >>> published("0.98", "fraction"), published("0.08", "percent"), published("-0.02", "percent")
    ('.98', '.0008', '−.0002')
    >>> published("1,781", "count"), published("≪ 0.001", "p"), published("100.0", "percent")
    ('1,781', '≪ 0.001', '1.000')
    """
    if unit not in ("fraction", "percent"):
        return printed.replace("-", MINUS)
    number = Decimal(printed)
    number = number.scaleb(-2) if unit == "percent" else number
    text = f"{abs(number):f}"
    text = text.removeprefix("0") if text.startswith("0.") else text
    return f"{MINUS if number < 0 else '+' if printed.startswith('+') else ''}{text}"


def interval(record):
    """ "[.56, .60]", or "" where there is none."""
    if record["value"] is None or record["low"] is None or record["high"] is None:
        return ""
    return f"[{short(record['low'])}, {short(record['high'])}]"


def p_value(value):
    """A p-value in three digits, "< .001" below that."""
    return "< .001" if value < 0.001 else f"{value:.3f}".removeprefix("0")


def in_full(record):
    """All that a record says, as the text that stands behind a cell."""
    parts = [f"n = {record['n']:,}"]
    if record["value"] is not None:
        parts.append(f"value {record['value']}")
    if record.get("interval_templates_low") is not None:
        low, high = record["interval_templates_low"], record["interval_templates_high"]
        parts.append(f"over templates too [{short(low)}, {short(high)}]")
    parts += [f"{key} = {p_value(record[key])}" for key in ("p", "p_holm") if record.get(key) is not None]
    return ", ".join(parts)
