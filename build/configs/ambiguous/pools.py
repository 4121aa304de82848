"""Pools: which attested names are ambiguous for which type, and which are near no entity at all."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field

from build import lexicons
from build.fold import fold
from build.neighbours import describe_edit, edits, neighbours

ENTITY_TYPE = {
    "location": "LOCATION",
    "organization": "ORGANIZATION",
    "syndrome": "HEALTH",
    "bacteria": "OTHER",
    "mineral": "OTHER",
}
SCARCEST_FIRST = ("mineral", "bacteria", "location", "organization")
ANY_COUNT = ("bacteria", "mineral")
ATTESTED_COUNT, ATTESTED_PERSONS = 100, 2
SHORTEST = {"bacteria": 4, "mineral": 4, "location": 5, "organization": 5, "syndrome": 5}
GIVEN_SHARE = 0.8
COMMON = 1000


@dataclass(frozen=True)
class Name:
    """An attested name; `popularity` is its largest census or SSA count, None if unknown."""

    folded: str
    name: str
    popularity: int | None
    persons: int
    use: str
    sources: tuple

    @property
    def attested(self):
        """Whether it is attested often enough for any type."""
        return (self.popularity or 0) >= ATTESTED_COUNT or self.persons >= ATTESTED_PERSONS


@dataclass(frozen=True)
class Member:
    """One name (or control) of a stratum and type, as its rows will show it.

    `altered` is the folded word that was altered in a composed name, else the folded name; `verified`
    whether a source package, not a curated list alone, holds one of its neighbours.
    """

    stratum: str
    name_type: str
    name: str
    sources: tuple = ()
    popularity: int | None = None
    neighbours: tuple = ()
    altered: str = ""
    verified: bool = False


@dataclass
class Pools:
    """Everything drawable.

    Attributes:
        names: dict from folded to Name.
        exclusion: dict from the folded keys of known non-person entities and words to their kinds.
        ambiguous: dict from type to a list of Members.
        clear: Names of any count, excluded by nothing and near no entity of any type.
        controls: dict from type to a list of Members (prominent entities).
        baseline: folded baseline names, a frozenset.
        dropped: dict from one-word type to a Counter of fitting names that the exclusion lexicon held, by kind.
    """

    names: dict
    exclusion: dict
    baseline: frozenset
    entities: dict
    ambiguous: dict = field(default_factory=dict)
    clear: list = field(default_factory=list)
    controls: dict = field(default_factory=dict)
    dropped: dict = field(default_factory=dict)


def load(root):
    """Read the lexicons below `root` and sort names into pools."""
    entities = defaultdict(dict)
    for row in lexicons.rows(root, "entities"):
        entities[row["name_type"]][row["folded"]] = row
    pool = Pools(
        names=_names(root),
        exclusion={row["folded"]: row["kinds"] for row in lexicons.rows(root, "exclusion")},
        baseline=frozenset(fold(row["name"]) for row in lexicons.rows(root, "baseline_names")),
        entities=dict(entities),
    )
    near = {kind: neighbours(pool.names, entities[kind]) for kind in SCARCEST_FIRST}
    _sort_single(pool, near)
    pool.ambiguous["syndrome"] = composed(pool)
    pool.controls = {kind: _controls(pool, entities[kind].values()) for kind in ENTITY_TYPE}
    return pool


def _names(root):
    columns = lexicons.read(root, "names").to_pydict()
    return {
        folded: _name(folded, *values)
        for folded, *values in zip(*(columns[key] for key in lexicons.SCHEMAS["names"].names), strict=True)
    }


def _name(folded, name, given_count, surname_count, given_persons, surname_persons, sources):
    counts = [count for count in (given_count, surname_count) if count is not None]
    given = (given_count or 0) + given_persons
    surname = (surname_count or 0) + surname_persons
    share = given / (given + surname)
    use = "given" if share >= GIVEN_SHARE else "surname" if share <= 1 - GIVEN_SHARE else "both"
    persons = given_persons + surname_persons
    return Name(folded, name, max(counts, default=None), persons, use, tuple(sources))


def _usable(pool, name):
    return name.folded not in pool.exclusion and name.folded not in pool.baseline


def _sort_single(pool, near):
    """Fill `ambiguous` for one-word types, each name in the scarcest type it is near, and `clear`."""
    pool.ambiguous.update({kind: [] for kind in SCARCEST_FIRST})
    pool.dropped.update({kind: Counter() for kind in SCARCEST_FIRST})
    for name in pool.names.values():
        kinds = [kind for kind in SCARCEST_FIRST if name.folded in near[kind]]
        fitting = [kind for kind in kinds if _fits(name, kind)]
        if not _usable(pool, name):
            if fitting:
                pool.dropped[fitting[0]].update(pool.exclusion.get(name.folded, ["baseline name"]))
        elif fitting:
            kind = fitting[0]
            pool.ambiguous[kind].append(_member(pool, name, kind, near[kind][name.folded]))
        elif not kinds and len(name.folded) >= min(SHORTEST.values()):
            pool.clear.append(name)


def _fits(name, kind):
    return len(name.folded) >= SHORTEST[kind] and (kind in ANY_COUNT or name.attested)


def _member(pool, name, kind, near):
    return _ambiguous(kind, name.name, name.folded, name, [pool.entities[kind][folded] for folded in near])


def _ambiguous(kind, text, folded, name, entities):
    """The Member of an ambiguous text; `name` is what attests it (of the altered word, if composed)."""
    listed = tuple(neighbour(entity, folded) for entity in entities)
    verified = any(entity["sources"] != ["curated"] for entity in entities)
    return Member("ambiguous", kind, text, name.sources, name.popularity, listed, name.folded, verified)


def neighbour(entity, folded):
    """The row form of one neighbour of a folded name."""
    return {
        "text": entity["text"],
        "entity_type": ENTITY_TYPE[entity["name_type"]],
        "kind": entity["kind"],
        "eponymous": entity["eponymous"],
        "edit": describe_edit(entity["folded"], folded),
    }


def composed(pool):
    """Ambiguous names of the type syndrome: an eponym pair with one word altered by one letter.

    The altered word is an attested surname outside the exclusion lexicon; the other word stays.
    """
    found = {}
    pairs = pool.entities["syndrome"]
    for folded, entity in sorted(pairs.items()):
        words, written = folded.split(" "), entity["text"].split(" ")
        for at in (0, 1):
            for word in sorted(edits(words[at])):
                name = pool.names.get(word)
                if name and _alters(pool, name):
                    parts = [name.name if at == place else written[place] for place in (0, 1)]
                    text = " ".join(parts)
                    found.setdefault(fold(text), (text, name))
    return _composed_members(pool, found, pairs)


def _alters(pool, name):
    return len(name.folded) >= SHORTEST["syndrome"] and name.attested and name.use != "given" and _usable(pool, name)


def _composed_members(pool, found, pairs):
    near = neighbours(found, pairs)
    members = []
    for folded, (text, name) in sorted(found.items()):
        if folded in pool.exclusion or folded in pairs:
            continue
        members.append(_ambiguous("syndrome", text, folded, name, [pairs[pair] for pair in near[folded]]))
    return members


def _controls(pool, rows):
    """Prominent entities that are no common names, so that a person is the wrong reading of them.

    Of a pair of surnames one may be common.
    """
    return [
        Member("entity_control", row["name_type"], row["text"], tuple(row["sources"]))
        for row in rows
        if row["prominent"] and not all(_is_common(pool, word) for word in row["folded"].split(" "))
    ]


def _is_common(pool, word):
    known = pool.names.get(word)
    return word in pool.baseline or (known is not None and (known.popularity or 0) >= COMMON)


def baseline_member(pool, name, name_type):
    """A baseline name in the templates of one type."""
    known = pool.names[fold(name)]
    return Member("baseline", name_type, name, known.sources, known.popularity, (), known.folded)
