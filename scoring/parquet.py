"""Parquet files read the one safe way: without threads, within bounds of memory, every fault one kind of error.

Threads of the reader outlive it and may abort the process at its end, so none is started.
"""

from contextlib import contextmanager
from pathlib import Path

ROWS_AT_ONCE = 10_000
ROOM = 3 << 29


class BadParquet(ValueError):
    """What is no readable Parquet file; the message says why."""


class Unreadable:
    """Stands for a value that neither JSON nor Python can hold, such as a date of the year 300000."""

    def __init__(self, kind):
        self.kind = kind

    def __repr__(self):
        return f"a value of the type {self.kind}"


def table(path, columns=None):
    """The Arrow table of a file. Raises BadParquet.

    Args:
        columns: names of the columns to be read, None for all; those that the file lacks are left out.
    """
    with _one_fault(), _opened(path) as opened:
        return opened.read(columns=columns, use_threads=False)


def shape(path, columns=None):
    """(number of rows, a table of the file's columns without a row). Raises BadParquet; arguments as for `table`."""
    with _one_fault(), _opened(path) as opened:
        empty = opened.schema_arrow.empty_table()
        kept = [name for name in empty.column_names if columns is None or name in columns]
        return opened.metadata.num_rows, empty.select(kept)


def pieces(path, columns, rows):
    """Yield tables of so many rows of a release's file, whose columns are there. Raises BadParquet."""
    import pyarrow as pa

    with _one_fault(), _opened(path) as opened:
        for batch in opened.iter_batches(rows, columns=columns, use_threads=False):
            yield pa.Table.from_batches([batch])


def batches(path):
    """Yield (column names, rows as a list of tuples) of a file from strangers.

    The process may grow by ROOM bytes for a batch, so that a small file of huge content is refused as it is met.

    Raises:
        BadParquet: when the file cannot be read, or a batch does not fit into memory.
    """
    with _one_fault(), _opened(path) as opened:
        names, made = opened.schema_arrow.names, opened.iter_batches(ROWS_AT_ONCE, use_threads=False)
        while True:
            with _bounded():
                batch = next(made, None)
                if batch is None:
                    break
                rows = list(zip(*map(_values, batch.columns), strict=True))
            yield names, rows


@contextmanager
def _opened(path):
    """The file as pyarrow's ParquetFile, opened here, for pyarrow takes no path that is no UTF-8."""
    import pyarrow.parquet as pq

    with open(path, "rb") as stream, pq.ParquetFile(stream, pre_buffer=False) as opened:
        names = opened.schema_arrow.names
        if len(set(names)) != len(names):
            raise BadParquet("a Parquet column stands twice")
        yield opened


def _values(column):
    """The values of a column; UNREADABLE ones where Python has no such value."""
    import pyarrow as pa

    try:
        return column.to_pylist()
    except (UnicodeDecodeError, MemoryError):
        raise
    except (pa.ArrowException, ValueError, OverflowError, TypeError):
        return [Unreadable(column.type)] * len(column)


@contextmanager
def _one_fault():
    """Turn whatever the reader raises into BadParquet."""
    import pyarrow as pa

    try:
        yield
    except UnicodeDecodeError as error:
        raise BadParquet(f"Parquet with a text that is not UTF-8 ({error.reason})") from error
    except MemoryError as error:
        raise BadParquet(f"Parquet of more content than fits into {ROOM >> 20} MiB of memory at once") from error
    except (pa.ArrowException, OSError) as error:
        raise BadParquet(f"not a readable Parquet file ({error})") from error


@contextmanager
def _bounded():
    """Within it the process may grow by ROOM, then allocating raises MemoryError; without bounds off Linux."""
    try:
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except (ImportError, OSError):
        yield
        return
    before = resource.getrlimit(resource.RLIMIT_AS)
    wanted = pages * resource.getpagesize() + ROOM
    bounds = [bound for bound in (wanted, *before) if bound != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_AS, (min(bounds), before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
