"""Groups for detail (METRICS §4): recall by popularity and template, the consistency histogram, correlations."""

import math

import numpy as np

from scoring.columns import Coded
from scoring.metrics import plain_record, record
from scoring.recognition import Names

SHARES = ("0", "0.2", "0.4", "0.6", "0.8", "1")
LEAST_IN_WORST = 50
POWERS = 10 ** np.arange(19)
Z = 1.959963984540054


def records(cells, whole, columns):
    """Records of every detail group.

    Args:
        cells: dict from a group's name to its recognition.Cell.
        whole: the name under which worst_group stands.
        columns: `template`, a columns.Coded, and `popularity`, an array (0 for unknown), over all rows of the truth.
    """
    made = []
    for group, cell in cells.items():
        made += _by(cell, f"{group}/popularity", _decades(columns["popularity"][cell.outcomes.rows]))
        made += _by(cell, f"{group}/template", columns["template"][cell.outcomes.rows])
        made += _consistency(cell, group)
        made.append(_correlation(cell, group, columns["popularity"]))
    return made + _worst(made, whole)


def _decades(popularity):
    """ "1e2" for 100 to 999 and so on, "" for unknown, as a Coded."""
    labels = ["", *(f"1e{power}" for power in range(len(POWERS)))]
    places = np.argsort(np.argsort(labels)).astype(np.int32)
    return Coded(places[np.searchsorted(POWERS, popularity, side="right")], sorted(labels))


def _by(cell, prefix, values):
    """Recall of the rows of each text of a Coded, in the order of the texts; rows of the empty one are left out."""
    order = np.argsort(values.codes, kind="stable")
    ends = np.searchsorted(values.codes[order], np.arange(len(values.texts) + 1))
    return [
        record("recall", f"{prefix}/{text}", cell.among(order[start:end]).share("found"))
        for text, start, end in zip(values.texts, ends[:-1], ends[1:], strict=True)
        if text and end > start
    ]


def _consistency(cell, group):
    names = Names.of(cell)
    nearest = np.rint(names.shares * (len(SHARES) - 1)).astype(int)
    return [
        record("consistency_share", f"{group}/consistency/{share}", names.share(nearest == place))
        for place, share in enumerate(SHARES)
    ]


def _correlation(cell, group, popularity):
    """Spearman's rho of popularity against the names' shares, with the interval of Bonett and Wright (2000)."""
    names = Names.of(cell)
    counts = popularity[cell.outcomes.rows[names.first_row]]
    known = counts > 0
    n = int(known.sum())
    rho = spearman(counts[known], names.shares[known])
    if rho is None:
        why = "fewer than four names of known popularity, or no variation"
        return plain_record("popularity_correlation", group, None, n, reason=why)
    spread = Z * math.sqrt((1 + rho * rho / 2) / (n - 3))
    centre = math.atanh(max(-0.999999, min(0.999999, rho)))
    return plain_record("popularity_correlation", group, rho, n, math.tanh(centre - spread), math.tanh(centre + spread))


def spearman(first, second):
    """Spearman's rho with mean ranks for ties; None with fewer than four pairs or where a side does not vary."""
    if len(first) < 4 or np.ptp(first) == 0 or np.ptp(second) == 0:
        return None
    ranks = [mean_ranks(np.asarray(side)) for side in (first, second)]
    return float(np.corrcoef(*ranks)[0, 1])


def mean_ranks(values):
    """Ranks from 1, equal values sharing the mean of their ranks."""
    _, codes, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return (last - (counts - 1) / 2)[codes]


def _worst(made, whole):
    """The lowest recall over type × popularity with at least 50 rows."""
    candidates = [r for r in made if "/popularity/" in r["group"] and r["n"] >= LEAST_IN_WORST]
    if not candidates:
        return [plain_record("worst_group", whole, None, 0, reason="no group of 50 rows")]
    worst = min(candidates, key=lambda r: (r["value"], r["group"]))
    return [
        plain_record(
            "worst_group", whole, worst["value"], worst["n"], worst["low"], worst["high"], worst=worst["group"]
        )
    ]
