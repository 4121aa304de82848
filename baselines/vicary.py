"""vicary (0.2.18), an offline redactor of names in school essays: its spans, typed by the placeholder it puts there."""

from functools import cache

from baselines import parallel

NAME = "vicary"
CONFIGS = ("ambiguous_names", "usernames", "prompt_injection")


@cache
def redactor():
    """The local mode at its default level, with nobody's identity given."""
    from vicary import build_redactor_if_enabled

    return build_redactor_if_enabled("local")


def detect(text):
    """What the redactor replaces in a text; NAME for a person, as it calls it."""
    result = redactor().redact_inbound(text)
    return [
        {
            "text": text[span.orig_start : span.orig_end],
            "type": _kind(result.text[span.new_start : span.new_end]),
            "start": span.orig_start,
            "end": span.orig_end,
        }
        for span in result.spans()
    ]


def _kind(placeholder):
    return placeholder.strip("{}").rstrip("0123456789").rstrip("_")


def predict(rows, processes=parallel.PROCESSES):
    """Yield a prediction for each row, with vicary's labels and offsets."""
    return parallel.each(detect, rows, processes)
