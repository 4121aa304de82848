"""The authored inventories of subject_inference: read, dealt between test and validation, and parsed."""

import json
import re
from dataclasses import dataclass
from functools import cache

from build import draws
from build.errors import BuildError
from build.subjects.schema import NAME
from build.templates import HERE as TEMPLATES

VALIDATION_SHARE = 5
_TOKEN = re.compile(r"\{([^{}]*)\}|([<>])|([^{}<>]+)")
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

    @property
    def refers_back(self):
        """Whether a pronoun refers back to the person named before."""
        return any(slot.name in BACK for slot in self.slots)

    def has(self, *names):
        """Whether one of the slots bears one of the names."""
        return any(slot.name in names for slot in self.slots)


class Mark(str):
    """The token "<" or ">" of a phrase."""


@cache
def parse(kind, value, text):
    """A Phrase from its text. Raises BuildError for a slot that cannot be read."""
    parts = []
    for slot, mark, literal in _TOKEN.findall(text):
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
    """The Phrases of a kind that a split may use: {value: tuple}; validation has a fifth of each value's."""
    phrases = inventory(domain, kind)["phrases"]
    return {value: _dealt(domain, kind, value, tuple(texts), split, seed) for value, texts in phrases.items()}


def _dealt(domain, kind, value, texts, split, seed):
    ranked = draws.ranked(texts, seed, NAME, "phrases", domain, kind, value)
    count = max(1, len(ranked) // VALIDATION_SHARE)
    chosen = ranked[:count] if split == "validation" else ranked[count:]
    return tuple(parse(kind, value, text) for text in chosen)


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
