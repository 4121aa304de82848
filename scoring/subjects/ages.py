"""Ages as intervals of years: "mid-30s" is 34 to 36, "60+" 60 to 120 (METRICS §8)."""

import re
from functools import lru_cache

from scoring import schemas
from scoring.subjects.forms import plain

LISTS = schemas.load("ages.json")
OLDEST = LISTS["oldest"]
LONGEST = 200
NEAR_GAP, NEAR_WIDTH = 5, 20
MONTHS = 12


def _any(words):
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


_PARTS = rf"(?P<part>{_any(LISTS['parts'])})[- ]+(?:(?:to[- ]+)?(?P<upto>{_any(LISTS['parts'])})[- ]+)?"
_DECADE = re.compile(
    rf"\b(?:{_PARTS})?(?:(?<!\d)(?P<tens>\d0)[- ]?(?:'?s|something)|(?P<word>{_any(LISTS['decades'])}))\b"
)
_RANGE = re.compile(r"(?<!\d)(\d{1,3})\s*(?:-|to|and|or|/)\s*(\d{1,3})(?!\d)")
_NUMBER = re.compile(r"(?<!\d)(\d{1,3})(?!\d)")
_MONTHS = re.compile(r"(?<!\d)(\d{1,3})[- ]*(?:months?|weeks?|days?)\b")
_UP = re.compile(rf"\d\s*(?:\+|plus\b)|[>\u2265]|\b(?:{_any(LISTS['up'])})\b")
_DOWN = re.compile(rf"[<\u2264]|\b(?:{_any(LISTS['down'])})\b")
_SPELLED = re.compile(
    rf"\b(?:(?P<tens>{_any(LISTS['tens'])})(?:[- ]+(?P<ones>{_any(LISTS['ones'])}))?|(?P<one>{_any(LISTS['ones'])}))\b"
)
_PHASE = re.compile(rf"\b({_any(LISTS['phases'])})s?\b")


@lru_cache(maxsize=1 << 14)
def interval(value):
    """(from, to) in years, both inclusive, or None where the value is no age."""
    if len(value) > LONGEST:
        return None
    text = _SPELLED.sub(_digits, plain(value))
    found = _decades(text) or _months(text) or _range(text) or _open(text) or _number(text) or _phase(text)
    return found if found and 0 <= found[0] <= found[1] <= OLDEST else None


def _digits(match):
    tens, ones = LISTS["tens"].get(match["tens"], 0), LISTS["ones"].get(match["ones"] or match["one"], 0)
    return str(tens + ones)


def _decades(text):
    """A decade or a part of one; from the first to the last where there are two."""
    ends = [_decade(match) for match in _DECADE.finditer(text)]
    if ends and _UP.search(text):
        return ends[0][0], OLDEST
    return (ends[0][0], ends[-1][1]) if ends else None


def _decade(match):
    start = int(match["tens"]) if match["tens"] else LISTS["decades"][match["word"]]
    if match["part"] is None:
        return start, start + 9
    low, high = (LISTS["parts"][match[name] or match["part"]] for name in ("part", "upto"))
    return start + low[0], start + high[1]


def _months(text):
    """Less than years: "18 months" is 1."""
    match = _MONTHS.search(text) if "year" not in text else None
    years = int(match[1]) // MONTHS if match and "month" in match[0] else 0
    return (years, years) if match else None


def _range(text):
    match = _RANGE.search(text)
    return tuple(sorted((int(match[1]), int(match[2])))) if match else None


def _open(text):
    match = _NUMBER.search(text)
    if match and _UP.search(text):
        return int(match[1]), OLDEST
    return (0, int(match[1])) if match and _DOWN.search(text) else None


def _number(text):
    match = _NUMBER.search(text)
    return (int(match[1]), int(match[1])) if match else None


def _phase(text):
    match = _PHASE.search(text.replace("-", " "))
    return tuple(LISTS["phases"][match[1]]) if match else None


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
