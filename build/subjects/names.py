"""Names of the invented persons: a given name by sex and a surname, drawn without regard to nationality.

No full name is in the person index, none occurs twice in a release, and test and validation share no part.
"""

from functools import cache

from build import draws, lexicons
from build.person_index import PersonIndex
from build.subjects import data
from build.subjects.schema import NAME

LETTERS = (4, 11)
COUNTS = (120, 30000)
LEAST_PERSONS = 2
SURNAMES = 6000
UNISEX_PERCENT = 8
TRIES = 200


class Names:
    """The names that one split may give out.

    Args:
        root: the repository, for its lexicons.
        split: "test" or "validation".
    """

    def __init__(self, root, split, seed):
        self._index = person_index(root)
        self._given = {kind: _part(given, split, seed, kind) for kind, given in _given_names().items()}
        self._surnames = _part(surnames(root), split, seed, "surname")
        self._taken = set()

    def surname(self, stream):
        """Any surname."""
        return stream.choice(self._surnames)

    def person(self, stream, sex, surname=None, avoid=()):
        """(given name, surname) that nobody bears; `avoid` holds given names and surnames not to be used again."""
        for _ in range(TRIES):
            kind = "unisex" if stream.below(100) < UNISEX_PERCENT else sex
            given, last = stream.choice(self._given[kind]), surname or self.surname(stream)
            full = f"{given} {last}"
            clash = given in avoid or (surname is None and last in avoid)
            if not clash and full not in self._taken and not self._index.contains(full):
                return given, last
        raise LookupError(f"no free name beside the surname {surname}")

    def take(self, persons):
        """Note that persons are in a document, so that no other bears their names."""
        self._taken.update(f"{given} {surname}" for given, surname in persons)


def supposed_sex(given):
    """The sex that a given name alone lets a reader suppose, or "" for a unisex name."""
    return _sexes().get(given, "")


@cache
def person_index(root):
    """The attested persons, loaded once."""
    return PersonIndex.load(root)


@cache
def surnames(root):
    """Surnames of some use that are no word, place, company or given name; sorted."""
    excluded = set(lexicons.read(root, "exclusion").column("folded").to_pylist())
    return tuple(
        row["name"] for row in lexicons.rows(root, "names") if _is_surname(row) and row["folded"] not in excluded
    )


def _is_surname(row):
    return (
        COUNTS[0] <= (row["surname_count"] or 0) <= COUNTS[1]
        and row["surname_persons"] >= LEAST_PERSONS
        and not row["given_count"]
        and not row["given_persons"]
        and row["name"].isascii()
        and row["name"].isalpha()
        and LETTERS[0] <= len(row["name"]) <= LETTERS[1]
    )


def _given_names():
    found = data.load("given_names")
    return {kind: found[kind] for kind in ("female", "male", "unisex")}


@cache
def _sexes():
    return {given: sex for sex in ("female", "male") for given in _given_names()[sex]}


def _part(names, split, seed, kind):
    """A fifth of the names for validation, the others for test."""
    ranked = draws.ranked(names, seed, NAME, "names", kind)
    if kind == "surname":
        ranked = ranked[:SURNAMES]
    count = len(ranked) // 5
    return ranked[:count] if split == "validation" else ranked[count:]
