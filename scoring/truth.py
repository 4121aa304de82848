"""The ground truth: a release's manifest and Parquet files, checked before they are believed."""

import os
from dataclasses import dataclass
from pathlib import Path

from scoring import parquet, schemas
from scoring.columns import Truth
from scoring.conform import conform, told
from scoring.errors import UserError
from scoring.readers import LFS_START, parse_value
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

    def path(self, relative):
        """The checked path of a file that the manifest names (see `checked_path`)."""
        return checked_path(self.folder, relative, self.within)

    @property
    def within(self):
        """The folder that links among the release's files may lead to."""
        return self.folder

    def table(self, entry, columns=None):
        """The Arrow table of one split, after its bytes were checked against the manifest.

        Raises UserError when the file is missing, is an LFS pointer, or is not what the manifest and the schema say.
        """
        import pyarrow as pa

        return pa.concat_tables(table for _, table in self.tables(entry, columns))

    def tables(self, entry, columns=None):
        """Yield (the manifest's entry, its table) for each file of a split; checks and errors as for `table`."""
        for part in parts(entry):
            path = self._checked(part)
            with told(path):
                table = conform(parquet.table(path, columns), entry["config"], columns)
            yield part, table

    def truth(self, entry, columns, ids=None):
        """The columns.Truth of one split, which reads columns as they are asked for; checks and errors as for `table`.

        `ids` are those of its rows where they are known already.
        """
        paths = [self._checked(part) for part in parts(entry)]
        rows = sum(self._rows(entry, path, columns) for path in paths)
        return Truth(paths, entry["config"], columns, rows, ids)

    def _checked(self, part):
        path = self.path(part["path"])
        check_bytes(path, part["sha256"])
        return path

    def _rows(self, entry, path, columns):
        with told(path):
            rows, empty = parquet.shape(path, columns)
            conform(empty, entry["config"], columns)
            return rows


def parts(entry):
    """The files of a split: the entries of each that the manifest has, or the split's own where it is one file."""
    return entry.get("parts") or [entry]


def load_release(folder):
    """Read and check `manifest.json` in a folder. Raises UserError with what is wrong."""
    folder = Path(folder)
    path = folder / MANIFEST
    if not path.is_file():
        raise UserError(f"{folder}: no {MANIFEST} here; --data takes the folder of a release, or OWNER/NAME on the Hub")
    try:
        manifest = parse_value(path.read_text(encoding="utf-8"))
    except (ValueError, OSError) as error:
        raise UserError(f"{path}: not valid JSON ({error})") from error
    if not schemas.is_valid("manifest.schema.json", manifest):
        faults = schemas.errors("manifest.schema.json", manifest)
        raise UserError("\n".join(f"{path}: {fault}" for fault in faults[:5]))
    return Release(folder, manifest)


def checked_path(folder, relative, within=None):
    """The file that a manifest's path names.

    Raises UserError when it is absent, or leaves the folder: as it is written, or by links that lead out of the
    folder `within` (None: the same).
    """
    root, limit = folder.resolve(), Path(within or folder).resolve()
    try:
        path = (root / relative).resolve()
        is_there = path.is_file()
    except (ValueError, OSError) as error:
        raise UserError(f"{folder / MANIFEST}: {relative[:80]!r} is no path ({error})") from error
    written = Path(os.path.normpath(root / relative))
    if not (written.is_relative_to(root) and path.is_relative_to(limit)):
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
