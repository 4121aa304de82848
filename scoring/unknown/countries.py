"""Abstention by pair of source countries (PUN Figure 3): where the components of unknown names come from."""

import numpy as np

from scoring.metrics import plain_record

COLUMNS = ("given_country", "surname_country")


def pairs(truth, mask, abstained):
    """One record a pair of countries, sorted, without intervals: most pairs have one name or two.

    Args:
        truth: Arrow table with COLUMNS.
        mask: array of shape (rows,), the unknown names.
        abstained: array of shape (rows,), each row's share of no_info.
    """
    given, surname = (truth.column(name).to_pylist() for name in COLUMNS)
    places = {}
    for at in np.flatnonzero(mask):
        if given[at] and surname[at]:
            places.setdefault((given[at], surname[at]), []).append(at)
    return [
        plain_record("abstention", f"unknown/country_pair/{one}/{other}", np.mean(abstained[rows]), len(rows))
        for (one, other), rows in sorted(places.items())
    ]
