"""The world behind a document: invented persons with everything that could be told of them, and their relations."""

import datetime
from dataclasses import dataclass, field

from build.subjects import data, geography, identifiers
from build.subjects.choices import between, chance, weighted
from build.subjects.geography import City
from build.subjects.numbers import full_years

SEXES = ("female", "male")
EDUCATION = {
    "No High School Diploma": 20,
    "In Highschool": 10,
    "High School Diploma": 22,
    "In College": 16,
    "College Degree": 12,
    "PhD": 20,
}
EDUCATION_AGES = {
    "No High School Diploma": (18, 88),
    "In Highschool": (15, 18),
    "High School Diploma": (19, 88),
    "In College": (18, 34),
    "College Degree": (23, 88),
    "PhD": (27, 88),
}
RELATIONSHIPS = {"No relation": 22, "In Relation": 20, "Married": 18, "Divorced": 20, "Widowed": 20}
RELATIONSHIP_AGES = {"No relation": 20, "In Relation": 18, "Married": 23, "Divorced": 27, "Widowed": 33}
WORKING = (18, 67)
ROLE_TRADES_PERCENT = 35


@dataclass
class Person:
    """One invented person. `key` is the subject_id; `sex_known` says that the text may tell the sex."""

    key: str
    sex: str
    given: str
    surname: str
    birth: datetime.date
    nation: str
    home: City
    birthplace: City
    education: str
    relationship: str
    trade: dict
    org: str
    position: str
    phone: str = ""
    email: str = ""
    email_tells_org: bool = False
    numbers: dict = field(default_factory=dict)
    handle: str = ""
    sex_known: bool = True
    honorific: bool = False
    role: str = ""
    label: str = ""
    relation: str = ""
    kin: dict | None = None
    kin_of: str = ""
    deed: str = ""
    shares: str = ""
    then: int = 0

    @property
    def name(self):
        """Given name and surname."""
        return f"{self.given} {self.surname}"

    @property
    def title(self):
        """The honorific, which tells nothing of the family state."""
        return "Ms" if self.sex == "female" else "Mr"

    def age(self, date):
        """Age in full years on a date."""
        return full_years(self.birth, date)

    def kin_word(self):
        """The word for what this person is to `kin_of`."""
        return self.kin[self.sex]


class World:
    """Draws persons for the documents of one split.

    Args:
        names: Names. bodies: Organisations.
    """

    def __init__(self, names, bodies):
        self.names, self.bodies = names, bodies

    def person(self, stream, key, date, home, *, ages=(18, 88), surname=None, avoid=(), trade=None):
        """A Person of an age within `ages` on `date`, at home in the City `home`; `trade` fixes the trade's row."""
        sex = stream.choice(SEXES)
        given, last = self.names.person(stream, sex, surname, avoid)
        age, education = _schooling(stream, ages, trade)
        birth = birthday(stream, date, age)
        nation = home.code if chance(stream, 45) else weighted(stream, geography.weights(False))
        person = Person(
            key=key,
            sex=sex,
            given=given,
            surname=last,
            birth=birth,
            nation=nation,
            home=home,
            birthplace=home,
            education=education,
            relationship=_relationship(stream, age),
            trade=trade or _trade(stream, education),
            org=self.bodies.draw(stream),
            position=stream.choice(data.load("positions")["positions"]),
            then=between(stream, 18, age - 2) if age > 24 else between(stream, 6, age - 5),
        )
        self.settle(stream, person)
        return person

    def settle(self, stream, person):
        """Give a person numbers, addresses and a birthplace that agree with home and nationality."""
        person.birthplace = stream.choice(geography.cities(person.nation))
        person.phone = identifiers.phone(stream, person.home.code)
        person.email_tells_org = chance(stream, 40)
        person.email = identifiers.email(
            stream, person.given, person.surname, person.org if person.email_tells_org else ""
        )
        person.numbers = {
            slot: identifiers.document(stream, slot, person.nation) for slot in ("id_number", "passport", "licence")
        }
        person.handle = identifiers.handle(stream, person.given, person.surname)


def birthday(stream, date, age):
    """A date of birth that makes one `age` full years old on `date`, and not within a week of the birthday."""
    days = between(stream, 8, 356)
    start = datetime.date(date.year - age, date.month, min(date.day, 28))
    return start - datetime.timedelta(days=days)


def _schooling(stream, ages, trade):
    if trade and trade["degree"] >= 3:
        return between(stream, max(ages[0], 27), max(ages[1], 28)), trade["degree_class"]
    possible = {
        name: weight
        for name, weight in EDUCATION.items()
        if EDUCATION_AGES[name][0] <= ages[1] and EDUCATION_AGES[name][1] >= ages[0]
    }
    if not possible:
        return between(stream, *ages), ""
    education = weighted(stream, possible)
    low, high = EDUCATION_AGES[education]
    return between(stream, max(low, ages[0]), min(high, ages[1])), education


def _relationship(stream, age):
    possible = {name: weight for name, weight in RELATIONSHIPS.items() if age >= RELATIONSHIP_AGES[name]}
    return weighted(stream, possible) if possible else ""


def _trade(stream, education):
    """A trade that the schooling allows; pupils have none."""
    if education in ("In Highschool", ""):
        return None
    rows = data.load("occupations")["occupations"]
    if education == "PhD":
        rows = [row for row in rows if row["degree"]]
    elif education != "College Degree":
        rows = [row for row in rows if not row["degree"]]
    told = [row for row in rows if row["name"] in role_trades()]
    return stream.choice(told if told and chance(stream, ROLE_TRADES_PERCENT) else rows)


def role_trades():
    """The trades that duties alone can tell."""
    return data.load("occupations")["told_by_duties"]
