"""`import-pun`: a user's own copy of the published PUN files becomes a release folder that score.py scores."""

import csv
import hashlib
import json
from pathlib import Path

from build import folder
from build.configs import unknown_names
from build.configs.unknown.bearers import Bearers
from build.configs.unknown.pairing import pair
from build.pun.export import STABLE, plan
from scoring.errors import Faults, UserError
from scoring.rows import file_sha256

NEEDED = "comparison_names.csv"
AMBIGUOUS = "ambiguous_name_controls.csv"
AUDIT = "release_unknown_names.csv"
PERTURBED = "famous_name_perturbation_controls.csv"
INTEGERS = ("expected_query_count", "executed_query_count", "distance_level", "edit_distance", "exact_prevalence")
NO_DATE = "1970-01-01"


def read(path, columns, also, faults):
    """Rows of a CSV file by our names of its columns; a missing `name` column, or a row without one, is a fault."""
    with open(path, encoding="utf-8-sig", newline="") as stream:
        reader = csv.DictReader(stream)
        header = reader.fieldnames or []
        found = {
            ours: next((c for c in (theirs, *also.get(theirs, ())) if c in header), None)
            for theirs, ours in columns.items()
        }
        if found.get("name") is None:
            faults.add(f"{path.name}: has no column 'name' (its columns are: {', '.join(header) or 'none'})")
            return []
        rows = []
        for number, line in enumerate(reader, 2):
            row = {ours: line[theirs] or None for ours, theirs in found.items() if theirs}
            if row["name"] is None or len(row["name"].split()) < 2:
                faults.add("a name of two words is expected", place=f"{path.name} line {number}")
            else:
                rows.append(_typed(row, f"{path.name} line {number}", faults))
        return rows


def _typed(row, place, faults):
    for key, kind in (*((key, int) for key in INTEGERS), ("normalised_edit_distance", float)):
        if row.get(key) is not None:
            try:
                row[key] = kind(float(row[key]))
            except ValueError:
                faults.add(f"{key} is no number: {row[key][:40]!r}", place=place)
    if row.get("donor_parts") is not None:
        row["donor_parts"] = row["donor_parts"].split("|")
    return row


def convert(source, root, out):
    """Write the release folder `out` from the folder of CSV files `source`. Returns the manifest.

    Raises:
        UserError: with every fault of the files; nothing is written then.
    """
    source, layout, faults = Path(source), plan(), Faults(str(source))
    if not (source / NEEDED).is_file():
        raise UserError(f"{source}: holds no {NEEDED}; give the folder of the published CSV files")
    tables = {
        name: read(source / name, file["columns"], layout["also"], faults)
        for name, file in layout["files"].items()
        if (source / name).is_file()
    }
    faults.raise_if_any()
    rows, left_out = _rows(tables, layout)
    if not rows:
        raise UserError(f"{source}: no row has a stratum that is known")
    _complete(rows, root)
    report = {"imported": {name: len(found) for name, found in tables.items()}, "left_out": left_out}
    return folder.write(root, out, unknown_names, {"test": rows}, report=report, sources=[_source(source, tables)])


def _rows(tables, layout):
    """One row a name and stratum; audit columns joined by name; how many lines were left out, by reason."""
    strata = {theirs: ours for ours, theirs in layout["strata"].items()}
    audit = {row["name"]: row for row in tables.get(AUDIT, ())}
    perturbed = {(row["name"], row.get("distance_level")): row for row in tables.get(PERTURBED, ())}
    stable = {column: set() for column in STABLE}
    made, left_out = {}, {"unknown stratum": 0, "a second line of a name": 0}
    for line in tables[NEEDED]:
        stratum = line.get("@stratum")
        if stratum in stable:
            stable[stratum].add(line["name"])
        elif stratum not in strata:
            left_out["unknown stratum"] += 1
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
    return list(made.values()), left_out


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
