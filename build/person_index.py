"""Is a full name that of an attested person, or one edit from one? (PUN §4.2, with local evidence alone.)

Names are compared by a 64-bit hash of their two words, folded and sorted, so that neither order nor marks matter.
Hashes of public names can be reversed by hashing a list of names; the index is small, not secret.
"""

import hashlib
import json
from pathlib import Path
from zlib import crc32

import numpy as np

from build import lexicons
from build.fold import fold
from build.neighbours import edits


def index_hash(*words):
    """The 64-bit hash of a name's words, as a signed integer (Parquet's int64)."""
    key = " ".join(sorted(fold(word) for word in words))
    return int.from_bytes(hashlib.blake2b(key.encode("utf-8"), digest_size=8).digest(), "big", signed=True)


def word_hash(word):
    """The 32-bit checksum of a folded word: a quick test of whether any person in the index can bear it."""
    return crc32(fold(word).encode("utf-8"))


def identity(root):
    """What identifies the index in a validation stack: its name, its rows and the hash of its content."""
    provenance = json.loads((Path(root) / lexicons.FOLDER / "provenance.json").read_text(encoding="utf-8"))
    entry = next(entry for entry in provenance["lexicons"] if entry["name"] == "person_index")
    return {"index": "person_index", "rows": entry["rows"], "content_sha256": entry["content_sha256"]}


class PersonIndex:
    """Membership of full names of two words.

    Args:
        hashes: sorted array of int64.
        words: word_hash of every word in the index, or None to ask the index for every edit. A word without its hash
            there is borne by nobody, so most edits are dropped before the slower hash of a full name is made.
    """

    def __init__(self, hashes, words=None):
        self._hashes = hashes
        self._words = words

    @classmethod
    def load(cls, root):
        """The index from the lexicons below `root`."""
        hashes = np.sort(lexicons.read(root, "person_index").column("hash").to_numpy())
        return cls(hashes, frozenset(lexicons.read(root, "person_words").column("hash").to_pylist()))

    def __len__(self):
        return len(self._hashes)

    def contains(self, name):
        """Whether an attested person bears the name, in either order, whatever its case and marks."""
        words = name.split()
        return (
            len(words) == 2
            and all(self._borne(fold(word)) for word in words)
            and bool(self._held([index_hash(*words)])[0])
        )

    def near(self, name):
        """Names one edit (one letter, within one word) from `name` that an attested person bears, sorted."""
        words = [fold(word) for word in name.split()]
        if len(words) != 2:
            return []
        first, last = words
        candidates = [(word, last) for word in filter(self._borne, edits(first))] if self._borne(last) else []
        candidates += [(first, word) for word in filter(self._borne, edits(last))] if self._borne(first) else []
        if not candidates:
            return []
        candidates.sort()
        held = self._held([index_hash(*candidate) for candidate in candidates])
        return [" ".join(candidate) for candidate, is_held in zip(candidates, held, strict=True) if is_held]

    def partners(self, word, others):
        """Those of `others` (folded words) that stand beside `word` in an attested person's name, in their order."""
        own = fold(word)
        keys = [f"{other} {own}" if other <= own else f"{own} {other}" for other in others]
        digests = b"".join([hashlib.blake2b(key.encode("utf-8"), digest_size=8).digest() for key in keys])
        held = self._held(np.frombuffer(digests, dtype=">i8"))
        return [others[place] for place in np.flatnonzero(held)]

    def _borne(self, folded):
        return self._words is None or crc32(folded.encode("utf-8")) in self._words

    def _held(self, hashes):
        wanted = np.array(hashes, dtype=np.int64)
        places = np.searchsorted(self._hashes, wanted)
        return self._hashes[np.minimum(places, len(self._hashes) - 1)] == wanted
