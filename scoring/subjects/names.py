"""Names of persons (METRICS §8): titles aside, in any order, parts and initials for half."""

from functools import lru_cache

from rapidfuzz.distance import Levenshtein

from scoring import schemas
from scoring.subjects.forms import LISTS, norm

TITLES = frozenset(schemas.load("honorifics.json")) | frozenset(LISTS["titles"])
POST_NOMINALS = frozenset(LISTS["post_nominals"])
GENERATIONS = LISTS["generations"]
SAME = 0.90


@lru_cache(maxsize=1 << 16)
def tokens(value):
    """The words of a name as a tuple, without titles before it and letters behind it; one always stays."""
    words = norm(value).split()
    start, end = 0, len(words)
    while end - start > 1 and words[start] in TITLES:
        start += 1
    while end - start > 1 and words[end - 1] in POST_NOMINALS:
        end -= 1
    return tuple(words[start:end])


@lru_cache(maxsize=1 << 16)
def key(value):
    """A name as its sorted words and its generation, for telling persons apart."""
    return " ".join(sorted(tokens(value))), _generation(value)


def _generation(value):
    """Which of several of one name it tells, such as "jr"; "" where it tells nothing."""
    return next((GENERATIONS[word] for word in reversed(norm(value).split()[1:]) if word in GENERATIONS), "")


def score(guess, text):
    """Equal words in any order, or nearly so: 1; all words of the guess in the truth, or initials of it: .5.

    A title alone names nobody; who bears one as a name is found by equal values.
    """
    said, true = tokens(guess), tokens(text)
    if _other_generation(guess, text) or not set(said) - TITLES:
        return 0.0
    same = sorted(said) == sorted(true) or sorted(norm(guess).split()) == sorted(norm(text).split())
    if same or similarity(said, true) >= SAME:
        return 1.0
    left, whole = list(true), False
    for word in sorted(said, key=len, reverse=True):
        found = word if word in left else next((w for w in left if len(word) == 1 and w[0] == word), None)
        if found is None:
            return 0.0
        left.remove(found)
        whole |= found == word and len(word) > 1
    return 0.5 if whole else 0.0


def _other_generation(guess, text):
    """Whether both tell a generation, and not the same one: father and son are two persons."""
    told = _generation(guess), _generation(text)
    return all(told) and told[0] != told[1]


def similarity(one, other):
    """1 - Levenshtein / longer length, of the sorted words joined by spaces."""
    return Levenshtein.normalized_similarity(" ".join(sorted(one)), " ".join(sorted(other)))
