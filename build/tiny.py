"""A release of ten rows per config, for the README and the tests: `python -m build tiny`."""

import json
import shutil
from pathlib import Path

from build import draws, hub, parquet
from build.configs import BY_NAME
from build.configs.unknown.pairing import pair
from build.release import MANIFEST, write_json
from scoring.truth import load_release

FOLDER = Path("examples") / "tiny"
UNKNOWN = ("unknown", "unknown", "known_1", "known_3", "known_5", "proximity_1", "proximity_5", "proximity_12")
UNKNOWN += ("ambiguous", "nonname_wordlike")
WANTED = {
    "ambiguous_names": [("ambiguous", kind) for kind in BY_NAME["ambiguous_names"].TYPES]
    + [("matched", "location"), ("matched", "mineral"), ("baseline", "location")]
    + [("entity_control", "location"), ("entity_control", "mineral")],
    "usernames": [("ambiguous", "")] * 8 + [("baseline", "")] * 2,
    "subject_inference": [("legal", "")] + [("online", "")] * 9,
    "unknown_names": [(stratum, "") for stratum in UNKNOWN],
    "prompt_injection": [("ambiguous", kind) for kind in BY_NAME["ambiguous_names"].TYPES for _ in (0, 1)],
}


def tiny(root, out=None):
    """Write the ten-row release beside the full one at `root`. Returns its manifest."""
    release = load_release(root)
    out = Path(out or Path(root) / FOLDER)
    shutil.rmtree(out / "data", ignore_errors=True)
    files = []
    for config, wanted in WANTED.items():
        entry = release.entry(config, "lite")
        rows = _pick(release.table(entry).to_pylist(), wanted, config)
        if config == "unknown_names":
            pair(rows, [], 0)
        relative = Path("data") / config / "test-00000-of-00001.parquet"
        written = parquet.write(out, relative, rows, BY_NAME[config].SCHEMA)
        files.append({**entry, "split": "test", **written})
        (out / "schemas").mkdir(parents=True, exist_ok=True)
        shutil.copyfile(Path(root) / entry["schema"], out / entry["schema"])
    manifest = {**json.loads((Path(root) / MANIFEST).read_text(encoding="utf-8")), "files": files}
    manifest |= {
        "lexicons": [],
        "sources": [],
        "reports": _priors(manifest),
        "attrition": {},
        "readings": {},
        "omitted": [],
    }
    write_json(out / MANIFEST, manifest)
    hub.write_configs(out, manifest)
    return manifest


def _priors(manifest):
    """Of the reports, what scoring reads."""
    return {name: {"prior": report["prior"]} for name, report in manifest["reports"].items() if "prior" in report}


def _kind(row):
    return row.get("stratum") or row["domain"], row.get("name_type", "")


def _pick(rows, wanted, config):
    """One row for each wanted (stratum, type), by keyed hash; the rows of a pair stay together."""
    ranked = draws.ranked(rows, 0, config, "tiny", by=lambda row: row["id"])
    ranked.sort(key=lambda row: draws.digest(0, config, "tiny", row.get("pair_id", row["id"])))
    picked = []
    for key in wanted:
        picked.append(next(r for r in ranked if _kind(r) == key and r not in picked))
    return picked
