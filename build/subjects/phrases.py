"""The authored inventories of subject_inference: read, dealt between test and validation, and parsed."""

import json
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache, cached_property

from build import draws
from build.errors import BuildError
from build.subjects.schema import NAME
from build.templates import HERE as TEMPLATES

VALIDATION_SHARE = 5
_TOKEN = re.compile(r"\{([^{}]*)\}|([<>])|([^{}<>]+)")
_ARTICLE = re.compile(r"\b([aA]) \{(?!S\b|O\b)(?=\w)(?![aA] )")
_MARKED = re.compile(r"<[^>]*>")
_SLOT = re.compile(r"(?P<article>[aA] )?(?:(?P<role>\w+)\.)?(?P<name>\w+)(?P<form>'s|:me|!)?$")
BACK = ("he", "his", "him")


@dataclass(frozen=True)
class Slot:
    """A slot: `article` "a", "A" or "", `role` whose field it is, `name`, `form` "", "'s", ":me" or "!"."""

    article: str
    role: str
    name: str
    form: str


@dataclass(frozen=True)
class Phrase:
    """One authored sentence: its kind, class, text and parts (strings, Slots, and "<" and ">" as marks)."""

    kind: str
    value: str
    text: str
    parts: tuple

    @property
    def slots(self):
        """Its Slots, in order."""
        return [part for part in self.parts if isinstance(part, Slot)]

    @cached_property
    def names(self):
        """The names of its slots."""
        return frozenset(slot.name for slot in self.slots)

    def has(self, *names):
        """Whether one of the slots bears one of the names."""
        return not self.names.isdisjoint(names)


class Mark(str):
    """The token "<" or ">" of a phrase."""


@cache
def parse(kind, value, text):
    """A Phrase from its text. Raises BuildError for a slot that cannot be read."""
    parts = []
    for slot, mark, literal in _TOKEN.findall(_ARTICLE.sub(r"{\1 ", text)):
        if slot:
            read = _SLOT.match(slot)
            if not read:
                raise BuildError(f"{kind}: cannot read slot {{{slot}}} of '{text}'")
            parts.append(Slot((read["article"] or "").strip(), read["role"] or "", read["name"], read["form"] or ""))
        else:
            parts.append(Mark(mark) if mark else literal)
    return Phrase(kind, value, text, tuple(parts))


@cache
def inventory(domain, kind):
    """A parsed file `<domain>.<kind>.json`. Raises BuildError where it is missing."""
    path = TEMPLATES / NAME / f"{domain}.{kind}.json"
    if not path.is_file():
        raise BuildError(f"{path}: no such inventory of phrases")
    return json.loads(path.read_text(encoding="utf-8"))


@cache
def pool(domain, kind, split, seed):
    """The Phrases of a kind that a split may use: {value: tuple}; validation has a fifth or more of each value's."""
    phrases = inventory(domain, kind)["phrases"]
    kept = _of_validation(domain, kind, seed)
    return {
        value: tuple(parse(kind, value, text) for text in texts if (_form(text) in kept) == (split == "validation"))
        for value, texts in phrases.items()
    }


@cache
def _of_validation(domain, kind, seed):
    """The forms that validation has: values that share a form share its split, so forms of one value go first."""
    phrases = inventory(domain, kind)["phrases"]
    values = Counter(form for texts in phrases.values() for form in {_form(text) for text in texts})
    chosen = set()
    for value, texts in phrases.items():
        ranked = draws.ranked(sorted({_form(text) for text in texts}), seed, NAME, "phrases", domain, kind, value)
        ranked.sort(key=lambda form: values[form])
        missing = max(1, len(ranked) // VALIDATION_SHARE) - sum(form in chosen for form in ranked)
        chosen.update([form for form in ranked if form not in chosen][: max(0, missing)])
    return frozenset(chosen)


def _form(text):
    """A phrase without the words of its class."""
    return _MARKED.sub("<>", text)


@cache
def stories(split, seed):
    """The stories of cases that a split may use, as a tuple of parsed files; a fifth of them is validation's."""
    names = sorted(path.name.split(".")[2] for path in (TEMPLATES / NAME).glob("legal.story.*.json"))
    ranked = draws.ranked(names, seed, NAME, "stories")
    count = max(1, len(ranked) // VALIDATION_SHARE)
    chosen = ranked[:count] if split == "validation" else ranked[count:]
    return tuple(inventory("legal", f"story.{name}") for name in chosen)


@cache
def topics(split, seed):
    """The topics of online documents that a split may use, as a tuple; a fifth of each form's is validation's."""
    found = inventory("online", "topics")["topics"]
    made = []
    for form in sorted({topic["form"] for topic in found}):
        ranked = draws.ranked(
            [topic for topic in found if topic["form"] == form],
            seed,
            NAME,
            "topics",
            form,
            by=lambda topic: topic["title"],
        )
        count = max(1, len(ranked) // VALIDATION_SHARE)
        made += ranked[:count] if split == "validation" else ranked[count:]
    return tuple(made)
