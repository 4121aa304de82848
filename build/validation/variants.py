"""Spellings that a name is also searched under: reversed, ASCII-folded, one vowel or one sound edited (PUN, A.4)."""

import unicodedata

from build.errors import BuildError
from build.fold import fold
from build.validation.rules import words


def tokens(name):
    """The name's tokens in NFC.

    Raises BuildError for fewer than two, a token without letters, or a double quote, which queries use.
    """
    made = unicodedata.normalize("NFC", name).split()
    if len(made) < 2 or '"' in name or not all(map(words, made)):
        raise BuildError(
            f"{name!r} cannot be validated: a full name has two or more tokens of letters and no double quote"
        )
    return made


def reversed_order(name):
    """The last token first: "Last First"."""
    *given, surname = tokens(name)
    return " ".join([surname, *given])


def ascii_folded(name):
    """The name without diacritics, in its own case: "José Núñez" gives "Jose Nunez"."""
    return " ".join("".join(_plain(letter) for letter in token) for token in tokens(name))


def has_diacritics(name):
    """Whether the ASCII-folded form differs from the name."""
    return ascii_folded(name) != " ".join(tokens(name))


def vowel_variants(name, rules):
    """Names with one vowel, or one vowel pair, exchanged within its group; in order of place, capped, each once."""
    found = []
    for group in rules.data["variants"]["vowel_groups"]:
        found += [(member, other, {}) for member in group for other in group if other != member]
    return _edited(name, found)[: rules.data["caps"]["vowel_variant"]]


def phonetic_variants(name, rules):
    """Names with one sound respelled at one place of one token; in order of place, capped, each once."""
    found = [(rule["from"], rule["to"], rule) for rule in rules.data["variants"]["phonetic_rules"]]
    return _edited(name, found)[: rules.data["caps"]["phonetic_variant"]]


def _plain(letter):
    if letter.isascii():
        return letter
    folded = fold(letter)
    return folded.capitalize() if letter.isupper() else folded


def _edited(name, edits):
    """Every distinct result of one edit (source, target, guards) at one place; never the name itself."""
    text = " ".join(tokens(name))
    plain = [fold(letter) for letter in text]
    starting = {}
    for edit in edits:
        starting.setdefault(edit[0][0], []).append(edit)
    seen, made = {fold(text)}, []
    for at in range(len(text)):
        for source, target, guards in starting.get(plain[at], ()):
            if not _applies(plain, at, source, guards):
                continue
            variant = text[:at] + _cased(target, text[at]) + text[at + len(source) :]
            if fold(variant) not in seen:
                seen.add(fold(variant))
                made.append(variant)
    return made


def _applies(plain, at, source, guards):
    if plain[at : at + len(source)] != list(source):
        return False
    before = plain[at - 1] if at else ""
    after = "".join(plain[at + len(source) : at + len(source) + 1])
    return not (before and before in guards.get("unless_after", "")) and not (
        after and after in guards.get("unless_before", "")
    )


def _cased(target, letter):
    return target.capitalize() if letter.isupper() else target
