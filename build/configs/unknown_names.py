"""unknown_names (PUN §4-5, appendix A): plausible names without evidence, known persons, and what lies between.

lexicons -> candidates -> local checks -> local validation -> unknown and ambiguous; known persons -> proximity;
syllables and letters -> non-names. One row a name, diagnostics of form beside it.
"""

from collections import Counter

import pyarrow as pa

from build import draws, lexicons
from build.configs.built import Built
from build.configs.unknown import known, metadata, nonnames, panels, proximity
from build.configs.unknown.charmodel import CharModel
from build.configs.unknown.pairing import pair
from build.configs.unknown.screening import Screening
from build.configs.unknown.tokens import Tokenizers
from build.dates import released_at
from scoring.rows import row_id

NAME = "unknown_names"
PREFIX = "un"
SIZES = {
    "test": {"unknown": 1000, "known": 60, "proximity": 300, "ambiguous": 100, "nonname": 100},
    "validation": {"unknown": 100, "known": 20, "proximity": 20, "ambiguous": 20, "nonname": 20},
}
LITE = {"unknown": 100, "known": 20, "proximity": 20, "ambiguous": 20, "nonname": 20}
MINIMA = {"unknown": 300, "known": 60, "proximity": 300, "ambiguous": 100, "nonname": 100}
PLACES = 4
SPARE = 20


def _field(name, kind, nullable=True):
    return pa.field(name, kind, nullable)


_TEXT = ("given_country", "surname_country", "verdict", "provider", "run_id", "checked_at")
SCHEMA = pa.schema(
    [
        _field("id", pa.string(), False),
        _field("name", pa.string(), False),
        _field("stratum", pa.string(), False),
        _field("given", pa.string(), False),
        _field("surname", pa.string(), False),
        *(_field(name, pa.string()) for name in _TEXT),
        _field("released_at", pa.string(), False),
        _field("validation_stack_hash", pa.string()),
        _field("expected_query_count", pa.int32()),
        _field("executed_query_count", pa.int32()),
        _field("max_query_type", pa.string()),
        _field("verdict_reason", pa.string()),
        _field("expected_bearers", pa.float64()),
        _field("source_name", pa.string()),
        _field("distance_level", pa.int32()),
        _field("strategy", pa.string()),
        _field("edit_distance", pa.int32()),
        _field("normalised_edit_distance", pa.float64()),
        _field("donor_parts", pa.list_(pa.string()), False),
        _field("exact_prevalence", pa.int64()),
        _field("paired_known", pa.string()),
        _field("bits_per_character", pa.float64(), False),
        _field("tokens_per_character", pa.float64(), False),
        _field("stable_no_info_3", pa.bool_()),
        _field("stable_no_info_10", pa.bool_()),
    ]
)


def build(root, seed, done=None):
    """All splits of this config; no other config is needed."""
    screening = Screening.of(root)
    found = screening.run(seed, wanted("unknown"), wanted("ambiguous"))
    people = known.leveled(root, screening.facts.bearers, seed)
    made = {split: [] for split in SIZES}
    taken = {one.key for one, _ in found.accepted + found.ambiguous}
    taken |= {_key(one.name) for level in people.values() for one in level}
    for split, sizes in SIZES.items():
        made[split] += _validated("unknown", found.accepted, sizes, split, screening)
        made[split] += _validated("ambiguous", found.ambiguous, sizes, split, screening)
        chosen = [one for level in known.LEVELS for one in _slice(people[level], "known", sizes, split)]
        made[split] += [_known_row(one) for one in chosen]
        spare = [one for level in known.LEVELS for one in people[level][wanted("known") :]]
        made[split] += _proximity(chosen, spare, sizes["proximity"], seed, screening, taken)
    for kind in nonnames.KINDS:
        names = nonnames.nonnames(kind, wanted("nonname"), seed, screening.exists)
        for split, sizes in SIZES.items():
            made[split] += [blank(name, kind) for name in _slice(names, "nonname", sizes, split)]
    splits = _finished(made, root, seed)
    return Built(splits, _report(splits, found, screening) | {"known_levels": _levels_from(root)})


def wanted(stratum):
    """How many names of a stratum all splits together take."""
    return sum(sizes[stratum] for sizes in SIZES.values())


def _slice(items, stratum, sizes, split):
    """A split's part of a list: test first, validation after it."""
    start = 0 if split == "test" else SIZES["test"][stratum]
    return items[start : start + sizes[stratum]]


def _key(name):
    return " ".join(sorted(name.casefold().split()))


def blank(name, stratum, **values):
    """A row with everything null that is not given."""
    given, surname = name.split()
    row = dict.fromkeys(SCHEMA.names) | {"donor_parts": []}
    return row | {"name": name, "stratum": stratum, "given": given, "surname": surname} | values


def _validated(stratum, judged, sizes, split, screening):
    return [
        blank(
            one.name,
            stratum,
            given_country=one.given_country,
            surname_country=one.surname_country,
            expected_bearers=screening.facts.bearers.expected(one.given, one.surname),
            **screening.columns(verdict),
        )
        for one, verdict in _slice(judged, stratum, sizes, split)
    ]


def _known_row(one):
    return blank(one.name, f"known_{one.level}", expected_bearers=one.expected_bearers)


def _proximity(chosen, spare, size, seed, screening, taken):
    """Rows of all distances; nothing beyond d2 bears an attested person's name, and no name comes twice.

    The split's known names are altered; those of `spare` step in where a name has nothing to alter.
    """
    names, rows = [one.name for one in chosen], []
    sources = names + [one.name for one in spare[:SPARE]]
    for level in proximity.LEVELS:

        def refused(name, level=level):
            return _key(name) in taken or (level not in proximity.CLOSE and screening.facts.index.contains(name))

        for one in proximity.altered(level, sources, names, seed, refused)[:size]:
            taken.add(_key(one.name))
            rows.append(_proximity_row(one))
    return rows


def _proximity_row(one):
    return blank(
        one.name,
        f"proximity_{one.level}",
        source_name=one.source_name,
        distance_level=one.level,
        strategy=one.strategy,
        edit_distance=one.edit_distance,
        normalised_edit_distance=one.normalised,
        donor_parts=list(one.donor_parts),
    )


def _finished(made, root, seed):
    """Ids, dates and diagnostics for the rows of all splits; lite; pairs of unknown and known names."""
    complete([row for rows in made.values() for row in rows], root, released_at(root))
    lite = _lite(made["test"], seed)
    pair(lite, [], seed)
    pair(made["test"], lite, seed)
    pair(made["validation"], [], seed)
    return made | {"lite": lite}


def complete(rows, root, date):
    """Give rows their ids, dates, diagnostics of form, and what rerun panels say of them."""
    model = CharModel({row["gram"]: row["count"] for row in lexicons.rows(root, "name_ngrams")})
    cut, panel = Tokenizers.load(root), panels.read(root)
    for row in rows:
        row["id"] = row_id(PREFIX, NAME, row["stratum"], row["name"])
        row["released_at"] = row["released_at"] or date
        row["checked_at"] = row["checked_at"] or (date if row["verdict"] else None)
        row["bits_per_character"] = round(model.bits_per_character(row["name"]), PLACES)
        row["tokens_per_character"] = cut.per_character(row["name"])
        row.update(panel.get(row["name"], {}) if row["stratum"] == "unknown" else {})


def _levels_from(root):
    return "metadata" if metadata.read(root) else "lists and expected bearers"


def _lite(rows, seed):
    """The first of each stratum in keyed order; unknown and known names, which are paired, among them."""
    groups = {}
    for row in rows:
        groups.setdefault(row["stratum"], []).append(row)
    picked = []
    for stratum, group in sorted(groups.items()):
        size = LITE[stratum.partition("_")[0]]
        picked += draws.ranked(group, seed, NAME, "lite", stratum, by=lambda row: row["name"])[:size]
    return picked


def _report(splits, found, screening):
    counts = {split: dict(sorted(Counter(row["stratum"] for row in rows).items())) for split, rows in splits.items()}
    short = {
        stratum: max(0, MINIMA[stratum.partition("_")[0]] - count)
        for stratum, count in counts["test"].items()
        if count < MINIMA[stratum.partition("_")[0]]
    }
    return {
        "strata": counts,
        "shortfall": short,
        "attrition": {"components": screening.pools.attrition, "candidates": found.attrition},
        "countries": found.countries,
        "validation_stack_hash": screening.stack_hash,
        "evidence": "local: an index of persons with an article in the English Wikipedia, and nothing else",
    }
