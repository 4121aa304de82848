"""Known persons in five levels, 5 the most famous: controls in aggregate, bare names (PUN §4.3, A.7).

A level is the mean of a fame bin and a widespreadness bin. Offline the fame bin is the number of Vital-Articles lists
that hold the person, widespreadness the expected bearers of the full name; persons of these lists make levels 3 to 5,
others levels 1 and 2. With metadata at hand, `fame` is the paper's score.
"""

from dataclasses import dataclass
from math import log

from build import draws, lexicons

LEVELS = (1, 2, 3, 4, 5)
BINS = 5
OFFLINE = {False: (1, 2), True: (3, 4, 5)}
_WEIGHTS = {"views": 0.45, "length": 0.25, "languages": 0.20, "sitelinks": 0.10}


@dataclass(frozen=True)
class Known:
    """A person's bare name, level, and what the level rests on."""

    name: str
    level: int
    vital: bool
    languages: int
    expected_bearers: float


def fame(views, length, languages, sitelinks):
    """The paper's fame score (A.7): .45 ln(1+views) + .25 ln(1+length) + .20 ln(1+languages) + .10 ln(1+sitelinks)."""
    values = {"views": views, "length": length, "languages": languages, "sitelinks": sitelinks}
    return sum(weight * log(1 + values[key]) for key, weight in _WEIGHTS.items())


def leveled(root, bearers, seed):
    """{level: [Known]} of every person in the lexicon, each level in keyed order.

    Args:
        bearers: build.configs.unknown.bearers.Bearers.
    """
    rows = [row | {"expected": bearers.expected(*row["name"].split())} for row in lexicons.rows(root, "known_persons")]
    found = {}
    for vital, levels in OFFLINE.items():
        group = [row for row in rows if row["vital"] is vital]
        scores = scored(group)
        ordered = sorted(group, key=lambda row: (scores[row["name"]], row["name"]))
        for level, part in zip(levels, parts(ordered, levels), strict=True):
            known = [Known(r["name"], level, vital, r["languages"], r["expected"]) for r in part]
            found[level] = draws.ranked(known, seed, "unknown_names", "known", level, by=lambda one: one.name)
    return found


def scored(group):
    """{name: mean of fame bin and widespreadness bin}; bins are ranks cut into fifths, equal values share a bin."""
    fames = bins({row["name"]: row["languages"] for row in group})
    spread = bins({row["name"]: row["expected"] for row in group})
    return {name: (fames[name] + spread[name]) / 2 for name in fames}


def bins(values):
    """{key: bin from 1 to 5}: the fifth into which the share of strictly smaller values falls."""
    ordered = sorted(values.values())
    below = {}
    for place, value in enumerate(ordered):
        below.setdefault(value, place)
    return {key: 1 + below[value] * BINS // len(ordered) for key, value in values.items()}


def parts(rows, levels):
    """The rows cut into as many stretches of like length as there are levels."""
    size = len(levels)
    return [rows[len(rows) * at // size : len(rows) * (at + 1) // size] for at in range(size)]
