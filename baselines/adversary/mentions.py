"""Who is spoken of: the places of a text that name, describe or stand for a person."""

import re
from dataclasses import dataclass

from baselines.adversary.lists import CAP, UPPER, WORDS, any_of, filled, read

_INITIAL = rf"[{UPPER}]\.(?:-?[{UPPER}]\.)*"
_PARTICLE = "(?:de|van|von|der|da|dos|del|bin|al|el)"
_JOBS = [job for jobs in WORDS["occupations"].values() for job in jobs]
_ROLE = f"(?i:{any_of([*WORDS['roles'], *_JOBS, *WORDS['positions']])})"
PARTS = {
    "CAP": CAP,
    "NAME": rf"(?:{_INITIAL} ?)*{CAP}(?: (?:(?:{_INITIAL}|{_PARTICLE}) ?)*{CAP})*",
    "PLACEHOLDER": r"(?:\[[A-Z_]*(?:PERSON|NAME|PER)[A-Z_]*\d*\]|<(?:PERSON|NAME)[_\d]*>)",
    "HONORIFIC": any_of(WORDS["honorifics"]),
    "OWNER": rf"(?P<owner>[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir|{CAP}(?: {CAP})?['’]s|[Tt]he (?:\w+ )?{_ROLE}['’]s)",
    "AGES": any_of(WORDS["ages"]),
    "ORDINAL": any_of(WORDS["ordinals"]),
    "QUALIFIER": any_of(WORDS["qualifiers"]),
    "PLURAL": any_of(WORDS["plurals"]),
    "KIN": any_of(WORDS["kin"]),
    "ROLE": _ROLE,
    "PRONOUN": any_of(WORDS["pronouns"]),
    "AUTHOR": any_of(WORDS["author"]),
}
PATTERNS = [(one["kind"], re.compile(filled(one["pattern"], PARTS))) for one in read("mentions.json")["patterns"]]
NAMES = ("name", "name2", "name3")
PRONOUNS_ON = ("placeholder", "pronoun", "author")


@dataclass(frozen=True)
class Mention:
    """A place that speaks of a person; `word` is the kinship or role word, `owner` whose relative it is."""

    start: int
    end: int
    kind: str
    text: str
    name: str = ""
    word: str = ""
    owner: str = ""


def mentions(text, persons=()):
    """The Mentions of a text in text order; of overlapping ones the first found, names of the model last.

    Args:
        persons: (start, end) of the spans that the model takes for persons.
    """
    found = [mention for kind, pattern in PATTERNS for mention in _of_kind(kind, pattern, text)]
    found[_names_at(found) : _names_at(found)] = [m for start, end in persons if (m := _person(text, start, end))]
    taken, kept = set(), []
    for one in found:
        places = set(range(one.start, one.end))
        if not places & taken:
            kept.append(one)
            taken |= places
    return sorted(kept, key=lambda one: one.start)


def _names_at(found):
    return next((at for at, one in enumerate(found) if one.kind in PRONOUNS_ON), len(found))


def _of_kind(kind, pattern, text):
    for match in pattern.finditer(text):
        groups = match.groupdict()
        name = next((groups[key] for key in NAMES if groups.get(key)), "")
        name = re.sub(r"['’]s?$", "", name)
        end = match.end()
        if kind == "titled" and match[0].endswith(("'s", "’s")):
            end -= 2
        if kind in ("kin", "plural"):
            yield Mention(match.start("word"), end, kind, match[0], word=groups["word"], owner=groups["owner"])
        else:
            yield Mention(match.start(), end, kind, match[0], name, (groups.get("word") or "").casefold())


def _person(text, start, end):
    name = re.sub(r"['’]s?(?: .*)?$", "", text[start:end]).strip(" .,:;#@()")
    start = text.index(name, start) if name else start
    odd = not name or not name[0].isupper() or any(c.isdigit() or c in "@#/\n_[]<>" for c in name)
    if odd or name.split()[0] in ("I", "The", "My", "He", "She") or name in WORDS["months"]:
        return None
    return Mention(start, start + len(name), "name", name, name)
