"""The words of a text in comparison form and their places in it (METRICS §8)."""

import unicodedata
from dataclasses import dataclass
from functools import cached_property

from scoring.text import WORD, folded

_HANGUL_TAILS = range(0x1160, 0x1200)  # vowels and finals, which compose with the letter before them


@dataclass(frozen=True)
class Words:
    """The words of a text.

    Attributes:
        words: list of strings in comparison form.
        spans: list of (start, end) of each, in code points of the original text.
        gaps: list of the texts between each word and the next, white space kept.
    """

    words: list
    spans: list
    gaps: list

    @cached_property
    def starts(self):
        """Where the words start, in order."""
        return [start for start, _ in self.spans]

    @cached_property
    def ends(self):
        """Where the words end, in order."""
        return [end for _, end in self.spans]


def read(text):
    """The Words of a text."""
    plain, places = _plain(text)
    found = list(WORD.finditer(plain))
    spans = [match.span() if places is None else _places(match, *places) for match in found]
    gaps = [plain[first.end() : second.start()] for first, second in zip(found, found[1:], strict=False)]
    return Words([match[0] for match in found], spans, gaps)


def _places(match, starts, ends):
    return starts[match.start()], ends[match.end() - 1]


def _plain(text):
    """A text in comparison form with its white space kept, and for its characters where theirs start and end in it.

    The places are two lists, or None where every character has its own place.
    """
    if text.isascii():
        return text.lower(), None
    plain = folded(text)
    if len(plain) == len(text) and unicodedata.is_normalized("NFC", text):
        return plain, None
    pieces, starts, ends = [], [], []
    for start, end in _clusters(text):
        piece = folded(text[start:end])
        pieces.append(piece)
        starts += [start] * len(piece)
        ends += [end] * len(piece)
    return "".join(pieces), (starts, ends)


def _clusters(text):
    """(start, end) of each character with the marks that may compose with it."""
    starts = [
        at
        for at, character in enumerate(text)
        if not at or not (unicodedata.combining(character) or ord(character) in _HANGUL_TAILS)
    ]
    return list(zip(starts, [*starts[1:], len(text)], strict=True))
