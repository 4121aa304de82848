"""`export-pun`: unknown_names as the CSV files of the published PUN release (PUN A.5, Table 8)."""

import json
from pathlib import Path

from build.errors import BuildError
from build.sheet import write_csv

FILES = Path(__file__).parent / "files.json"
STABLE = ("stable_no_info_3", "stable_no_info_10")


def plan():
    """The published files, their columns and the mapping of strata."""
    return json.loads(FILES.read_text(encoding="utf-8"))


def export(release, out, split="test"):
    """Write the CSV files into the folder `out`. Returns {file: rows}.

    Non-name strata are in none of the published files and stay out.

    Raises:
        BuildError: when `out` holds something already.
    """
    out, layout = Path(out), plan()
    if out.exists() and any(out.iterdir()):
        raise BuildError(f"{out}: is not empty; choose a new folder")
    out.mkdir(parents=True, exist_ok=True)
    rows = release.table(release.entry("unknown_names", split)).to_pylist()
    counts = {}
    for name, file in layout["files"].items():
        picked = [row for row in rows if row["stratum"].partition("_")[0] in file["strata"]]
        lines = [_line(row, file["columns"], layout["strata"].get(row["stratum"])) for row in picked]
        if name == "comparison_names.csv":
            for column in STABLE:
                lines += [_line(row, file["columns"], column) for row in picked if row[column]]
        write_csv(out / name, list(file["columns"]), lines)
        counts[name] = len(lines)
    return counts


def _line(row, columns, stratum):
    special = {"@stratum": stratum, "@level": row["stratum"].rpartition("_")[2] if "known_" in row["stratum"] else None}
    return [_cell(special[source] if source in special else row[source]) for source in columns.values()]


def _cell(value):
    if value is None:
        return ""
    return "|".join(value) if isinstance(value, list) else value
