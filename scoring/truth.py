"""The ground truth: a release's manifest and Parquet files, checked before they are believed."""

import json
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from scoring import schemas
from scoring.columns import Truth
from scoring.errors import UserError
from scoring.readers import LFS_START
from scoring.rows import file_sha256

MANIFEST = "manifest.json"


@dataclass(frozen=True)
class Release:
    """A folder that one manifest describes."""

    folder: Path
    manifest: dict

    @property
    def configs(self):
        """Names of the configs in the release, sorted."""
        return sorted({entry["config"] for entry in self.manifest["files"]})

    def splits(self, config):
        """The manifest's entries for a config, smallest first (ties by split name)."""
        entries = [entry for entry in self.manifest["files"] if entry["config"] == config]
        return sorted(entries, key=lambda entry: (entry["rows"], entry["split"]))

    def entry(self, config, split):
        """The manifest's entry for one split. Raises UserError when there is none."""
        for entry in self.splits(config):
            if entry["split"] == split:
                return entry
        known = ", ".join(entry["split"] for entry in self.splits(config)) or "none"
        raise UserError(f"{self.folder}: no split {split!r} of {config} (there is: {known})")

    def table(self, entry, columns=None):
        """The Arrow table of one split, after its bytes were checked against the manifest.

        Raises UserError when the file is missing, is an LFS pointer, or is not what the manifest says.
        """
        import pyarrow as pa

        return pa.concat_tables(self._read(entry, part, columns) for part in parts(entry))

    def truth(self, entry, columns, ids=None):
        """The columns.Truth of one split, which reads columns as they are asked for; checks and errors as for `table`.

        `ids` are those of its rows where they are known already.
        """
        paths = [checked_path(self.folder, part["path"]) for part in parts(entry)]
        rows = sum(self._rows(entry, *found, columns) for found in zip(paths, parts(entry), strict=True))
        return Truth(paths, columns, rows, ids)

    def _read(self, entry, part, columns):
        with self._opened(entry, checked_path(self.folder, part["path"]), part, columns) as source:
            return source.read(columns=columns)

    def _rows(self, entry, path, part, columns):
        with self._opened(entry, path, part, columns) as source:
            return source.metadata.num_rows

    @contextmanager
    def _opened(self, entry, path, part, columns):
        """A Parquet file whose bytes were checked and that has the columns."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        check_bytes(path, part["sha256"])
        try:
            with pq.ParquetFile(path) as source:
                lacking = set(columns or ()) - set(source.schema_arrow.names)
                if lacking:
                    raise UserError(f"{path}: lacks the columns {', '.join(sorted(lacking))} of {entry['config']}")
                yield source
        except (pa.ArrowException, OSError) as error:
            raise UserError(f"{path}: not a readable Parquet file ({error})") from error


def parts(entry):
    """The files of a split: the entries of each that the manifest has, or the split's own where it is one file."""
    return entry.get("parts") or [entry]


def load_release(folder):
    """Read and check `manifest.json` in a folder. Raises UserError with what is wrong."""
    folder = Path(folder)
    path = folder / MANIFEST
    if not path.is_file():
        raise UserError(f"{folder}: no {MANIFEST} here; --data takes the folder of a release")
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise UserError(f"{path}: not valid JSON ({error})") from error
    if not schemas.is_valid("manifest.schema.json", manifest):
        faults = schemas.errors("manifest.schema.json", manifest)
        raise UserError("\n".join(f"{path}: {fault}" for fault in faults[:5]))
    return Release(folder, manifest)


def checked_path(folder, relative):
    """The file that a manifest's path names. Raises UserError when it is absent or leaves the folder."""
    root = folder.resolve()
    try:
        path = (root / relative).resolve()
        is_there = path.is_file()
    except (ValueError, OSError) as error:
        raise UserError(f"{folder / MANIFEST}: {relative[:80]!r} is no path ({error})") from error
    if not path.is_relative_to(root):
        raise UserError(f"{folder / MANIFEST}: the path {relative!r} leaves the release's folder")
    if not is_there:
        raise UserError(f"{folder / relative}: missing, though the manifest names it")
    return path


def check_bytes(path, sha256):
    """Raise UserError unless the file's bytes have the hash that the manifest gives."""
    with open(path, "rb") as stream:
        if stream.read(len(LFS_START)) == LFS_START:
            raise UserError(f"{path}: a Git LFS pointer stands in place of the data: run 'git lfs pull'")
    found = file_sha256(path)
    if found != sha256:
        raise UserError(f"{path}: sha256 is {found[:12]}…, the manifest says {sha256[:12]}…")
