"""Lexicons: the frozen, hashed lists in `data/lexicons/` that every builder reads and `collect` writes."""

import json
from pathlib import Path

import pyarrow as pa

from build import parquet
from build.errors import BuildError
from scoring.truth import check_bytes

FOLDER = Path("data") / "lexicons"

_COMPONENT = [
    pa.field("text", pa.string(), False),
    pa.field("folded", pa.string(), False),
    pa.field("role", pa.string(), False),
    pa.field("country", pa.string(), False),
    pa.field("bearers", pa.int32(), False),
    pa.field("bearers_in_country", pa.int32(), False),
    pa.field("as_first", pa.int32(), False),
    pa.field("as_last", pa.int32(), False),
    pa.field("sources", pa.list_(pa.string()), False),
]
SCHEMAS = {
    "names": pa.schema(
        [
            pa.field("folded", pa.string(), False),
            pa.field("name", pa.string(), False),
            pa.field("given_count", pa.int64()),
            pa.field("surname_count", pa.int64()),
            pa.field("given_persons", pa.int32(), False),
            pa.field("surname_persons", pa.int32(), False),
            pa.field("sources", pa.list_(pa.string()), False),
        ]
    ),
    "entities": pa.schema(
        [
            pa.field("folded", pa.string(), False),
            pa.field("text", pa.string(), False),
            pa.field("name_type", pa.string(), False),
            pa.field("kind", pa.string(), False),
            pa.field("eponymous", pa.bool_()),
            pa.field("prominent", pa.bool_(), False),
            pa.field("sources", pa.list_(pa.string()), False),
        ]
    ),
    "exclusion": pa.schema([pa.field("folded", pa.string(), False), pa.field("kinds", pa.list_(pa.string()), False)]),
    "companies": pa.schema(
        [
            pa.field("name", pa.string(), False),
            pa.field("eponym", pa.string(), False),
            pa.field("year", pa.int32()),
            pa.field("industry", pa.string(), False),
            pa.field("note", pa.string(), False),
            pa.field("basis", pa.string(), False),
            pa.field("verified_in", pa.list_(pa.string()), False),
        ]
    ),
    "eponyms": pa.schema(
        [
            pa.field("first", pa.string(), False),
            pa.field("second", pa.string(), False),
            pa.field("condition", pa.string(), False),
            pa.field("year", pa.int32()),
            pa.field("note", pa.string(), False),
            pa.field("basis", pa.string(), False),
            pa.field("verified_in", pa.list_(pa.string()), False),
        ]
    ),
    "places": pa.schema(
        [
            pa.field("kind", pa.string(), False),
            pa.field("code", pa.string(), False),
            pa.field("name", pa.string(), False),
            pa.field("names", pa.list_(pa.string()), False),
            pa.field("adjectives", pa.list_(pa.string()), False),
            pa.field("persons", pa.list_(pa.string()), False),
            pa.field("country", pa.string(), False),
            pa.field("region", pa.string(), False),
            pa.field("continent", pa.string(), False),
            pa.field("population", pa.int64(), False),
            pa.field("sources", pa.list_(pa.string()), False),
        ]
    ),
    "person_index": pa.schema([pa.field("hash", pa.int64(), False)]),
    "person_words": pa.schema([pa.field("hash", pa.int64(), False)]),
    "components": pa.schema(_COMPONENT),
    "ablated_components": pa.schema([*_COMPONENT, pa.field("without", pa.string(), False)]),
    "source_pairs": pa.schema([pa.field("hash", pa.int64(), False)]),
    "known_persons": pa.schema(
        [
            pa.field("name", pa.string(), False),
            pa.field("vital", pa.bool_(), False),
            pa.field("languages", pa.int32(), False),
            pa.field("sources", pa.list_(pa.string()), False),
        ]
    ),
    "name_ngrams": pa.schema([pa.field("gram", pa.string(), False), pa.field("count", pa.int32(), False)]),
    "tokenizers": pa.schema(
        [
            pa.field("tokenizer", pa.string(), False),
            pa.field("token", pa.string(), False),
            pa.field("rank", pa.int32(), False),
        ]
    ),
    "baseline_names": pa.schema([pa.field("name", pa.string(), False), pa.field("list", pa.string(), False)]),
}


PROVENANCE = FOLDER / "provenance.json"
KEYS = {"person_index": "hash", "person_words": "hash", "source_pairs": "hash", "name_ngrams": "gram"}
_HASHES = {"use_dictionary": False, "column_encoding": {"hash": "DELTA_BINARY_PACKED"}}
OPTIONS = {"person_index": _HASHES, "person_words": _HASHES, "source_pairs": _HASHES}


def path(root, name):
    """Where a lexicon lies below the repository's root."""
    return Path(root) / FOLDER / f"{name}.parquet"


def write(root, name, rows):
    """Write rows (dicts) as a lexicon, sorted by its key or their JSON form. Returns the manifest's entry."""
    where, options = FOLDER / f"{name}.parquet", OPTIONS.get(name, {})
    return parquet.write(root, where, rows, SCHEMAS[name], key=KEYS.get(name), **options) | {"name": name}


def read(root, name):
    """A lexicon as an Arrow table.

    Raises:
        BuildError: when it has not been collected.
        UserError: when its bytes are not those that `collect` recorded, or a Git LFS pointer stands in their place.
    """
    where = path(root, name)
    if not where.is_file():
        raise BuildError(f"{where}: no such lexicon; run 'python -m build collect' from the repository root")
    recorded = _recorded(Path(root) / PROVENANCE).get(name)
    if recorded:
        check_bytes(where, recorded)
    return parquet.read(where)


def _recorded(provenance):
    """The lexicons' hashes by name, as `collect` wrote them; none in a folder that holds no record."""
    if not provenance.is_file():
        return {}
    return {e["name"]: e["sha256"] for e in json.loads(provenance.read_text(encoding="utf-8"))["lexicons"]}


def rows(root, name):
    """A lexicon as a list of dicts."""
    return read(root, name).to_pylist()
