"""Rows in the order of their ids, however many: beyond what one file of a release takes they are sorted on disk."""

import marshal
import tempfile
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path

from build.errors import BuildError

ROWS_IN_A_PART = 1 << 20
BUCKETS = 256
HELD = 1 << 16


@contextmanager
def in_parts(rows, most=None):
    """(number of parts, iterator of lists of rows), to be read within the context.

    Together the parts hold every distinct row, sorted by id.

    Args:
        rows: an iterable of dicts of plain values.
        most: how many rows a part has about; None for ROWS_IN_A_PART.

    Raises:
        BuildError: when two different rows have one id.
    """
    rows, most = iter(rows), most or ROWS_IN_A_PART
    first = list(islice(rows, most + 1))
    if len(first) <= most:
        yield 1, iter([_sorted(first)])
        return
    with tempfile.TemporaryDirectory() as folder:
        sizes = _spill(chain(first, rows), Path(folder))
        del first
        groups = _grouped(sizes, most)
        yield len(groups), (_sorted(_loaded(Path(folder), group)) for group in groups)


def _bucket(row_id):
    """Buckets follow the order of the ids: those of one config begin alike and go on with hexadecimal digits."""
    prefix, _, digits = row_id.partition("-")
    try:
        return int(digits[:2], 16)
    except ValueError as error:
        raise BuildError(f"the id {row_id!r} cannot be sorted: expected hexadecimal digits after {prefix!r}") from error


def _spill(rows, folder):
    """Write the rows into a file a bucket. Returns the number of rows of each."""
    sizes, held = [0] * BUCKETS, [[] for _ in range(BUCKETS)]
    while block := list(islice(rows, HELD)):
        for row in block:
            held[_bucket(row["id"])].append(row)
        for number, found in enumerate(held):
            if found:
                with open(folder / str(number), "ab") as stream:
                    marshal.dump(found, stream)
                sizes[number] += len(found)
                held[number] = []
    return sizes


def _grouped(sizes, most):
    """Neighbouring buckets together as long as they have at most `most` rows: a list of lists of their numbers."""
    groups, count = [[]], 0
    for number, size in enumerate(sizes):
        if groups[-1] and count + size > most:
            groups.append([])
            count = 0
        groups[-1].append(number)
        count += size
    return groups


def _loaded(folder, group):
    for number in group:
        path = folder / str(number)
        if path.is_file():
            with open(path, "rb") as stream:
                while stream.peek(1):
                    yield from marshal.load(stream)


def _sorted(rows):
    made = []
    for row in sorted(rows, key=lambda row: row["id"]):
        if not made or made[-1]["id"] != row["id"]:
            made.append(row)
        elif made[-1] != row:
            raise BuildError(f"two rows have the id {row['id']}")
    return made
