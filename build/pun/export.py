"""`export-pun`: unknown_names as the CSV files of the published PUN release (PUN A.5, Table 8)."""

import json
from pathlib import Path

from build.errors import BuildError
from build.release import write_json
from build.sheet import write_csv
from scoring.rows import file_sha256

FILES = Path(__file__).parent / "files.json"
MANIFEST = "release_manifest.json"
UNKNOWN = "release_unknown_names.csv"
COMPARISON = "comparison_names.csv"
STABLE = ("stable_no_info_3", "stable_no_info_10")


def plan():
    """The published files, their columns and the mapping of strata."""
    return json.loads(FILES.read_text(encoding="utf-8"))


def export(release, out, split="test"):
    """Write the CSV files and their manifest into the folder `out`. Returns {file: rows}.

    Non-name strata are in none of the published files and stay out. The files of stable names are written where a
    rerun panel has filled their columns.

    Raises:
        BuildError: when `out` holds something already.
    """
    out, layout = Path(out), plan()
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise BuildError(f"{out}: is not empty; choose a new folder")
    out.mkdir(parents=True, exist_ok=True)
    rows = release.table(release.entry("unknown_names", split)).to_pylist()
    counts = {}
    for name, file in layout["files"].items():
        picked = [row for row in rows if row["stratum"].partition("_")[0] in file["strata"]]
        lines = [_line(row, file["columns"], layout["strata"].get(row["stratum"])) for row in picked]
        if name == COMPARISON:
            for column in STABLE:
                lines += [_line(row, file["columns"], column) for row in picked if row[column]]
        write_csv(out / name, list(file["columns"]), lines)
        counts[name] = len(lines)
    counts |= _stable_files(rows, out, layout)
    write_json(out / MANIFEST, _manifest(release, out, counts, max(row["released_at"] for row in rows), layout))
    return counts


def _stable_files(rows, out, layout):
    """The unknown names that every rerun gave no_info, a file for each size of panel that was run."""
    columns, counts = layout["files"][UNKNOWN]["columns"], {}
    for column, name in layout["panels"].items():
        if any(row[column] is not None for row in rows):
            lines = [_line(row, columns, None) for row in rows if row[column]]
            write_csv(out / name, list(columns), lines)
            counts[name] = len(lines)
    return counts


def _manifest(release, out, counts, date, layout):
    files = [
        {"path": name, "rows": count, "bytes": (out / name).stat().st_size, "sha256": file_sha256(out / name)}
        for name, count in counts.items()
    ]
    facts = {key: release.manifest[key] for key in ("name", "version", "seed")}
    return facts | {"generated_at": date, "files": files, "strata": layout["strata"], "omitted": layout["omitted"]}


def _line(row, columns, stratum):
    special = {"@stratum": stratum, "@level": row["stratum"].rpartition("_")[2] if "known_" in row["stratum"] else None}
    special[""] = None
    return [_cell(special[source] if source in special else row[source]) for source in columns.values()]


def _cell(value):
    if value is None:
        return ""
    return "|".join(value) if isinstance(value, list) else value
