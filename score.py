"""NymBench's standalone scorer: score, check and compare predictions against a release.

Run `python score.py --help`. It needs this file, scoring/, schemas/, data/ and manifest.json, nothing else.
"""

import json
import sys
from enum import Enum
from pathlib import Path
from typing import Annotated, Optional

try:
    import typer
except ModuleNotFoundError as error:
    sys.exit(f"{error}: run 'make score' once and use .venv/bin/python, or install requirements.txt")

from scoring import entities, pipeline, summary
from scoring.configs import BY_NAME
from scoring.errors import UserError, run_command
from scoring.hub import open_release

HERE = Path(__file__).resolve().parent
app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False)


class Missing(str, Enum):
    """What to do with rows that have no prediction."""

    error = "error"
    count = "count"


Predictions = Annotated[str, typer.Argument(help="A predictions file: JSONL, gzip, a JSON array or Parquet.")]
Data = Annotated[
    str,
    typer.Option(
        help="The folder of a release (by default the one beside score.py), or OWNER/NAME[@REVISION] on the Hub."
    ),
]
Split = Annotated[Optional[str], typer.Option(help="The split; by default the smallest that holds every id.")]
LabelMap = Annotated[Optional[str], typer.Option(help='JSON: {"PERSON": ["MY_LABEL", …], …}, added to ours.')]


class Adjudicate(str, Enum):
    """How free text in `response` becomes a label (unknown_names)."""

    rules = "rules"


Weights = Annotated[Optional[str], typer.Option(help='subject_inference: JSON {"NAME": 3, …}, for weighted_cpr.')]
Original = Annotated[
    Optional[str], typer.Option(help="subject_inference: the same adversary's predictions on the original texts.")
]
Adjudication = Annotated[
    Optional[Adjudicate], typer.Option(help="unknown_names: label free text by schemas/adjudication.json.")
]


@app.callback()
def main():
    """Score predictions against NymBench."""


@app.command()
def evaluate(
    predictions: Predictions,
    data: Data = str(HERE),
    split: Split = None,
    missing: Annotated[Missing, typer.Option(help="Refuse missing rows, or count them as failures.")] = Missing.error,
    system: Annotated[Optional[str], typer.Option(help="Name of the system, for reports.")] = None,
    label_map: LabelMap = None,
    adjudicate: Adjudication = None,
    weights: Weights = None,
    original: Original = None,
    out: Annotated[Optional[str], typer.Option(help="Write the report to this JSON file.")] = None,
):
    """Score a predictions file; print the table and, with --out, write the JSON report."""
    release = open_release(data)
    if out is not None:
        _check_output(out, predictions, label_map, weights, original, releases=[release])
    result = pipeline.evaluate(
        predictions,
        release,
        split=split,
        missing=missing.value,
        system=system,
        label_map=_read_label_map(label_map),
        options=_options(adjudicate, weights, original),
        progress=_progress,
    )
    if out is not None:
        summary.write_atomically(out, summary.report_json(result.report))
    _warn(result.report["warnings"])
    print(result.screen)


@app.command()
def check(predictions: Predictions, data: Data = str(HERE), split: Split = None):
    """Read and validate a predictions file as `evaluate` does; print its coverage; write nothing."""
    submission, covered = pipeline.check(predictions, open_release(data), split=split)
    missing = [f"{covered.missing} rows have no prediction: evaluate wants --missing count"] if covered.missing else []
    _warn([*submission.warnings, *missing])
    print(f"{submission.path}: valid predictions for {submission.config}/{submission.entry['split']}")
    print(", ".join(f"{count} {name}" for name, count in covered.as_dict().items()))


@app.command()
def compare(
    first: Annotated[str, typer.Argument(help="Predictions of the first system (or for the release).")],
    second: Annotated[str, typer.Argument(help="Predictions of the second system (or for the variant).")],
    data: Data = str(HERE),
    other_data: Annotated[Optional[str], typer.Option(help="The second file's release, if another.")] = None,
    unpaired: Annotated[bool, typer.Option(help="The rows differ, as between a release and its variant.")] = False,
    split: Split = None,
    missing: Annotated[Missing, typer.Option(help="Refuse missing rows, or count them as failures.")] = Missing.error,
    label_map: LabelMap = None,
    adjudicate: Adjudication = None,
    weights: Weights = None,
    original: Original = None,
    out: Annotated[Optional[str], typer.Option(help="Write the records to this JSON file.")] = None,
):
    """Differences first - second of every headline metric, with intervals and, if paired, p-values."""
    from scoring.comparison import compare as run

    if other_data is not None and not unpaired:
        raise UserError("--other-data goes with --unpaired: a paired comparison is of one release")
    releases = (open_release(data), open_release(other_data or data))
    if out is not None:
        _check_output(out, first, second, label_map, weights, original, releases=releases)
    chosen = _options(adjudicate, weights, original)
    options = {"split": split, "missing": missing.value, "label_map": _read_label_map(label_map), "options": chosen}
    submissions, records = run(first, second, releases, unpaired=unpaired, **options)
    module = BY_NAME[submissions[0].config]
    said = pipeline.tags(module, pipeline.chosen_options(module, chosen), label_map)
    made = summary.comparison(releases, submissions, records, missing=missing.value, unpaired=unpaired, options=said)
    if out is not None:
        summary.write_atomically(out, summary.report_json(made))
    print(summary.comparison_screen(made))


def _options(adjudicate, weights, original):
    """The options of single configs by name, None where not chosen."""
    return {
        "adjudicate": adjudicate.value if adjudicate else None,
        "weights": weights,
        "original": original,
    }


def _read_json(path):
    if path is None:
        return None
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise UserError(f"{path}: not a readable JSON file ({error})") from error


def _check_output(out, *inputs, releases):
    folders = [release.folder for release in releases]
    protected = [folder / name for folder in (*folders, HERE) for name in ("data", "schemas")]
    summary.check_output(out, [*inputs, *(folder / "manifest.json" for folder in folders)], protected)


def _read_label_map(path):
    found = _read_json(path)
    fits = (
        found is None
        or isinstance(found, dict)
        and all(
            target in entities.LABELS and isinstance(names, list) and all(isinstance(name, str) for name in names)
            for target, names in found.items()
        )
    )
    if not fits:
        raise UserError(f"{path}: expected an object with a list of labels under any of {', '.join(entities.LABELS)}")
    return found


def _progress(total):
    """A progress bar on standard error, silent when that is no terminal."""
    if not sys.stderr.isatty():
        return iter
    from tqdm import tqdm

    return lambda rows: tqdm(rows, total=total, unit=" rows", leave=False)


def _warn(warnings):
    for warning in warnings:
        print(f"warning: {warning}", file=sys.stderr)


def run():
    """Run the command line; a fault the user can act on is printed and ends with status 2."""
    run_command(app)


if __name__ == "__main__":
    run()
