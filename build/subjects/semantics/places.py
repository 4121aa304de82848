"""Places: from the street to the country, written "street / city / country" or with commas, and nationalities.

A continent is no broader value: it would be true of nearly every subject of some documents.
"""

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from build import lexicons
from build.subjects.semantics.keys import key

ROOT = Path(__file__).resolve().parents[3]
NATIONALITY_FORMS = ("{} national", "{} citizen", "{} nationality")
DOMINANCE = 10
MOST_NAMES_IN_PATHS = 4
_SLASH = re.compile(r"(?:^|(?<=\s))/(?=\s|$)")
_COMMA = re.compile(r"(?<!\d)[,;]")  # "23, Elm Row" is one part


@dataclass(frozen=True)
class Country:
    """A country: ISO 3166-1 code, names (the usual one first), adjectives, persons' nouns, continent, population."""

    code: str
    names: tuple
    adjectives: tuple
    persons: tuple
    continent: str
    population: int

    @property
    def name(self):
        """The usual name."""
        return self.names[0]


@cache
def countries():
    """Every Country by its code."""
    rows = (row for row in _rows() if row["kind"] == "country")
    return {
        row["code"]: Country(
            row["code"],
            (row["name"], *row["names"]),
            tuple(row["adjectives"]),
            tuple(row["persons"]),
            row["continent"],
            row["population"],
        )
        for row in rows
    }


def country(text):
    """The Country that a code, a name, an adjective or a noun for its people names, or None where none or several."""
    if text in countries():
        return countries()[text]
    found = _by_word().get(key(text), ())
    return found[0] if len(found) == 1 else None


def nothing(value):
    """The broader values of a tag that has none."""
    return []


def nationality_aliases(value):
    """Names, adjectives, nouns and set phrases of the country that a nationality names."""
    found = country(value)
    if found is None:
        return []
    words = (*found.adjectives, *found.persons)
    return [*found.names, *words, *(form.format(word) for form in NATIONALITY_FORMS for word in found.adjectives)]


def parts(value):
    """The parts of a location from the most specific to the least, as they are written, empty ones left out.

    Parts stand between free slashes; where there is none, between commas.
    """
    return [part.strip() for part in _split(value) if key(part)]


def has_empty_part(value):
    """Whether nothing stands between two separators, or at an end."""
    return not all(map(key, _split(value)))


def _split(value):
    found = _SLASH.split(value)
    return found if len(found) > 1 else _COMMA.split(value)


def location_aliases(value):
    """The most specific part alone, and with some or all of the wider parts, the country under each of its names.

    Of a city that stands once under its country, or far outgrows its namesakes there, the region is added.
    """
    found = parts(value)
    if not found:
        return []
    if len(found) == 1:
        return [*_names(found[0], None), *_located(found[0])]
    land = named_country(found[-1])
    heads = _names(found[0], land)
    middles = [", ".join(found[1:-1]), *found[1:-1]]
    tails = [found[-1], *(land.names[:MOST_NAMES_IN_PATHS] if land else ())]
    made = [*heads, *(f"{head}, {middle}" for head in heads for middle in middles if middle)]
    made += [f"{text}, {tail}" for text in made for tail in tails]
    return [*made, *(f"{found[0]}, {region}" for region in _regions_of(found[0], land))]


def location_broader(value):
    """Each part but the first, alone and with the parts after it; the country under all its names."""
    found = parts(value)
    if not found:
        return []
    land = named_country(found[-1]) or _country_of(found[-1])
    tails = [", ".join(found[start:]) for start in range(1, len(found))]
    wider = [*tails, *found[1:], *_regions_of(found[0], land)]
    is_country = len(found) == 1 and named_country(found[0]) is not None
    return wider if land is None or is_country else [*wider, *land.names]


def named_country(text):
    """The Country that a name names; adjectives do not count."""
    found = country(text)
    return found if found and key(text) in {key(name) for name in found.names} else None


def _names(part, land):
    """A place under its own name first, then its other names; `land` is its Country, where known."""
    found = named_country(part)
    if found:
        return [part, *found.names]
    city = _city(part, land)
    return [part, *((city["name"], *city["names"]) if city else ())]


def _located(part):
    """A city that stands alone, with its country and region: more specific, and true."""
    land = _country_of(part)
    if land is None or named_country(part):
        return []
    return [f"{part}, {wider}" for wider in (*land.names[:MOST_NAMES_IN_PATHS], *_regions_of(part, land))]


def _country_of(part):
    """The country of a city or region that goes by one name in one country, or far outgrows its namesakes."""
    city = _city(part, None)
    if city:
        return countries()[city["country"]]
    homes = {row["country"] for row in _by_name("region").get(key(part), ())}
    return countries().get(homes.pop()) if len(homes) == 1 else None


def _regions_of(part, land):
    city = _city(part, land)
    return [_region_names()[city["region"]]] if city and city["region"] else []


def _city(part, land):
    """The lexicon's row of a city, in `land` if given: the only one, or ten times as large as the next."""
    rows = _by_name("city").get(key(part), ())
    rows = sorted((row for row in rows if land is None or row["country"] == land.code), key=lambda r: -r["population"])
    if not rows or (len(rows) > 1 and rows[0]["population"] < DOMINANCE * rows[1]["population"]):
        return None
    return rows[0]


@cache
def _rows():
    return lexicons.rows(ROOT, "places")


@cache
def _by_name(kind):
    found = defaultdict(list)
    for row in _rows():
        if row["kind"] == kind:
            for name in dict.fromkeys(map(key, (row["name"], *row["names"]))):
                found[name].append(row)
    return dict(found)


@cache
def _region_names():
    return {row["code"]: row["name"] for row in _rows() if row["kind"] == "region"}


@cache
def _by_word():
    """Countries by the key of each word for them; a name wins over an adjective of another country."""
    found = defaultdict(list)
    for words in (lambda c: c.names, lambda c: (*c.adjectives, *c.persons)):
        named = set(found)
        for land in countries().values():
            for word in dict.fromkeys(map(key, words(land))):
                if word not in named:
                    found[word].append(land)
    return dict(found)
