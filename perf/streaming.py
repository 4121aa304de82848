"""Scoring submissions of one, three and ten million lines for scaled variants: wall seconds, CPU seconds, peak memory.

Asked for by name only: building the largest variant takes half an hour and four gigabytes of disk.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from perf.bars import Bar
from scoring import columns
from scoring.truth import load_release

CONFIG, SPLIT = "ambiguous_names", "test"
SEED, ROWS_IN_A_SHARD = 9, 250_000
MILLIONS = (1, 3, 10)
MIB = 2048


def bars(root, *, quick=False):
    """The peak memory of each size; a folder named by NYMBENCH_VARIANTS keeps the variants from one run to the next."""
    variants = os.environ.get("NYMBENCH_VARIANTS")
    base = load_release(root)
    rows = base.entry(CONFIG, SPLIT)["rows"]
    with tempfile.TemporaryDirectory() as work:
        for millions in MILLIONS[:1] if quick else MILLIONS:
            folder = Path(variants or work) / str(millions)
            if not folder.is_dir():
                build(root, folder, -(-millions * 1_000_000 // rows), rows)
            path = Path(work) / "predictions.jsonl"
            lines = write_answers(folder, path)
            yield _bar(lines, path, *score(root, folder, path))


def build(root, folder, scale, rows):
    """Build the variant in a process of its own."""
    shards = max(1, scale * rows // ROWS_IN_A_SHARD)
    options = {"--seed": SEED, "--out": folder, "--configs": CONFIG, "--scale": scale, "--shards": shards}
    command = [sys.executable, "-m", "build", "variant", *(str(part) for pair in options.items() for part in pair)]
    subprocess.run(command, cwd=root, check=True, stdout=subprocess.DEVNULL)


def write_answers(folder, path):
    """An answer a row: mostly the name as a person, each fifth as a place, each seventh none. Returns their number."""
    release = load_release(folder)
    wanted = ["id", "name", "start", "end"]
    truth = release.truth(release.entry(CONFIG, SPLIT), wanted)
    with open(path, "w", encoding="utf-8") as out:
        for number, row in enumerate(zip(*(columns.values(truth, name) for name in wanted), strict=True)):
            row_id, name, start, end = row
            label = "GPE" if number % 5 == 0 else "PERSON"
            entities = [{"text": name, "type": label, "start": start, "end": end}] if number % 7 else []
            out.write(json.dumps({"id": row_id, "entities": entities}, ensure_ascii=False) + "\n")
    return truth.num_rows


def score(root, folder, path):
    """(wall seconds, CPU seconds, peak resident memory in MiB) of one evaluation, as a process."""
    command = [sys.executable, "score.py", "evaluate", str(path), "--data", str(folder)]
    began = time.perf_counter()
    with subprocess.Popen(command, cwd=root, stdout=subprocess.DEVNULL) as run:
        _, status, used = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
    if run.returncode:
        raise RuntimeError(f"{' '.join(command)}: exit status {run.returncode}")
    return time.perf_counter() - began, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def _bar(lines, path, wall, cpu, peak):
    told = f"{path.stat().st_size / 1e9:.2f} GB, {wall:.0f} s wall, {cpu:.0f} s CPU, {cpu / lines * 1e6:.0f} µs a line"
    return Bar(f"peak memory of scoring {lines:,} lines", peak, MIB, False, "MiB", told)
