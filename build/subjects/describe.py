"""Descriptions of subjects that tell them apart without a name: part in the case or relation, deeds, then facts."""

from build.subjects.legal import Judgment
from build.subjects.numbers import indefinite

FORMS = {
    "post": "the post",
    "comment": "the comment",
    "review": "the review",
    "advert": "the advert",
    "forum": "the forum question",
}
MOST = 3
STATUS = {
    "No relation": "has no partner",
    "In Relation": "has a partner",
    "Married": "is married",
    "Divorced": "is divorced",
    "Widowed": "is widowed",
}
SCHOOLING = {
    "No High School Diploma": "left school without a diploma",
    "In Highschool": "goes to high school",
    "High School Diploma": "finished high school",
    "In College": "studies at college",
    "College Degree": "has a college degree",
    "PhD": "holds a doctorate",
}
SHORT = {
    "OCCUPATION": lambda value: f"works as {indefinite(value)} {value.lower()}",
    "LOCATION": lambda value: f"lives or works in {value.replace(' / ', ', ')}",
    "AFFILIATION": lambda value: f"works for {value}",
    "POSITION": lambda value: f"holds the office of {value.lower()}",
    "AGE": lambda value: f"is {value.replace('-', ' to ')} years old",
    "NATIONALITY": lambda value: f"is a national of {value}",
    "RELATIONSHIP": STATUS.get,
    "EDUCATION": SCHOOLING.get,
}


def describe(document, truth, person):
    """The description of one subject of a Judgment or a Post."""
    facts = _facts(truth, person)
    if isinstance(document, Judgment):
        head = _part(document, person)
    else:
        head = _poster(document, person) if person.role == "poster" else _spoken_of(document, person)
    return f"{head}; {', '.join(facts)}" if facts and person.role != "pair" else head


def _facts(truth, person):
    sure = {fact.tag: fact for fact in reversed(truth.of(person)) if fact.certainty >= 3}
    told = [
        SHORT[tag](sure[tag].value) for tag in SHORT if tag in sure and (tag, person.role) != ("OCCUPATION", "judge")
    ]
    return told[:MOST]


def _part(document, person):
    """A legal part: who one is in the case, whose relative, and what one did."""
    story = document.story
    label = person.label.removeprefix("the ").capitalize()
    kin = _kin(document, person)
    if person.role.startswith("claimant"):
        return f"{label}, who {story['claimant_deed']}{kin}"
    if person.role == "defendant":
        return f"{label}, who {story['defendant_deed']}"
    if person.role == "rep":
        return f"Representative of {document.cast[person.deed].label} before the court"
    if person.role == "judge":
        return f"Judge who heard the case about the {document.topic}"
    if person.role == "expert":
        return f"Court-appointed expert who {story['expert_task']}"
    return f"Witness who {person.deed}{kin}"


def _kin(document, person):
    if not person.kin_of:
        return ""
    other = document.scene.persons[person.kin_of]
    return f", {'relative' if person.kin else 'spouse'} of {other.label}"


def _poster(document, person):
    return f"Author of {FORMS[document.form]} on '{document.topic['title']}'"


def _spoken_of(document, person):
    if person.role == "pair":
        return f"One of the author's two {person.relation} (number {document.pair.index(person) + 1})"
    return f"The author's {person.relation}"
