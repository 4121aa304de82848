"""An anonymiser that knows the truth of one person: the target's identifiers become their types, the others' stay."""

from baselines import masking
from scoring.subjects.spans import SENSITIVE

NAME = "target_only"
CONFIGS = ("subject_inference",)
COLUMNS = ("id", "text", "target_subject", "entities")


def predict(rows):
    """Yield {id, anonymized_text} for each row; without a target nothing is masked."""
    return masking.each(rows, _targets)


def _targets(row):
    target = row["target_subject"]
    return masking.gold(row, lambda one: target and one["subject_id"] == target and one["identifier_type"] in SENSITIVE)
