"""A report's three faces: the table on the screen, the JSON, and the one-line signature."""

import json
import os
import tempfile
from pathlib import Path

from scoring import SCORER_VERSION
from scoring.errors import UserError

SIGNATURE_DIGITS = 6
SUFFIXES = (".gz", ".jsonl", ".json", ".parquet")


def signature(release, entry, missing, options=()):
    """One line to quote in a paper: what was scored, on which data, by which scorer."""
    parts = [
        release.manifest["name"],
        entry["config"],
        entry["split"],
        release.manifest["version"],
        f"data:{entry['content_sha256'][:SIGNATURE_DIGITS]}",
        f"missing:{missing}",
        *options,
        *_rows(release.manifest.get("subset")),
        f"scorer:{SCORER_VERSION}",
    ]
    return "|".join(parts)


def _rows(subset):
    """What the signature says of a part of a split, such as "rows:20of2950-1f6c9b"."""
    return [f"rows:{subset['rows']}of{subset['of']}-{subset['ids_sha256'][:SIGNATURE_DIGITS]}"] if subset else []


def report(release, submission, coverage, records, *, missing, system, warnings, options=()):
    """The report as a dict; no clock, no path, no user name, so equal inputs give equal bytes."""
    entry = submission.entry
    return {
        "scorer": SCORER_VERSION,
        "release": {
            "name": release.manifest["name"],
            "version": release.manifest["version"],
            "seed": release.manifest["seed"],
            "content_sha256": entry["content_sha256"],
        },
        "config": submission.config,
        "split": entry["split"],
        **{key: release.manifest[key] for key in ("subset",) if key in release.manifest},
        "system": system,
        "missing": missing,
        "coverage": coverage.as_dict(),
        "predictions_sha256": submission.sha256,
        "signature": signature(release, entry, missing, options),
        "warnings": list(warnings),
        "metrics": records,
    }


def report_json(made):
    """The report's bytes: UTF-8, one record a line, a last newline."""
    head = {key: value for key, value in made.items() if key != "metrics"}
    lines = ",\n".join("  " + json.dumps(record, ensure_ascii=False) for record in made["metrics"])
    text = json.dumps(head, ensure_ascii=False, indent=1)
    return f'{text[:-2]},\n "metrics": [\n{lines}\n ]\n}}\n'.encode()


def write_atomically(path, data):
    """Write bytes through a neighbour file, so that a reader sees the old file or the new one whole.

    Raises UserError when the folder does not exist or cannot be written.
    """
    path = Path(path)
    if not path.parent.is_dir():
        raise UserError(f"{path}: the folder {path.parent} does not exist")
    if path.is_dir():
        raise UserError(f"{path}: is a folder")
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
            os.chmod(name, 0o666 & ~_umask())
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        raise UserError(f"{path}: cannot be written ({error.strerror})") from error


def _umask():
    mask = os.umask(0)
    os.umask(mask)
    return mask


def system_name(path):
    """A system's name from that of its predictions file, without the suffixes of formats."""
    name = Path(path).name
    while Path(name).suffix in SUFFIXES:
        name = Path(name).stem
    return name


def comparison(releases, submissions, records, *, missing, unpaired, options=()):
    """The comparison as a dict, of the same form as a report: a flat list of records under `metrics`."""
    first, second = submissions
    return {
        "scorer": SCORER_VERSION,
        "config": first.config,
        "split": first.entry["split"],
        "unpaired": unpaired,
        "systems": [system_name(submission.path) for submission in (first, second)],
        "signatures": [
            signature(release, submission.entry, missing, options)
            for release, submission in zip(releases, submissions, strict=True)
        ],
        "metrics": records,
    }


def check_output(out, inputs, protected):
    """Refuse an output file before any work is done.

    Args:
        out: the file to be written.
        inputs: files that are read (None ones are skipped).
        protected: folders that nothing may be written into.

    Raises:
        UserError: when `out` is an input, lies in a protected folder, or its folder does not exist.
    """
    if not Path(out).parent.is_dir():
        raise UserError(f"{out}: the folder {Path(out).parent} does not exist")
    for path in filter(None, inputs):
        if os.path.exists(out) and os.path.exists(path) and os.path.samefile(out, path):
            raise UserError(f"{out}: is an input of this command; choose another file for --out")
    for folder in protected:
        if Path(out).resolve().is_relative_to(Path(folder).resolve()):
            raise UserError(f"{out}: lies among the release's files; choose another place for --out")


def comparison_screen(made):
    """A comparison as text: a row a record."""
    rows = [("metric", "group", "difference", "p", "p_holm")]
    for record in made["metrics"]:
        numbers = ["" if record.get(key) is None else f"{record[key]:.4f}" for key in ("p", "p_holm")]
        rows.append((record["metric"], record["group"], _cell(record), *numbers))
    title = f"{made['systems'][0]} - {made['systems'][1]} on {made['config']}/{made['split']}"
    return "\n\n".join([title, "\n".join(_aligned(rows)), "\n".join(made["signatures"])])


def screen(made, tables):
    """The tables, the coverage and the signature as text.

    Args:
        made: the report.
        tables: list of tables; each a header of strings, then per group its name and its records (or None).
    """
    blocks = [f"{made['system']} on {made['config']}/{made['split']}"]
    blocks += ["\n".join(_table(rows)) for rows in tables]
    blocks.append(f"{_coverage_line(made['coverage'])}\n{made['signature']}")
    return "\n\n".join(blocks)


def _table(rows):
    header, *body = rows
    return _aligned([list(header)] + [[group, *(_cell(record) for record in records)] for group, *records in body])


def _aligned(cells):
    """Lines of a table of strings: a header, a rule, and the rows; all columns but the first to the right."""
    header = cells[0]
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]
    lines = ["  ".join(map(_pad, row, widths, range(len(row)))).rstrip() for row in cells]
    return [lines[0], "  ".join("-" * width for width in widths), *lines[1:]]


def _pad(cell, width, column):
    return cell.ljust(width) if column == 0 else cell.rjust(width)


def _cell(record):
    if record is None:
        return ""
    if record["value"] is None:
        return "–"
    if record["low"] is None:
        return _short(record["value"])
    value, low, high = (_short(record[key]) for key in ("value", "low", "high"))
    return f"{value} [{low} {high}]"


def _short(value):
    """Three digits without the leading zero, "1.00" for one, so that a row fits a screen."""
    text = f"{value:.3f}"
    return text[:-1] if text.endswith("1.000") else text.replace("0.", ".", 1)


def _coverage_line(coverage):
    share = coverage["empty"] / coverage["scored"] if coverage["scored"] else 0
    parts = [f"{coverage['scored']} of {coverage['expected']} rows answered", f"{share:.1%} of the answers empty"]
    parts += [f"{coverage[key]} {key}" for key in ("missing", "unparsable", "refused", "failed") if coverage[key]]
    return ", ".join(parts)
