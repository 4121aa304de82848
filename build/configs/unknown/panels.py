"""Rerun panels: which names a model answers no_info to in every one of R reruns (PUN §6.1, §7.1, Table 9)."""

import json
from collections import Counter
from pathlib import Path

from build.errors import BuildError
from scoring.configs import unknown_names as scorer
from scoring.replicates import by_row
from scoring.submission import read_submission
from scoring.summary import write_atomically
from scoring.unknown.agreement import fleiss, merged

FILE = Path("data") / "panels" / "unknown_names.jsonl"
SIZES = (3, 10)
LABELS = ("found", "ambiguous", "no_info", "fail")


def column(size):
    """The column that a panel of a size fills."""
    return f"stable_no_info_{size}"


def read(root):
    """{name: {column: bool}} of the panel that was run for the release at `root`; {} without one."""
    path = Path(root) / FILE
    if not path.is_file():
        return {}
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return {line.pop("name"): line for line in lines}


def panel(predictions, release, out, adjudicate=None):
    """Write what a predictions file with replicates says of the unknown names; returns rows like the paper's Table 9.

    Args:
        predictions: a predictions file for unknown_names whose rows have several replicates.
        release: scoring.truth.Release.
        out: the JSONL file to write, such as FILE below a repository's root.

    Raises:
        BuildError: when no name has as many replicates as the smallest panel.
        UserError: when the file is faulty.
    """
    submission = read_submission(predictions, release)
    if submission.config != scorer.NAME:
        raise BuildError(f"{predictions}: is of {submission.config}; panels are of {scorer.NAME}")
    answers, _ = scorer.interpret(submission.truth, submission.answers, adjudicate)
    labels = {key: answer["label"] for key, answer in answers.items()} | dict.fromkeys(submission.failures, "fail")
    grouped = by_row(labels)
    columns = (submission.truth.column(name).to_pylist() for name in ("id", "name", "stratum"))
    names = {
        name: [labels[key] for key in grouped.get(row_id, {}).values()]
        for row_id, name, stratum in zip(*columns, strict=True)
        if stratum == "unknown"
    }
    if max(map(len, names.values()), default=0) < SIZES[0]:
        raise BuildError(f"{predictions}: no unknown name has {SIZES[0]} replicates")
    lines = [json.dumps({"name": name, **stable(found)}, ensure_ascii=False) + "\n" for name, found in names.items()]
    Path(out).parent.mkdir(parents=True, exist_ok=True)
    write_atomically(out, "".join(lines).encode("utf-8"))
    return [row(size, names) for size in SIZES if any(len(found) >= size for found in names.values())]


def stable(labels):
    """{column: whether the first 3 (10) labels are all no_info}, None where there are fewer."""
    return {column(size): set(labels[:size]) == {"no_info"} if len(labels) >= size else None for size in SIZES}


def row(size, names):
    """One row of the paper's Table 9, with kappa: counts over the labels of the names with at least `size` reruns."""
    panel = [merged(labels[:size]) for labels in names.values() if len(labels) >= size]
    counts = Counter(label for labels in panel for label in labels)
    kappa, _ = fleiss(panel)
    always = sum(set(labels) == {"no_info"} for labels in panel)
    return {
        "reps": size,
        "names": len(panel),
        "label_calls": size * len(panel),
        **{label: counts[label] for label in LABELS},
        "always_no_info": always,
        "always_no_info_pct": round(100 * always / len(panel), 1),
        "kappa": None if kappa is None else round(kappa, 4),
    }
