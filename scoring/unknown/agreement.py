"""Agreement of replicates: share of equal pairs and Fleiss' kappa (METRICS §7; PUN §6.1; Fleiss 1971)."""

from collections import Counter
from itertools import combinations

MERGED = {"similar": "ambiguous", "attractor": "ambiguous"}
UNEVEN = "rows have different numbers of replicates"
ONE_LABEL = "every replicate has the same label"
TOO_FEW = "fewer than two replicates"


def merged(labels):
    """A row's labels with similar and attractor as ambiguous."""
    return [MERGED.get(label, label) for label in labels]


def equal_pairs(labels):
    """Share of the pairs of a row's replicates that are equal; None for fewer than two."""
    pairs = list(combinations(merged(labels), 2))
    return sum(one == other for one, other in pairs) / len(pairs) if pairs else None


def fleiss(rows):
    """(kappa, None), or (None, reason).

    Args:
        rows: lists of labels, a list a row.
    """
    sizes = {len(labels) for labels in rows}
    if len(sizes) > 1:
        return None, UNEVEN
    if not sizes or min(sizes) < 2:
        return None, TOO_FEW
    (size,) = sizes
    counts = [Counter(merged(labels)) for labels in rows]
    total = sum(counts, Counter())
    expected = sum((count / (size * len(rows))) ** 2 for count in total.values())
    if len(total) == 1:
        return None, ONE_LABEL
    observed = sum(n * (n - 1) for found in counts for n in found.values()) / (len(rows) * size * (size - 1))
    return (observed - expected) / (1 - expected), None
