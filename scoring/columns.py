"""Columns of a truth in little memory: values one after the other, texts by row, repeated texts as codes.

A truth is an Arrow table, or a Truth, which reads a column of a release's split when it is asked for.
"""

from dataclasses import dataclass

import numpy as np

from scoring import parquet
from scoring.conform import conform, told
from scoring.heap import Heap
from scoring.keys import row_ids

ROWS_AT_ONCE = 1 << 16


class Truth:
    """The rows of one split, whose files were checked; columns are read from them anew each time.

    Args:
        paths: the Parquet files, in order.
        config: the config's name, whose row schema the columns are held to.
        columns: the names of its columns.
        num_rows: how many rows there are.
        ids: keys.HexIds or PlainIds of the rows where they are known already.
    """

    def __init__(self, paths, config, columns, num_rows, ids=None):
        self.column_names, self.num_rows = list(columns), num_rows
        self._config = config
        self._paths, self._ids = paths, ids

    @property
    def ids(self):
        """The ids of the rows."""
        if self._ids is None:
            self._ids = row_ids(self.pieces("id"))
        return self._ids

    def pieces(self, name):
        """Yield a column as Arrow arrays of some thousand rows. Raises UserError when a file cannot be read."""
        for table in self._tables([name]):
            yield from table.column(0).chunks

    def column(self, name):
        """A column as an Arrow chunked array."""
        import pyarrow as pa

        found = list(self.pieces(name))
        return pa.chunked_array(found) if found else self._empty().column(name)

    def to_pylist(self):
        """All rows as dicts, for configs whose rows are few."""
        return [row for table in self._tables(self.column_names) for row in table.to_pylist()]

    def _tables(self, columns):
        for path in self._paths:
            with told(path):
                for table in parquet.pieces(path, columns, ROWS_AT_ONCE):
                    yield conform(table, self._config, columns)

    def _empty(self):
        return conform(parquet.shape(self._paths[0], self.column_names)[1], self._config, self.column_names)


def pieces(truth, name):
    """A column of a truth as Arrow arrays, one after the other."""
    return truth.pieces(name) if isinstance(truth, Truth) else truth.column(name).chunks


def values(truth, name):
    """Yield the values of a column."""
    for piece in pieces(truth, name):
        yield from piece.to_pylist()


def ids_of(truth):
    """The ids of a truth's rows, as keys.row_ids gives them."""
    return truth.ids if isinstance(truth, Truth) else row_ids(truth.column("id").chunks)


def answers_in_rows(truth, answers):
    """Yield the prediction, or None, of each row of a truth, from any mapping by row id."""
    if hasattr(answers, "in_rows"):
        return answers.in_rows(ids_of(truth))
    return map(answers.get, values(truth, "id"))


class Texts:
    """The texts of a truth by row, read when the first is asked for."""

    def __init__(self, truth, name="text"):
        self._truth, self._name, self._heap = truth, name, None

    def __getitem__(self, row):
        if self._heap is None:
            self._heap = Heap()
            for text in values(self._truth, self._name):
                self._heap.add(text.encode("utf-8"))
        return self._heap[row].decode("utf-8")


@dataclass(frozen=True, eq=False)
class Coded:
    """A column of texts that repeat.

    Attributes:
        codes: array of shape (rows,), what stands at each row, as an index of `texts`.
        texts: the distinct texts, sorted, so that codes are in the order of their texts.
    """

    codes: np.ndarray
    texts: list

    def __len__(self):
        return len(self.codes)

    def __getitem__(self, mask):
        return Coded(self.codes[mask], self.texts)

    def is_(self, text):
        """Boolean array: where the text stands."""
        return self.codes == (self.texts.index(text) if text in self.texts else -1)


def coded(arrays):
    """A Coded of Arrow arrays of texts, one after the other."""
    numbers, parts = {}, [np.zeros(0, dtype=np.int32)]
    for array in arrays:
        found = array.dictionary_encode()
        own = [numbers.setdefault(text, len(numbers)) for text in found.dictionary.to_pylist()]
        parts.append(np.array(own, dtype=np.int32)[found.indices.to_numpy(zero_copy_only=False)])
    return _in_order(np.concatenate(parts), list(numbers))


def _in_order(codes, texts):
    order = sorted(range(len(texts)), key=texts.__getitem__)
    places = np.empty(len(texts), dtype=np.int32)
    places[order] = np.arange(len(texts), dtype=np.int32)
    return Coded(places[codes], [texts[at] for at in order])


def where(mask, first, second):
    """A Coded that has the first's texts where a mask is True, and the second's elsewhere."""
    return _in_order_of_both(np.where(mask, first.codes, second.codes + len(first.texts)), first.texts, second.texts)


def _in_order_of_both(codes, *lists):
    """A Coded of codes into lists put one after the other, which may share texts."""
    numbers = {}
    own = [numbers.setdefault(text, len(numbers)) for texts in lists for text in texts]
    return _in_order(np.array(own, dtype=np.int32)[codes], list(numbers))
