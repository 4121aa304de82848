"""How a text refers to a person: by name, title, part in the case, relation or pronoun."""

from build.subjects.choices import chance
from build.subjects.text import Entity, Evidence

PRONOUNS = {
    "female": {"": "she", "'s": "her", ":me": "her"},
    "male": {"": "he", "'s": "his", ":me": "him"},
}
BACK = {"female": {"he": "she", "his": "her", "him": "her"}, "male": {"he": "he", "his": "his", "him": "him"}}
PRONOUN_PERCENT = 60
LABEL_PERCENT = 50
RELATION_PERCENT = 25
SPOUSE = "spouse"
FULL_NAME_PERCENT = 35


def mention(scene, person, form, text, *, pinned, named):
    """Add a mention of a person to `text`. Returns whether it could be made.

    Args:
        form: "" (subject), "'s" or ":me".
        pinned: whether a pronoun is out of the question here.
        named: persons named before in this sentence (keys).
    """
    if person.key == scene.poster:
        return False
    if not pinned and _pronoun_is_clear(scene, person, named) and chance(scene.stream, PRONOUN_PERCENT):
        pronoun(person, PRONOUNS[person.sex][form], text)
        return True
    ending = "'s" if form == "'s" else ""
    maker = _legal if scene.domain == "legal" else _online
    maker(scene, person, text)
    if ending:
        text.add(ending)
    return True


def pronoun(person, word, text):
    """Add a pronoun, which tells the person's sex."""
    text.add(word, _no_mask(person), Evidence(person.key, "pronoun"))


def _pronoun_is_clear(scene, person, named):
    """Whether the last sentence was about the person and nobody near could be meant as well."""
    near = [scene.persons[key] for key in {*scene.named, *named} if key not in (person.key, scene.poster)]
    return (
        person.sex_known
        and scene.focus == person.key
        and all(other.sex_known and other.sex != person.sex for other in near)
    )


def _no_mask(person):
    return Entity("PERSON", "NO_MASK", person.key, person.key)


def add_name(scene, person, text, form):
    """Add the full name, the surname or the given name, and note which."""
    words = {"full": person.name, "surname": person.surname, "given": person.given}[form]
    scene.forms[person.key].add(form)
    text.add(words, Entity("PERSON", "DIRECT", person.key, person.key), Evidence(person.key, "name"))


def _titled(person, text):
    if person.honorific and person.sex_known:
        text.add(person.title, Evidence(person.key, "honorific"))
        text.add(" ")


def _legal(scene, person, text):
    first = person.key not in scene.introduced
    scene.introduced.add(person.key)
    if not first and person.label and chance(scene.stream, LABEL_PERCENT):
        text.add(person.label, _no_mask(person))
        return
    shared = any(other.surname == person.surname for other in scene.others(person.key))
    _titled(person, text)
    add_name(scene, person, text, "full" if first or shared else "surname")


def _online(scene, person, text):
    first = person.key not in scene.introduced
    scene.introduced.add(person.key)
    alone = sum(other.relation == person.relation for other in scene.persons.values()) == 1
    if first:
        add_relation(person, text)
        text.add(" ")
        add_name(scene, person, text, "full" if chance(scene.stream, FULL_NAME_PERCENT) else "given")
    elif alone and chance(scene.stream, RELATION_PERCENT):
        add_relation(person, text)
    else:
        add_name(scene, person, text, "given")


def add_relation(person, text):
    """Add "my sister": whom the poster speaks of; a word for a relative tells the sex."""
    marks = [_no_mask(person)]
    if person.kin:
        marks.append(Evidence(person.key, "kinship"))
    elif person.relation == SPOUSE:
        marks.append(Evidence(person.key, "marriage"))
    if person.shares:
        marks.append(Evidence(person.key, person.shares))
    text.add(f"my {person.relation}", *marks)
