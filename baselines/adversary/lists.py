"""The rules adversary's lists: words, countries, and rules as compiled patterns."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent


LATIN = 0x250
UPPER = "".join(filter(str.isupper, map(chr, range(LATIN))))
CAP = rf"[{UPPER}][\w'’-]*"


def read(name):
    """One of the adversary's data files."""
    return json.loads((HERE / name).read_text(encoding="utf-8"))


def any_of(words):
    """A pattern of alternatives, the longest first, so that none hides another."""
    return "(?:" + "|".join(map(re.escape, sorted(words, key=lambda word: (-len(word), word)))) + ")"


def filled(pattern, parts):
    """A pattern with the parts that it names in braces, in capitals."""
    for name, part in parts.items():
        pattern = pattern.replace("{" + name + "}", part)
    return pattern


WORDS = read("words.json")
COUNTRIES = read("countries.json")
BY_NAME = {name: one["name"] for one in COUNTRIES for name in (one["name"], *one["names"])}
BY_DEMONYM = {demonym: one["name"] for one in COUNTRIES for demonym in one["demonyms"]}
BY_CITY = {city: one["name"] for one in COUNTRIES for city in one["cities"]}
BY_CODE = {one["calling"]: one["name"] for one in reversed(COUNTRIES)}
BY_ISO = {one["iso"]: one["name"] for one in COUNTRIES}
EDUCATION_OF = {job.casefold(): level for level, jobs in WORDS["occupations"].items() for job in jobs}
POSITIONS = frozenset(map(str.casefold, WORDS["positions"]))
_NO_WORD = r"(?!(?:I|My|We|He|She|The|It|This|And|But)\b)"
_LINK = r"(?: |-| (?:of|and|for|the|de|la|del|van|der|am|&) | & )"
_STOP = any_of(WORDS["stop"])
_NUMBER_WORDS = any_of(WORDS["numbers"])
PARTS = {
    "UPPER": UPPER,
    "PLACE": rf"(?P<v>(?:[Tt]he )?{_NO_WORD}{CAP}(?:[ -]{CAP}){{0,3}}(?:, {CAP}(?: {CAP})?)?)",
    "ORG": rf"(?P<v>{_NO_WORD}{CAP}(?:{_LINK}{CAP})*)",
    "COUNTRY": rf"(?P<v>{any_of(BY_NAME)})\b",
    "CITY": rf"(?P<v>{any_of(BY_CITY)})\b",
    "DEMONYM": rf"(?P<v>{any_of(BY_DEMONYM)})\b",
    "OCCUPATION": rf"(?P<v>(?i:{any_of(EDUCATION_OF)}))",
    "POSITION": rf"(?P<v>(?i:{any_of(POSITIONS)}))",
    "BODY": rf"(?P<v>{_NO_WORD}(?:{CAP} )+{any_of(WORDS['bodies'])})",
    "OFFICE": rf"(?P<v>(?:(?!(?:{_STOP})\b)[a-z-]+ ){{0,2}}{any_of(WORDS['offices'])})",
    "FIELD": any_of(WORDS["fields"]),
    "AGE": rf"(?P<v>[1-9]\d|(?i:{_NUMBER_WORDS}(?:[- ]{_NUMBER_WORDS})?))",
}


@dataclass(frozen=True)
class Rule:
    """A pattern that gives a value of a tag."""

    tag: str
    pattern: re.Pattern
    value: str


def _rule(entry):
    pattern = filled(entry["pattern"], PARTS)
    # Only the first group of a pattern may be named v.
    first, mark, rest = pattern.partition("?P<v>")
    pattern = first + mark + rest.replace("?P<v>", "?P<w>")
    return Rule(entry["tag"], re.compile(pattern), entry.get("value", ""))


RULES = tuple(_rule(entry) for entry in read("rules.json")["rules"])
