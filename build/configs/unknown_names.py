"""unknown_names (PUN §4-5, appendix A): plausible names without evidence, known persons, and what lies between.

lexicons -> candidates -> local checks -> local validation -> unknown and ambiguous; known persons -> proximity;
syllables and letters -> non-names. One row a name, diagnostics of form beside it.
"""

from collections import Counter
from itertools import islice

import pyarrow as pa

from build import draws, lexicons
from build.configs.built import Built
from build.configs.unknown import checks, known, metadata, nonnames, panels, proximity
from build.configs.unknown.charmodel import CharModel
from build.configs.unknown.pairing import pair
from build.configs.unknown.screening import BATCH, screening
from build.configs.unknown.tokens import Tokenizers
from build.dates import released_at
from build.errors import BuildError
from build.fold import name_key
from scoring.rows import row_id

NAME = "unknown_names"
PREFIX = "un"
DATED = True
SIZES = {
    "test": {"unknown": 1000, "known": 60, "proximity": 300, "ambiguous": 100, "nonname": 100},
    "validation": {"unknown": 100, "known": 20, "proximity": 20, "ambiguous": 30, "nonname": 30},
}
SCALED = ("unknown", "proximity", "nonname")
SCALES = (
    "unknown, proximity and non-name rows of test; a component may then stand in as many unknown names as the scale; "
    "known persons and ambiguous names, lite and validation keep their size"
)
LITE = {"unknown": 100, "known": 20, "proximity": 20, "ambiguous": 30, "nonname": 30}
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


def build(root, seed, done=None, date=None, scale=1):
    """All splits of this config; no other config is needed."""
    return merge(root, seed, scale, [shard(root, seed, scale, 0, 1)], date)


def shard(root, seed, scale, number, of):
    """{"judged": [(number, what is said of the candidate)]} of every `of`-th of the first candidates."""
    return {"judged": list(screening(root).judge(seed, range(number, BATCH * scale, of)).items())}


def merge(root, seed, scale, parts, date=None):
    """Built of all shards: candidates are taken in the order of their numbers, so the lowest keeps a clashing name.

    The number of shards never matters.
    """
    screen, plan = screening(root), scaled(scale)
    judged = dict(entry for part in parts for entry in part["judged"])
    sizes = ([sizes[stratum] for sizes in plan.values()] for stratum in ("unknown", "ambiguous"))
    found = screen.run(seed, *sizes, scale=scale, judged=judged)
    people = known.leveled(root, screen.facts.bearers, seed)
    made = {split: [] for split in plan}
    taken = {one.key for one, _ in found.accepted + found.ambiguous}
    taken |= {name_key(one.name) for level in people.values() for one in level}
    for split in plan:
        made[split] += _validated("unknown", found.accepted, plan, split, screen)
        made[split] += _validated("ambiguous", found.ambiguous, plan, split, screen)
        chosen = [one for level in known.LEVELS for one in _slice(people[level], "known", plan, split)]
        made[split] += [_known_row(one) for one in chosen]
        spare = [one for level in known.LEVELS for one in people[level][wanted("known", plan) :]]
        made[split] += _proximity(chosen, spare, plan[split]["proximity"], seed, screen, taken)
    for kind in nonnames.KINDS:
        names = nonnames.nonnames(kind, wanted("nonname", plan), seed, screen.exists)
        for split in plan:
            made[split] += [blank(name, kind) for name in _slice(names, "nonname", plan, split)]
    splits = _finished(made, root, seed, date or released_at(root))
    return Built(splits, _report(splits, found, screen) | {"known_levels": _levels_from(root)})


def scaled(scale):
    """SIZES with the strata of SCALED in test multiplied."""
    test = {stratum: size * (scale if stratum in SCALED else 1) for stratum, size in SIZES["test"].items()}
    return SIZES | {"test": test}


def wanted(stratum, plan=SIZES):
    """How many names of a stratum all splits together take."""
    return sum(sizes[stratum] for sizes in plan.values())


def _slice(items, stratum, plan, split):
    """A split's part of a list: test first, validation after it."""
    start = 0 if split == "test" else plan["test"][stratum]
    return items[start : start + plan[split][stratum]]


def blank(name, stratum, **values):
    """A row with everything null that is not given."""
    given, surname = name.split()
    row = dict.fromkeys(SCHEMA.names) | {"donor_parts": []}
    return row | {"name": name, "stratum": stratum, "given": given, "surname": surname} | values


def _validated(stratum, judged, plan, split, screening):
    return [
        blank(
            one.name,
            stratum,
            given_country=one.given_country,
            surname_country=one.surname_country,
            expected_bearers=screening.facts.bearers.expected(one.given, one.surname),
            **screening.columns(verdict),
        )
        for one, verdict in _slice(judged, stratum, plan, split)
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
            return name_key(name) in taken or (level not in proximity.CLOSE and screening.facts.attested(name))

        found = islice(proximity.rounds(level, sources, names, seed, refused), size)
        made = [_proximity_row(one) for one in found]
        _refuse_shortfall(level, len(made), size)
        taken.update(name_key(row["name"]) for row in made)
        rows += made
    return rows


def _refuse_shortfall(level, count, size):
    """Raise BuildError where a scaled distance runs dry; at scale 1 the report tells a shortfall."""
    least = SIZES["test"]["proximity"]
    if count < size and size > least:
        message = f"{NAME}: proximity_{level} has {count} of the {size} names that --scale {size // least} asks for"
        raise BuildError(f"{message}; at most {count // least} works")


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


def _finished(made, root, seed, date):
    """Ids, dates and diagnostics for the rows of all splits; lite; pairs of unknown and known names."""
    complete([row for rows in made.values() for row in rows], root, date)
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
    """The first of each stratum in keyed order; of unknown and ambiguous names, those that keep a country's share."""
    groups = {}
    for row in rows:
        groups.setdefault(row["stratum"], []).append(row)
    picked = []
    for stratum, group in sorted(groups.items()):
        size = LITE[stratum.partition("_")[0]]
        picked += _spread(draws.ranked(group, seed, NAME, "lite", stratum, by=lambda row: row["name"]), size)
    return picked


def _spread(rows, size):
    """The first `size` rows of which no country supplies more than its share of either component."""
    most = int(checks.limits()["largest_country_share"] * size)
    picked, used = [], Counter()
    for row in rows:
        keys = [(part, row[part]) for part in ("given_country", "surname_country") if row[part]]
        if len(picked) < size and all(used[key] < most for key in keys):
            picked.append(row)
            used.update(keys)
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
        "dated": splits["test"][0]["released_at"],
        "validation_stack_hash": screening.stack_hash,
        "evidence": "local: an index of persons with an article in the English Wikipedia, and nothing else",
    }
