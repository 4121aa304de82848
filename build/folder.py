"""A release folder of one config from rows that are at hand: what imports of published data end in."""

import json
import shutil
import tempfile
from pathlib import Path

from build import hub
from build.errors import BuildError
from build.release import MANIFEST, NAME, version, write_json, write_split
from scoring import schemas


def write(root, out, module, splits, *, report, sources):
    """Write data/, schemas/ and manifest.json into `out`, an empty or new folder. Returns the manifest.

    Args:
        root: this repository, for the version and the schemas.
        module: the config's builder.
        splits: {split: rows}.
        report: what the manifest says of the config.
        sources: the manifest's entries of where the rows come from.

    Raises:
        BuildError: when `out` holds something already, or cannot be written; it stays as it was then.
    """
    root, out = Path(root), Path(out)
    _refuse_place(out)
    try:
        with tempfile.TemporaryDirectory(dir=out.resolve().parent, prefix=".import-") as draft:
            made = Path(draft) / "made"
            manifest = _fill(root, made, module, splits, report, sources)
            made.replace(out)
    except OSError as error:
        raise BuildError(f"{out}: cannot be written ({error.strerror})") from error
    return manifest


def _refuse_place(out):
    if not out.resolve().parent.is_dir():
        raise BuildError(f"{out}: the folder above it does not exist")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise BuildError(f"{out}: is not empty; choose a new folder")


def _fill(root, out, module, splits, report, sources):
    files = [write_split(out, module, split, rows) for split, rows in sorted(splits.items())]
    (out / "schemas").mkdir(exist_ok=True)
    name = schemas.schema_name(module.NAME, "row")
    shutil.copyfile(root / "schemas" / name, out / "schemas" / name)
    canary = json.loads((root / MANIFEST).read_text(encoding="utf-8"))["canary"]
    manifest = {
        "name": NAME,
        "version": version(root),
        "seed": 0,
        "base_version": None,
        "canary": canary,
        "files": files,
        "lexicons": [],
        "sources": sources,
        "reports": {module.NAME: report},
        "omitted": [],
    }
    write_json(out / MANIFEST, manifest)
    hub.write_configs(out, manifest)
    return manifest
