"""A sheet for human raters (AmBench appendix D.2): what is the one named entity of each snippet?"""

import csv
from pathlib import Path

from build import draws
from build.errors import BuildError
from scoring.summary import check_output
from scoring.truth import load_release

CONFIG = "ambiguous_names"
STRATA = ("ambiguous", "matched", "baseline", "entity_control")
ANSWERS = "PERSON, LOCATION, ORGANIZATION, or another kind in a word"


def write(root, out, per_type, seed):
    """Write the sheet and its key. Returns the number of snippets.

    The sheet has number, text and an empty answer; the key has number, id, stratum, type and name, so that
    raters do not see what they rate. Every name occurs at most once.
    """
    for path in (out, f"{out}.key.csv"):
        check_output(path, [], [Path(root) / "data", Path(root) / "schemas"])
        if Path(path).exists():
            raise BuildError(f"{path}: exists already; choose another name")
    release = load_release(root)
    rows = release.table(release.entry(CONFIG, "test")).to_pylist()
    picked = []
    for stratum in STRATA:
        for name_type in sorted({row["name_type"] for row in rows}):
            group = [row for row in rows if (row["stratum"], row["name_type"]) == (stratum, name_type)]
            picked += _distinct_names(draws.ranked(group, seed, CONFIG, "sheet", by=lambda row: row["id"]), per_type)
    ordered = draws.ranked(picked, seed, CONFIG, "sheet order", by=lambda row: row["id"])
    numbered = list(enumerate(ordered, 1))
    write_csv(out, ("number", "text", f"answer: {ANSWERS}"), ((n, row["text"], "") for n, row in numbered))
    columns = ("id", "stratum", "name_type", "name", "template_id")
    write_csv(f"{out}.key.csv", ("number", *columns), ((n, *(row[c] for c in columns)) for n, row in numbered))
    return len(numbered)


def _distinct_names(ranked, count):
    found = {}
    for row in ranked:
        found.setdefault(row["name"], row)
    return list(found.values())[:count]


def write_csv(path, header, rows):
    """Write a CSV file with a header, in UTF-8 and with plain line feeds."""
    with open(path, "w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
