"""prompt_injection (AmBench §3, §6): a snippet in a conversation, with and without one benign instruction.

names of ambiguous_names -> one snippet each -> a carrier task, and an instruction beside an idle remark of like
length -> pairs of rows that differ in that sentence alone.
"""

import json
from itertools import chain

import pyarrow as pa

from build import dealing, draws
from build.configs import ambiguous_names
from build.configs.built import Built
from build.templates import HERE as TEMPLATES
from scoring.rows import row_id

NAME = "prompt_injection"
PREFIX = "pi"
MINIMUM = 12_377
SCALES = "snippets, and so pairs, of each name; lite keeps its size"
STRATA = ("ambiguous", "baseline")
KEPT_FOR_VALIDATION = 4
LITE = {"ambiguous": 110, "baseline": 50}
CONDITIONS = ("plain", "injected")

_TURN = pa.struct([pa.field("role", pa.string(), False), pa.field("content", pa.string(), False)])
SCHEMA = pa.schema(
    [
        pa.field("id", pa.string(), False),
        pa.field("pair_id", pa.string(), False),
        pa.field("condition", pa.string(), False),
        pa.field("conversation", pa.list_(_TURN), False),
        pa.field("text", pa.string(), False),
        pa.field("name", pa.string(), False),
        pa.field("stratum", pa.string(), False),
        pa.field("name_type", pa.string(), False),
        pa.field("carrier_id", pa.string(), False),
        pa.field("instruction_id", pa.string()),
        pa.field("template_id", pa.string(), False),
        ambiguous_names.SCHEMA.field("neighbours"),
    ]
)


def build(root, seed, done=None, scale=1):
    """All splits of this config, from the names and snippets of ambiguous_names of the same release.

    At a scale above 1 the snippets are those that ambiguous_names has at the least scale that gives each name enough.
    """
    base = (done or {}).get(ambiguous_names.NAME) if scale == 1 else None
    base = base or ambiguous_names.build(root, seed, scale=-(-scale // dealing.PER_NAME))
    each = {"test": scale, "validation": 1}
    splits = {split: _rows(base.splits[split], split, seed, count) for split, count in each.items()}
    splits["lite"] = _lite(splits["test"], seed)
    pairs = len(splits["test"]) // len(CONDITIONS)
    return Built(splits, {"all": {"pairs": pairs, "minimum": MINIMUM, "shortfall": max(0, MINIMUM - pairs)}})


def inventory():
    """The authored inventory: carriers, instructions, remarks, and pairs of instruction and remark of like length."""
    return json.loads((TEMPLATES / NAME / "inventory.json").read_text(encoding="utf-8"))


def _rows(base, split, seed, count):
    carriers, pairs = _offered(split, seed)
    rows = []
    for place, snippet in enumerate(_snippets(base, split, seed, count)):
        carrier = carriers[place % len(carriers)]
        instruction, remark = pairs[(place // len(carriers) + place) % len(pairs)]
        pair_id = row_id("pair", NAME, snippet["stratum"], snippet["name_type"], snippet["name"], snippet["text"])
        for condition, sentence in zip(CONDITIONS, (remark, instruction), strict=True):
            content = carrier["user"].format(
                snippet=snippet["text"], remark=sentence["text"].format(name=snippet["name"])
            )
            rows.append(_row(snippet, pair_id, condition, content, carrier, sentence))
    return rows


def _row(snippet, pair_id, condition, content, carrier, sentence):
    text = f"User: {content}"
    keys = ("name", "stratum", "name_type", "template_id", "neighbours")
    return {
        "id": row_id(PREFIX, NAME, snippet["stratum"], snippet["name_type"], snippet["name"], text),
        "pair_id": pair_id,
        "condition": condition,
        "conversation": [{"role": "user", "content": content}],
        "text": text,
        "carrier_id": carrier["id"],
        "instruction_id": sentence["id"] if condition == "injected" else None,
        **{key: snippet[key] for key in keys},
    }


def _offered(split, seed):
    """Carriers, and (instruction, remark) pairs; those of validation are not among those of test."""
    found = inventory()
    of = {kind: {part["id"]: part for part in found[kind]} for kind in ("instructions", "remarks")}
    carriers = draws.ranked(found["carriers"], seed, NAME, "carriers", by=lambda carrier: carrier["id"])
    pairs = draws.ranked(found["pairs"], seed, NAME, "pairs", by="+".join)
    pairs = [(of["instructions"][first], of["remarks"][second]) for first, second in pairs]
    if split == "validation":
        return carriers[:KEPT_FOR_VALIDATION], pairs[:KEPT_FOR_VALIDATION]
    return carriers[KEPT_FOR_VALIDATION:], pairs[KEPT_FOR_VALIDATION:]


def _snippets(base, split, seed, count):
    """`count` rows of ambiguous_names for each ambiguous and baseline name, in keyed order, each name's together."""
    chosen = {}
    for row in draws.ranked(base, seed, NAME, "snippets", split, by=lambda row: row["id"]):
        if row["stratum"] in STRATA:
            name_type = "" if row["stratum"] == "baseline" else row["name_type"]
            found = chosen.setdefault((row["stratum"], name_type, row["name"]), [])
            found += [row] if len(found) < count else []
    return list(chain.from_iterable(chosen.values()))


def _lite(test, seed):
    """Whole pairs of some names of each stratum and type."""
    groups = {}
    for row in test:
        name_type = "" if row["stratum"] == "baseline" else row["name_type"]
        groups.setdefault((row["stratum"], name_type), set()).add(row["pair_id"])
    kept = set()
    for group, pairs in sorted(groups.items()):
        kept.update(draws.ranked(pairs, seed, NAME, "lite", *group)[: LITE[group[0]]])
    return [row for row in test if row["pair_id"] in kept]
