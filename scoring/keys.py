"""Ids and keys as numbers: which row of a split an id is, which prediction of a file a key has.

An id of a release is a prefix and sixteen hexadecimal digits, so a split's ids are kept as sorted integers. Ids of
another form, as imported data may have, are kept as they are.
"""

from array import array
from bisect import bisect_left

import numpy as np

from scoring.replicates import row_of

DIGITS = 16
_VALUES = np.full(256, 255, dtype=np.uint8)
_VALUES[np.frombuffer(b"0123456789abcdef", dtype=np.uint8)] = np.arange(16)
_SPACE = 40


def row_ids(pieces):
    """The ids of a split's rows as HexIds, or as PlainIds where their form is another.

    Args:
        pieces: Arrow arrays of ids, in the order of the rows.
    """
    pieces = list(pieces)
    prefix = _prefix(pieces)
    values = [_integers(piece, prefix) for piece in pieces] if prefix else [None]
    if any(found is None for found in values):
        return PlainIds([row_id for piece in pieces for row_id in piece.to_pylist()])
    return HexIds(prefix, np.concatenate(values))


def _prefix(pieces):
    first = next((piece[0].as_py() for piece in pieces if len(piece)), "")
    return first[:-DIGITS] if len(first) > DIGITS and first.isascii() else ""


def _integers(piece, prefix):
    """The integers of an array of ids as uint64, or None where one of them has another form."""
    import pyarrow as pa

    if not len(piece):
        return np.zeros(0, dtype=np.uint64)
    piece = piece.cast(pa.large_string())
    _, offsets, data = piece.buffers()
    width = len(prefix) + DIGITS
    ends = np.frombuffer(offsets, dtype=np.int64)[piece.offset : piece.offset + len(piece) + 1]
    if piece.null_count or (np.diff(ends) != width).any():
        return None
    letters = np.frombuffer(data, dtype=np.uint8)[ends[0] : ends[-1]].reshape(-1, width)
    digits = _VALUES[letters[:, len(prefix) :]]
    if (letters[:, : len(prefix)] != np.frombuffer(prefix.encode(), dtype=np.uint8)).any() or (digits == 255).any():
        return None
    made = np.zeros(len(letters), dtype=np.uint64)
    for column in range(DIGITS):
        made = (made << np.uint64(4)) | digits[:, column]
    return made


class HexIds:
    """The ids of rows: one prefix, and an integer each, sorted.

    A search starts in a bucket by the leading bits, of which there are as many as there are ids, about.
    """

    def __init__(self, prefix, values):
        self._prefix, self._values = prefix, values
        self._start, self._size = len(prefix), len(values)
        is_sorted = bool((values[1:] > values[:-1]).all())
        self._rows = None if is_sorted else np.argsort(values, kind="stable").astype(np.int32)
        self._sorted = values if is_sorted else values[self._rows]
        bits = max(1, len(values).bit_length() - 3)
        self._shift = 64 - bits
        marks = np.arange(1, 1 << bits, dtype=np.uint64) << np.uint64(self._shift)
        ends = np.concatenate(([0], np.searchsorted(self._sorted, marks), [len(values)])).astype(np.int32)
        self._view, self._ends = memoryview(self._sorted), memoryview(ends)

    def __len__(self):
        return len(self._values)

    def __getitem__(self, row):
        return f"{self._prefix}{self._values[row]:016x}"

    def find(self, row_id):
        """The row that has an id, or -1."""
        digits = row_id[self._start :]
        try:
            value = int(digits, 16)
        except ValueError:
            return -1
        if value < 0 or len(digits) != DIGITS:
            return -1
        bucket = value >> self._shift
        at = bisect_left(self._view, value, self._ends[bucket], self._ends[bucket + 1])
        if at == self._size or self._view[at] != value or f"{self._prefix}{value:016x}" != row_id:
            return -1
        return at if self._rows is None else int(self._rows[at])

    def rows_of(self, other):
        """For each row of other RowIds the row here that has its id, or -1, as an array."""
        if not isinstance(other, HexIds) or other._prefix != self._prefix or not len(self):
            return np.fromiter(map(self.find, other), dtype=np.int32, count=len(other))
        at = np.minimum(np.searchsorted(self._sorted, other._values), len(self) - 1)
        rows = at if self._rows is None else self._rows[at]
        return np.where(self._sorted[at] == other._values, rows, -1).astype(np.int32)

    def __iter__(self):
        return map(self.__getitem__, range(len(self)))


class PlainIds:
    """Ids of any form."""

    def __init__(self, ids):
        self._ids = ids
        self._rows = {row_id: row for row, row_id in enumerate(ids)}

    def __len__(self):
        return len(self._ids)

    def __getitem__(self, row):
        return self._ids[row]

    def __iter__(self):
        return iter(self._ids)

    def find(self, row_id):
        """The row that has an id, or -1."""
        return self._rows.get(row_id, -1)

    def rows_of(self, other):
        """For each row of other RowIds the row here that has its id, or -1, as an array."""
        return np.fromiter(map(self.find, other), dtype=np.int32, count=len(other))


class Book:
    """The ids of a release's splits, each read once.

    Args:
        release: truth.Release, or None for none.
        wanted: the only split to look into at first, or None for all, the smallest first.
    """

    def __init__(self, release=None, wanted=None):
        self._release, self._wanted, self._ids = release, wanted, {}

    def entries(self, config):
        """The manifest's entries of the splits that may hold a file's ids."""
        if self._release is None or config not in self._release.configs:
            return []
        return [self._release.entry(config, self._wanted)] if self._wanted else self._release.splits(config)

    def ids(self, entry):
        """The ids of a split's rows."""
        key = entry["config"], entry["split"]
        if key not in self._ids:
            self._ids[key] = row_ids(self._release.truth(entry, ["id"]).pieces("id"))
        return self._ids[key]


class Keys:
    """Keys (of scoring.replicates) by number, in the order in which they came.

    A key that is the id of a row takes a number at that row, any other an entry in a dict. Splits are opened when an
    id is met that those before do not hold.

    Args:
        book: Book.
        config_of: the name of the config that an id belongs to, or None.
    """

    def __init__(self, book, config_of):
        self._book, self._config_of = book, config_of
        self._spaces, self._waiting = [], {}
        self._other, self._places = {}, array("q")
        self._other_keys = []

    def __len__(self):
        return len(self._places)

    def __getitem__(self, number):
        place = self._places[number]
        if place < 0:
            return self._other_keys[-1 - place]
        return self._spaces[place >> _SPACE][0][place & ((1 << _SPACE) - 1)]

    def find(self, key):
        """The number of a key, or -1."""
        space, row = self._locate(key)
        return self._other.get(key, -1) if space < 0 else self._spaces[space][1][row]

    def claim(self, key):
        """The number of a key that is there already, or -1; a new one takes the next number."""
        space, row = self._locate(key)
        found = self._other.get(key, -1) if space < 0 else self._spaces[space][1][row]
        if found >= 0:
            return found
        number = len(self._places)
        if space < 0:
            self._other[key] = number
            self._other_keys.append(key)
            self._places.append(-len(self._other_keys))
        else:
            self._spaces[space][1][row] = number
            self._places.append((space << _SPACE) | row)
        return -1

    def _locate(self, key):
        """(number of the split, row) of a key that is some row's id, else (-1, -1)."""
        if isinstance(key, str):
            for number, (ids, _) in enumerate(self._spaces):
                row = ids.find(key)
                if row >= 0:
                    return number, row
            if self._open_next(key):
                return self._locate(key)
        return -1, -1

    def _open_next(self, key):
        """Open the next split of the config that an id belongs to. Returns whether there was one."""
        config = self._config_of(key)
        if config not in self._waiting:
            self._waiting[config] = self._book.entries(config)[::-1]
        if not self._waiting[config]:
            return False
        ids = self._book.ids(self._waiting[config].pop())
        self._spaces.append((ids, memoryview(np.full(len(ids), -1, dtype=np.int32))))
        return True

    def numbers(self, ids):
        """For each row the number of the key that is its id, or -1, as an array.

        Args:
            ids: the ids of some split's rows.
        """
        made = np.full(len(ids), -1, dtype=np.int32)
        for own, numbers in self._spaces:
            rows = np.arange(len(ids), dtype=np.int32) if own is ids else own.rows_of(ids)
            there = np.flatnonzero(rows >= 0)
            found = np.asarray(numbers)[rows[there]]
            made[there[found >= 0]] = found[found >= 0]
        return made

    def outside(self, entry):
        """The numbers of the keys whose row is not in a split, as an array in order."""
        ids = self._book.ids(entry)
        is_inside = np.zeros(len(self), dtype=bool)
        found = self.numbers(ids)
        is_inside[found[found >= 0]] = True
        for key, number in self._other.items():
            is_inside[number] = ids.find(row_of(key)) >= 0
        return np.flatnonzero(~is_inside)
