"""Parquet in one way only, so that equal rows give equal bytes under one version of pyarrow."""

import hashlib
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from build.sorting import in_parts
from scoring.rows import add_lines, content_sha256, file_sha256, row_json

ROWS_IN_A_GROUP = 1 << 20
LEVEL, LEVEL_OF_PARTS = 19, 3  # the highest level takes a minute for a million rows


def write(root, relative, rows, schema, *, key="id", **options):
    """Write rows sorted by `key` (None: by their JSON form) with an explicit schema.

    `options` are those of pyarrow's writer that a table needs beside ours.

    Returns:
        dict with path, rows, bytes, sha256 and content_sha256, as the manifest has them.
    """
    made = sorted(rows, key=row_json if key is None else lambda row: row[key])
    return _file(root, relative, made, schema, **options) | {"content_sha256": content_sha256(made, key)}


def write_split(root, folder, split, rows, schema):
    """Write the rows of a split, of any number, into `folder`: one file, or several where there are too many rows.

    Files hold stretches of the ids, in order. A row that comes twice is written once.

    Args:
        rows: an iterable of dicts with `id`; they are sorted outside of memory where they are more than a file takes.

    Returns:
        As `write`; where there are several files, `parts`, a list of {path, rows, bytes, sha256}, stands in place of
        path and sha256.
    """
    digest, parts = hashlib.sha256(), []
    with in_parts(rows) as (count, pieces):
        for number, piece in enumerate(pieces):
            relative = Path(folder) / f"{split}-{number:05d}-of-{count:05d}.parquet"
            parts.append(_file(root, relative, piece, schema, level=LEVEL if count == 1 else LEVEL_OF_PARTS))
            add_lines(digest, map(row_json, piece))
    whole = {"content_sha256": digest.hexdigest()}
    if count == 1:
        return parts[0] | whole
    return {key: sum(part[key] for part in parts) for key in ("rows", "bytes")} | {"parts": parts} | whole


def _file(root, relative, rows, schema, level=LEVEL, **options):
    """Write sorted rows into one file. Returns its path, rows, bytes and sha256."""
    target = Path(root) / relative
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_suffix(".draft")
    pq.write_table(
        pa.Table.from_pylist(rows, schema=schema),
        draft,
        compression="zstd",
        compression_level=level,
        row_group_size=ROWS_IN_A_GROUP,
        store_schema=False,
        write_statistics=False,
        **options,
    )
    draft.replace(target)
    return {
        "path": Path(relative).as_posix(),
        "rows": len(rows),
        "bytes": target.stat().st_size,
        "sha256": file_sha256(target),
    }


def read(path):
    """The Arrow table of one file."""
    with pq.ParquetFile(path) as source:
        return source.read()
