"""The whole way from a predictions file to a report; score.py and the baselines call this one function."""

import os
from dataclasses import dataclass, replace

from scoring import coverage, entities, summary
from scoring.configs import BY_NAME
from scoring.errors import UserError
from scoring.replicates import row_of
from scoring.submission import read_submission


@dataclass(frozen=True)
class Result:
    """A report (dict) and the text of its tables."""

    report: dict
    screen: str


def evaluate(
    predictions, release, *, split=None, missing="error", system=None, label_map=None, options=None, progress=None
):
    """Score a predictions file against a release.

    Args:
        predictions: path of the file.
        release: truth.Release.
        split: its name, or None for the smallest that holds every id.
        missing: "error" or "count".
        system: the system's name; by default the file's.
        label_map: {label of ours: [labels of the system]} added to schemas/label_map.json, or None.
        options: {name: value} of the options of single configs (a module's OPTIONS); None values are not chosen.
        progress: given the number of rows, returns a wrapper of the iteration over them; None for no bar.

    Raises:
        UserError: what is wrong with the file, or an option that its config does not know.
    """
    submission = read_submission(predictions, release, split=split)
    module = BY_NAME[submission.config]
    chosen = chosen_options(module, options)
    labels = entities.Labels(label_map)
    covered, failed = coverage.cover(submission, module.is_empty, missing=missing)
    answers, more, free = prepared(module, submission, chosen, release)
    wrap = progress(submission.truth.num_rows) if progress else iter
    records = module.score(submission.truth, answers, failed, labels=labels, progress=wrap, **more)
    covered = replace(covered, unparsable=covered.unparsable + len(set(map(row_of, free))))
    made = summary.report(
        release,
        submission,
        covered,
        records,
        missing=missing,
        system=_printable(system or summary.system_name(predictions)),
        warnings=submission.warnings + labels.warnings(),
        options=tags(module, chosen, label_map),
    )
    notes = getattr(module, "notes", lambda *_: [])(answers, free, records)
    return Result(made, "\n\n".join([summary.screen(made, module.tables(records)), *notes]))


def chosen_options(module, options):
    """The options that were chosen. Raises UserError for one that the config does not know."""
    chosen = {name: value for name, value in (options or {}).items() if value is not None}
    for name in chosen:
        if name not in module.OPTIONS:
            raise UserError(f"--{name} does not apply to {module.NAME}")
    return chosen


def tags(module, chosen, label_map=None):
    """What the signature says of the chosen options, such as "labels:custom" or "adjudicate:rules-1"."""
    said = [f"{name}:{module.OPTIONS[name](value)}" for name, value in sorted(chosen.items())]
    return (*(("labels:custom",) if label_map else ()), *said)


def prepared(module, submission, chosen, release):
    """A submission's answers as its config's `score` takes them, its further arguments, the keys of unreadable ones."""
    more = {"failures": submission.failures} if module.REPLICATES else {}
    if hasattr(module, "resolve"):
        split = submission.entry["split"]
        more |= module.resolve(chosen, release, submission, lambda path: read_submission(path, release, split=split))
    if not hasattr(module, "interpret"):
        return submission.answers, more, frozenset()
    answers, free = module.interpret(submission.truth, submission.answers, **chosen)
    return answers, more, free


def _printable(name):
    """A name that UTF-8 can hold: bytes that are no text, as a file's name may have, become marks."""
    return os.fsencode(name).decode("utf-8", "replace")


def check(predictions, release, *, split=None):
    """Read and validate a predictions file as `evaluate` does. Returns the Submission and its Coverage."""
    submission = read_submission(predictions, release, split=split)
    covered, _ = coverage.cover(submission, BY_NAME[submission.config].is_empty, missing="count")
    return submission, covered
