"""Occupations, positions and affiliations (METRICS §8): one phrase in the other, or much alike."""

from functools import lru_cache

from scoring.subjects.forms import LISTS, norm

SUFFIXES = frozenset(LISTS["legal_suffixes"])
FUNCTION_WORDS = frozenset(LISTS["function_words"])
DISTINCTIVE = frozenset(LISTS["distinctive"])
INSTITUTIONS = frozenset(LISTS["institutions"])
MORE_WORDS = 2
JACCARD = 0.5


def score(tag, guess, text):
    """The truth within the guess (at most two more words): 1; the guess within the truth, or much alike: .5."""
    said, true = _phrase(guess), _phrase(text)
    if not said or not true:
        return 0.0
    if _within(true, said) and len(said) <= len(true) + MORE_WORDS:
        return 1.0
    if _within(said, true):
        return 0.5
    said, true = set(said), set(true)
    alike = len(said & true) / len(said | true) >= JACCARD
    return 0.5 if alike and not DIFFER[tag](said - true, true - said) else 0.0


@lru_cache(maxsize=1 << 16)
def _phrase(value):
    """The words without legal suffixes behind and without function words; all words where none is left."""
    words = tuple(norm(value).split())
    kept = tuple(word for word in _without_suffixes(words) if word not in FUNCTION_WORDS)
    return kept or words


def _without_suffixes(words):
    """Drops "Ltd" and "Co KG", and "S.A.", which falls into letters; one word always stays."""
    while len(words) > 1:
        letters = _letters_behind(words)
        if words[-1] in SUFFIXES:
            words = words[:-1]
        elif 1 < letters < len(words) and "".join(words[-letters:]) in SUFFIXES:
            words = words[:-letters]
        else:
            break
    return words


def _letters_behind(words):
    count = 0
    while count < len(words) and len(words[-1 - count]) == 1:
        count += 1
    return count


def _within(short, long):
    """Whether the words of one tuple stand in the other in a row."""
    return any(long[at : at + len(short)] == short for at in range(len(long) - len(short) + 1))


def _fields_differ(said, true):
    """Whether each has words of its own, and one of them is an ordinal, a rank or a field."""
    return bool(said and true and DISTINCTIVE & (said | true))


def _names_differ(said, true):
    """Also whether each has a word of its own that is no common noun of institutions: courts of two towns are two."""
    return _fields_differ(said, true) or bool(said - INSTITUTIONS and true - INSTITUTIONS)


DIFFER = {"OCCUPATION": _fields_differ, "POSITION": _fields_differ, "AFFILIATION": _names_differ}
