"""Countries and cities where invented persons live: cities whose name alone tells the country."""

from dataclasses import dataclass
from functools import cache

from build.subjects import data

PHONE_WEIGHT = 3


@dataclass(frozen=True)
class City:
    """A city and the code of its country."""

    name: str
    code: str

    @property
    def value(self):
        """The truth of LOCATION."""
        return f"{self.name} / {country_name(self.code)}"

    @property
    def place(self):
        """As running text has it."""
        return f"{self.name}, {with_article(self.code)}"


@cache
def countries():
    """{country code: its row of the table}, in the table's order."""
    return {row["code"]: row for row in data.load("countries")["countries"]}


@cache
def cities(code):
    """The cities of a country, as a tuple."""
    return tuple(City(name, code) for name in countries()[code]["cities"])


def with_article(code):
    """A country's name as it stands in a sentence: "the Netherlands"."""
    return countries()[code]["name"]


def country_name(code):
    """A country's name without an article."""
    return with_article(code).removeprefix("the ")


def demonym(code):
    """The adjective for a state's people."""
    return countries()[code]["demonym"]


@cache
def weights(with_phones):
    """{country code: weight}: even, but for those whose telephone numbers may be used where `with_phones`."""
    phones = {row["country"] for row in data.load("identifiers")["phones"]} if with_phones else set()
    return {code: PHONE_WEIGHT if code in phones else 1 for code in countries()}
