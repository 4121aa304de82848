"""CSV files of the published PUN release -> typed rows under our names of the columns, or all their faults."""

import csv
import io
import math

INTEGERS = {"expected_query_count", "executed_query_count", "distance_level", "edit_distance", "exact_prevalence"}
SHARES = {"normalised_edit_distance"}
LARGEST = {"exact_prevalence": 2**63 - 1}
LARGEST_INT32 = 2**31 - 1


def read(path, columns, also, faults):
    """The rows of a file.

    Args:
        columns: {column as published: ours}, "" for those that we have no place for.
        also: {column as published: other names it may bear}.
        faults: scoring.errors.Faults; takes what is wrong, each with file and line.

    Returns:
        list of dicts by our column; an empty cell is None.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
        lines = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except (UnicodeDecodeError, csv.Error) as error:
        faults.add(f"{path.name}: is no CSV in UTF-8 ({error})")
        return []
    header = lines[0] if lines else []
    places = _places(header, columns, also)
    if "name" not in places:
        faults.add(f"{path.name}: has no column 'name' (its columns are: {', '.join(header) or 'none'})")
        return []
    return [
        _row(line, header, places, f"{path.name} line {number}", faults)
        for number, line in enumerate(lines[1:], 2)
        if line
    ]


def _places(header, columns, also):
    """{our column: its place in the file}, by the first of its names that the header has."""
    found = {}
    for theirs, ours in columns.items():
        name = next((name for name in (theirs, *also.get(theirs, ())) if name in header), None)
        if ours and name is not None:
            found[ours] = header.index(name)
    return found


def _row(line, header, places, where, faults):
    if len(line) != len(header):
        faults.add(f"{len(line)} cells under {len(header)} columns", place=where)
        return {"name": ""}
    row = {ours: line[at] or None for ours, at in places.items()}
    if row["name"] is None or not row["name"].strip():
        faults.add("the name is missing", place=where)
    for key in row.keys() & (INTEGERS | SHARES):
        row[key] = _number(key, row[key], where, faults)
    if "donor_parts" in row:
        row["donor_parts"] = row["donor_parts"].split("|") if row["donor_parts"] else []
    return row


def _number(key, text, where, faults):
    """A whole number or a share, as pandas writes them ("3" or "3.0"); None for an empty cell or a faulty one."""
    if text is None:
        return None
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    whole = key in INTEGERS
    if not 0 <= found <= LARGEST.get(key, LARGEST_INT32) or (whole and not found.is_integer()):
        faults.add(f"{key} is no {'whole ' if whole else ''}number of at least 0: {text[:40]!r}", place=where)
        return None
    return int(found) if whole else found
