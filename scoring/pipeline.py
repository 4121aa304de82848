"""The whole way from a predictions file to a report; score.py and the baselines call this one function."""

import os
from dataclasses import dataclass

from scoring import coverage, entities, summary
from scoring.configs import BY_NAME
from scoring.submission import read_submission


@dataclass(frozen=True)
class Result:
    """A report (dict) and the text of its tables."""

    report: dict
    screen: str


def evaluate(predictions, release, *, split=None, missing="error", system=None, label_map=None, progress=None):
    """Score a predictions file against a release.

    Args:
        predictions: path of the file.
        release: truth.Release.
        split: its name, or None for the smallest that holds every id.
        missing: "error" or "count".
        system: the system's name; by default the file's.
        label_map: {label of ours: [labels of the system]} added to schemas/label_map.json, or None.
        progress: given the number of rows, returns a wrapper of the iteration over them; None for no bar.

    Raises:
        UserError: what is wrong with the file.
    """
    submission = read_submission(predictions, release, split=split)
    module = BY_NAME[submission.config]
    labels = entities.Labels(label_map)
    covered, failed = coverage.cover(submission, module.is_empty, missing=missing)
    wrap = progress(submission.truth.num_rows) if progress else iter
    records = module.score(submission.truth, submission.answers, failed, labels=labels, progress=wrap)
    made = summary.report(
        release,
        submission,
        covered,
        records,
        missing=missing,
        system=_printable(system or summary.system_name(predictions)),
        warnings=submission.warnings + labels.warnings(),
        options=("labels:custom",) if label_map else (),
    )
    return Result(made, summary.screen(made, module.tables(records)))


def _printable(name):
    """A name that UTF-8 can hold: bytes that are no text, as a file's name may have, become marks."""
    return os.fsencode(name).decode("utf-8", "replace")


def check(predictions, release, *, split=None):
    """Read and validate a predictions file as `evaluate` does. Returns the Submission and its Coverage."""
    submission = read_submission(predictions, release, split=split)
    covered, _ = coverage.cover(submission, BY_NAME[submission.config].is_empty, missing="count")
    return submission, covered
