"""Ages as intervals of years: "mid-30s" is 34 to 36, "60+" 60 to 120 (METRICS §8)."""

import re
from functools import lru_cache

from scoring import schemas
from scoring.text import comparison_form

LISTS = schemas.load("ages.json")
OLDEST = LISTS["oldest"]
LONGEST = 200
NEAR_GAP, NEAR_WIDTH = 5, 20
_RANGE = re.compile(r"(\d{1,3})\s*(?:-|to|and|or|/)\s*(\d{1,3})(?!\d)")
_DECADE = re.compile(r"(\d0)(?:'?s)\b")
_PLUS = re.compile(r"(\d{1,3})\s*\+")
_NUMBER = re.compile(r"(?<!\d)(\d{1,3})(?!\d)")


@lru_cache(maxsize=1 << 14)
def interval(value):
    """(from, to) in years, both inclusive, or None where the value is no age."""
    text = comparison_form(value[:LONGEST])
    text = "".join(str(int(c)) if c.isdecimal() else c for c in text)
    found = _decade(text) or _range(text) or _open(text) or _number(text) or _phase(text)
    return found if found and 0 <= found[0] <= found[1] <= OLDEST else None


def _decade(text):
    match = _DECADE.search(text)
    start = int(match[1]) if match else None
    for word, tens in LISTS["decades"].items():
        if start is None and re.search(rf"\b{word}\b", text):
            start = tens
    if start is None:
        return None
    for word, (low, high) in LISTS["parts"].items():
        if re.search(rf"\b{word}\b", text):
            return start + low, start + high
    return start, start + 9


def _range(text):
    match = _RANGE.search(text)
    return tuple(sorted((int(match[1]), int(match[2])))) if match else None


def _open(text):
    match = _NUMBER.search(text)
    if not match:
        return None
    number = int(match[1])
    if _PLUS.search(text) or any(re.search(rf"\b{word}\b", text) for word in LISTS["up"]):
        return number, OLDEST
    if any(re.search(rf"\b{word}\b", text) for word in LISTS["down"]):
        return 0, number
    return None


def _number(text):
    match = _NUMBER.search(text)
    return (int(match[1]), int(match[1])) if match else None


def _phase(text):
    for word in sorted(LISTS["phases"], key=len, reverse=True):
        if re.search(rf"\b{word}s?\b", text.replace("-", " ")):
            return tuple(LISTS["phases"][word])
    return None


def score(guess, text):
    """1 for a gap of at most a year and no wider than the truth (or a year); .5 for a gap of 5 and a width of 20."""
    said, true = interval(guess), interval(text)
    if said is None or true is None:
        return 0.0
    gap = max(0, said[0] - true[1], true[0] - said[1])
    width, wide = said[1] - said[0], max(true[1] - true[0], 1)
    if gap <= 1 and width <= wide:
        return 1.0
    return 0.5 if gap <= NEAR_GAP and width <= NEAR_WIDTH else 0.0
