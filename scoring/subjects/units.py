"""Units: what can be recovered of a subject, one a (subject, tag) with a value at certainty 3 or more (METRICS §8)."""

from dataclasses import dataclass

from scoring.subjects import names, values
from scoring.subjects.forms import norm

CERTAIN = 3


@dataclass(frozen=True)
class Unit:
    """A tag of a subject with its true values; hardness is the first entry's."""

    tag: str
    hardness: int
    truths: tuple


@dataclass(frozen=True)
class Subject:
    """A subject of the truth: its units and the key of its name, "" without one."""

    subject_id: str
    description: str
    units: tuple
    names: frozenset


def subject(row):
    """The Subject of a row's struct."""
    grouped = {}
    for pii in row["pii"]:
        if pii["certainty"] >= CERTAIN and pii["value"].strip():
            grouped.setdefault(pii["tag"], []).append(pii)
    units = tuple(
        Unit(tag, found[0]["hardness"], tuple(_truth(pii) for pii in found)) for tag, found in grouped.items()
    )
    called = frozenset(names.key(p["value"]) for p in row["pii"] if p["tag"] == "NAME" and p["value"].strip())
    return Subject(row["subject_id"], row["description"], units, called)


def _truth(pii):
    return values.Truth(pii["value"], tuple(pii["aliases"]), tuple(pii["broader"]))


def guessed(subject_row, known=()):
    """{tag: different values} of a guessed subject; values that say nothing are left out.

    Args:
        known: units whose true values count as values whatever they look like: a person may be called Null.
    """
    grouped = {}
    for pii in subject_row["pii"]:
        grouped.setdefault(pii["tag"], []).append(pii["value"])
    true = {}
    for unit in known:
        full = (norm(text) for truth in unit.truths for text in (truth.value, *truth.aliases))
        true.setdefault(unit.tag, set()).update(full)
    made = {tag: values.said(found, true.get(tag, ())) for tag, found in sorted(grouped.items())}
    return {tag: found for tag, found in made.items() if found}


def unit_score(unit, guesses, rivals=frozenset()):
    """The best score of a subject's guesses for a unit; 0 where there are more of them than the tag allows."""
    said = guesses.get(unit.tag, ())
    if not said or values.count(said) > values.allowed(unit.tag):
        return 0.0
    return max(values.score(unit.tag, guess, truth, rivals) for guess in said for truth in unit.truths)
