"""A user's own metadata of known persons, such as an enriched Wikidata subset (PUN A.7): fame and prevalence measured.

The file is read by `release` and `variant` when it is there; the release ships none.
"""

import csv
from math import isfinite
from pathlib import Path

from build.fold import fold
from scoring.errors import Faults

FILE = Path("data") / "metadata" / "known_persons.csv"
MEASURES = ("views", "length", "languages", "sitelinks")
PREVALENCE = "prevalence"
PARTS = 2


def read(root):
    """The rows of FILE below `root`; [] without one.

    Returns:
        list of {name, views, length, languages, sitelinks, prevalence}: page views, article length, numbers of
        Wikipedia languages and of sitelinks; prevalence is the count of results for the quoted name, or None
        throughout when the file has no such column.

    Raises:
        FaultyFile: with every fault of the file.
    """
    path = Path(root) / FILE
    if not path.is_file():
        return []
    faults = Faults(str(path))
    with open(path, encoding="utf-8-sig", newline="") as stream:
        reader = csv.DictReader(stream)
        missing = [column for column in ("name", *MEASURES) if column not in (reader.fieldnames or ())]
        if missing:
            faults.add(f"has no column {', '.join(map(repr, missing))}")
            faults.raise_if_any()
        numbers = [column for column in (*MEASURES, PREVALENCE) if column in reader.fieldnames]
        rows = _rows(reader, numbers, faults)
    faults.raise_if_any()
    return rows


def _rows(reader, numbers, faults):
    rows, seen = [], {}
    for line in reader:
        place, name = f"line {reader.line_num}", line["name"] or ""
        if len(name.split()) != PARTS:
            faults.add(f"a name of two words is expected, not {name[:40]!r}", place=place)
        elif seen.setdefault(fold(name), place) != place:
            faults.add(f"{name!r} stands in {seen[fold(name)]} already", place=place)
        values = {column: _number(line[column], column, place, faults) for column in numbers}
        rows.append({"name": " ".join(name.split()), PREVALENCE: None, **values})
    return rows


def _number(text, column, place, faults):
    try:
        value = float(text or "")
    except ValueError:
        value = -1
    if not isfinite(value) or value < 0:
        faults.add(f"{column}: a number of 0 or more is expected, not {(text or '')[:40]!r}", place=place)
        return None
    return value
