"""The verdict on a name from its answered queries (PUN, section 4.2 and appendices A.3, A.4)."""

from dataclasses import dataclass

from build.validation import traces
from build.validation.queries import mandatory

WEB_EVIDENCE, LOCAL_EVIDENCE = "web_evidence_found", "local_evidence_found"
AMBIGUOUS, INCOMPLETE = "ambiguous", "validation_incomplete"
NO_WEB_EVIDENCE, NO_LOCAL_EVIDENCE = "no_indexed_full_name_evidence_found", "no_local_evidence_found"
VERDICTS = (WEB_EVIDENCE, LOCAL_EVIDENCE, AMBIGUOUS, INCOMPLETE, NO_WEB_EVIDENCE, NO_LOCAL_EVIDENCE)
ACCEPTED = (NO_WEB_EVIDENCE, NO_LOCAL_EVIDENCE)
NO_INFO = "no_info"
FROM_SCREEN = {"found": WEB_EVIDENCE, "attractor": AMBIGUOUS, "similar": AMBIGUOUS, "fail": INCOMPLETE}
DONE = "done"


@dataclass(frozen=True)
class Answered:
    """A query, its state in the store, and the Labels of its traces."""

    query: object
    state: str
    labels: tuple = ()


@dataclass(frozen=True)
class Verdict:
    """A verdict and its reason; expected and executed count queries, max_query_type is the last type executed."""

    verdict: str
    reason: str
    expected: int
    executed: int
    max_query_type: str | None


def verdict(answers, rules, *, is_web, types=None, screen_configured=False, screen_label=None):
    """The Verdict on one name.

    Args:
        answers: list of Answered, one for each query of the inventory.
        is_web: whether the provider searches the web; the clean verdict's name hangs on it.
        types: query types the verdict needs; a web provider needs every mandatory type of the rules.
        screen_label: the screen's label, None when it has not answered.
    """
    done = [answer for answer in answers if answer.state == DONE]
    reached = {answer.query.type for answer in done}
    last = [query_type for query_type in rules.order if query_type in reached]
    made, reason = _decide(answers, rules, is_web, types, screen_configured, screen_label)
    return Verdict(made, reason, len(answers), len(done), last[-1] if last else None)


def _decide(answers, rules, is_web, types, screen_configured, screen_label):
    if screen_configured and screen_label in FROM_SCREEN:
        return FROM_SCREEN[screen_label], f"screen: {screen_label}"
    evidence = WEB_EVIDENCE if is_web else LOCAL_EVIDENCE
    for wanted, made in ((traces.EXACT_PERSON, evidence), (traces.AMBIGUITY, AMBIGUOUS)):
        reason = first_reason(answers, wanted)
        if reason:
            return made, reason
    if screen_configured and screen_label != NO_INFO:
        return INCOMPLETE, "screen: no answer"
    reason = _unfinished(answers, rules, types)
    if reason:
        return INCOMPLETE, reason
    return (NO_WEB_EVIDENCE if is_web else NO_LOCAL_EVIDENCE), "every mandatory query completed without a signal"


def first_reason(answers, wanted):
    """The type and reason of the first trace with a label, in the order of the queries; None when there is none."""
    for answer in answers:
        for found in answer.labels:
            if found.label == wanted:
                return f"{answer.query.type}: {found.reason}"
    return None


def _unfinished(answers, rules, types):
    """Why the name cannot count as clean, or None."""
    if not answers:
        return "no query was asked"
    for answer in answers:
        if answer.query.mandatory and answer.state != DONE:
            return f"{answer.query.type}: a mandatory query is {answer.state}"
        if answer.query.mandatory and inconclusive(answer):
            return f"{answer.query.type}: inconclusive"
    asked = {(answer.query.type, answer.query.text) for answer in answers}
    for query in mandatory(answers[0].query.name, rules, types):
        if (query.type, query.text) not in asked:
            return f"{query.type}: a mandatory query was not asked"
    return None


def inconclusive(answer):
    """Whether a query settles nothing: a trace that could not be read; for pages, all of them unread.

    Single pages that refuse readers are common and their title and snippet were judged as search results.
    """
    unread = [found.label == traces.INCONCLUSIVE for found in answer.labels]
    return bool(unread) and (all(unread) if answer.query.type == "page_content" else any(unread))
