"""The commands of `python -m build` that deal with documents about persons."""

from pathlib import Path
from typing import Annotated

import typer

from build.subjects.schema import NAME

ROOT = Path(__file__).resolve().parents[2]
SHOWN = 3


def import_spia(
    files: Annotated[list[str], typer.Argument(help="Your copies of SPIA's files: subjects, and entities for spans.")],
    out: Annotated[str, typer.Option(help="The folder that takes the release.")],
):
    """Make a release of your own copy of the published SPIA data, with a report of its faults."""
    from build.subjects.published.importing import import_spia as run

    report = run(ROOT, files, out)["reports"][NAME]
    for line in report_lines(report):
        print(line)
    print(f"score with: python score.py evaluate PREDICTIONS --data {out}")


def report_lines(report):
    """The lines that tell of an import: counts per file, then each kind of fault with its first places."""
    lines = [f"{file}: {_counts(made)}" for file, made in report["files"].items()]
    lines.append(f"documents whose target subject is known: {report['targets']}")
    lines.append("faults of the published data, kept as they are:")
    for fault in report["faults"].values():
        if fault["count"]:
            rest = ", …" if fault["count"] > SHOWN else ""
            lines.append(f"{fault['count']:6}  {fault['what']} ({', '.join(fault['where'][:SHOWN])}{rest})")
    return lines


def _counts(made):
    return ", ".join(f"{count} {what.replace('_', ' ')}" for what, count in made.items())
