"""Telephone numbers, addresses and numbers of documents that belong to nobody (see identifiers.json)."""

import re
from dataclasses import dataclass

from build.fold import fold
from build.subjects import data, organisations

_DIGITS = re.compile(r"\{(\d)\}")


@dataclass(frozen=True)
class Number:
    """A number of a document, its slot and tag, and whether it tells the country."""

    slot: str
    tag: str
    text: str
    tells_country: bool


def phone(stream, country):
    """A telephone number kept for fiction in a country, or "" where none is known."""
    rows = [row for row in data.load("identifiers")["phones"] if row["country"] == country]
    if not rows:
        return ""
    row = stream.choice(rows)
    area = stream.choice(row["areas"]) if row["areas"] else ""
    return _filled(stream, row["form"].replace("{area}", area))


def document(stream, slot, country):
    """A Number for a slot: id_number, passport or licence."""
    row = stream.choice([row for row in data.load("identifiers")["documents"] if row["slot"] == slot])
    return Number(slot, row["tag"], _filled(stream, row["form"].replace("{country}", country)), row["tells_country"])


def email(stream, given, surname, org):
    """An address that holds the name, at the body's domain or, with an empty `org`, at an invented mail service."""
    first, last = fold(given), fold(surname)
    local = stream.choice([f"{first}.{last}", f"{first[0]}.{last}", f"{last}.{first}", f"{first}_{last}"])
    return f"{local}@{organisations.domain(org) if org else stream.choice(data.load('organisations')['free_mail'])}"


def handle(stream, given, surname):
    """A handle made of the name, with its at sign."""
    first, last = fold(given), fold(surname)
    return "@" + stream.choice([f"{first}_{last}", f"{first}.{last}", f"{last}_{first}", f"{first}{last}"])


def _filled(stream, form):
    return _DIGITS.sub(lambda found: "".join(str(stream.below(10)) for _ in range(int(found[1]))), form)
