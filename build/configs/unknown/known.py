"""Known persons in five levels, 5 the most famous: controls in aggregate, bare names (PUN §4.3, A.7).

A level is the mean of a fame bin and a widespreadness bin. Offline the fame bin is the number of Vital-Articles lists
that hold the person, widespreadness the expected bearers of the full name; persons of these lists make levels 3 to 5,
others, of whose fame nothing is known here, levels 1 and 2 by widespreadness. With metadata at hand
(build.configs.unknown.metadata), the bins are of the paper's fame score and of the full name's prevalence, and a
rounded mean is the level (the paper's diagonal mode).
"""

from dataclasses import dataclass
from math import floor, log

from build import draws, lexicons
from build.configs.unknown import metadata

LEVELS = (1, 2, 3, 4, 5)
BINS = 5
TIES = 0  # one order of equal scores for every seed: neither by alphabet nor another level in each variant
OFFLINE = {False: (1, 2), True: (3, 4, 5)}
_WEIGHTS = {"views": 0.45, "length": 0.25, "languages": 0.20, "sitelinks": 0.10}


@dataclass(frozen=True)
class Known:
    """A person's bare name and level; `fame` is the score, or offline the number of lists."""

    name: str
    level: int
    fame: float
    expected_bearers: float


def fame(views, length, languages, sitelinks):
    """The paper's fame score (A.7): .45 ln(1+views) + .25 ln(1+length) + .20 ln(1+languages) + .10 ln(1+sitelinks)."""
    values = {"views": views, "length": length, "languages": languages, "sitelinks": sitelinks}
    return sum(weight * log(1 + values[key]) for key, weight in _WEIGHTS.items())


def leveled(root, bearers, seed):
    """{level: [Known]} of every person in the metadata, or without any in the lexicon; each level in keyed order.

    Args:
        bearers: build.configs.unknown.bearers.Bearers.
    """
    measured = metadata.read(root)
    people = diagonal(measured, bearers) if measured else listed(lexicons.rows(root, "known_persons"), bearers)
    return {
        level: draws.ranked(
            [one for one in people if one.level == level],
            seed,
            "unknown_names",
            "known",
            level,
            by=lambda one: one.name,
        )
        for level in LEVELS
    }


def listed(rows, bearers):
    """[Known] of the lexicon's rows: within and outside the lists, levels are stretches of like length by score."""
    rows = [row | {"expected": bearers.expected(*row["name"].split())} for row in rows]
    found = []
    for vital, levels in OFFLINE.items():
        group = [row for row in rows if row["vital"] is vital]
        scores = means(
            {row["name"]: row["languages"] for row in group}, {row["name"]: row["expected"] for row in group}
        )
        mixed = draws.ranked(group, TIES, "unknown_names", "known", "ties", by=lambda row: row["name"])
        ordered = sorted(mixed, key=lambda row: scores[row["name"]])
        for level, part in zip(levels, parts(ordered, levels), strict=True):
            found += [Known(row["name"], level, row["languages"], row["expected"]) for row in part]
    return found


def diagonal(rows, bearers):
    """[Known] of rows of metadata: the level is the mean of the two bins, a half rounded up, within 1 to 5.

    Args:
        rows: as build.configs.unknown.metadata.read returns them.
        bearers: expected bearers stand in for prevalence where it was not counted.
    """
    fames = {row["name"]: fame(*(row[measure] for measure in metadata.MEASURES)) for row in rows}
    expected = {row["name"]: bearers.expected(*row["name"].split()) for row in rows}
    counted = all(row[metadata.PREVALENCE] is not None for row in rows)
    spread = {row["name"]: row[metadata.PREVALENCE] for row in rows} if counted else expected
    scores = means(fames, spread)
    return [Known(name, floor(scores[name] + 0.5), fames[name], expected[name]) for name in sorted(scores)]


def means(fames, spread):
    """{name: mean of fame bin and widespreadness bin}; bins are ranks cut into fifths, equal values share a bin."""
    fames, spread = bins(fames), bins(spread)
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
