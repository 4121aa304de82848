"""Labels over rows and replicates as arrays (METRICS §2, §7)."""

from dataclasses import dataclass

import numpy as np

from scoring.replicates import by_row

LABELS = ("found", "similar", "attractor", "ambiguous", "no_info", "fail")
NEAR = ("similar", "attractor", "ambiguous")


@dataclass(frozen=True, eq=False)
class Replies:
    """What was answered to each row of the truth.

    Attributes:
        labels: per row {replicate number or None: label}; {} for a missing row. A replicate that failed has
            the label "fail".
        shares: {label: array of shape (rows,)}, the mean over a row's replicates; a missing row is "fail".
        lost: array of shape (rows,): the share of replicates that failed as requests; 1 for a missing row.
        plausible: array of shape (rows,): the mean of the replicates' `plausible`, NaN where none gave it.
    """

    labels: list
    shares: dict
    lost: np.ndarray
    plausible: np.ndarray

    @property
    def most(self):
        """The largest number of replicates of a row."""
        return max((len(found) for found in self.labels), default=0)

    def near(self):
        """Share of similar, attractor and ambiguous together."""
        return sum(self.shares[label] for label in NEAR)


def replies(truth, answers, failures=()):
    """The Replies to a truth.

    Args:
        truth: Arrow table with `id`.
        answers: {key: prediction with `label`}; keys as scoring.replicates makes them.
        failures: keys of replicates that were answered by a failure.
    """
    ids = truth.column("id").to_pylist()
    answered, failed = by_row(answers), by_row(failures)
    labels, lost, plausible = [], np.ones(len(ids)), np.full(len(ids), np.nan)
    for at, row_id in enumerate(ids):
        given, broken = answered.get(row_id, {}), failed.get(row_id, {})
        found = {number: answers[key]["label"] for number, key in given.items()}
        labels.append(found | dict.fromkeys(broken, "fail"))
        if labels[-1]:
            lost[at] = len(broken) / len(labels[-1])
        said = [answers[key]["plausible"] for key in given.values() if answers[key].get("plausible") is not None]
        plausible[at] = np.mean(said) if said else np.nan
    shares = {label: _shares(labels, label) for label in LABELS}
    return Replies(labels, shares, lost, plausible)


def _shares(labels, label):
    missing = float(label == "fail")
    return np.array([np.mean([one == label for one in found.values()]) if found else missing for found in labels])
