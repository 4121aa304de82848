"""Descriptions of subjects that tell them apart without a name: part in the case or relation, deeds, then facts."""

from build.subjects.legal import Judgment

FORMS = {
    "post": "the post",
    "comment": "the comment",
    "review": "the review",
    "advert": "the advert",
    "forum": "the forum question",
}
SHORT = {
    "OCCUPATION": "works as {}",
    "LOCATION": "lives or works in {}",
    "AFFILIATION": "works for {}",
    "POSITION": "holds the office of {}",
    "AGE": "is {} years old",
    "NATIONALITY": "is a national of {}",
    "RELATIONSHIP": "family status: {}",
    "EDUCATION": "schooling: {}",
}
MOST = 3


def describe(document, truth, person):
    """The description of one subject of a Judgment or a Post."""
    facts = _facts(truth, person)
    if isinstance(document, Judgment):
        head = _part(document, person)
    else:
        head = _poster(document, person) if person.role == "poster" else _spoken_of(document, person)
    return f"{head}; {'; '.join(facts)}" if facts and person.role != "pair" else head


def _facts(truth, person):
    sure = {fact.tag: fact for fact in reversed(truth.of(person)) if fact.certainty >= 3}
    return [form.format(sure[tag].value.replace(" / ", ", ")) for tag, form in SHORT.items() if tag in sure][:MOST]


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
