"""Scoring the whole test split with a prediction for every row, as a process: wall and CPU seconds."""

import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from scoring.truth import load_release

WALL, CPU = 5, 3


def measure(root, rounds=3):
    """A line with the best of some runs of the command line on gold answers."""
    with tempfile.TemporaryDirectory() as work:
        path = Path(work) / "gold.jsonl"
        write_gold(root, path)
        runs = [_run(root, path) for _ in range(rounds)]
    wall, cpu = min(run[0] for run in runs), min(run[1] for run in runs)
    verdict = "met" if wall <= WALL and cpu <= CPU else "NOT MET"
    return f"scoring the test split: {wall:.2f} s wall, {cpu:.2f} s CPU (bars {WALL} and {CPU}: {verdict})"


def write_gold(root, path):
    """Gold answers for every row of ambiguous_names/test."""
    release = load_release(root)
    rows = release.table(release.entry("ambiguous_names", "test")).to_pylist()
    with open(path, "w", encoding="utf-8") as out:
        for row in rows:
            entity = {"text": row["name"], "type": "PERSON", "start": row["start"], "end": row["end"]}
            entities = [] if row["stratum"] == "entity_control" else [entity]
            out.write(json.dumps({"id": row["id"], "entities": entities}, ensure_ascii=False) + "\n")


def _run(root, path):
    import time

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    command = [sys.executable, "score.py", "evaluate", str(path)]
    subprocess.run(command, cwd=root, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - began, cpu
