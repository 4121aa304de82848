"""Which facts of a person a document reveals, and how; the world is bent so that what is told of two agrees."""

from dataclasses import dataclass

from build.subjects import data
from build.subjects.choices import chance, weighted
from build.subjects.phrases import pool
from build.subjects.realise import years_apart
from build.subjects.say import say, say_one
from build.subjects.world import WORKING, role_trades

SHARED = {"residence_hop": "LOCATION", "nationality_shared": "NATIONALITY", "age_relative": "AGE"}
MOST_YEARS_APART = 15
WORKDAY_TAGS = ("OCCUPATION", "AFFILIATION", "POSITION")


@dataclass(frozen=True)
class Step:
    """One fact to reveal: its kind and the key of the other person it rests on, or ""."""

    kind: str
    other: str = ""


def tag_of(kind):
    """The tag of a kind of fact."""
    return data.load("fact_kinds")[kind]["tag"]


def plan(scene, person, planned, tags=None, limit=None):
    """Steps for a person, in the order of the tags.

    Args:
        planned: {key: [Step]} of the persons planned before, on whom a fact may rest.
        tags: only these tags; None for all. limit: at most so many steps, chosen at random.
    """
    percent = data.load("plans")["percent"][scene.domain]
    wanted = [tag for tag in percent if (tags is None or tag in tags) and chance(scene.stream, percent[tag])]
    if limit is not None:
        while len(wanted) < limit and len(wanted) < len(percent):
            rest = {tag: percent[tag] for tag in percent if tag not in wanted and (tags is None or tag in tags)}
            if not rest:
                break
            wanted.append(weighted(scene.stream, rest))
        wanted = scene.stream.shuffled(wanted)[:limit]
    steps = [step for step in (_step(scene, person, tag, planned) for tag in wanted) if step]
    _bend(scene, person, steps)
    return steps


def _step(scene, person, tag, planned):
    weights = {
        kind: weight
        for kind, weight in data.load("plans")["kinds"][tag].items()
        if _possible(scene, person, kind, planned)
    }
    if not weights:
        return None
    kind = weighted(scene.stream, weights)
    others = _bases(scene, person, kind, planned)
    return Step(kind, scene.stream.choice(others).key if others else "")


def _possible(scene, person, kind, planned):
    tag, age = tag_of(kind), person.age(scene.date)
    if kind in SHARED:
        return bool(_bases(scene, person, kind, planned))
    if tag in WORKDAY_TAGS or kind == "workplace":
        works = WORKING[0] <= age <= WORKING[1] and person.education != "In Highschool"
        if kind == "occupation_role":
            return works and person.trade is not None and person.trade["name"] in role_trades()
        return works and (kind != "occupation_stated" or person.trade is not None)
    if kind == "age_reckoned":
        return age >= 12
    if tag == "EDUCATION":
        return bool(person.education)
    if tag == "RELATIONSHIP":
        return bool(person.relationship)
    return kind != "phone" or bool(person.phone)


def _bases(scene, person, kind, planned):
    """Persons whose own fact of that tag is told without resting on another."""
    if kind not in SHARED:
        return []
    return [
        other
        for other in scene.others(person.key)
        if any(tag_of(step.kind) == SHARED[kind] and not step.other for step in planned.get(other.key, []))
        and (kind != "age_relative" or 1 <= years_apart(person, other) <= MOST_YEARS_APART)
        and other.key != scene.poster
    ]


def _bend(scene, person, steps):
    """Let home and nationality agree with those of the person a fact rests on, or with each other."""
    told = {tag_of(step.kind) for step in steps}
    for step in steps:
        if step.kind == "residence_hop":
            person.home = scene.persons[step.other].home
        if step.kind == "nationality_shared":
            person.nation = scene.persons[step.other].nation
    if "NATIONALITY" not in told:
        person.nation = person.home.code


def tell(scene, person, step):
    """Say the sentence of a step. Returns its Text, or None where no phrase fits."""
    kind = data.load("plans")["phrases"].get(step.kind, step.kind)
    roles = {"S": person}
    if step.other:
        roles["O"] = scene.persons[step.other]
    elif person.kin_of and step.kind == "kinship":
        roles["O"] = scene.persons[person.kin_of]
    slot = _SLOT_OF.get(step.kind)
    poster = person.key == scene.poster

    def fits(phrase):
        return phrase.has("S") != poster and (slot is None or phrase.has(*slot))

    return say(scene, kind, roles, _value(person, step, roles), fits)


_SLOT_OF = {
    "age_birth_year": ("birth_year",),
    "age_birth_date": ("birth_date",),
    "nationality_stated": ("demonym",),
    "nationality_country": ("country",),
    "id_number": ("id_number",),
    "passport": ("passport",),
    "licence": ("licence",),
}


def _value(person, step, roles):
    if step.kind == "age_relative":
        return "older" if person.birth < roles["O"].birth else "younger"
    if step.kind == "education_stated":
        return person.education
    if step.kind in ("relationship_stated", "relationship_event"):
        return person.relationship
    return person.trade["name"] if step.kind == "occupation_role" else ""


def tell_together(scene, person, steps):
    """One sentence that tells two or three of the steps at once. Returns (Text or None, steps that are left)."""
    kinds = {step.kind for step in steps if not step.other}
    poster = person.key == scene.poster
    phrases = [
        phrase
        for phrase in pool(scene.domain, "combined", scene.split, scene.seed)[""]
        if phrase.has("S") != poster and told_by(phrase) <= kinds
    ]

    text = say_one(scene, phrases, {"S": person})
    if text is None:
        return None, steps
    told = {told.kind for told in scene.told if told.subject_id == person.key}
    return text, [step for step in steps if step.kind not in told]


def told_by(phrase):
    """The kinds of fact that the slots of a combined phrase tell."""
    slots = data.load("slots")
    return {slots[slot.name]["fact"] for slot in phrase.slots if slot.role}
