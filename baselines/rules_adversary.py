"""An adversary of rules: it reads a text alone, and says who is in it and what can be told of them (METRICS §8).

No model but spaCy's persons; lists and patterns in baselines/adversary/.
"""

from functools import cache

from baselines import spacy_md
from baselines.adversary.answers import answer

NAME = "rules_adversary"
CONFIGS = ("subject_inference",)
COLUMNS = ("id", "text")
BATCH = 256


@cache
def pipeline():
    """spaCy's medium pipeline, for its persons."""
    return spacy_md.load()


def predict(rows):
    """Yield a prediction for each row: {id, subjects}."""
    rows = list(rows)
    documents = pipeline().pipe((row["text"] for row in rows), batch_size=BATCH)
    for row, document in zip(rows, documents, strict=True):
        persons = [(entity.start_char, entity.end_char) for entity in document.ents if entity.label_ == "PERSON"]
        yield {"id": row["id"], "subjects": answer(row["text"], persons)}
