"""What the fault tests share: spoilt files, and the refusals they must meet."""

import json
import subprocess
import sys

import pytest

from scoring import pipeline
from scoring.errors import UserError
from scoring.truth import load_release
from tests import releases

SCORE = releases.ROOT / "score.py"
ID = "an-0000000000000003"
ORAM = {"text": "Holte Oram", "type": "PERSON"}
TEST_FILE = "data/ambiguous_names/test-00000-of-00001.parquet"
GIB = 1024**3
MEASURED = """
import re, runpy, sys
sys.argv = sys.argv[1:]
try:
    runpy.run_path(sys.argv[0], run_name="__main__")
finally:
    # not getrusage, whose peak a child inherits from the process that started it
    print("peak", re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1], file=sys.stderr)
"""


def names(cases):
    """The cases' first values, to be their ids."""
    return [getattr(case, "values", case)[0] for case in cases]


def line_of(entities, **more):
    """The line of ID with these entities."""
    return json.dumps({"id": ID, "entities": entities, **more}, ensure_ascii=False)


def file_of(rows, third=None, *, more=()):
    """Gold predictions as bytes, with the third line replaced and lines added."""
    lines = [json.dumps(prediction).encode() for prediction in releases.gold(rows)]
    if third is not None:
        lines[2] = third if isinstance(third, bytes) else third.encode()
    return b"\n".join([*lines, *more]) + b"\n"


def refusal(path, folder, **options):
    """The message with which evaluate refuses a file; it always names the file."""
    with pytest.raises(UserError) as caught:
        pipeline.evaluate(path, load_release(folder), **options)
    return str(caught.value)


def refused_bytes(tmp_path, folder, data, **options):
    """The refusal of a predictions file with these bytes, checked to name the file."""
    path = tmp_path / "given.jsonl"
    path.write_bytes(data)
    message = refusal(path, folder, **options)
    assert message.startswith(f"{path}: ")
    return message


def run(*arguments, **options):
    """Run score.py's command line."""
    command = [sys.executable, str(SCORE), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, **options)


def refused_by_command(path, folder, out, *options):
    """Standard error of a refused command: status 2, no traceback, nothing written beside the report either."""
    before = set(out.parent.iterdir()) if out.parent.is_dir() else None
    done = run("evaluate", path, "--data", folder, "--out", out, *options)
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr and done.stdout == ""
    assert before is None or set(out.parent.iterdir()) == before
    return done.stderr
