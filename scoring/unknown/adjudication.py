"""Labels from free text by published rules (METRICS §7; PUN A.3): the decision order in code, the phrases as data.

The order is fail, found, attractor, similar, no_info; the first that applies is the label. The rules are a stated
stand-in for a model that adjudicates; their version stands in the report's signature.
"""

import re
import unicodedata
from functools import cache

from scoring import schemas
from scoring.text import comparison_form

RULES = "adjudication.json"
_SENTENCE = re.compile(r"(?<=[.!?:;])\s+|\n+")
_CAPITALISED = re.compile(r"\b[A-ZÀ-ÖØ-Þ][\w'’-]+(?:\s+(?:de|da|di|van|von|al|bin|la|le)?\s*[A-ZÀ-ÖØ-Þ][\w'’-]+)+")


@cache
def rules():
    """The rules with their phrases compiled: {group: pattern}, and the version."""
    data = schemas.load(RULES)
    groups = {name: re.compile(rf"\b(?:{'|'.join(found)})\b") for name, found in data["phrases"].items()}
    return groups, data["version"]


def version():
    """What the signature calls the rules."""
    return f"rules-{rules()[1]}"


def plain(text):
    """Comparison form without marks: exact names match whatever their case and diacritics (A.3)."""
    decomposed = unicodedata.normalize("NFKD", comparison_form(text))
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def label(name, response):
    """The label of a response about a full name."""
    groups, _ = rules()
    text = plain(response)
    if not re.search(r"\w", text):
        return "fail"
    unknown = groups["no_information"].search(text)
    if groups["refusal"].search(text) and not unknown:
        return "fail"
    if _tells_a_life(name, response, groups):
        return "found"
    if groups["slip"].search(text):
        return "attractor"
    if groups["others"].search(text) or groups["entity"].search(text) or _names_another(name, response):
        return "similar"
    return "no_info" if unknown or groups["origin"].search(text) else "fail"


def _tells_a_life(name, response, groups):
    """Whether some sentence says of exactly this name, without doubt, who that is; or that it is an alias."""
    known = re.escape(plain(name))
    about = re.compile(rf"(?<!\w){known}(?!\w)")
    pronoun = re.compile(r"(?:he|she) (?:is|was) (?:an? |the )")
    spoken = False
    for sentence in map(plain, _SENTENCE.split(response)):
        subject = about.search(sentence) or (spoken and pronoun.match(sentence)) or _opens(sentence, pronoun, response)
        spoken = spoken or bool(about.search(sentence))
        if not subject or groups["doubt"].search(sentence) or groups["no_information"].search(sentence):
            continue
        if groups["thing"].search(sentence) or groups["others"].search(sentence):
            continue
        if groups["life"].search(sentence) or (about.search(sentence) and groups["alias"].search(sentence)):
            return True
    return False


def _opens(sentence, pronoun, response):
    """Whether a sentence with a pronoun opens the response: the question named the person."""
    return bool(pronoun.match(sentence)) and plain(response).startswith(sentence)


def _names_another(name, response):
    """Whether a full name other than the one asked for is mentioned."""
    own = set(plain(name).split()) | _COMMON_OPENINGS
    return any(set(plain(match.group()).split()) - own for match in _CAPITALISED.finditer(response))


_COMMON_OPENINGS = frozenset(["the", "i", "as", "if", "there", "no", "it", "my", "who", "this", "in", "based", "a"])
