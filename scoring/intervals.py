"""Clusters, bootstrap and Wilson (METRICS §9): the one place where uncertainty is made.

Everything is drawn from numpy's RandomState, whose streams are frozen, keyed by SHA-256 of a name.
"""

import hashlib
import math

import numpy as np

from scoring.columns import Coded

RESAMPLES = 1000
SWAPS = 9999
EXACT = 1 << 20  # of doubled totals; a resample may weigh one several times, and single precision ends at 2**24
LEVEL = 0.95
SCORE_SEED = "NymBench scoring 1"


def random_state(*key):
    """A RandomState keyed by SHA-256 of the scorer's seed and `key`."""
    digest = hashlib.sha256("\x1f".join((SCORE_SEED, *map(str, key))).encode("utf-8")).digest()
    return np.random.RandomState(np.frombuffer(digest, dtype=np.uint32))


class Clusters:
    """Rows grouped by cluster, with the bootstrap's weights.

    Args:
        codes: array of cluster codes 0 … size - 1, one a row.
        size: number of clusters.
        key: what the stream of weights is keyed by.
    """

    def __init__(self, codes, size, *key):
        self.codes = codes
        self.size = size
        self._key = key
        self._weights = None
        self._swaps = None
        self._drawn = {}

    @classmethod
    def of(cls, names, *key):
        """Clusters of equal strings, or of a columns.Coded.

        Codes follow the sorted names, so the rows' order does not matter.
        """
        found = names.codes if isinstance(names, Coded) else np.asarray(names, dtype=object).astype(str)
        unique, codes = np.unique(found, return_inverse=True)
        return cls(codes.astype(np.int32), len(unique), *key)

    @property
    def weights(self):
        """(RESAMPLES, size) array: how often each cluster was drawn, clusters drawn with replacement.

        In single precision, in which sums of whole numbers up to 16 million are exact.
        """
        if self._weights is None:
            state, counts = random_state(*self._key), np.empty((RESAMPLES, self.size), dtype=np.float32)
            for one in counts:
                one[:] = np.bincount(state.randint(0, self.size, size=self.size), minlength=self.size)
            self._weights = counts
        return self._weights

    @property
    def swaps(self):
        """(SWAPS, size) array of 0 and 1: which clusters change sides in each random swap; single precision."""
        if self._swaps is None:
            flips = random_state(*self._key, "swap").randint(0, 2, size=(SWAPS, self.size), dtype=np.int8)
            self._swaps = flips.astype(np.float32)
        return self._swaps

    def over(self, codes):
        """The same clusters with the same draws, over other rows."""
        other = Clusters(codes, self.size, *self._key)
        other._weights = self.weights
        other._swaps = self._swaps
        return other

    def drawn(self, values):
        """Sum of the rows' values in every resample, shape (RESAMPLES,); equal values are summed once."""
        totals = self.total(values)
        key = totals.dtype.char, totals.tobytes()
        if key not in self._drawn:
            self._drawn[key] = self.weights @ totals
        return self._drawn[key]

    def total(self, values):
        """Sum of the rows' values per cluster; values of shape (rows,)."""
        return compact(np.bincount(self.codes, weights=values, minlength=self.size))


def compact(totals):
    """Whole and half numbers in single precision where every resampled sum of them stays exact, else as they are."""
    doubled = totals * 2
    is_exact = np.abs(doubled).sum() < EXACT and not (doubled % 1).any()
    return totals.astype(np.float32) if is_exact else totals


def bounds(estimates, level=LEVEL):
    """(low, high) percentiles by order statistic; estimates that are NaN are left out.

    Returns (None, None) when none is left.
    """
    kept = np.sort(estimates[~np.isnan(estimates)])
    if not kept.size:
        return None, None
    tail = (1 - level) / 2
    low = math.floor(tail * (kept.size - 1))
    high = math.ceil((1 - tail) * (kept.size - 1))
    return float(kept[low]), float(kept[high])


def wilson(successes, n, z=1.959963984540054):
    """Wilson's score interval for a share of independent items (Wilson 1927). n = 0 gives (None, None)."""
    if not n:
        return None, None
    share = successes / n
    centre = share + z * z / (2 * n)
    margin = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    return (centre - margin) / scale, (centre + margin) / scale
