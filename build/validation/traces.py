"""Traces and their labels: what one search result says about a name (PUN, section 4.2, appendices A.2 and A.4).

Labels are pure functions over data: the same trace, name and rules give the same label on any machine.
"""

import re
from dataclasses import asdict, dataclass
from urllib.parse import unquote, urlsplit

from build.validation import forms
from build.validation.rules import words

EXACT_PERSON, AMBIGUITY, UNRELATED, INCONCLUSIVE = (
    "exact_person_trace",
    "ambiguity_signal",
    "unrelated",
    "inconclusive",
)
LABELS = (EXACT_PERSON, AMBIGUITY, UNRELATED, INCONCLUSIVE)


@dataclass(frozen=True)
class Trace:
    """What one result showed. `panel` has title, type and description; `content` is None for a page never read."""

    query: str
    type: str
    provider: str
    title: str = ""
    snippet: str = ""
    url: str = ""
    panel: dict | None = None
    correction: str = ""
    content: str | None = None

    def as_dict(self):
        """The trace as JSON data."""
        return asdict(self)

    @classmethod
    def from_dict(cls, fields):
        """The Trace of as_dict. Raises TypeError for unknown, missing or wrongly typed fields."""
        made = cls(**fields)
        texts = (made.query, made.type, made.provider, made.title, made.snippet, made.url, made.correction)
        if not all(isinstance(text, str) for text in texts) or not isinstance(made.content, str | None):
            raise TypeError("the fields of a trace must be texts")
        if not isinstance(made.panel, dict | None):
            raise TypeError("a panel must be an object")
        return made


@dataclass(frozen=True)
class Label:
    """A label and the reason for it, which quotes nothing from the trace."""

    label: str
    reason: str


def label(trace, named, rules):
    """The Label of a trace for a name's Profile.

    exact_person_trace: the name, in either order, in a person-like context. ambiguity_signal: the name in
    another context, a nearby form, a correction, a knowledge panel. inconclusive: nothing could be read.
    """
    fields = readable(trace)
    if not fields or (trace.type == "page_content" and trace.content is None):
        return Label(INCONCLUSIVE, "nothing could be read")
    found = _from_panel(trace, named, rules)
    signals = [found] if found else []
    for field, text in fields.items():
        signals += _from_field(field, text, trace, named, rules)
    signals += _from_correction(trace)
    for wanted in (EXACT_PERSON, AMBIGUITY):
        for signal in signals:
            if signal.label == wanted:
                return signal
    return Label(UNRELATED, "no form of the full name")


def readable(trace):
    """The trace's texts that are not empty, by field."""
    panel = trace.panel or {}
    texts = {
        "title": trace.title,
        "snippet": trace.snippet,
        "url": trace.url,
        "panel": " ".join(str(panel.get(part) or "") for part in ("title", "type", "description")).strip(),
        "correction": trace.correction,
        "page": trace.content if trace.content is not None else "",
    }
    if trace.type == "page_content" and trace.content == "":
        texts["page"] = " "
    return {field: text for field, text in texts.items() if text}


def _from_field(field, text, trace, named, rules):
    if field in ("correction", "panel"):
        return []
    limits = rules.data["labels"]
    found = words(url_text(text)) if field == "url" else words(text)
    signals = []
    for kind, at in forms.occurrences(found, named, limits):
        if kind not in forms.EVIDENCE:
            signals.append(Label(AMBIGUITY, f"{kind} form in {field}"))
        else:
            context = _context(field, found, at, trace, rules)
            made = (EXACT_PERSON, f"{kind} form in {field}, {context}") if context else (AMBIGUITY, _unclear(field))
            signals.append(Label(*made))
    if field == "url" and not signals and _joined(found, named):
        context = _context(field, found, 0, trace, rules)
        made = (EXACT_PERSON, f"joined form in url, {context}") if context else (AMBIGUITY, _unclear(field))
        signals.append(Label(*made))
    return signals


def _unclear(field):
    return f"the name in {field} without a person-like context"


def _context(field, found, at, trace, rules):
    """What makes the place a person-like one, or None. Title, snippet and URL are one context together."""
    if on_person_domain(trace.url, rules):
        return "person-oriented domain"
    if field == "page":
        width = rules.data["labels"]["context_words"]
        near = found[max(0, at - width) : at + width]
    else:
        near = words(f"{trace.title} . {trace.snippet}")
    return "person term" if has_phrase(near, rules.person_terms) else None


def has_phrase(found, phrases):
    """Whether any of the phrases (tuples of words) stands in a list of words."""
    longest = max(map(len, phrases), default=0)
    return any(tuple(found[at : at + size]) in phrases for at in range(len(found)) for size in range(1, longest + 1))


def on_person_domain(url, rules):
    """Whether a URL lies on a person-oriented domain, or below its path if the rule names one."""
    parts = split_url(url)
    host, path = (parts.netloc.rpartition("@")[2].partition(":")[0].lower(), parts.path.lower())
    for rule in rules.domains:
        domain, _, below = rule.partition("/")
        if (host == domain or host.endswith(f".{domain}")) and (not below or f"{path}/".startswith(f"/{below}/")):
            return True
    return False


def split_url(url):
    """urlsplit that takes what services send: an address without scheme, or one that is no URL (all parts empty)."""
    try:
        return urlsplit(url if "//" in url else f"//{url}")
    except ValueError:
        return urlsplit("")


def url_text(url):
    """The readable part of a URL: its path and query, unquoted."""
    parts = split_url(url)
    return unquote(f"{parts.path} {parts.query}")


def _joined(found, named):
    both = {"".join(named.exact), "".join(named.reversed)}
    return any(re.sub(r"\d+$", "", word) in both for word in found)


def _from_panel(trace, named, rules):
    """A panel is what the engine takes the query for: the person by that name, or something else."""
    panel = trace.panel
    if not panel or not panel.get("title"):
        return None
    kinds = {kind for kind, _ in forms.occurrences(words(panel["title"]), named, rules.data["labels"])}
    about = words(f"{panel.get('type') or ''} . {panel.get('description') or ''}")
    if kinds & set(forms.EVIDENCE) and has_phrase(about, rules.panel_cues | rules.person_terms):
        return Label(EXACT_PERSON, "the name in a knowledge panel about a person")
    return Label(AMBIGUITY, "a knowledge panel about another or unclear referent")


def _from_correction(trace):
    if trace.correction and words(trace.correction) != words(trace.query):
        return [Label(AMBIGUITY, "the provider corrects the query to another form")]
    return []
