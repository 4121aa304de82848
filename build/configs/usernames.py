"""usernames (AmBench §8, appendix D.4): hyphenated compounds that read as a modifier, and conventional handles.

grammar (patterns and slots) -> compounds -> test and validation -> templates -> rows. All are synthetic.
"""

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import pyarrow as pa

from build import dealing, draws
from build.configs.built import Built, joined, of_shard
from build.errors import BuildError
from build.templates import HERE as TEMPLATES
from scoring.rows import row_id

NAME = "usernames"
PREFIX = "us"
COMPOUNDS, BASELINE = 4408, 200
VALIDATION = {"ambiguous": 60, "baseline": 20}
LITE = {"ambiguous": 240, "baseline": 40}
INVENTORY = "sentences"
SCALES = "handles of each stratum; a handle keeps its five templates, lite its size"
_SLOT = re.compile(r"\{(\w+)\}")

SCHEMA = pa.schema(
    [
        pa.field("id", pa.string(), False),
        pa.field("text", pa.string(), False),
        pa.field("name", pa.string(), False),
        pa.field("stratum", pa.string(), False),
        pa.field("template_id", pa.string(), False),
        pa.field("start", pa.int32(), False),
        pa.field("end", pa.int32(), False),
        pa.field("pattern", pa.string(), False),
        pa.field("words", pa.list_(pa.string()), False),
    ]
)


@dataclass(frozen=True)
class Handle:
    """One username and the pattern that made it; `name_type` is empty, as usernames have no types."""

    stratum: str
    name: str
    pattern: str
    name_type: str = ""


def build(root, seed, done=None, scale=1):
    """All splits of this config; neither lexicons nor other configs are needed."""
    return merge(root, seed, scale, [shard(root, seed, scale, 0, 1)])


def shard(root, seed, scale, number, of):
    """{split: the rows of one shard}: every `of`-th row that is dealt, from the row `number` on."""
    members, lite, _ = _drawn(seed, scale)
    made = {split: _rows(found, split, seed, number, of) for split, found in members.items()}
    return made | {"lite": [row for row in made["test"] if row["name"] in lite[row["stratum"]]]}


def merge(root, seed, scale, parts):
    """Built of all shards; no two of them hold the same row."""
    report = _drawn(seed, scale)[2]
    return Built({split: joined(parts, split) for split in ("test", "validation", "lite")}, report)


@lru_cache(maxsize=1)
def _drawn(seed, scale):
    """Members by split, the names of lite by stratum, and the report."""
    members = {"test": [], "validation": []}
    report = {}
    for stratum, file, least in (("ambiguous", "grammar", COMPOUNDS), ("baseline", "baseline_grammar", BASELINE)):
        wanted = least * scale
        handles = drawn(stratum, grammar(file), wanted + VALIDATION[stratum], seed)
        if len(handles) < wanted + VALIDATION[stratum]:
            largest = (len(handles) - VALIDATION[stratum]) // least
            raise BuildError(f"{NAME}, {stratum}: --scale {scale} asks for {wanted} handles; at most {largest} works")
        members["test"] += handles[:wanted]
        members["validation"] += handles[wanted:]
        report[stratum] = {
            "names": len(handles[:wanted]),
            "minimum": least,
            "patterns": len(grammar(file)["patterns"]),
        }
    kept = {stratum: {h.name for h in members["test"] if h.stratum == stratum} for stratum in LITE}
    lite = {s: set(draws.ranked(names, seed, NAME, "lite", s)[: LITE[s]]) for s, names in kept.items()}
    return members, lite, report


def grammar(file):
    """A grammar: {"slots": {slot: [words]}, "patterns": [{"id", "form"}]}."""
    return json.loads((TEMPLATES / NAME / f"{file}.json").read_text(encoding="utf-8"))


def expansions(found, pattern):
    """Every handle of one pattern, in the order of the slots' words."""
    slots = _SLOT.findall(pattern["form"])
    form = _SLOT.sub("{}", pattern["form"])
    return [form.format(*words) for words in product(*(found["slots"][slot] for slot in slots))]


def drawn(stratum, found, count, seed):
    """`count` Handles in keyed order, drawn in rounds over the patterns, so that none outweighs the others."""
    queues = {
        pattern["id"]: draws.ranked(expansions(found, pattern), seed, NAME, stratum, pattern["id"])
        for pattern in found["patterns"]
    }
    picked, turn = {}, 0
    while len(picked) < count and any(turn < len(queue) for queue in queues.values()):
        for pattern, queue in queues.items():
            if turn < len(queue) and len(picked) < count:
                picked.setdefault(queue[turn], Handle(stratum, queue[turn], pattern))
        turn += 1
    return draws.ranked(picked.values(), seed, NAME, stratum, "order", by=lambda handle: handle.name)


def _rows(members, split, seed, number, of):
    rows = []
    offered = dealing.templates(NAME, INVENTORY, split, seed)
    for template, member in of_shard(dealing.deal(NAME, members, lambda _: offered, split, seed), number, of):
        text, start, end = template.fill(member.name)
        rows.append(
            {
                "id": row_id(PREFIX, NAME, member.stratum, member.name, text),
                "text": text,
                "name": member.name,
                "stratum": member.stratum,
                "template_id": template.template_id,
                "start": start,
                "end": end,
                "pattern": member.pattern,
                "words": re.findall(r"[A-Za-z]+", member.name),
            }
        )
    return rows
