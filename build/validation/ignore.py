"""Traces that come from this release itself, which publishing it creates (PUN, appendix A.5)."""

import re
from datetime import datetime

from build.errors import BuildError
from build.validation import traces


def judge(trace, named, rules, released_at, checked_at):
    """The trace's Label, which is unrelated for a trace that comes from this release."""
    if own_release(trace, rules, released_at, checked_at):
        return traces.Label(traces.UNRELATED, "comes from this release")
    return traces.label(trace, named, rules)


def own_release(trace, rules, released_at, checked_at):
    """Whether a trace clearly comes from the release: it was there to be found, and the trace bears its mark.

    The mark is a URL path of ignore.json or the release's canary in any text. A mere mention of the
    benchmark's name is not enough.

    Args:
        released_at, checked_at: ISO dates or times; None for a name that was never released.
    """
    if released_at is None or moment(checked_at) < moment(released_at):
        return False
    path = traces.split_url(trace.url).path
    if any(re.search(pattern, path) for pattern in rules.data["ignore"]["url_paths"]):
        return True
    texts = (trace.title, trace.snippet, trace.content or "")
    return bool(rules.canary) and any(rules.canary in text for text in texts)


def moment(text):
    """The naive UTC time of an ISO date or time. Raises BuildError for any other text."""
    try:
        return datetime.fromisoformat(text.removesuffix("Z")).replace(tzinfo=None)
    except ValueError as error:
        raise BuildError(f"{text!r} is no ISO date or time") from error
