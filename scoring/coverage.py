"""Which rows of the truth were answered, and how (METRICS §2)."""

from dataclasses import asdict, dataclass

import numpy as np

from scoring.errors import UserError

LISTED_MISSING = 5


@dataclass(frozen=True)
class Coverage:
    """Counts of rows. `scored` are those with an answer that could be read."""

    expected: int
    scored: int
    missing: int
    empty: int
    unparsable: int
    refused: int

    def as_dict(self):
        """The counts by name."""
        return asdict(self)

    @property
    def empty_share(self):
        """Share of the scored rows whose answer was empty; None when none was scored."""
        return self.empty / self.scored if self.scored else None


def cover(ids, answers, is_empty, *, missing="error", path="the submission"):
    """Hold the answers against the truth's ids.

    Args:
        ids: the truth's ids, in its order.
        answers: predictions by id.
        is_empty: tells whether a prediction found nothing.
        path: the file's name, for the message.
        missing: "error" refuses a submission that leaves rows out; "count" scores them as failures.

    Returns:
        Coverage, and a boolean array over `ids`: True where the row failed.

    Raises:
        UserError: when rows are missing and `missing` is "error".
    """
    failed = np.fromiter((row_id not in answers for row_id in ids), dtype=bool, count=len(ids))
    absent = int(failed.sum())
    if absent and missing == "error":
        listed = [row_id for row_id in ids if row_id not in answers][:LISTED_MISSING]
        more = "" if absent <= LISTED_MISSING else " …"
        raise UserError(
            f"{path}: {absent} of {len(ids)} rows have no prediction: {', '.join(listed)}{more}\n"
            "Answer every row (an empty list counts as an answer), or score them as failures with --missing count."
        )
    empty = sum(1 for prediction in answers.values() if is_empty(prediction))
    return Coverage(len(ids), len(ids) - absent, absent, empty, 0, 0), failed
