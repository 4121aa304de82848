"""Candidates: one given-name and one surname component from different countries, drawn over country pairs (PUN §5.1).

A candidate is a pure function of (seed, number). Pairs of countries are drawn alike, so that no large pool prevails.
"""

from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass, field
from itertools import accumulate

from build import draws, lexicons
from build.configs.unknown import checks
from build.fold import name_key

ROLES = ("given", "surname")


@dataclass(frozen=True)
class Candidate:
    """A candidate's parts and their country keys; the keys say nothing about the name."""

    given: str
    surname: str
    given_country: str
    surname_country: str

    @property
    def name(self):
        """First and last name."""
        return f"{self.given} {self.surname}"

    @property
    def key(self):
        """What is equal for duplicates: the folded words, sorted."""
        return name_key(self.name)


@dataclass
class Pools:
    """{role: {country: [component]}} of what may be drawn, and how many components each filter left."""

    parts: dict
    attrition: dict = field(default_factory=dict)

    @property
    def pairs(self):
        """Every (given country, surname country), never the same twice."""
        given, surname = (sorted(self.parts[role]) for role in ROLES)
        return [(one, other) for one in given for other in surname if one != other]


def pools(root, facts, without=None):
    """The Pools of the lexicon `components` after the checks of single words.

    Args:
        facts: checks.Facts.
        without: for the generation ablations, "rarity" or "country share": the filters of this kind are lifted. Without
            rarity common names pass as well.
    """
    rows = lexicons.rows(root, "components")
    if without:
        rows += [row for row in lexicons.rows(root, "ablated_components") if row["without"] == without]
    parts, attrition = {}, {}
    for role in ROLES:
        own = [row for row in rows if row["role"] == role]
        reasons = Counter()
        grouped = {}
        for row in sorted(own, key=lambda row: row["folded"]):
            reason = checks.part_reason(row["text"], facts)
            if reason and (reason != checks.COMMON or without != "rarity"):
                reasons[reason] += 1
            else:
                grouped.setdefault(row["country"], []).append(row["text"])
        least = checks.limits()["least_components"]
        parts[role] = {country: texts for country, texts in grouped.items() if len(texts) >= least}
        kept = sum(map(len, parts[role].values()))
        small = sum(map(len, grouped.values())) - kept
        dropped = dict(sorted(reasons.items())) | {f"of a country with fewer than {least}": small}
        attrition[role] = {"in the lexicon": len(own), "dropped": dropped, "kept": kept, "countries": len(parts[role])}
    return Pools(parts, attrition)


def draw(found, pairs, seed, number, policy="country_pairs"):
    """The candidate of a number.

    Policies: country_pairs draws among `pairs` alike; any_countries draws each country alike, so that both can be
    the same; by_size draws each country with the chance of its share of the components.
    """
    stream = draws.Stream(seed, "unknown_names", "candidate", policy, number)
    if policy == "by_size":
        countries = [_by_size(found.parts[role], stream) for role in ROLES]
    elif policy == "any_countries":
        countries = [stream.choice(sorted(found.parts[role])) for role in ROLES]
    else:
        countries = stream.choice(pairs)
    given, surname = (stream.choice(found.parts[role][country]) for role, country in zip(ROLES, countries, strict=True))
    return Candidate(given, surname, *countries)


def _by_size(grouped, stream):
    countries = sorted(grouped)
    ends = list(accumulate(len(grouped[country]) for country in countries))
    return countries[bisect_right(ends, stream.below(ends[-1]))]


def sift(found, seed, count, facts, start=0, seen=None):
    """`count` numbers' candidates through the local checks.

    Args:
        start: the first number.
        seen: keys of earlier candidates, added to.

    Returns:
        The candidates that pass, and a Counter of reasons.
    """
    seen, passed, reasons, pairs = set() if seen is None else seen, [], Counter(), found.pairs
    for number in range(start, start + count):
        candidate = draw(found, pairs, seed, number)
        reason = "a duplicate" if candidate.key in seen else checks.name_reason(candidate.name, facts)
        seen.add(candidate.key)
        if reason:
            reasons[reason] += 1
        else:
            passed.append(candidate)
    return passed, reasons
