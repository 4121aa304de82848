"""A detector over many rows in several processes, in order: the one loop of the systems that have none of their own."""

from concurrent.futures import ProcessPoolExecutor
from functools import partial

PROCESSES = 2
BATCH = 1000


def each(detect, rows, processes=PROCESSES):
    """Yield a prediction for each row.

    Args:
        detect: a module's function from a text to a list of {text, type, start, end}; it must be importable by name.
        rows: dicts with `id` and `text`.
        processes: 1 runs it here.
    """
    rows = list(rows)
    if processes == 1:
        yield from _part(detect, rows)
        return
    with ProcessPoolExecutor(processes) as pool:
        for part in pool.map(partial(_part, detect), batched_lists(rows)):
            yield from part


def batched_lists(rows):
    """The rows in lists of BATCH, the last shorter."""
    return [rows[start : start + BATCH] for start in range(0, len(rows), BATCH)]


def _part(detect, rows):
    return [{"id": row["id"], "entities": detect(row["text"])} for row in rows]
