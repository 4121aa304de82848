"""ambiguous_names (AmBench §4, appendix B): names one edit from an entity, matched controls, baseline, entities.

names, entities, exclusion -> pools -> test and validation names -> templates -> rows.
"""

from collections import Counter, defaultdict
from functools import lru_cache

import pyarrow as pa

from build import dealing, draws, lexicons
from build.configs.ambiguous import matching, pools
from build.configs.built import Built, joined, of_shard
from build.templates import tagger
from scoring.rows import row_id

NAME = "ambiguous_names"
PREFIX = "an"
TYPES = ("location", "organization", "syndrome", "bacteria", "mineral")
MINIMA = {"location": 2061, "organization": 3605, "syndrome": 5245, "bacteria": 677, "mineral": 589}
MATCHED, CONTROLS = 400, 40
PER_ENTITY = {"syndrome": 25}
VALIDATION = {"ambiguous": 60, "matched": 20, "entity_control": 10}
LITE = {"ambiguous": 80, "matched": 20, "baseline": 10, "entity_control": 8}
SCALES = "templates of each name; the names are the same at every scale, and lite has all rows of its names"

_NEIGHBOUR = pa.struct(
    [
        pa.field("text", pa.string(), False),
        pa.field("entity_type", pa.string(), False),
        pa.field("kind", pa.string(), False),
        pa.field("eponymous", pa.bool_()),
        pa.field("edit", pa.string(), False),
    ]
)
SCHEMA = pa.schema(
    [
        pa.field("id", pa.string(), False),
        pa.field("text", pa.string(), False),
        pa.field("name", pa.string(), False),
        pa.field("stratum", pa.string(), False),
        pa.field("name_type", pa.string(), False),
        pa.field("template_id", pa.string(), False),
        pa.field("start", pa.int32(), False),
        pa.field("end", pa.int32(), False),
        pa.field("neighbours", pa.list_(_NEIGHBOUR), False),
        pa.field("sources", pa.list_(pa.string()), False),
        pa.field("popularity", pa.int64()),
    ]
)


def build(root, seed, done=None, scale=1):
    """All splits of this config from the lexicons below `root`, and the report of counts and balance.

    `done`, the configs built before, is not needed here.
    """
    return merge(root, seed, scale, [shard(root, seed, scale, 0, 1)])


def shard(root, seed, scale, number, of):
    """{split: the rows of one shard}: every `of`-th row that is dealt, from the row `number` on."""
    members, _ = _picked(root, seed)
    made = {split: _rows(found, split, seed, scale, number, of) for split, found in members.items()}
    kept = _lite_names(members["test"], seed)
    lite = [row for row in made["test"] if row["name"] in kept[_group(row["stratum"], row["name_type"])]]
    return made | {"lite": lite}


def merge(root, seed, scale, parts):
    """Built of all shards; no two of them hold the same row."""
    return Built({split: joined(parts, split) for split in ("test", "validation", "lite")}, _picked(root, seed)[1])


@lru_cache(maxsize=1)
def _picked(root, seed):
    """Members by split, and the report."""
    pool = pools.load(root)
    report, members, taken = {}, {"test": [], "validation": []}, set()
    for name_type in TYPES:
        picked, eligible = _pick_type(pool, name_type, seed, taken)
        report[name_type] = _counts(pool, name_type, picked["test"], eligible)
        for split, found in picked.items():
            members[split] += found
    members["test"] += _baseline(root, pool)
    report["exclusion_keys"] = len(pool.exclusion)
    return members, report


def _pick_type(pool, name_type, seed, taken):
    """Members of test and validation of one type, and how many ambiguous names were eligible."""
    eligible = draws.ranked(pool.ambiguous[name_type], seed, NAME, "ambiguous", name_type, by=_name)
    eligible = _capped(sorted(eligible, key=lambda member: not member.verified), PER_ENTITY.get(name_type))
    kept_back = VALIDATION["ambiguous"]
    size = min(MINIMA[name_type], max(0, len(eligible) - kept_back))
    controls = draws.ranked(pool.controls[name_type], seed, NAME, "controls", name_type, by=_name)
    last_control = CONTROLS + VALIDATION["entity_control"]
    ambiguous = {"test": eligible[:size], "validation": eligible[size : size + kept_back]}
    picked_controls = {"test": controls[:CONTROLS], "validation": controls[CONTROLS:last_control]}
    picked = {}
    for split, wanted in (("test", MATCHED), ("validation", VALIDATION["matched"])):
        matched = matching.draw(pool, name_type, ambiguous[split], wanted, seed, taken)
        picked[split] = ambiguous[split] + matched + picked_controls[split]
    return picked, len(eligible)


def _name(member):
    return member.name


def _capped(members, limit):
    """The members in order, without those of which a neighbour has had its `limit` of names."""
    if limit is None:
        return members
    used, kept = Counter(), []
    for member in members:
        near = [listed["text"] for listed in member.neighbours]
        if all(used[text] < limit for text in near):
            used.update(near)
            kept.append(member)
    return kept


def _counts(pool, name_type, members, eligible):
    """What was reached for one type, for the manifest."""
    of = defaultdict(list)
    for member in members:
        of[member.stratum].append(member)
    reached = len(of["ambiguous"])
    return {
        "eligible": eligible,
        "excluded": dict(sorted(pool.dropped.get(name_type, {}).items())),
        "verified_neighbour": sum(member.verified for member in of["ambiguous"]),
        "ambiguous": reached,
        "minimum": MINIMA[name_type],
        "shortfall": max(0, MINIMA[name_type] - reached),
        "matched": len(of["matched"]),
        "matched_shortfall": max(0, MATCHED - len(of["matched"])),
        "entity_control": len(of["entity_control"]),
        "balance": matching.balance(pool, of["ambiguous"], of["matched"]),
    }


def _baseline(root, pool):
    """Each baseline name once per type: its rows use five templates of every type."""
    names = [row["name"] for row in lexicons.rows(root, "baseline_names")]
    return [pools.baseline_member(pool, name, name_type) for name in sorted(names) for name_type in TYPES]


def templates(name_type, split, seed, scale=1):
    """The templates of one type in one split; of the first sentences those that the tagger check admits."""
    return dealing.templates(NAME, name_type, split, seed, tagger.admitted(name_type), scale)


def _rows(members, split, seed, scale, number, of):
    """A shard's rows of one split: every member in five templates of its type, in test in five a unit of scale."""
    scale = scale if split == "test" else 1
    per_name = dealing.PER_NAME * scale
    dealt = dealing.deal(NAME, members, lambda kind: templates(kind, split, seed, scale), split, seed, per_name)
    rows = []
    for template, member in of_shard(dealt, number, of):
        text, start, end = template.fill(member.name)
        rows.append(
            {
                "id": row_id(PREFIX, NAME, member.stratum, member.name_type, member.name, text),
                "text": text,
                "name": member.name,
                "stratum": member.stratum,
                "name_type": member.name_type,
                "template_id": template.template_id,
                "start": start,
                "end": end,
                "neighbours": list(member.neighbours),
                "sources": list(member.sources),
                "popularity": member.popularity,
            }
        )
    return rows


def _group(stratum, name_type):
    """What lite is stratified by: stratum and type, baseline over all types."""
    return stratum, "" if stratum == "baseline" else name_type


def _lite_names(members, seed):
    """{group: names of lite}, which is a stratified subset of test: whole names with all their rows."""
    groups = {}
    for member in members:
        groups.setdefault(_group(member.stratum, member.name_type), set()).add(member.name)
    return {
        group: set(draws.ranked(names, seed, NAME, "lite", *group)[: LITE[group[0]]]) for group, names in groups.items()
    }
