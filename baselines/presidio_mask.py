"""An anonymiser of Presidio's default recognisers: whatever they find becomes its type."""

from baselines import masking, presidio

NAME = "presidio_mask"
CONFIGS = ("subject_inference",)


def predict(rows):
    """Yield {id, anonymized_text} for each row."""
    return masking.each(rows, lambda row: masking.found(presidio.detect(row["text"])))
