"""The verdicts of a validation run of somebody's own: from its store, or from JSONL or CSV files of verdicts."""

import csv
import json
from pathlib import Path

from build.errors import BuildError
from build.validation.store import Store
from build.validation.verdicts import VERDICTS
from scoring.errors import Faults

SQLITE = b"SQLite format 3\0"
VERDICT_COLUMNS = ("verdict", "status")
NOT_TOLD = "not told"


def verdicts(path, run_id=None):
    """{name: (verdict, provider)} of a run.

    Args:
        path: a run store, JSONL as `export-verdicts` writes it, or CSV with the columns name and verdict (or status,
            as the published files have it) and perhaps provider.
        run_id: which run of a store; needed where it holds several.

    Raises:
        BuildError, UserError: for a file that is none of these, with every fault of it.
    """
    path = Path(path)
    try:
        with open(path, "rb") as stream:
            start = stream.read(len(SQLITE))
    except OSError as error:
        raise BuildError(f"{path}: cannot be read ({error.strerror})") from error
    if start == SQLITE:
        return _stored(path, run_id)
    if run_id is not None:
        raise BuildError(f"{path}: is no run store, so it holds no run {run_id!r}")
    return _listed(path)


def _stored(path, run_id):
    with Store(path, readonly=True) as store:
        run_id = run_id or only_run(store)
        provider = store.run(run_id)["provider"]
        return {name: (found["verdict"], provider) for name, found in store.verdicts(run_id).items()}


def only_run(store):
    """The id of the one run of a store. Raises BuildError where there are none or several, naming them."""
    runs = store.runs()
    if len(runs) != 1:
        raise BuildError(f"{store.path}: holds {len(runs)} runs; choose one with --run ({', '.join(runs) or 'none'})")
    return runs[0]


def _listed(path):
    faults, found = Faults(path), {}
    try:
        text = path.read_text(encoding="utf-8-sig")
        rows = _json_lines(text, faults) if text.lstrip().startswith("{") else _csv_lines(text)
        for place, row in rows:
            _enter(found, row, place, faults)
    except (UnicodeDecodeError, csv.Error) as error:
        raise BuildError(f"{path}: is neither a run store nor UTF-8 text of verdicts ({error})") from error
    faults.raise_if_any()
    if not found:
        raise BuildError(f"{path}: holds no verdicts")
    return found


def _json_lines(text, faults):
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield f"line {number}", json.loads(line)
            except (ValueError, RecursionError):
                faults.add("is no JSON", place=f"line {number}")


def _csv_lines(text):
    reader = csv.DictReader(text.splitlines(keepends=True))
    for row in reader:
        yield f"line {reader.line_num}", row


def _enter(found, row, place, faults):
    name = row.get("name") if isinstance(row, dict) else None
    if not isinstance(name, str) or not name:
        faults.add("the field 'name' is missing or no text", place=place)
        return
    verdict = next((row[column] for column in VERDICT_COLUMNS if row.get(column)), None)
    made = (verdict, row.get("provider") or NOT_TOLD)
    if verdict not in VERDICTS:
        faults.add(f"{verdict!r} is no verdict (there are: {', '.join(VERDICTS)})", place=place)
    elif found.setdefault(name, made) != made:
        faults.add(f"a second verdict on {name!r}, and another one", place=place)
