"""The form of a row: its JSON, its id, the hash of many. Builders and scorer both use this module."""

import hashlib
import json

HEX_DIGITS = 16


def row_json(row):
    """One row as compact JSON with sorted keys: the form that content hashes are taken of."""
    return json.dumps(row, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def content_sha256(rows, key="id"):
    """SHA-256 of the rows sorted by `key`, each as `row_json` with a line feed after it.

    With `key` None the rows, which then have no id, are sorted by their JSON. The hash does not depend on
    the Parquet writer, so it is equal under any version of pyarrow.
    """
    if key is None:
        lines = sorted(map(row_json, rows))
    else:
        lines = map(row_json, sorted(rows, key=lambda row: row[key]))
    digest = hashlib.sha256()
    add_lines(digest, lines)
    return digest.hexdigest()


def add_lines(digest, lines):
    """Add rows, as JSON and in their order, to the digest of a content hash."""
    for line in lines:
        digest.update(line.encode("utf-8"))
        digest.update(b"\n")


def row_id(prefix, *parts):
    """An opaque id: `prefix`, a hyphen and 16 hex digits of a SHA-256 over `parts`."""
    digest = hashlib.sha256(row_json(list(parts)).encode("utf-8")).hexdigest()
    return f"{prefix}-{digest[:HEX_DIGITS]}"


def file_sha256(path):
    """SHA-256 of a file's bytes, read in pieces."""
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
