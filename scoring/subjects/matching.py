"""Which guessed subject is which true one: a one-to-one match of the largest total (METRICS §8)."""

import numpy as np
from rapidfuzz import fuzz, utils

from scoring.subjects.units import unit_score

NAME_SHARE, PII_SHARE, DESCRIPTION_SHARE = 0.25, 0.30, 0.45
LEAST = 0.15


def match(subjects, guesses, with_pii=True):
    """{place of a true subject: place of a guess} over both lists, pairs under LEAST left out.

    Args:
        subjects: list of units.Subject.
        guesses: list of (description, {tag: values}), in any order; ties do not hang on it.
        with_pii: False leaves the PII's part out, to check whether matching leans on it.
    """
    return matches(subjects, guesses)[0 if with_pii else 1]


def matches(subjects, guesses):
    """(match with the PII's part, match without it), each as `match` gives it; the likenesses are found once."""
    if not subjects or not guesses:
        return {}, {}
    order = sorted(range(len(guesses)), key=lambda at: (guesses[at][0], sorted(guesses[at][1].items())))
    parts = np.array([[_parts(one, guesses[at], subjects) for at in order] for one in subjects])
    name, pii, description = np.moveaxis(parts, 2, 0)
    with_pii = NAME_SHARE * name + PII_SHARE * pii + DESCRIPTION_SHARE * description
    without = NAME_SHARE * name + DESCRIPTION_SHARE * description
    return _assigned(with_pii, order), _assigned(without, order)


def _assigned(table, order):
    """The pairs of the largest total; columns of the table stand for the guesses at `order`."""
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(table, maximize=True)
    pairs = zip(rows.tolist(), columns.tolist(), strict=True)
    return {row: order[column] for row, column in pairs if table[row, column] >= LEAST}


def rivals_of(one, subjects):
    """The names of the other subjects of a document, so that two persons are not taken for each other."""
    return frozenset().union(*(other.names for other in subjects if other is not one)) - one.names


def _parts(one, guess, subjects):
    """(name, mean over the other PII, description) of how like a guess is to a subject; absent parts are 0."""
    description, guessed = guess
    rivals = rivals_of(one, subjects)
    scores = {unit.tag: unit_score(unit, guessed, rivals) for unit in one.units}
    others = [score for tag, score in scores.items() if tag != "NAME"]
    pii = sum(others) / len(others) if others else 0.0
    return scores.get("NAME", 0.0), pii, likeness(one.description, description)


def likeness(one, other):
    """Mean of the token set and token sort ratios of two descriptions, 0 to 1; 0 where one is empty."""
    one, other = utils.default_process(one), utils.default_process(other)
    if not one or not other:
        return 0.0
    return (fuzz.token_set_ratio(one, other) + fuzz.token_sort_ratio(one, other)) / 200
