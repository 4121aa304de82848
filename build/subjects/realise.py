"""A phrase and the persons in its roles -> one sentence with marks, and what it told."""

from dataclasses import dataclass

from build.subjects import data, geography, mentions
from build.subjects.numbers import full_years, indefinite, long_date, ordinal, spelled
from build.subjects.phrases import BACK, Mark, Slot
from build.subjects.scene import Told
from build.subjects.text import Entity, Evidence, Text

KIND_OF_SLOT = {
    ("workplace", "city"): "workplace",
    ("position", "org"): "position_org",
    ("residence_hop", "O"): "residence_hop",
}
CLAUSE_OPENERS = (
    " that ",
    " where ",
    " when ",
    " because ",
    " since ",
    " if ",
    " while ",
    " whether ",
    " says ",
    ", and ",
)
OF_THE_SENTENCE = (
    "residence_hop",
    "nationality_shared",
    "education_stated",
    "relationship_stated",
    "relationship_event",
    "occupation_role",
    "marriage",
    "age_relative",
)
MARKED = {"bench": "court_role", "kinship": "kinship", "pair": "kinship"}


@dataclass
class Sentence:
    """A sentence: its Text, what it told, whom it is about and whom it names (keys, in order)."""

    text: Text
    told: list
    focus: str
    named: tuple
    source: str


class Unusable(Exception):
    """The phrase cannot be said of these persons here."""


def realise(scene, phrase, roles):
    """A Sentence; the scene learns which names were used, and nothing else.

    Args:
        phrase: a Phrase. roles: {"S": Person, "O": Person, ...} for its slots.

    Raises:
        Unusable: where the phrase does not fit the persons.
    """
    return _Writer(scene, phrase, roles).sentence()


class _Writer:
    def __init__(self, scene, phrase, roles):
        self.scene, self.phrase, self.roles = scene, phrase, roles
        self.text, self.told, self.named = Text(), [], []
        self.subject = roles.get("S")
        self.marked_from = None

    def sentence(self):
        """Write all parts."""
        parts = self.phrase.parts
        for place, part in enumerate(parts):
            if isinstance(part, Slot):
                after = parts[place + 1] if place + 1 < len(parts) and not isinstance(parts[place + 1], Slot) else ""
                before = parts[place - 1] if place and not isinstance(parts[place - 1], Slot | Mark) else ""
                self.slot(part, place == 0 or before.lower().endswith(CLAUSE_OPENERS), after)
            elif isinstance(part, Mark):
                self.mark(part)
            else:
                self.text.add(part)
        self.whole()
        focus = self.named[0] if self.named else (self.scene.poster or "")
        if self.subject and self.subject.key in self.named:
            focus = self.subject.key
        return Sentence(self.text.capitalised(), self.told, focus, tuple(self.named), self.phrase.text)

    def slot(self, slot, first, after):
        """Write a slot: a person, a pronoun, a value of the document, or something of a person."""
        if not slot.role and slot.name in self.roles:
            self.person(slot, first)
        elif not slot.role and slot.name in BACK:
            self.back(slot)
        elif not slot.role and (slot.name == "count" or slot.name in self.scene.values):
            text, entity = self.scene.value(slot.name, after.split()[0].strip(".,;") if after.split() else "")
            self.text.add(text, *([entity] if entity else []))
        else:
            self.field(slot)

    def person(self, slot, first):
        """Write a mention; a pronoun in subject form only where a clause begins."""
        person = self.roles[slot.name]
        bound = slot.form in ("'s", ":me") and slot.name == "S"
        bound = bound and not str(self.text).endswith(" of ")
        pinned = slot.form == "!" or not (bound or first) or self.phrase.kind in ("kinship", "pair")
        form = "" if slot.form == "!" else slot.form
        if self.bare(slot):
            self.named_after_relation(person, form)
        elif not mentions.mention(self.scene, person, form, self.text, pinned=pinned, named=self.named):
            raise Unusable
        if person.key not in self.named:
            self.named.append(person.key)

    def bare(self, slot):
        """Whether the phrase itself says what the person is to the one who posts, so that the name alone follows."""
        if self.scene.domain != "online":
            return False
        after_kin = self.phrase.kind == "kinship" and "my {kin}" in self.phrase.text.lower()
        return after_kin or (self.phrase.kind == "marriage" and slot.name == "O")

    def named_after_relation(self, person, form):
        """After "my sister" the bare name stands."""
        self.scene.introduced.add(person.key)
        mentions.add_name(self.scene, person, self.text, "given")
        if form == "'s":
            self.text.add("'s")

    def back(self, slot):
        """Write a pronoun for the person named before."""
        others = [self.scene.persons[key] for key in self.named if key != self.subject.key]
        if not self.subject.sex_known or any(other.sex == self.subject.sex for other in others):
            raise Unusable
        mentions.pronoun(self.subject, mentions.BACK[self.subject.sex][slot.name], self.text)

    def field(self, slot):
        """Write something of a person, and tell the fact that it is."""
        person = self.roles[slot.role or "S"]
        if slot.name == "label":
            self.text.add(person.label, Entity("PERSON", "NO_MASK", person.key, person.key))
            return
        if slot.name in ("name", "handle"):
            self.signed(person, slot.name)
            return
        if slot.name == "kins":
            self.text.add(person.kin_word() + "s")
            return
        row = data.load("slots")[slot.name]
        kind = KIND_OF_SLOT.get((self.phrase.kind, slot.name), row["fact"])
        text = slot_text(self.scene, person, slot.name, self.roles.get("O"))
        if not text:
            raise Unusable
        if slot.article:
            article = indefinite(text)
            self.text.add((article.capitalize() if slot.article == "A" else article) + " ")
        self.text.add(text, *_marks(person, kind, row, text))
        if kind != "kinship" and kind != "age_relative" and not any(told.kind == kind for told in self.told):
            self.told.append(Told(person.key, kind, fact_value(self.scene, person, kind)))

    def signed(self, person, how):
        """Write the name or handle of the one who posts."""
        if how == "name":
            mentions.add_name(self.scene, person, self.text, "full")
            return
        self.scene.forms[person.key].add("handle")
        self.text.add(
            person.handle,
            Entity("PERSON", "DIRECT", person.key, person.key),
            Evidence(person.key, "name_handle"),
        )

    def mark(self, part):
        """Open or close the stretch that is evidence where no slot is."""
        if part == "<":
            self.marked_from = self.text.length
            return
        kind = MARKED.get(self.phrase.kind, self.phrase.kind)
        whom = self.roles.get("judge", self.subject)
        keys = [whom.key] if self.phrase.kind != "pair" else [p.key for p in self.roles["pair"]]
        for key in keys:
            self.text.mark_from(self.marked_from, Evidence(key, kind))
        if kind == "court_role":
            self.told.append(Told(whom.key, kind, "Judge"))

    def whole(self):
        """Facts that the sentence as a whole tells."""
        kind, other = self.phrase.kind, self.roles.get("O")
        if kind not in OF_THE_SENTENCE:
            return
        value = self.phrase.value or fact_value(self.scene, self.subject, kind)
        via = other.key if other and kind in ("residence_hop", "nationality_shared", "age_relative") else ""
        if kind == "age_relative":
            value = ""
        self.told.append(Told(self.subject.key, kind, value, via))
        if self.marked_from is None:
            self.text.mark_from(0, Evidence(self.subject.key, kind))
        if kind == "marriage":
            self.told.append(Told(other.key, kind, value))
            self.text.mark_from(0, Evidence(other.key, kind))


def _marks(person, kind, row, text):
    entity = Entity(row["entity_type"], row["identifier_type"], f"{person.key}:{kind}", person.key)
    if row["entity_type"] in ("LOC", "ORG"):
        entity = Entity(row["entity_type"], row["identifier_type"], text, person.key)
    if kind == "kinship":
        return [Entity("PERSON", "NO_MASK", person.key, person.key)]
    return [entity, Evidence(person.key, kind)]


def slot_text(scene, person, name, other=None):
    """What stands in a slot, or "" where the person has no such thing."""
    trade = person.trade["text"] if person.trade else ""
    simple = {
        "age": str(person.age(scene.date)),
        "nth": ordinal(person.age(scene.date)),
        "birth_year": str(person.birth.year),
        "birth_date": long_date(person.birth),
        "age_then": str(person.then),
        "year_then": str(person.birth.year + person.then),
        "city": person.home.name,
        "work_city": person.home.name,
        "place": person.home.place,
        "birth_city": person.birthplace.place,
        "demonym": geography.demonym(person.nation),
        "country": geography.with_article(person.nation),
        "occupation": trade,
        "org": person.org,
        "position": person.position,
        "phone": person.phone,
        "email": person.email,
    }
    if name in simple:
        return simple[name]
    if name == "kin":
        return person.kin_word() if person.kin else ""
    if name == "years":
        return spelled(years_apart(person, other)) if other else ""
    return person.numbers[name].text


def years_apart(person, other):
    """How many full years lie between two births, whichever came first."""
    early, late = sorted((person.birth, other.birth))
    return full_years(early, late)


def fact_value(scene, person, kind):
    """The truth that a kind of fact tells of a person."""
    year, born = scene.date.year, person.birth.year
    if kind in ("age_stated", "age_birth_date"):
        return str(person.age(scene.date))
    if kind == "age_birth_year":
        return f"{year - born - 1}-{year - born}"
    if kind == "age_reckoned":
        return f"{year - born - 1}-{year - born + 1}"
    if kind in ("residence", "residence_hop", "workplace"):
        return person.home.value
    if kind in ("nationality_stated", "nationality_country", "birthplace", "nationality_shared"):
        return geography.country_name(person.nation)
    if kind == "occupation_stated":
        return person.trade["name"]
    if kind == "marriage":
        return "Married"
    if kind in ("employment", "position_org"):
        return person.org
    if kind == "position":
        return person.position.capitalize()
    if kind in ("phone", "email"):
        return getattr(person, kind)
    return person.numbers[kind].text
