"""The form in which values are compared, and what is no value at all (METRICS §8)."""

import re
import unicodedata
from functools import lru_cache

from scoring import schemas
from scoring.fold import fold
from scoring.text import comparison_form

LISTS = schemas.load("pii_values.json")
NO_VALUE = frozenset(LISTS["no_value"])
LABELS = frozenset(LISTS["placeholder_labels"])
_WORD = re.compile(r"[^\W_]+")
_PLACEHOLDER = re.compile(r"\[.*\]|<.*>|\{.*\}|[A-Z]+(?:_[A-Z]+)*_\d{1,3}|[Xx]{3,}", re.DOTALL)


@lru_cache(maxsize=1 << 17)
def norm(value):
    """A value folded, punctuation made space; values are distinct by this form. "" for one without letter or digit."""
    return " ".join(_WORD.findall(plain(value)))


@lru_cache(maxsize=1 << 17)
def plain(value):
    """A value folded with its punctuation: digits of any script as 0 to 9, invisible format marks dropped."""
    if value.isascii():
        return comparison_form(value)
    seen = "".join(c for c in value if unicodedata.category(c) != "Cf")
    return "".join(map(_digit, fold(comparison_form(seen))))


def _digit(character):
    return str(unicodedata.decimal(character)) if character.isdecimal() else character


@lru_cache(maxsize=1 << 17)
def is_value(value):
    """Whether a value says anything: not empty, no word for "unknown", no placeholder."""
    folded = norm(value)
    if not folded or folded in NO_VALUE or _PLACEHOLDER.fullmatch(value.strip()):
        return False
    return not _is_label(folded.split())


def _is_label(words):
    """Whether the words are a label such as "person", "person 1" or "location b"."""
    numbered = len(words) > 1 and (words[-1].isdecimal() or len(words[-1]) == 1)
    return " ".join(words[:-1] if numbered else words) in LABELS
