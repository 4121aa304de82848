"""What is said: the rules' findings in a text, each of its nearest person, and what follows from them."""

import re
from dataclasses import dataclass

from baselines.adversary.lists import BY_CITY, BY_CODE, BY_DEMONYM, BY_ISO, BY_NAME, EDUCATION_OF, RULES, WORDS, any_of

SENTENCE = re.compile(r"(?<![A-Z]\.)(?<!\b(?:Mr|Ms|Dr|no|No|St)\.)(?<!\bMrs\.)(?<=[.!?])\s+|\n+")
DATE = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)? ({any_of(WORDS['months'])}) ((?:19|20)\d\d)\b")
YEAR = re.compile(r"\b(?:19|20)\d\d\b")
OLDEST = 110


@dataclass(frozen=True)
class Fact:
    """A value of a tag at a place of the text."""

    start: int
    end: int
    tag: str
    value: str


def facts(text):
    """The Facts of a text in text order."""
    year = written(text)
    found = [fact for rule in RULES for match in rule.pattern.finditer(text) for fact in _facts(rule, match, year)]
    return sorted(set(found), key=lambda fact: (fact.start, fact.end, fact.tag, fact.value))


def written(text):
    """The year in which a text was written: the latest that it names, None without one."""
    return max(map(int, YEAR.findall(text)), default=None)


def sentences(text):
    """(start, end) of a text's sentences."""
    starts = [0, *(match.end() for match in SENTENCE.finditer(text))]
    return list(zip(starts, [*starts[1:], len(text)], strict=True))


def _facts(rule, match, year):
    value = rule.value
    start, end = match.span()
    if not value:
        groups = match.groupdict()
        name = next(name for name in ("v", "w") if groups.get(name) is not None)
        value, (start, end) = match[name], match.span(name)
    for tag, said in _read(rule.tag, value.strip(), match, year):
        yield Fact(start, end, tag, said)


def _read(tag, value, match, year):
    if tag == "BORN":
        yield from _born(int(value), match, year)
    elif tag == "AGE":
        yield from ((tag, said) for said in [_age(value)] if said)
    elif tag.startswith("NATIONALITY"):
        yield tag, BY_DEMONYM.get(value) or BY_NAME.get(value) or BY_CITY[value]
    elif tag == "OCCUPATION":
        yield tag, value
        education = EDUCATION_OF.get(value.casefold())
        if education not in (None, "", "none"):
            yield "EDUCATION?", education
    elif tag == "LOCATION?":
        yield from ((tag, country) for country in [BY_ISO.get(value)] if country)
    elif tag in ("LOCATION", "LOCATION??"):
        yield from ((tag if said == "LOCATION" else said, place) for said, place in _place(value))
    elif tag == "PHONE_NUMBER":
        yield tag, value
        yield from (("LOCATION?", country) for country in [_calling(value)] if country)
    elif tag == "EMAIL_ADDRESS":
        yield tag, value.rstrip(".")
        yield "AFFILIATION?", value.partition("@")[2].partition(".")[0].replace("-", " ")
    else:
        yield tag, value


def _born(born, match, year):
    if year is None or not 0 < year - born <= OLDEST:
        return
    groups = match.groupdict()
    if groups.get("d") and groups.get("m"):
        yield from _exact(match.string, int(groups["d"]), groups["m"], born)
    else:
        yield "AGE", f"{year - born - 1}-{year - born}"


def _exact(text, day, month, born):
    """The age at the latest date of a text, for a full date of birth."""
    months = WORDS["months"]
    dates = [(int(y), months.index(m), int(d)) for d, m, y in DATE.findall(text)]
    year, *latest = max(dates)
    yield "AGE", str(year - born - (tuple(latest) < (months.index(month), day)))


def _age(value):
    if value.isdigit() or value[:1].isdigit():
        return value
    words = re.split(r"[- ]", value.casefold())
    numbers = [WORDS["numbers"].get(word) for word in words]
    return str(sum(numbers)) if None not in numbers else value


def _place(value):
    place = re.sub(r"^[Tt]he ", "", value).rstrip("'’-")
    place = re.sub(r"['’]s$", "", place)
    if place.split()[0] in WORDS["months"] or place.split()[-1] in WORDS["bodies"]:
        return
    yield "LOCATION", place
    last = place.rpartition(", ")[2]
    country = BY_CITY.get(place) or BY_NAME.get(place) or BY_NAME.get(last) or BY_CITY.get(last)
    if country:
        yield "LOCATION?", country


def _calling(number):
    digits = re.sub(r"\D", "", number)
    if not number.startswith("+"):
        return None
    return next((BY_CODE[digits[:size]] for size in (3, 2, 1) if digits[:size] in BY_CODE), None)
