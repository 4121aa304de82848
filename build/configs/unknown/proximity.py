"""Known names altered at twelve distances, d1 the closest (PUN §4.3, A.7). The plan of each distance is data."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rapidfuzz.distance import Levenshtein

from build import draws
from build.fold import fold

PLAN = Path(__file__).parent / "strategies.json"
LEVELS = tuple(range(1, 13))
CLOSE = (1, 2)
TRIES = 60
GIVEN, SURNAME = 0, 1


@dataclass(frozen=True)
class Altered:
    """An altered name; the distance is Levenshtein's in casefolded letters, normalised by the longer length."""

    name: str
    level: int
    source_name: str
    strategy: str
    edit_distance: int
    normalised: float
    donor_parts: tuple


@cache
def plan():
    """The strategies, suffixes and sounds."""
    return json.loads(PLAN.read_text(encoding="utf-8"))


def rounds(level, sources, donors, seed, refused):
    """Yield Altered, all distinct, in rounds of one a source, until a round finds none; arguments as for `altered`."""
    taken, turn, found = set(), 0, [None]
    while found:
        found = altered(level, sources, donors, seed, refused, taken, turn)
        yield from found
        turn += 1


def altered(level, sources, donors, seed, refused, taken=None, turn=0):
    """One Altered a source, all distinct; a source for which no try serves is left out.

    Args:
        sources, donors: known names of two words.
        refused: says whether a name may not be used (it is someone's, or was drawn before).
        taken: folded names of earlier rounds, added to.
        turn: the round's number, from 0.
    """
    made, taken = [], set() if taken is None else taken
    for source in sources:
        stream = draws.Stream(seed, "unknown_names", "proximity", level, source, *([turn] if turn else []))
        for _ in range(TRIES):
            one = alter(source, level, stream, donors)
            if one and fold(one.name) not in taken and not refused(one.name):
                taken.add(fold(one.name))
                made.append(one)
                break
    return made


def alter(source, level, stream, donors):
    """One alteration of a name at a level, or None when the draw changes nothing or leaves too little."""
    words, parts = [word.casefold() for word in source.split()], []
    names = stream.choice(plan()["levels"][str(level)])
    for name in names:
        words = _EDITS[name](words, stream, donors, parts)
    name = " ".join(word[:1].upper() + word[1:] for word in words)
    if fold(name) == fold(source) or min(map(len, words)) < 2:
        return None
    distance = Levenshtein.distance(source.casefold(), name.casefold())
    share = round(distance / max(len(source), len(name)), 4)
    return Altered(name, level, source, "+".join(names), distance, share, tuple(parts))


def _swap(words, stream, offered):
    places = [(at, place) for at, word in enumerate(words) for place, letter in enumerate(word) if letter in offered]
    if not places:
        return words
    at, place = stream.choice(places)
    letter = stream.choice([other for other in offered[words[at][place]] if other != words[at][place]])
    return _put(words, at, words[at][:place] + letter + words[at][place + 1 :])


def _put(words, at, word):
    return [word if place == at else other for place, other in enumerate(words)]


def _swap_vowel(words, stream, donors, parts):
    return _swap(words, stream, dict.fromkeys(plan()["vowels"], plan()["vowels"]))


def _swap_consonant(words, stream, donors, parts):
    return _swap(words, stream, plan()["consonants"])


def _place(words, stream):
    """A word and a place in it, not its first letter."""
    at = stream.below(2)
    return at, 1 + stream.below(len(words[at]) - 1) if len(words[at]) > 1 else 0


def _drop_letter(words, stream, donors, parts):
    at, place = _place(words, stream)
    return _put(words, at, words[at][:place] + words[at][place + 1 :])


def _double_letter(words, stream, donors, parts):
    at, place = _place(words, stream)
    return _put(words, at, words[at][:place] + words[at][place] + words[at][place:])


def _abbreviate(words, stream, donors, parts):
    given = words[GIVEN]
    return _put(words, GIVEN, given[: 3 + stream.below(2)] if len(given) > 4 else given)


def _short_suffix(words, stream, donors, parts):
    at = stream.below(2)
    suffix = stream.choice(plan()["given_suffixes" if at == GIVEN else "surname_suffixes"])
    return _put(words, at, words[at] + suffix)


def _donor(stream, donors, at):
    return stream.choice(donors).split()[at].casefold()


def _halves(word):
    middle = (len(word) + 1) // 2
    return word[:middle], word[middle:]


def _donor_end(at):
    def edit(words, stream, donors, parts):
        end = _halves(_donor(stream, donors, at))[1]
        parts.append(end)
        return _put(words, at, _halves(words[at])[0] + end)

    return edit


def _fragment(word, stream):
    size = max(2, min(4, len(word) // 2 + stream.below(2)))
    start = stream.below(len(word) - size + 1) if len(word) > size else 0
    return word[start : start + size]


def _fragments(at):
    def edit(words, stream, donors, parts):
        donor = _fragment(_donor(stream, donors, SURNAME - at), stream)
        parts.append(donor)
        return _put(words, at, _fragment(words[at], stream) + donor)

    return edit


def _scramble_surname(words, stream, donors, parts):
    return _put(words, SURNAME, "".join(stream.shuffled(words[SURNAME])))


def _scramble_both(words, stream, donors, parts):
    return ["".join(stream.shuffled(word)) for word in words]


def _insert_letters(words, stream, donors, parts):
    letters = sorted(plan()["consonants"])
    for at in (GIVEN, SURNAME):
        place = stream.below(len(words[at]) + 1)
        words = _put(words, at, words[at][:place] + stream.choice(letters) + stream.choice(letters) + words[at][place:])
    return words


_EDITS = {
    "swap_vowel": _swap_vowel,
    "swap_consonant": _swap_consonant,
    "drop_letter": _drop_letter,
    "double_letter": _double_letter,
    "abbreviate": _abbreviate,
    "short_suffix": _short_suffix,
    "donor_given_end": _donor_end(GIVEN),
    "donor_surname_end": _donor_end(SURNAME),
    "fragment_given": _fragments(GIVEN),
    "fragment_surname": _fragments(SURNAME),
    "scramble_surname": _scramble_surname,
    "scramble_both": _scramble_both,
    "insert_letters": _insert_letters,
}
