"""Text comparison (METRICS §3): the one place where two texts are held against each other."""

import re
import unicodedata
from functools import lru_cache

WORD = re.compile(r"\w+")
_SPACE = re.compile(r"\s+")
_PLAIN = {"\u2212": "-"}
_PLAIN |= dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u2035\u02b9\u02bc\u00b4\uff07", "'")
_PLAIN |= dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u2036\u00ab\u00bb\uff02", '"')


class _Plain(dict):
    """By code point the plain dash or quote of a character, or itself; filled as characters are met."""

    def __missing__(self, code):
        character = chr(code)
        is_dash = unicodedata.category(character) == "Pd"
        self[code] = "-" if is_dash else _PLAIN.get(character, character)
        return self[code]


_TABLE = _Plain()


def folded(text):
    """NFC, casefold, dashes "-", quotes plain; white space as it is.

    Casefolding may leave the composed form (as for U+0130), so NFC is taken again after it.
    """
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold()).translate(_TABLE)


@lru_cache(maxsize=1 << 17)
def comparison_form(text):
    """A text folded, its white space folded to single spaces and stripped."""
    return _SPACE.sub(" ", folded(text)).strip()


@lru_cache(maxsize=1 << 17)
def words(text):
    r"""The `\w+` runs of a text in comparison form, as a tuple."""
    return tuple(WORD.findall(comparison_form(text)))


def _is_inside_word(character):
    return character.isalnum() or character == "_" or unicodedata.category(character).startswith("M")


def find_on_boundaries(needle, haystack, start=0):
    """Index of `needle` in `haystack` with no letter, digit, underscore or mark beside it, else -1.

    Both are taken as they are: bring them into comparison form first.
    """
    if not needle:
        return -1
    at = haystack.find(needle, start)
    while at >= 0:
        end = at + len(needle)
        before = at > 0 and _is_inside_word(haystack[at - 1])
        after = end < len(haystack) and _is_inside_word(haystack[end])
        if not before and not after:
            return at
        at = haystack.find(needle, at + 1)
    return -1


def contains(haystack, needle):
    """Whether `needle` stands in `haystack` on word boundaries, both in comparison form."""
    return find_on_boundaries(comparison_form(needle), comparison_form(haystack)) >= 0
