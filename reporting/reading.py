"""Score reports and published rows, read and checked: what is no report is a fault that names its file."""

import json
import unicodedata
from dataclasses import dataclass
from pathlib import Path

from scoring import schemas
from scoring.configs import BY_NAME
from scoring.errors import FaultyFile, UserError
from scoring.readers import BOM, LFS_START, BadJson, parse_object

SCHEMA = "report.schema.json"
PUBLISHED_SCHEMA = "published.schema.json"
PUBLISHED = Path(__file__).resolve().parent.parent / "references" / "published.json"
LARGEST_FILE = 64 * 1024 * 1024
LARGEST_NUMBER = 1e9
LONGEST_TEXT = 160
DIRECTION_MARKS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
NUMBERS = ("value", "low", "high", "p", "p_holm", "interval_templates_low", "interval_templates_high")
PERCENT = 100


@dataclass(frozen=True)
class Report:
    """One score report as the page uses it.

    Attributes:
        config, split, version, data, signature: what was scored, on which rows.
        system: the system's name, fit to be shown.
        coverage: {kind: number of rows}.
        warnings: list of strings.
        values: {(metric, group): record}.
    """

    config: str
    split: str
    version: str
    data: str
    signature: str
    system: str
    coverage: dict
    warnings: list
    values: dict

    def get(self, metric, group):
        """The record of a metric and group, or None where the report has none."""
        return self.values.get((metric, group))


def read_reports(paths):
    """The reports of several files, in the files' order.

    Raises:
        UserError: a file cannot be read, is no report, or is given twice; the message names it. The faults of all
            the files are gathered.
    """
    reports, faults, seen = [], [], {}
    for path in paths:
        try:
            data = _bytes(path)
            if data in seen:
                raise FaultyFile(path, [f"is the same report as {seen[data]}"])
            seen[data] = path
            reports.append(_report(path, data))
        except UserError as error:
            faults.append(str(error))
    if faults:
        raise UserError("\n".join(faults))
    return reports


def _bytes(path):
    try:
        with open(path, "rb") as stream:
            data = stream.read(LARGEST_FILE + 1)
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from error
    if len(data) > LARGEST_FILE:
        raise FaultyFile(path, ["over 64 MiB, which no score report is"])
    return data


def _report(path, data):
    found = _object(path, data)
    if "release" not in found and "signatures" in found:
        raise FaultyFile(path, ["a comparison, not a report: give the reports that 'score.py evaluate --out' wrote"])
    if not schemas.is_valid(SCHEMA, found):
        raise FaultyFile(path, [f"not a score report: {fault}" for fault in schemas.errors(SCHEMA, found)])
    if faults := list(_faults(found)):
        raise FaultyFile(path, faults)
    return Report(
        config=found["config"],
        split=found["split"],
        version=printable(found["release"]["version"]),
        data=printable(found["release"]["content_sha256"][:6]),
        signature=printable(found["signature"]),
        system=printable(found["system"]) or "(no name)",
        coverage=found["coverage"],
        warnings=[printable(warning) for warning in found["warnings"]],
        values={(record["metric"], record["group"]): record for record in found["metrics"]},
    )


def _object(path, data):
    if data.startswith(LFS_START):
        raise FaultyFile(path, ["a Git LFS pointer stands in place of the report: run 'git lfs pull'"])
    if not data.strip():
        raise FaultyFile(path, ["the file is empty: expected a report of 'score.py evaluate --out'"])
    try:
        return parse_object(data.removeprefix(BOM))
    except BadJson as error:
        raise FaultyFile(path, [f"not a score report: {error}"]) from error


def _faults(found):
    """What a schema cannot say: a known config, each metric and group once, numbers that can be drawn."""
    if found["config"] not in BY_NAME:
        yield f"a report of config {found['config'][:LONGEST_TEXT]!r}; this page knows {', '.join(BY_NAME)}"
    seen = set()
    for record in found["metrics"]:
        key = (record["metric"], record["group"])
        name = f"metric {key[0]!r} of group {key[1]!r}"
        if key in seen:
            yield f"{name} stands twice"
        seen.add(key)
        if any(abs(record.get(field) or 0) > LARGEST_NUMBER for field in NUMBERS):
            yield f"{name} has a number over {LARGEST_NUMBER:.0e}, which no metric reaches"


def printable(text):
    """A text of a submission fit to be shown: one line of limited length, without control or direction marks."""
    kept = "".join(" " if mark.isspace() else "\ufffd" if _is_control(mark) else mark for mark in text)
    kept = " ".join(kept.split())
    return kept if len(kept) <= LONGEST_TEXT else kept[: LONGEST_TEXT - 1] + "…"


def _is_control(mark):
    return mark in DIRECTION_MARKS or unicodedata.category(mark) in ("Cc", "Cs", "Cn")


def read_published(path=PUBLISHED):
    """The published rows: {"papers": {id: {title, data}}, "rows": [row, …]} (schemas/published.schema.json).

    Raises FaultyFile when the file has another form.
    """
    try:
        found = json.loads(_bytes(path))
    except ValueError as error:
        raise FaultyFile(path, [f"not valid JSON: {error}"]) from error
    if not schemas.is_valid(PUBLISHED_SCHEMA, found):
        raise FaultyFile(path, schemas.errors(PUBLISHED_SCHEMA, found))
    return found


def published_value(row):
    """A published value as our reports hold it: percentages as fractions, other units as printed; None stays None."""
    if row["value"] is None or row["unit"] != "percent":
        return row["value"]
    return row["value"] / PERCENT
