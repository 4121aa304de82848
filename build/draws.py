"""Random draws: every one comes from a stream keyed by SHA-256 of format version, seed, config and item key.

Nothing depends on a global generator, on the order of sets or dicts, or on a library's version.
"""

import hashlib
import json

FORMAT = 1


def digest(seed, config, *key):
    """32 bytes keyed by (FORMAT, seed, config, key); key items are strings or integers."""
    text = json.dumps([FORMAT, seed, config, *key], ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8")).digest()


def ranked(items, seed, config, *key, by=str):
    """The items in the order of their keyed hashes; `by` gives an item's text, which must be unique."""
    return sorted(items, key=lambda item: (digest(seed, config, *key, by(item)), by(item)))


class Stream:
    """An endless stream of integers keyed like `digest`."""

    def __init__(self, seed, config, *key):
        self._key = (seed, config, *key)
        self._block = -1
        self._left = b""

    def _next64(self):
        if len(self._left) < 8:
            self._block += 1
            self._left = digest(*self._key, "block", self._block)
        taken, self._left = self._left[:8], self._left[8:]
        return int.from_bytes(taken, "big")

    def below(self, n):
        """A uniform integer in 0 … n - 1 (by rejection, so without bias). Raises ValueError for n < 1."""
        if n < 1:
            raise ValueError(f"below() needs a positive bound, got {n}")
        limit = (1 << 64) - (1 << 64) % n
        while True:
            value = self._next64()
            if value < limit:
                return value % n

    def choice(self, items):
        """One of the items of a sequence."""
        return items[self.below(len(items))]

    def shuffled(self, items):
        """A list of the items in random order (Fisher-Yates)."""
        made = list(items)
        for last in range(len(made) - 1, 0, -1):
            other = self.below(last + 1)
            made[last], made[other] = made[other], made[last]
        return made
