"""The truth of a document: what its sentences told, and what follows from that; nothing more.

Each fact has a value, the stretches that reveal it and a derivation; certainty and hardness come from its kind.
"""

from collections import defaultdict
from dataclasses import dataclass, field, replace

from build.subjects import data, geography, semantics
from build.subjects.names import supposed_sex
from build.subjects.schema import tags
from build.subjects.text import Evidence

SEX_CUES = ("honorific", "pronoun", "kinship")
SEX_NAMES = {"female": "Female", "male": "Male"}
GRANDPARENTS = {"grandmother", "granddaughter"}
AGE_OF_GRANDPARENTS = "45-95"
AGES_OF_SCHOOLING = {"In Highschool": "14-18", "In College": "18-25"}


@dataclass(frozen=True)
class Fact:
    """One entry of a subject's pii, before the tables of meaning are asked."""

    tag: str
    value: str
    certainty: int
    hardness: int
    derivation: str
    evidence: tuple
    aliases: tuple = field(default=())


class Truth:
    """All facts of a document.

    Args:
        scene: a finished Scene. marks: of its whole text.
    """

    def __init__(self, scene, marks):
        self.scene = scene
        self.spans = defaultdict(list)
        for start, end, mark in marks:
            if isinstance(mark, Evidence):
                self.spans[mark.subject_id, mark.kind].append((start, end))
        self.facts = {key: [] for key in scene.persons}
        for person in scene.persons.values():
            self._name(person)
            self._sex(person)
        self._told()
        for person in scene.persons.values():
            self._shared(person)
        for person in scene.persons.values():
            self._implied(person)

    def of(self, person):
        """A person's facts in the order of the tags, equal values made one."""
        merged = {}
        for fact in self.facts[person.key]:
            key = fact.tag, fact.value
            merged[key] = _merged(merged[key], fact) if key in merged else fact
        order = {tag: place for place, tag in enumerate(tags())}
        return sorted(merged.values(), key=lambda fact: (order[fact.tag], -fact.certainty, fact.hardness, fact.value))

    def entry(self, person, tag, least=1):
        """The first fact of a tag, or None."""
        return next((fact for fact in self.facts[person.key] if fact.tag == tag and fact.certainty >= least), None)

    def add(self, person, kind, value, evidence, *, certainty=None, derivation="", aliases=()):
        """Note a fact of a kind; without evidence there is none."""
        row = data.load("fact_kinds")[kind]
        if evidence and value:
            self.facts[person.key].append(
                Fact(
                    row["tag"],
                    value,
                    certainty or row["certainty"],
                    row["hardness"],
                    derivation or row["derivation"],
                    tuple(sorted(set(evidence))),
                    tuple(aliases),
                )
            )

    def _name(self, person):
        forms, named = self.scene.forms[person.key], self.spans[person.key, "name"]
        if named:
            given_only = forms.isdisjoint({"full", "surname"})
            full = "full" in forms or {"given", "surname"} <= forms
            value = person.name if full else person.given if given_only else person.surname
            self.add(person, "name", value, named, aliases=[] if full else [person.name])
        self.add(person, "name_handle", "" if named else person.name, self.spans[person.key, "name_handle"])

    def _sex(self, person):
        cues = sorted((span, kind) for kind in SEX_CUES for span in self.spans[person.key, kind])
        if cues:
            self.add(person, cues[0][1], SEX_NAMES[person.sex], [span for span, _ in cues])
            return
        forms = self.scene.forms[person.key]
        if not forms.isdisjoint({"full", "given", "handle"}) and supposed_sex(person.given):
            spans = self.spans[person.key, "name"] + self.spans[person.key, "name_handle"]
            self.add(person, "given_name", SEX_NAMES[person.sex], spans)

    def _told(self):
        for told in self.scene.told:
            if not told.via:
                person = self.scene.persons[told.subject_id]
                self.add(person, told.kind, told.value, self.spans[told.subject_id, told.kind])
        for told in self.scene.told:
            if told.via:
                self._resting(told)

    def _resting(self, told):
        """A fact that holds only together with one of another person."""
        person, other = self.scene.persons[told.subject_id], self.scene.persons[told.via]
        base = self.entry(other, data.load("fact_kinds")[told.kind]["tag"], least=3)
        if base is None:
            return
        value = base.value
        if told.kind == "age_relative":
            shift = person.age(self.scene.date) - other.age(self.scene.date)
            value = shifted(base.value, shift)
        spans = [*self.spans[person.key, told.kind], *base.evidence]
        self.add(person, told.kind, value, spans, certainty=min(4, base.certainty))

    def _shared(self, person):
        """Home or employer that one who posts and a neighbour, spouse or colleague have in common, told of one."""
        spans = self.spans[person.key, person.shares] if person.shares else ()
        other = self.scene.persons[self.scene.poster] if self.scene.poster else None
        if not spans:
            return
        tag = data.load("fact_kinds")[person.shares]["tag"]
        for one, base in ((person, other), (other, person)):
            told = self.entry(base, tag, least=3)
            if told and not self.entry(one, tag):
                self.add(one, person.shares, told.value, [*spans, *told.evidence])
                return

    def _implied(self, person):
        self._of_trade(person)
        self._of_reach(person)
        self._of_place(person)
        self._of_schooling(person)

    def _of_trade(self, person):
        work, office = self.entry(person, "OCCUPATION"), self.entry(person, "POSITION")
        if work and not self.entry(person, "EDUCATION") and person.trade and person.trade["degree"]:
            certainty = person.trade["degree"]
            self.add(person, "profession", person.trade["degree_class"], work.evidence, certainty=certainty)
        if office and not work:
            self.add(person, "occupation_office", office.value, office.evidence)

    def _of_reach(self, person):
        mail, number = self.entry(person, "EMAIL_ADDRESS"), self.entry(person, "PHONE_NUMBER")
        if mail and person.email_tells_org:
            self.add(person, "email_domain", person.org, mail.evidence)
        if number and not self.entry(person, "LOCATION"):
            self.add(person, "phone_country", geography.country_name(person.home.code), number.evidence)
        for slot, document in person.numbers.items():
            spans = self.spans[person.key, slot]
            if document.tells_country and spans and not self.entry(person, "NATIONALITY"):
                self.add(person, "document_country", geography.country_name(person.nation), spans)

    def _of_place(self, person):
        court = self.spans[person.key, "court_district"]
        if court and not self.entry(person, "LOCATION"):
            self.add(person, "court_district", self.scene.court_city.value, court)
        place = self.entry(person, "LOCATION", least=3)
        if place and not self.entry(person, "NATIONALITY"):
            self.add(person, "residence_country", geography.country_name(person.home.code), place.evidence)

    def _of_schooling(self, person):
        school = self.entry(person, "EDUCATION", least=3)
        if school and school.value in AGES_OF_SCHOOLING and not self.entry(person, "AGE"):
            age = AGES_OF_SCHOOLING[school.value]
            self.add(person, "age_of_pupils", age, school.evidence)
        if not self.entry(person, "AGE"):
            self._of_grandchildren(person)

    def _of_grandchildren(self, person):
        """A grandparent is of some age, whichever of the two words the text has."""
        for other in self.scene.persons.values():
            words = {other.kin["female"]} if other.kin else set()
            older = other if "grandmother" in words else self.scene.persons.get(other.kin_of)
            if words & GRANDPARENTS and older is person:
                self.add(person, "age_of_grandparents", AGE_OF_GRANDPARENTS, self.spans[other.key, "kinship"])


def _merged(one, other):
    """Two facts of one value: the surer and plainer comes first, the evidence of both counts."""
    best, rest = sorted((one, other), key=lambda fact: (-fact.certainty, fact.hardness))
    return replace(
        best,
        derivation=best.derivation if rest.derivation in best.derivation else f"{best.derivation}; {rest.derivation}",
        evidence=tuple(sorted({*best.evidence, *rest.evidence})),
        aliases=tuple(dict.fromkeys((*best.aliases, *rest.aliases))),
    )


def shifted(age, years):
    """An age or an interval of ages, moved by some years and a year wider on each side, as years are rounded."""
    low, _, high = age.partition("-")
    return f"{int(low) + years - 1}-{int(high or low) + years + 1}"


def pii_row(fact):
    """The row form of a Fact, with other values that are as good and values that say less."""
    aliases = dict.fromkeys((*fact.aliases, *semantics.aliases(fact.tag, fact.value)))
    broader = semantics.broader(fact.tag, fact.value)
    if fact.tag == "AFFILIATION":
        aliases = dict.fromkeys((*aliases, fact.value.split()[0]))
    return {
        "tag": fact.tag,
        "value": fact.value,
        "aliases": list(aliases),
        "broader": list(broader),
        "certainty": fact.certainty,
        "hardness": fact.hardness,
        "derivation": fact.derivation,
        "evidence": [{"start": start, "end": end} for start, end in fact.evidence],
    }
