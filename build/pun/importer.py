"""`import-pun`: a user's own copy of the published PUN files becomes a release folder that score.py scores."""

import hashlib
import json
from collections import Counter
from pathlib import Path

from build import folder
from build.configs import unknown_names
from build.configs.unknown.bearers import Bearers
from build.configs.unknown.pairing import pair
from build.pun.export import COMPARISON, STABLE, UNKNOWN, plan
from build.pun.reading import read
from scoring import schemas
from scoring.errors import Faults, UserError
from scoring.rows import file_sha256

AMBIGUOUS = "ambiguous_name_controls.csv"
PERTURBED = "famous_name_perturbation_controls.csv"
NO_DATE = "1970-01-01"


def convert(source, root, out):
    """Write the release folder `out` from the folder of CSV files `source`. Returns the manifest.

    Raises:
        UserError: with every fault of the files; nothing is written then.
    """
    source, layout, faults = _folder(source), plan(), Faults(str(source))
    if not (source / COMPARISON).is_file():
        raise UserError(f"{source}: holds no {COMPARISON}; give the folder of the published CSV files")
    tables = {
        name: read(source / name, file["columns"], layout["also"], faults)
        for name, file in layout["files"].items()
        if (source / name).is_file()
    }
    faults.raise_if_any()
    rows, left_out = _rows(tables, layout)
    if not rows:
        raise UserError(f"{source}: no row has a stratum that is known (left out: {left_out})")
    _complete(rows, root)
    _check(rows, faults)
    report = {"imported": {name: len(found) for name, found in tables.items()}, "left_out": left_out}
    return folder.write(root, out, unknown_names, {"test": rows}, report=report, sources=[_source(source, tables)])


def _folder(source):
    """The folder of the CSV files: `source`, or its folder release/ as in the published repository."""
    inner = Path(source) / "release"
    return inner if (inner / COMPARISON).is_file() else Path(source)


def _check(rows, faults):
    """Raise every fault of the rows that score.py would stumble over."""
    schema = schemas.schema_name(unknown_names.NAME, "row")
    for row in rows:
        where = f"the name {row['name'][:60]!r} in {row['stratum']}"
        if row["stratum"] == "unknown" and not row["surname"]:
            faults.add(f"{where}: a name of two words is expected")
        elif not schemas.is_valid(schema, row):
            faults.add(f"{where}: {schemas.errors(schema, row)[0]}")
    faults.raise_if_any()


def _rows(tables, layout):
    """One row a name and stratum; audit columns joined by name; how many lines were left out, by reason."""
    strata = {theirs: ours for ours, theirs in layout["strata"].items()}
    audit = {row["name"]: row for row in tables.get(UNKNOWN, ())}
    perturbed = {(row["name"], row.get("distance_level")): row for row in tables.get(PERTURBED, ())}
    stable = {column: set() for column in STABLE}
    made, left_out = {}, Counter()
    for line in tables[COMPARISON]:
        stratum = line.get("@stratum")
        if stratum in stable:
            stable[stratum].add(line["name"])
        elif stratum not in strata:
            left_out[f"stratum {stratum!r}, which is none of ours"] += 1
        else:
            more = audit.get(line["name"], {}) if stratum == "unknown" else {}
            level = int(stratum.rpartition("_d")[2]) if "proximity" in stratum else None
            more = more | perturbed.get((line["name"], level), {})
            _add(made, strata[stratum], line | more | ({"distance_level": level} if level else {}), left_out)
    for line in tables.get(AMBIGUOUS, ()):
        _add(made, "ambiguous", line, left_out)
    for row in made.values():
        if row["stratum"] == "unknown":
            row.update({column: row["name"] in found for column, found in stable.items() if found})
    return list(made.values()), dict(left_out)


def _add(made, stratum, line, left_out):
    given, _, surname = line["name"].partition(" ")
    row = dict.fromkeys(unknown_names.SCHEMA.names) | {"donor_parts": [], "given": given, "surname": surname}
    row |= {key: value for key, value in line.items() if key in row} | {"stratum": stratum}
    if stratum in ("unknown", "ambiguous"):
        row["provider"] = row["provider"] or "serper"
    if (stratum, line["name"]) in made:
        left_out["a second line of a name"] += 1
    else:
        made[stratum, line["name"]] = row


def _complete(rows, root):
    stable = {row["name"]: {column: row[column] for column in STABLE} for row in rows if row["stratum"] == "unknown"}
    date = max((row["checked_at"] for row in rows if row["checked_at"]), default=NO_DATE)
    unknown_names.complete(rows, root, date)
    bearers = Bearers.load(root)
    for row in rows:
        row.update(stable.get(row["name"], {}) if row["stratum"] == "unknown" else {})
        if row["stratum"].startswith(("known", "unknown", "ambiguous")):
            row["expected_bearers"] = bearers.expected(row["given"], row["surname"])
    pair(rows, [], 0)


def _source(source, tables):
    digest = hashlib.sha256(json.dumps({n: file_sha256(source / n) for n in sorted(tables)}).encode()).hexdigest()
    return {
        "package": "a user's copy of the PUN release",
        "version": "as published",
        "file": ", ".join(sorted(tables)),
        "sha256": digest,
        "licence_code": "none used",
        "licence_data": "CC BY-NC 4.0",
        "attribution": "Plausible Unknown Names, by D. Staufer, D. Hartmann and I. Baroud.",
        "rows_used": sum(map(len, tables.values())),
    }
