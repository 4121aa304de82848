"""Byte strings by number, in little memory however many: those that do not fit lie in a file without a name."""

import os
import tempfile
from array import array

HELD = 16 * 1024 * 1024


class Heap:
    """Byte strings in the order in which they were added; the last `held` bytes or so are in memory, the rest on disk.

    Its index takes 8 bytes a string.
    """

    def __init__(self, held=HELD):
        self._ends = array("Q", [0])
        self._held, self._limit = bytearray(), held
        self._start, self._file = 0, None

    def __len__(self):
        return len(self._ends) - 1

    def add(self, data):
        """Add one byte string; its number is how many there were before."""
        if len(self._held) + len(data) > self._limit:
            self._move()
        self._held += data
        self._ends.append(self._ends[-1] + len(data))

    def _move(self):
        """What is held goes to the file; a string is never cut."""
        if self._file is None:
            self._file = tempfile.TemporaryFile(prefix="nymbench-", buffering=0)  # noqa: SIM115 - lives as the heap
        with memoryview(self._held) as rest:
            at = 0
            while at < len(rest):
                at += self._file.write(rest[at:])
        self._start += len(self._held)
        self._held = bytearray()

    def __getitem__(self, number):
        start, end = self._ends[number], self._ends[number + 1]
        if start >= self._start:
            return self._held[start - self._start : end - self._start]
        return os.pread(self._file.fileno(), end - start, start)
