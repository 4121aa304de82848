"""Files made to hurt: bombs, endless lines, quadratic traps."""

import gzip
import resource
import subprocess
import sys
import time

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests import releases
from tests.faulty import (
    GIB,
    MEASURED,
    SCORE,
    file_of,
    line_of,
    names,
    refusal,
    refused_bytes,
)


def pieces(*parts):
    """Write parts, each (bytes, times), through gzip into a path."""

    def write(path):
        with gzip.open(path, "wb", compresslevel=1) as stream:
            for data, times in parts:
                stream.write(data * times)

    return write


MIB = 1024**2
EMPTY_LISTS = b"[]," * (20 * MIB)
BOMBS = [
    ("endless line", pieces(*[(b"a", 64 * MIB)] * 4), ["line 1: longer than 64 MiB"], 10),
    (
        "long third line",
        pieces((b'{"id":"an-1","entities":[]}\n', 2), (b"a", 65 * MIB)),
        ["line 3: longer than 64 MiB"],
        10,
    ),
    ("blank lines of spaces", pieces(*[(b" " * (MIB - 1) + b"\n", 64)] * 6), ["run of blank lines"], 10),
    ("endless array", pieces((b"[", 1), (b" ", 64 * MIB), (b"\n", 64 * MIB)), ["longer than 64 MiB"], 10),
    ("long array", pieces((b"[\n", 1), (b" ", 65 * MIB)), ["a JSON array over 64 MiB"], 10),
    ("many bad lines", pieces((b"x\n", 32 * MIB)), ["not valid JSON", "more faults"], 10),
    (
        "blank lines",
        pieces((b"\n", 300 * MIB)),
        ["blank lines"],
        3,
    ),
    (
        "many bad items",
        pieces((b'{"id":"an-1","entities":[' + b"[]," * 400_000 + b"[]]}\n", 1)),
        ["entities[0]"],
        2,
    ),
    (
        "long lines of empty lists",
        pieces(*[(b'{"id":"an-%d","entities":[],"x":[' % n + EMPTY_LISTS + b"[]]}\n", 1) for n in range(2)]),
        ["line 1"],
        3,
    ),
    (
        "array in two pieces",
        pieces((b"[" + EMPTY_LISTS + b"\n" + EMPTY_LISTS + b"[]]", 1)),
        ["over 64 MiB"],
        3,
    ),
]


def cpu_seconds():
    """Of the processes that were started here and have ended; a loaded machine changes them little."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@pytest.mark.parametrize(("name", "write", "expected", "seconds"), BOMBS, ids=names(BOMBS))
def test_a_gzip_bomb(tmp_path, folder, name, write, expected, seconds):
    path, out = tmp_path / "bomb.jsonl.gz", tmp_path / "report.json"
    write(path)
    assert path.stat().st_size < 4 * MIB
    command = [sys.executable, "-c", MEASURED, SCORE, "evaluate", path, "--data", folder, "--out", out]
    before = cpu_seconds()
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=20 * seconds,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (6 * GIB, 6 * GIB)),
    )
    assert cpu_seconds() - before < seconds
    assert done.returncode == 2 and "Traceback" not in done.stderr and not out.exists()
    assert all(part in done.stderr for part in [str(path), *expected]), done.stderr[-2000:]
    assert int(done.stderr.rpartition("peak ")[2]) * 1024 < 2 * GIB


LONG = "x" * (20 * MIB)
PARQUET_BOMBS = {
    "one text, many rows": lambda: {
        "id": pa.DictionaryArray.from_arrays(pa.array([0] * 200_000, pa.int32()), pa.array([LONG]))
    },
    "one text, many items": lambda: {
        "id": ["an-1"],
        "entities": pa.ListArray.from_arrays(
            [0, 200_000], pa.DictionaryArray.from_arrays(pa.array([0] * 200_000, pa.int32()), pa.array([LONG]))
        ),
    },
}


@pytest.mark.parametrize("name", sorted(PARQUET_BOMBS))
def test_a_parquet_bomb(tmp_path, folder, name):
    path, out = tmp_path / "bomb.parquet", tmp_path / "report.json"
    options = {"compression": "zstd", "store_schema": False, "dictionary_pagesize_limit": 1 << 30}
    pq.write_table(pa.table(PARQUET_BOMBS[name]()), path, **options)
    assert path.stat().st_size < MIB
    command = [sys.executable, "-c", MEASURED, SCORE, "evaluate", path, "--data", folder, "--out", out]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and "Traceback" not in done.stderr and not out.exists()
    assert f"{path}: Parquet of more content than fits" in done.stderr
    assert int(done.stderr.rpartition("peak ")[2]) * 1024 < 2 * GIB


def test_a_plain_line_over_64_mib(tmp_path, rows, folder):
    with open(tmp_path / "p.jsonl", "wb") as stream:
        stream.write(file_of(rows[:1]))
        stream.write(b'"' + b"x" * (64 * MIB))
    assert f"{tmp_path / 'p.jsonl'}: line 2: longer than 64 MiB" in refusal(tmp_path / "p.jsonl", folder)


def test_many_keys_and_one_twice(tmp_path, rows, folder):
    keys = ",".join(f'"k{n}":1' for n in range(15_000))
    began = time.monotonic()
    message = refused_bytes(tmp_path, folder, file_of(rows, line_of([])[:-1] + f',{keys},"k14999":2}}'))
    assert "'k14999' stands twice" in message
    assert time.monotonic() - began < 0.5


THREADS = """
import re, sys
import numpy, pyarrow, pyarrow.parquet
from scoring import parquet
count = lambda: re.search(r"Threads:\\s+(\\d+)", open("/proc/self/status").read())[1]
before = count()
parquet.table(sys.argv[1])
list(parquet.batches(sys.argv[1]))
print(before, count())
"""


def test_reading_parquet_starts_no_thread():
    path = releases.ROOT / "data/ambiguous_names/test-00000-of-00001.parquet"
    command = [sys.executable, "-c", THREADS, path]
    before, after = subprocess.run(
        command, capture_output=True, text=True, check=True, cwd=releases.ROOT
    ).stdout.split()
    assert before == after
