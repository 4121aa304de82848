"""Spans of a text replaced by their labels: what the anonymisers share."""


def mask(text, spans):
    """The text with each span replaced by its label in brackets; spans that overlap become one, the first's label.

    Args:
        spans: (start, end, label) in any order; empty and outlying ones are left out.
    """
    parts, at = [], 0
    for start, end, label in joined(spans, len(text)):
        parts += [text[at:start], f"[{label}]"]
        at = end
    return "".join([*parts, text[at:]])


def joined(spans, size):
    """The spans in text order, those that overlap as one; of equal starts the longest gives the label."""
    made = []
    for start, end, label in sorted(spans, key=lambda span: (span[0], -span[1], span[2])):
        start, end = max(start, 0), min(end, size)
        if start >= end:
            continue
        if made and start < made[-1][1]:
            made[-1] = (made[-1][0], max(end, made[-1][1]), made[-1][2])
        else:
            made.append((start, end, label))
    return made


def gold(row, wanted):
    """(start, end, label) of the row's entities that `wanted` takes."""
    return [(one["start"], one["end"], one["entity_type"]) for one in row["entities"] if wanted(one)]


def found(entities):
    """(start, end, label) of a detector's findings."""
    return [(one["start"], one["end"], one["type"]) for one in entities]


def each(rows, detect):
    """Yield {id, anonymized_text} for each row; `detect` gives a row's spans."""
    for row in rows:
        yield {"id": row["id"], "anonymized_text": mask(row["text"], detect(row))}
