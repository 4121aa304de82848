"""Which rows of the truth were answered, and how (METRICS §2)."""

from collections import Counter
from dataclasses import asdict, dataclass

import numpy as np

from scoring import columns
from scoring.errors import UserError
from scoring.replicates import row_of

LISTED_MISSING = 5
KINDS = ("unparsable", "refused", "failed")


@dataclass(frozen=True)
class Coverage:
    """Counts of rows, never of replicates.

    `scored` are those with an answer that could be read, `failed` those whose request failed; a row of several
    replicates counts under each kind that some replicate of it is.
    """

    expected: int
    scored: int
    missing: int
    empty: int
    unparsable: int
    refused: int
    failed: int

    def as_dict(self):
        """The counts by name."""
        return asdict(self)


def cover(submission, is_empty, *, missing="error"):
    """Hold a submission's answers against the truth's ids.

    Args:
        submission: submission.Submission.
        is_empty: tells whether a prediction found nothing.
        missing: "error" refuses a submission that leaves rows out; "count" scores them as failures.

    Returns:
        Coverage, and a boolean array over the truth's rows: True where the row failed or is missing.

    Raises:
        UserError: when rows are missing and `missing` is "error".
    """
    ids = columns.ids_of(submission.truth)
    is_answered, is_empty_row = _marks(submission.answers, ids, is_empty)
    is_broken = np.zeros(len(ids), dtype=bool)
    is_broken[[ids.find(row_of(key)) for key in submission.failures]] = True
    absent = np.flatnonzero(~is_answered & ~is_broken)
    if len(absent) and missing == "error":
        more = "" if len(absent) <= LISTED_MISSING else " …"
        raise UserError(
            f"{submission.path}: {len(absent)} of {len(ids)} rows have no prediction: "
            f"{', '.join(ids[row] for row in absent[:LISTED_MISSING].tolist())}{more}\n"
            "Answer every row (an empty list counts as an answer), or score them as failures with --missing count."
        )
    kinds = Counter(kind for _, kind in {(row_of(key), kind) for key, kind in submission.failures.items()})
    counts = {
        "expected": len(ids),
        "scored": int(is_answered.sum()),
        "missing": len(absent),
        "empty": int(is_empty_row.sum()),
    }
    return Coverage(**counts, **{kind: kinds[kind] for kind in KINDS}), ~is_answered


def _marks(answers, ids, is_empty):
    """Boolean arrays over the rows: which are answered, and which have an answer that found nothing."""
    answered, empty = (np.zeros(len(ids), dtype=bool) for _ in range(2))
    for key, prediction in answers.items():
        row = ids.find(row_of(key))
        answered[row] = True
        if is_empty(prediction):
            empty[row] = True
    return answered, empty
