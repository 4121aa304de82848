"""OpenAI Batch output files: each line's message content is the answer (SPEC §5; METRICS §2).

A line that failed, was refused, or cannot be read as an answer is a failure of its row, never of the file.
"""

import re

from scoring.readers import BadJson, parse_value

SEPARATOR = "~"
FAILED, REFUSED, UNPARSABLE = "failed", "refused", "unparsable"
_FENCE = re.compile(r"\A```[\w-]*[ \t]*\r?\n(.*)\r?\n?```\Z", re.DOTALL)


class NoAnswer(Exception):
    """Why a line holds no answer: FAILED, REFUSED or UNPARSABLE."""

    def __init__(self, kind):
        super().__init__(kind)
        self.kind = kind


def is_batch(record):
    """Whether an object is a line of a batch output file."""
    return isinstance(record.get("custom_id"), str) and ("response" in record or "error" in record)


def split_id(custom_id):
    """(row id, stage, replicate) of `id`, `id~stage` or `id~stage~replicate`; absent parts are ""."""
    return (*custom_id.split(SEPARATOR, 2), "", "")[:3]


def custom_id(row_id, stage="", replicate=""):
    """The custom_id of a request; inverse of `split_id`."""
    return SEPARATOR.join(part for part in (row_id, stage, str(replicate)) if part)


def content(record):
    """The text of the answer in a batch line. Raises NoAnswer when the request failed or was refused."""
    response = record.get("response")
    if record.get("error") or not isinstance(response, dict) or response.get("status_code", 200) != 200:
        raise NoAnswer(FAILED)
    try:
        message = response["body"]["choices"][0]["message"]
        refusal, text = message.get("refusal"), message.get("content")
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise NoAnswer(FAILED) from error
    if refusal:
        raise NoAnswer(REFUSED)
    if isinstance(text, list):
        parts = [part.get("text") for part in text if isinstance(part, dict)]
        text = "".join(part for part in parts if isinstance(part, str))
    return text if isinstance(text, str) else ""


def answer(text):
    """The JSON object that an answer is: parsed as it stands first, then, if whole, out of one code fence.

    A bare list of objects is taken for entities. The rules are those of a predictions file (no key twice, no
    NaN, no lone surrogate, no hostile depth). Raises NoAnswer when it is none.
    """
    stripped = text.strip()
    fenced = _FENCE.match(stripped)
    for candidate in (stripped, fenced[1] if fenced else None):
        if candidate is None:
            continue
        try:
            found = parse_value(candidate)
        except BadJson:
            continue
        if isinstance(found, dict):
            return found
        if isinstance(found, list) and all(isinstance(item, dict) for item in found):
            return {"entities": found}
    raise NoAnswer(UNPARSABLE)
