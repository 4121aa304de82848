"""Labels from free text by published rules (METRICS §7; PUN A.3): the decision order in code, the phrases as data.

The order is fail, found, attractor, similar, no_info; the first that applies is the label. The rules are a stated
stand-in for a model that adjudicates; their version stands in the report's signature. They read English.
"""

import re
import unicodedata
from functools import cache

from scoring import schemas
from scoring.text import comparison_form

RULES = "adjudication.json"
_SENTENCE = re.compile(r"(?<=[.!?:;])\s+|\n+")
_TITLE = re.compile(r"\b(?:dr|mr|mrs|ms|prof|sir|st|jr)\.(?=\s)", re.IGNORECASE)
_MARKUP = re.compile(r"[*_#`>]+")
_CAPITALISED = re.compile(
    r"(?<![\w'’-])[A-ZÀ-ÖØ-Þ](?:[\w'’-]++|\.)(?:\s+(?:(?:de|da|di|van|von|der|den|al|bin|la|le)\s+)*[A-ZÀ-ÖØ-Þ](?:[\w'’-]++|\.))+"
)
_PRONOUN = re.compile(r"(?:he|she|they) \w+")
_LISTED = re.compile(r"\W*\d+[.)]")


@cache
def rules():
    """The rules with their phrases compiled: {group: pattern}, words that make no name, and the version."""
    data = schemas.load(RULES)
    groups = {name: re.compile(rf"(?<!\w)(?:{'|'.join(found)})") for name, found in data["phrases"].items()}
    return groups, frozenset(data["not_names"]), data["version"]


def version():
    """What the signature calls the rules."""
    return f"rules-{rules()[-1]}"


def plain(text):
    """Comparison form without marks: exact names match whatever their case and diacritics (A.3)."""
    decomposed = unicodedata.normalize("NFKD", comparison_form(text))
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def label(name, response):
    """The label of a response about a full name."""
    groups, _, _ = rules()
    response = _TITLE.sub(lambda match: match[0][:-1], _MARKUP.sub("", response))
    text = plain(response)
    unknown = groups["no_information"].search(text)
    if not re.search(r"\w", text) or (groups["refusal"].search(text) and not unknown):
        return "fail"
    several = groups["several"].search(text)
    if not several and _tells_a_life(name, response, groups):
        return "found"
    told = _without_advice(response, groups)
    other = _names_another(name, told)
    if groups["slip"].search(text) or (other and groups["soft_slip"].search(text)):
        return "attractor"
    if other or several or groups["others"].search(plain(told)) or groups["thing"].search(plain(told)):
        return "similar"
    return "no_info" if unknown or groups["origin"].search(text) else "fail"


def _tells_a_life(name, response, groups):
    """Whether some sentence says of exactly this name, without doubt, who that is; or that it is an alias."""
    about = re.compile(rf"(?<!\w){re.escape(plain(name))}(?!\w)")
    last = ""
    for number, sentence in enumerate(map(plain, _SENTENCE.split(response))):
        named = about.search(sentence)
        of_it = named or ((not number or about.search(last)) and _goes_on(sentence, last))
        last = f"{last} {sentence}" if of_it and not named else sentence
        if not of_it or any(groups[group].search(sentence) for group in ("doubt", "no_information", "thing")):
            continue
        if groups["life"].search(sentence) or (named and groups["alias"].search(sentence)):
            return True
    return False


def _goes_on(sentence, last):
    """Whether a sentence speaks of the person of the one before: by a pronoun, or after a colon, but not as a list."""
    return bool(_PRONOUN.match(sentence)) or (last.endswith(":") and not _LISTED.match(sentence))


def _without_advice(response, groups):
    """The response without sentences that say where else to look, which bring up nobody."""
    return "\n".join(said for said in _SENTENCE.split(response) if not groups["advice"].search(plain(said)))


def _names_another(name, response):
    """Whether a full name other than the one asked for is mentioned."""
    own = set(plain(name).split()) | rules()[1]
    return any(set(plain(match.group()).split()) - own for match in _CAPITALISED.finditer(response))
