"""Where a full-name form occurs in a text: exactly, reversed, spelled nearly so, or with words between (PUN, A.2).

Texts and names are compared as folded words, so case, diacritics, hyphens and apostrophes make no difference.
"""

from dataclasses import dataclass

from build.validation import variants
from build.validation.rules import words

EXACT, REVERSED, VARIANT, NEAR, PARTED = "exact", "reversed", "variant", "near", "parted"
EVIDENCE = (EXACT, REVERSED)


@dataclass(frozen=True)
class Profile:
    """A name's forms as tuples of folded words; `variants` are its vowel and phonetic ones in both orders."""

    name: str
    exact: tuple
    reversed: tuple
    given: tuple
    surname: tuple
    variants: frozenset


def profile(name, rules):
    """The Profile of a name. Raises BuildError for a name that cannot be validated."""
    spelled = [*variants.vowel_variants(name, rules), *variants.phonetic_variants(name, rules)]
    both = [form for spelling in spelled for form in (spelling, variants.reversed_order(spelling))]
    *given, surname = variants.tokens(name)
    return Profile(
        name=name,
        exact=tuple(words(name)),
        reversed=tuple(words(variants.reversed_order(name))),
        given=tuple(words(" ".join(given))),
        surname=tuple(words(surname)),
        variants=frozenset(tuple(words(form)) for form in both),
    )


def occurrences(found, named, limits):
    """(kind, place) of every place where a form of the name starts; the best kind for each place.

    Args:
        found: the folded words of a text.
        named: the name's Profile.
        limits: the rules of labels.json (words_between, letters_for_an_edit).
    """
    heads = _heads(found, named, limits["letters_for_an_edit"])
    size = len(named.exact)
    made = []
    for at, word in enumerate(found):
        if word in heads:
            kind = _kind(tuple(found[at : at + size]), named, limits) or _parted(found, at, named, limits)
            if kind:
                made.append((kind, at))
    return made


def _heads(found, named, least):
    """The words of a text that a form can start with; distinct words are compared once."""
    starts = {form[0] for form in named.variants} | {named.exact[0], named.reversed[0]}
    edges = (named.exact[0], named.reversed[0])
    return {word for word in set(found) if word in starts or any(near(word, edge, least) for edge in edges)}


def _kind(window, named, limits):
    for kind, form in ((EXACT, named.exact), (REVERSED, named.reversed)):
        if window == form:
            return kind
    if window in named.variants:
        return VARIANT
    least = limits["letters_for_an_edit"]
    for form in (named.exact, named.reversed):
        if len(window) == len(form) and all(near(a, b, least) for a, b in zip(window, form, strict=True)):
            return NEAR
    return None


def _parted(found, at, named, limits):
    """PARTED where both parts stand in order with few words between, as a middle name does."""
    for first, last in ((named.given, named.surname), (named.surname, named.given)):
        if tuple(found[at : at + len(first)]) != first:
            continue
        for gap in range(1, limits["words_between"] + 1):
            start = at + len(first) + gap
            if tuple(found[start : start + len(last)]) == last:
                return PARTED
    return None


def near(word, other, least):
    """Whether two words are equal or one edit apart; words of fewer than `least` letters must be equal."""
    if word == other:
        return True
    if min(len(word), len(other)) < least or abs(len(word) - len(other)) > 1:
        return False
    at = 0
    while at < min(len(word), len(other)) and word[at] == other[at]:
        at += 1
    rest, other_rest = word[at:], other[at:]
    return rest[1:] == other_rest[1:] or rest[1:] == other_rest or rest == other_rest[1:]
