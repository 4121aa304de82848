"""Strings that should clearly be no names: word-like, gibberish, random (PUN §4.3, §6.4; the paper's three kinds).

All are two capitalised words. Word-like ones are spelt as English words of two or three syllables are; gibberish
alternates consonants and vowels; random ones draw letters alike.
"""

import json
from functools import cache
from pathlib import Path
from string import ascii_lowercase

from build import draws

SYLLABLES = Path(__file__).parent / "syllables.json"
KINDS = ("nonname_wordlike", "nonname_gibberish", "nonname_random")
VOWELS = "aeiou"
CONSONANTS = "".join(letter for letter in ascii_lowercase if letter not in VOWELS)
LETTERS = (5, 10)


@cache
def syllables():
    """The shapes and parts of word-like strings."""
    return json.loads(SYLLABLES.read_text(encoding="utf-8"))


def nonnames(kind, count, seed, refused):
    """`count` distinct strings of one kind, in drawn order.

    Args:
        refused: says whether a folded word is a word, a name or another thing that exists; those are drawn again.
    """
    make = {"nonname_wordlike": _wordlike, "nonname_gibberish": _gibberish, "nonname_random": _random}[kind]
    stream = draws.Stream(seed, "unknown_names", kind)
    found = {}
    while len(found) < count:
        words = [make(stream), make(stream)]
        if not any(refused(word) for word in words):
            found.setdefault(" ".join(word.capitalize() for word in words))
    return list(found)


def _length(stream):
    low, high = LETTERS
    return low + stream.below(high - low + 1)


def _wordlike(stream):
    found = syllables()
    return "".join(stream.choice(found[part]) for part in stream.choice(found["shapes"]))


def _gibberish(stream):
    starts = stream.below(2)
    return "".join(stream.choice((CONSONANTS, VOWELS)[(at + starts) % 2]) for at in range(_length(stream)))


def _random(stream):
    return "".join(stream.choice(ascii_lowercase) for _ in range(_length(stream)))
