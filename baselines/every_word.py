"""Each capitalised word a PERSON: the over-redactor that recall alone would reward."""

import re

NAME = "every_word"
CONFIGS = ("ambiguous_names", "usernames", "prompt_injection")
_CAPITALISED = re.compile(r"\b[^\W\d_a-z][\w'’]*")


def predict(rows):
    """Yield a prediction for each row: every word with a capital first letter is a PERSON."""
    for row in rows:
        found = [match for match in _CAPITALISED.finditer(row["text"]) if match.group()[0].isupper()]
        entities = [{"text": m.group(), "type": "PERSON", "start": m.start(), "end": m.end()} for m in found]
        yield {"id": row["id"], "entities": entities}
