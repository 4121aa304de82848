"""Scoring the whole test split with a prediction for every row, as a process: wall and CPU seconds, and growth."""

import json
import sys
import tempfile
from pathlib import Path

import numpy as np

from perf import timing
from perf.bars import at_most, growth
from scoring import entities
from scoring.configs import ambiguous_names
from scoring.submission import read_submission
from scoring.truth import load_release

CONFIG = "ambiguous_names"
WALL, CPU = 5, 3


def bars(root, *, quick=False):
    """Wall and CPU seconds of the command line, the best of some runs, and how they grow with the rows."""
    rounds, split = (1, "lite") if quick else (3, "test")
    with tempfile.TemporaryDirectory() as work:
        path = Path(work) / "gold.jsonl"
        rows = write_gold(root, split, path)
        command = [sys.executable, "score.py", "evaluate", str(path), "--split", split]
        runs = [timing.process(command, root) for _ in range(rounds)]
        release = load_release(root)
        answers = dict(read_submission(path, release, split=split).answers)
    truth = release.table(release.entry(CONFIG, split), list(ambiguous_names.COLUMNS))
    sizes = [timing.seconds(lambda share=share: _part(truth, answers, share)) for share in (100, 10, 1)]
    what = f"scoring {CONFIG}/{split}, {rows:,} rows"
    yield at_most(f"{what}, wall", min(wall for wall, _ in runs), WALL)
    yield at_most(f"{what}, CPU", min(cpu for _, cpu in runs), CPU)
    yield growth(f"{what}, once read", sizes)


def write_gold(root, split, path):
    """Write gold answers for every row of a split of ambiguous_names. Returns their number."""
    release = load_release(root)
    rows = release.table(release.entry(CONFIG, split)).to_pylist()
    with open(path, "w", encoding="utf-8") as out:
        for row in rows:
            entity = {"text": row["name"], "type": "PERSON", "start": row["start"], "end": row["end"]}
            entities = [] if row["stratum"] == "entity_control" else [entity]
            out.write(json.dumps({"id": row["id"], "entities": entities}, ensure_ascii=False) + "\n")
    return len(rows)


def _part(truth, answers, share):
    """Score every `share`th row of a truth."""
    rows = truth.take(np.arange(0, truth.num_rows, share))
    entities.outcome.cache_clear()
    ambiguous_names.score(rows, answers, np.zeros(rows.num_rows, dtype=bool), labels=entities.Labels())
