"""The prior-only adversary: the best constant a tag, chosen on `validation` (METRICS §8, calibration)."""

from collections import Counter

from scoring.subjects import units, values
from scoring.subjects.forms import is_value, norm


def prior_constants(rows):
    """{tag: value}: of the values, aliases and broader values among the rows, that which scores most; ties by text.

    Args:
        rows: rows of subject_inference.
    """
    by_tag = {}
    for row in rows:
        for subject in map(units.subject, row["subjects"]):
            for unit in subject.units:
                by_tag.setdefault(unit.tag, []).append(unit)
    return {tag: _best(tag, found) for tag, found in sorted(by_tag.items())}


def _best(tag, found):
    texts = {text for unit in found for truth in unit.truths for text in (truth.value, *truth.aliases, *truth.broader)}
    candidates = sorted({norm(text): text for text in sorted(texts, reverse=True) if is_value(text)}.values())
    distinct = Counter(unit.truths for unit in found)
    return min(candidates, key=lambda text: (-_total(tag, text, distinct), text), default="")


def _total(tag, text, distinct):
    return sum(count * max(values.score(tag, text, truth) for truth in truths) for truths, count in distinct.items())


def prior_score(unit, constants):
    """What the constant scores for a unit, under oracle matching."""
    constant = constants.get(unit.tag)
    return max(values.score(unit.tag, constant, truth) for truth in unit.truths) if constant else 0.0
