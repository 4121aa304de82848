"""Find a phrase of a kind that fits the persons and the sentence before, and say it."""

from build.subjects.phrases import pool
from build.subjects.realise import Unusable, realise

ARTICLES = ("the", "a", "an", "my")


def say(scene, kind, roles, value="", fits=None):
    """A Text, or None where no phrase fits; the scene is brought up to date.

    Args:
        kind: a kind of phrase of the scene's domain. roles: Persons by slot. value: the class of phrase.
        fits: says of a Phrase whether it may be used; None for all.
    """
    phrases = pool(scene.domain, kind, scene.split, scene.seed).get(value, ())
    return say_one(scene, [phrase for phrase in phrases if fits is None or fits(phrase)], roles)


def say_one(scene, phrases, roles):
    """The first of some Phrases, in random order, that fits; its Text, or None."""
    left = [phrase for phrase in phrases if phrase.text not in scene.used]
    while left:
        phrase = left.pop(scene.stream.below(len(left)))
        kept = scene.kept()
        try:
            made = realise(scene, phrase, roles)
        except Unusable:
            scene.restore(kept)
            continue
        if _starts_alike(scene.start, start_of(made.text)):
            scene.restore(kept)
            continue
        _commit(scene, made)
        return made.text
    return None


def start_of(text):
    """The first two words of a text, in lower case, without marks around them."""
    return tuple(word.strip("\"'(,.:;!?") for word in str(text).lower().split()[:2])


def _starts_alike(one, other):
    """Whether two sentences begin with one word, or with one article and one noun."""
    if not one or not other or one[0] != other[0]:
        return False
    return one[0] not in ARTICLES or one[:2] == other[:2]


def _commit(scene, made):
    scene.used.add(made.source)
    scene.told += made.told
    scene.focus, scene.named = made.focus, made.named
    scene.start = start_of(made.text)
