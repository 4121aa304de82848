"""What values mean: which are equal to a truth or more specific, which are true and say less (METRICS §8).

Countries and cities come from the lexicon `places`; classes of people and ages from the JSON files here.
"""

from build.subjects.semantics import ages, classes, places
from build.subjects.semantics.keys import distinct, key

_BY_PLACE = {
    "LOCATION": (places.location_aliases, places.location_broader),
    "NATIONALITY": (places.nationality_aliases, places.nothing),
}

countries = places.countries
country = places.country
age_phrases = ages.phrases
class_names = classes.names


def aliases(tag, value):
    """Other values that earn a full score where `value` is the truth: equal, or more specific and still true.

    Args:
        tag: one of the fifteen tags; those without semantics give an empty list.
        value: as people write it; a value that the tables do not hold gives an empty list.

    Returns:
        A list without repeats, in the tables' order; `value` itself is not in it.
    """
    return _without(value, _tables(tag)[0](value))


def broader(tag, value):
    """Values that are true where `value` is, and say less; the list may be empty, and is so for SEX and NATIONALITY."""
    return _without(value, _tables(tag)[1](value))


def _tables(tag):
    if tag in _BY_PLACE:
        return _BY_PLACE[tag]
    if tag == "AGE":
        return ages.aliases, places.nothing
    return (lambda value: classes.aliases(tag, value)), (lambda value: classes.broader(tag, value))


def _without(value, found):
    return [text for text in distinct(found) if key(text) != key(value)]
