"""The predictions of a file by key, kept as bytes outside of Python's objects, so that a long file fits in memory."""

import marshal
from array import array
from collections.abc import Mapping

from scoring.heap import Heap

FORMAT = 2


class Predictions(Mapping):
    """{key: prediction} in the order of first appearance.

    A prediction that is whole when it is added is kept as bytes and made anew whenever it is asked for; changing it
    changes nothing here. One that grows (`growing`), as stages of a batch add to it, is kept as it is.

    Args:
        keys: keys.Keys.
    """

    def __init__(self, keys):
        self.keys_by_number = keys
        self.places = Places(keys)
        self._heap, self._objects = Heap(), {}

    def add(self, key, prediction, place):
        """Add a whole prediction. Returns the place of the one that the key has already, else None."""
        number = self.keys_by_number.claim(key)
        if number >= 0:
            return self.places.at(number)
        self.places.append(place)
        try:
            self._heap.add(marshal.dumps(prediction, FORMAT))
        except ValueError:  # a value that JSON does not know, as a Parquet column may hold
            self._heap.add(b"")
            self._objects[len(self._heap) - 1] = prediction
        return None

    def growing(self, key, empty, place):
        """The prediction of a key that grows: `empty` at first."""
        number = self.keys_by_number.claim(key)
        if number < 0:
            number = len(self._heap)
            self.places.append(place)
            self._heap.add(b"")
            self._objects[number] = empty
        return self._objects[number]

    def at(self, number):
        """The prediction of a number."""
        data = self._heap[number]
        return marshal.loads(data) if data else self._objects[number]

    def find(self, key):
        """The number of a key, or -1."""
        return self.keys_by_number.find(key)

    def __getitem__(self, key):
        number = self.find(key)
        if number < 0:
            raise KeyError(key)
        return self.at(number)

    def __contains__(self, key):
        return self.find(key) >= 0

    def __len__(self):
        return len(self._heap)

    def __iter__(self):
        return map(self.keys_by_number.__getitem__, range(len(self)))


class Places:
    """Where each key stands in its file, such as "line 3", by key or number."""

    def __init__(self, keys):
        self._keys, self._word, self._numbers = keys, "", array("Q")

    def append(self, place):
        """Note the place of the next number; all places of a file are of one word."""
        self._word, _, number = place.rpartition(" ")
        self._numbers.append(int(number))

    def at(self, number):
        """The place of a number."""
        return f"{self._word} {self._numbers[number]}"

    def __getitem__(self, key):
        return self.at(self._keys.find(key))


class Chosen(Mapping):
    """Those of the Predictions that a mask names: what is scored.

    Args:
        predictions: Predictions.
        mask: a bytearray, a byte a number: 1 for those that count.
    """

    def __init__(self, predictions, mask):
        self._all, self._mask, self._size = predictions, mask, mask.count(1)

    def get(self, key, default=None):
        """The prediction of a key, or the default."""
        number = self._all.find(key)
        return self._all.at(number) if number >= 0 and self._mask[number] else default

    def __getitem__(self, key):
        number = self._all.find(key)
        if number < 0 or not self._mask[number]:
            raise KeyError(key)
        return self._all.at(number)

    def __contains__(self, key):
        number = self._all.find(key)
        return number >= 0 and self._mask[number] == 1

    def __len__(self):
        return self._size

    def __iter__(self):
        return (key for number, key in enumerate(self._all) if self._mask[number])

    def items(self):
        """Yield (key, prediction) in order, without a search for each."""
        keys = self._all.keys_by_number
        return ((keys[number], self._all.at(number)) for number in range(len(self._mask)) if self._mask[number])

    def in_rows(self, ids):
        """Yield the prediction, or None, of each of a split's rows whose key is the row's id alone."""
        for number in memoryview(self._all.keys_by_number.numbers(ids)):
            yield self._all.at(number) if number >= 0 and self._mask[number] else None

    def values(self):
        """Yield the predictions in order."""
        return (self._all.at(number) for number in range(len(self._mask)) if self._mask[number])
