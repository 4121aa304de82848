"""How the page writes numbers: rates without a leading zero, an interval beside them, a mark for what is missing."""

MINUS = "\u2212"
DIGITS = 2
SMALLEST = 0.00005
MISSING = "–"


def short(value):
    """A number in two digits (".58", "1.00", "−.03"), with three or four where it is within .01 of 0 or 1.

    >>> short(0.0008), short(0.9987), short(-0.031), short(0), short(0.00002), short(0.99998)
    ('.0008', '.999', '−.03', '.00', '< .0001', '> .9999')
    """
    size = abs(value)
    away = min(size, abs(1 - size))
    sign = MINUS if value < 0 else ""
    if 0 < away < SMALLEST:
        return f"{'<' if (size < 0.5) == (value > 0) else '>'} {sign}{'.0001' if size < 0.5 else '.9999'}"
    digits = DIGITS if away >= 0.01 or not away else 3 if away >= 0.001 else 4
    text = f"{size:.{digits}f}"
    return sign + (text.removeprefix("0") if size < 1 else text)


def with_interval(record):
    """ ".58 [.56, .60]", or the value alone where there is no interval; "–" where there is no value."""
    if record["value"] is None:
        return MISSING
    if record["low"] is None or record["high"] is None:
        return short(record["value"])
    return f"{short(record['value'])} [{short(record['low'])}, {short(record['high'])}]"


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
