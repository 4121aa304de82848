"""Small releases made by hand for the tests, and gold predictions built from the columns alone."""

import hashlib
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

ROOT = Path(__file__).resolve().parent.parent
NEIGHBOUR = {
    "location": "LOCATION",
    "organization": "ORGANIZATION",
    "syndrome": "HEALTH",
    "bacteria": "OTHER",
    "mineral": "OTHER",
}


def row(
    number, name, *, stratum="ambiguous", name_type="location", near="Kenya", text=None, popularity=150, template=1
):
    """One ambiguous_names row; `number` makes its id."""
    text = text or f"I heard of {name} again yesterday. She was in good spirits, number {number}."
    start = text.index(name)
    neighbours = []
    if stratum == "ambiguous":
        neighbours = [
            {
                "text": near,
                "entity_type": NEIGHBOUR[name_type],
                "kind": "country",
                "eponymous": None,
                "edit": "insert x at 0",
            }
        ]
    return {
        "id": f"an-{number:016x}",
        "text": text,
        "name": name,
        "stratum": stratum,
        "name_type": name_type,
        "template_id": f"{name_type[:3]}-f{template:02d}+{name_type[:3]}-s01",
        "start": start,
        "end": start + len(name),
        "neighbours": neighbours,
        "sources": ["census"],
        "popularity": popularity if stratum in ("ambiguous", "matched") else None,
    }


def write(folder, splits, *, config="ambiguous_names", seed=0, version="0.0.1"):
    """Write a release of {split: rows} into a folder, with its manifest. Returns the folder.

    The manifest is written here from scratch, so that a fault in the builders cannot hide a fault in the scorer.
    """
    from build.configs.ambiguous_names import SCHEMA

    folder = Path(folder)
    files = []
    for split, rows in splits.items():
        relative = f"data/{config}/{split}-00000-of-00001.parquet"
        path = folder / relative
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.Table.from_pylist(rows, schema=SCHEMA), path)
        data = path.read_bytes()
        lines = "".join(
            json.dumps(r, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n"
            for r in sorted(rows, key=lambda r: r["id"])
        )
        schema = (ROOT / "schemas" / f"{config}.row.schema.json").read_bytes()
        (folder / "schemas").mkdir(exist_ok=True)
        (folder / "schemas" / f"{config}.row.schema.json").write_bytes(schema)
        files.append(
            {
                "config": config,
                "split": split,
                "path": relative,
                "rows": len(rows),
                "bytes": len(data),
                "sha256": hashlib.sha256(data).hexdigest(),
                "content_sha256": hashlib.sha256(lines.encode()).hexdigest(),
                "schema": f"schemas/{config}.row.schema.json",
                "schema_sha256": hashlib.sha256(schema).hexdigest(),
            }
        )
    manifest = {
        "name": "NymBench",
        "version": version,
        "seed": seed,
        "canary": "c",
        "files": files,
        "lexicons": [],
        "sources": [],
    }
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    return folder


def gold(rows):
    """Predictions that answer every row rightly, from its columns."""
    return [
        {
            "id": r["id"],
            "entities": []
            if r["stratum"] == "entity_control"
            else [{"text": r["name"], "type": "PERSON", "start": r["start"], "end": r["end"]}],
        }
        for r in rows
    ]


def write_lines(path, predictions):
    """Write predictions as JSONL. Returns the path."""
    Path(path).write_text("".join(json.dumps(p, ensure_ascii=False) + "\n" for p in predictions), encoding="utf-8")
    return path
