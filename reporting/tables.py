"""A config's tables, from layout.json: systems as rows, or groups as rows with a body for each system."""

import json
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from reporting.rates import MISSING, in_full, interval, p_value, published, short
from reporting.reading import printable
from scoring.configs import BY_NAME

LAYOUT = Path(__file__).resolve().parent / "layout.json"
ARROWS = {"higher": "↑", "lower": "↓"}
LOCAL_EVIDENCE = "The names were held against a local index, not the web: what was found may be true of some of them."
SIGNED = ("_change", "_effect", "gap_to_baseline", "excess_leak")


@dataclass
class Cell:
    """One cell: its value, what follows it, what stands behind it, and the letters of the notes it refers to."""

    text: str = ""
    more: tuple = ()
    title: str = ""
    marks: str = ""


@dataclass
class Row:
    """A row: its number in the key (None without one), its label, a remark on it, and its cells."""

    label: str
    cells: list
    number: int | None = None
    remark: str = ""


@dataclass
class Body:
    """A group of rows under a heading (None without one); `other` marks rows from other data."""

    rows: list
    heading: str | None = None
    number: int | None = None
    other: bool = False


@dataclass
class Table:
    """A table: titles of its columns (the first is the corner), bodies, and (mark, note) pairs below it."""

    title: str
    columns: list
    bodies: list
    notes: list = field(default_factory=list)
    remark: str = ""


class Notes:
    """Letters for the distinct notes of one table, in order of first use."""

    def __init__(self):
        self._letters = {}

    def mark(self, text):
        """The letter of a note."""
        return self._letters.setdefault(text, _letter(len(self._letters)))

    def pairs(self):
        """[(letter, text)]."""
        return [(letter, text) for text, letter in self._letters.items()]


def _letter(place):
    return chr(ord("a") + place % 26) * (1 + place // 26)


@cache
def layout(config):
    """What the page says and shows of a config: {"question", "tables", …} (reporting/layout.json)."""
    return json.loads(LAYOUT.read_text(encoding="utf-8"))[config]


def tables(config, reports, others):
    """The tables of a config that have anything to show.

    Args:
        reports: its reports; their order is that of the key's numbers, from 1.
        others: its published rows.
    """
    made = [
        _by_item(config, shape, reports) if "items" in shape else _by_system(config, shape, reports, others)
        for shape in layout(config)["tables"]
    ]
    return [table for table in made if table is not None]


def _by_system(config, shape, reports, others):
    notes, rows = Notes(), []
    keys = [(metric, group) for _, metric, group in shape["columns"]]
    for number, report in enumerate(reports, 1):
        records = [report.get(*key) for key in keys]
        if any(records):
            rows.append(Row(report.system, [cell(record, notes) for record in records], number, report.split))
    if not rows:
        return None
    bodies = [Body(rows), *_published_bodies(config, keys, others, notes)]
    return _table(config, shape, "system", bodies, notes)


def _published_bodies(config, keys, others, notes):
    """A body a paper: the systems of which a table that layout.json names gives some of the columns."""
    renamed, beside = layout(config).get("published_groups", {}), layout(config)["published_beside"]
    wanted = {(metric, renamed.get(group, group)): place for place, (metric, group) in enumerate(keys)}
    found = {}
    for row in others:
        place = wanted.get((row["metric"], row["group"]))
        if place is not None and f"{row['paper']}, {row['table']}" in beside:
            key = (row["paper"], row["table"], row["system"])
            found.setdefault(key, [Cell() for _ in keys])[place] = published_cell(row, notes)
    bodies = {}
    for (paper, table, system), cells in found.items():
        body = bodies.setdefault(paper, Body([], f"Published in {paper}, on other data", other=True))
        body.rows.append(Row(system, cells, remark=table))
    return list(bodies.values())


def published_cell(row, notes):
    """The cell of a published row: as our rates are written, with what the paper prints behind it."""
    text = published(row["printed"], row["unit"])
    behind = f"printed as {row['printed']}, in units of {row['unit']}: {row['paper']}, {row['table']}"
    return Cell(text, title=behind, marks=notes.mark(row["remark"]) if "remark" in row else "")


def _by_item(config, shape, reports):
    notes, bodies = Notes(), []
    for number, report in enumerate(reports, 1):
        rows = []
        for label, item in shape["items"]:
            records = [report.get(metric, group.format(item)) for _, metric, group in shape["columns"]]
            if any(records):
                rows.append(Row(label, [cell(record, notes) for record in records]))
        if rows:
            bodies.append(Body(rows, report.system, number))
    return _table(config, shape, "group", bodies, notes) if bodies else None


def _table(config, shape, corner, bodies, notes):
    """The table without the columns in which no row has anything."""
    rows = [row for body in bodies for row in body.rows]
    kept = [place for place in range(len(shape["columns"])) if any(row.cells[place].text for row in rows)]
    for row in rows:
        row.cells = [row.cells[place] for place in kept]
    directions = BY_NAME[config].DIRECTIONS
    titles = [corner]
    for place in kept:
        title, metric, _ = shape["columns"][place]
        titles.append(f"{title} {ARROWS[directions[metric]]}" if metric in directions else title)
    return Table(shape["title"], titles, bodies, notes.pairs(), shape.get("note", ""))


def cell(record, notes):
    """A record's cell: value and interval, p where a test was made, a note on its reason or kind of evidence."""
    if record is None:
        return Cell()
    text = MISSING if record["value"] is None else short(record["value"])
    if record["metric"].endswith(SIGNED) and (record["value"] or 0) > 0:
        text = f"+{text}"
    marks = [notes.mark(printable(record["reason"]))] if record.get("reason") else []
    if record.get("evidence") == "local" and text != MISSING:
        marks.append(notes.mark(LOCAL_EVIDENCE))
    return Cell(text, tuple(filter(None, (interval(record), _test(record)))), in_full(record), ", ".join(marks))


def _test(record):
    """The p-value of a record, that of Holm's adjustment where there is one, or ""."""
    for key, name in (("p_holm", "Holm p"), ("p", "p")):
        if record.get(key) is not None:
            return f"{name} {p_value(record[key])}"
    return ""


def published_tables(rows):
    """Every published table of a config whole: systems and groups as rows, metrics as columns."""
    by_table = {}
    for row in rows:
        by_table.setdefault((row["paper"], row["table"]), []).append(row)
    return [_published_table(f"{paper}, {table}", found) for (paper, table), found in by_table.items()]


def _published_table(title, rows):
    metrics = list(dict.fromkeys(row["metric"] for row in rows))
    lines, notes = {}, Notes()
    for row in rows:
        line = lines.setdefault((row["system"], row["group"]), [Cell() for _ in metrics])
        line[metrics.index(row["metric"])] = published_cell(row, notes)
    shown = [Row(system, cells, remark=group) for (system, group), cells in lines.items()]
    return Table(title, ["system", *metrics], [Body(shown, other=True)], notes.pairs())
