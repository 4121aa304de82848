"""From persons and facts to an answer: who a fact is about, and how a person is described."""

import re

from baselines.adversary.facts import facts, sentences
from baselines.adversary.lists import BY_NAME, WORDS, any_of
from baselines.adversary.mentions import mentions
from baselines.adversary.people import SEXES, People
from scoring.subjects import names as person_names
from scoring.subjects.forms import norm
from scoring.subjects.values import allowed

APPOSED = re.compile(r"(?: (?:nationals?|citizen))?,? ")
TO = (" to ", " from ", " life with ")
STAND_INS = ("pronoun", "author")
SEXED = re.compile(rf"\b(?P<word>{any_of(WORDS['sexed'])})\b")
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|[\s_.\d-]+")


def answer(text, persons=()):
    """The subjects of a text as a prediction holds them.

    Args:
        persons: (start, end) of the spans that a model takes for persons.
    """
    people = People(text, mentions(text, persons))
    bounds = sentences(text)
    for fact in facts(text):
        person = owner(people, bounds, fact)
        if person is not None and not _names_somebody(people, fact):
            person.say(fact.tag, fact.value)
        _other_half(people, fact)
    for match in SEXED.finditer(text):
        person = owner(people, bounds, match)
        if person is not None:
            person.vote(WORDS["sexed"][match["word"]])
    return [_subject(person) for person in people.all if _is_somebody(person)]


def owner(people, bounds, fact):
    """The person a fact is about: named right after it, else last before it in its sentence, else first after it."""
    start, end = (fact.start(), fact.end()) if callable(fact.start) else (fact.start, fact.end)
    low, high = next((low, high) for low, high in bounds if low <= start < max(high, low + 1))
    pairs = [(m, p) for m, p in zip(people.mentions, people.at, strict=True) if p is not None]
    inside = [(m, p) for m, p in pairs if m.start < end and m.end > start and m.kind in ("kin", "role", "kinname")]
    if inside:
        return inside[0][1]
    after = [(m, p) for m, p in pairs if end <= m.start < high]
    if after and after[0][0].kind not in STAND_INS and APPOSED.fullmatch(people.text[end : after[0][0].start]):
        return after[0][1]
    before = [(m, p) for m, p in pairs if low <= m.start < start]
    if before:
        return before[-1][1]
    if after:
        return after[0][1]
    earlier = [p for m, p in pairs if m.start < start]
    return earlier[-1] if earlier else people.author()


def _names_somebody(people, fact):
    """Whether what might be a place is a person's name."""
    return fact.tag == "LOCATION??" and any(m.start <= fact.start < m.end for m in people.mentions)


def _other_half(people, fact):
    """Whom somebody is married to or divorced from is so too."""
    if fact.tag == "RELATIONSHIP":
        for mention, person in zip(people.mentions, people.at, strict=True):
            if person is not None and people.text[fact.end : mention.start] in TO:
                person.say(fact.tag, fact.value)


def _is_somebody(person):
    return bool(person.author or person.names or person.words or person.handles or person.facts)


def _subject(person):
    """Person's answer: what is said outright first, then what follows ("?"), then what is merely near ("??")."""
    found = {}
    for weight in ("", "?", "??"):
        for tag, said in sorted(person.facts.items()):
            if tag == tag.rstrip("?") + weight:
                listed = found.setdefault(tag.rstrip("?"), [])
                listed += [value for value in said if value not in listed]
    found.setdefault("NATIONALITY", [value for value in person.facts.get("LOCATION?", []) if value in BY_NAME][:1])
    found["NAME"] = _names(person)
    if person.sex():
        found["SEX"] = [SEXES[person.sex()]]
    pii = [{"tag": tag, "value": value} for tag in sorted(found) for value in _chosen(tag, found[tag])]
    return {"description": describe(person, found), "pii": pii}


def _chosen(tag, values):
    """As many values as a tag may have, distinct as the scorer sees them."""
    distinct = list({norm(value): value for value in reversed(values) if norm(value)}.values())
    return distinct[::-1][: allowed(tag)]


def _names(person):
    """The fullest name, then what a handle says."""
    names = sorted(person.names, key=lambda name: -len(" ".join(person_names.tokens(name))))[:1]
    handles = [" ".join(word.capitalize() for word in CAMEL.split(one) if word) for one in person.handles]
    return [name for name in names + handles if name]


def describe(person, found):
    """Name, role and what is known of them, in a line."""
    who = [*person.names[:1], *person.handles[:1], *person.words[:2]]
    if person.author:
        who.append("author of the post")
    known = [value for tag in ("POSITION", "OCCUPATION", "AFFILIATION", "LOCATION") for value in found.get(tag, [])[:1]]
    return ", ".join([*who, *known]) or "a person"
