"""Running a spaCy pipeline's entity recogniser over rows: what the spaCy systems share."""

import warnings

PROCESSES = 2
BATCH = 512
UNUSED = ("parser", "tagger", "attribute_ruler", "lemmatizer", "senter")


def load(package, exclude=UNUSED):
    """The pipeline of an installed model package, without the components named.

    The older model was trained under spaCy 3.7 and pinned with 3.8, which works and warns (W095).
    """
    warnings.filterwarnings("ignore", message=r"\[W095\]")
    return package.load(exclude=list(exclude))


def documents(pipeline, rows, processes=1, batch=BATCH):
    """Yield (row, spaCy's document of its text) for each row."""
    rows = list(rows)
    made = pipeline.pipe((row["text"] for row in rows), n_process=processes, batch_size=batch)
    yield from zip(rows, made, strict=True)


def predict(pipeline, rows, processes=PROCESSES):
    """Yield a prediction for each row, with spaCy's labels and offsets."""
    for row, document in documents(pipeline, rows, processes):
        yield {"id": row["id"], "entities": [as_entity(entity) for entity in document.ents]}


def as_entity(span):
    """A spaCy span as an entity of a predictions file."""
    return {"text": span.text, "type": span.label_, "start": span.start_char, "end": span.end_char}
