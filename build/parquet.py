"""Parquet in one way only, so that equal rows give equal bytes under one version of pyarrow."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from scoring.rows import content_sha256, file_sha256, row_json

ROWS_IN_A_GROUP = 1 << 20


def write(root, relative, rows, schema, *, key="id", **options):
    """Write rows sorted by `key` (None: by their JSON form) with an explicit schema.

    `options` are those of pyarrow's writer that a table needs beside ours.

    Returns:
        dict with path, rows, bytes, sha256 and content_sha256, as the manifest has them.
    """
    made = sorted(rows, key=row_json if key is None else lambda row: row[key])
    target = Path(root) / relative
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_suffix(".draft")
    table = pa.Table.from_pylist(made, schema=schema)
    pq.write_table(
        table,
        draft,
        compression="zstd",
        compression_level=19,
        row_group_size=ROWS_IN_A_GROUP,
        store_schema=False,
        write_statistics=False,
        **options,
    )
    draft.replace(target)
    return {
        "path": Path(relative).as_posix(),
        "rows": len(made),
        "bytes": target.stat().st_size,
        "sha256": file_sha256(target),
        "content_sha256": content_sha256(made, key),
    }


def read(path):
    """The Arrow table of one file."""
    with pq.ParquetFile(path) as source:
        return source.read()
