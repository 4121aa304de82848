"""Is a full name that of an attested person, or one edit from one? (PUN §4.2, with local evidence alone.)

Names are compared by a 64-bit hash of their two words, folded and sorted, so that neither order nor marks matter.
Hashes of public names can be reversed by hashing a list of names; the index is small, not secret.
"""

import hashlib

import numpy as np

from build import lexicons
from build.fold import fold
from build.neighbours import edits


def index_hash(*words):
    """The 64-bit hash of a name's words, as a signed integer (Parquet's int64)."""
    key = " ".join(sorted(fold(word) for word in words))
    return int.from_bytes(hashlib.blake2b(key.encode("utf-8"), digest_size=8).digest(), "big", signed=True)


class PersonIndex:
    """Membership of full names of two words.

    Args:
        hashes: sorted array of int64.
    """

    def __init__(self, hashes):
        self._hashes = hashes

    @classmethod
    def load(cls, root):
        """The index from the lexicon below `root`."""
        return cls(np.sort(lexicons.read(root, "person_index").column("hash").to_numpy()))

    def __len__(self):
        return len(self._hashes)

    def contains(self, name):
        """Whether an attested person bears the name, in either order, whatever its case and marks."""
        words = name.split()
        return len(words) == 2 and bool(self._held([index_hash(*words)])[0])

    def near(self, name):
        """Names one edit (one letter, within one word) from `name` that an attested person bears, sorted."""
        words = [fold(word) for word in name.split()]
        if len(words) != 2:
            return []
        first, last = words
        candidates = sorted([(word, last) for word in edits(first)] + [(first, word) for word in edits(last)])
        held = self._held([index_hash(*candidate) for candidate in candidates])
        return [" ".join(candidate) for candidate, is_held in zip(candidates, held, strict=True) if is_held]

    def _held(self, hashes):
        wanted = np.array(hashes, dtype=np.int64)
        places = np.searchsorted(self._hashes, wanted)
        return self._hashes[np.minimum(places, len(self._hashes) - 1)] == wanted
