"""The form in which the tables are looked up."""

from build.fold import fold
from scoring.text import words


def key(text):
    """Folded to plain letters, punctuation made space."""
    return " ".join(words(fold(text)))


def distinct(texts):
    """The texts without those whose key stood before, or is empty, in order."""
    return list({key(text): text for text in reversed(list(texts)) if key(text)}.values())[::-1]
