"""Which rows of the truth were answered, and how (METRICS §2)."""

from collections import Counter
from dataclasses import asdict, dataclass

import numpy as np

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
    ids = submission.truth.column("id").to_pylist()
    answers, failures = submission.answers, submission.failures
    answered, broken = set(map(row_of, answers)), set(map(row_of, failures))
    failed = np.fromiter((row_id not in answered for row_id in ids), dtype=bool, count=len(ids))
    absent = [row_id for row_id in ids if row_id not in answered and row_id not in broken]
    if absent and missing == "error":
        more = "" if len(absent) <= LISTED_MISSING else " …"
        raise UserError(
            f"{submission.path}: {len(absent)} of {len(ids)} rows have no prediction: "
            f"{', '.join(absent[:LISTED_MISSING])}{more}\n"
            "Answer every row (an empty list counts as an answer), or score them as failures with --missing count."
        )
    kinds = Counter(kind for _, kind in {(row_of(key), kind) for key, kind in failures.items()})
    counts = {
        "expected": len(ids),
        "scored": len(answered),
        "missing": len(absent),
        "empty": len({row_of(key) for key, prediction in answers.items() if is_empty(prediction)}),
    }
    return Coverage(**counts, **{kind: kinds[kind] for kind in KINDS}), failed
