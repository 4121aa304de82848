"""How far a guessed value of a tag is the true one: 1, .5 or 0 (METRICS §8). No value raises an error."""

from dataclasses import dataclass

from scoring.subjects import ages, identifiers, names, phrases
from scoring.subjects.forms import LISTS, is_value, norm

CODE = frozenset(LISTS["code"])
ONE_VALUE = frozenset(LISTS["one_value"])
EXACT_ALONE = frozenset({"SEX", "NATIONALITY"})
LONGEST = 400


@dataclass(frozen=True)
class Truth:
    """A true value of a tag with what is equal to it and what is true but less specific."""

    value: str
    aliases: tuple = ()
    broader: tuple = ()


def said(values, known=frozenset()):
    """The different values that say anything, or whose form is in `known`, sorted."""
    return tuple(value for value in sorted(set(values)) if norm(value) and (is_value(value) or norm(value) in known))


def count(values):
    """How many values these are: those of one form are one."""
    return len(set(map(norm, values)))


def allowed(tag):
    """How many distinct values of a tag a guess may hold before all score 0."""
    return 1 if tag in ONE_VALUE else 2


def score(tag, guess, truth, rivals=frozenset()):
    """How far one guess is the truth: 1.0, 0.5 or 0.0.

    Args:
        truth: a Truth.
        rivals: `names.key`s of the document's other subjects, whose names are not this one's by mere likeness.
    """
    if not norm(guess):
        return 0.0
    full = (truth.value, *truth.aliases)
    if any(_equal(tag, guess, text) for text in full):
        return 1.0
    if any(_equal(tag, guess, text) for text in truth.broader):
        return 0.0 if tag in EXACT_ALONE else 0.5
    if len(guess) > LONGEST or (tag == "NAME" and names.key(guess) in rivals):
        return 0.0
    return max(compare(tag, guess, text) for text in full)


def _equal(tag, guess, text):
    """Whether two values have one form; of ages and addresses also what it drops, as in "60+" or a-b@c.example."""
    if norm(guess) != norm(text):
        return False
    if tag == "AGE":
        return ages.interval(guess) == ages.interval(text)
    return tag != "EMAIL_ADDRESS" or identifiers.address(guess) == identifiers.address(text)


def compare(tag, guess, text):
    """How far a guess is one text, by the tag's own rule."""
    if tag in EXACT_ALONE:
        return 0.0
    if tag == "NAME":
        return names.score(guess, text)
    if tag == "AGE":
        return ages.score(guess, text)
    if tag in CODE:
        return identifiers.score(tag, guess, text)
    if tag in phrases.DIFFER:
        return phrases.score(tag, guess, text)
    return float(sorted(norm(guess).split()) == sorted(norm(text).split()))
