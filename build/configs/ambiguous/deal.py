"""Templates of a split, and which member goes into which of them."""

from functools import cache
from math import gcd

from build import draws
from build.templates import Template, inventory, tagger

CONFIG = "ambiguous_names"
PER_NAME = 5
TEMPLATES = {"test": 20, "validation": 5}
VALIDATION_SECONDS = 5


@cache
def templates(name_type, split, seed):
    """The templates of one type in one split; test and validation share no sentence.

    First sentences that the tagger check admits, and second ones, are ranked by keyed hash; validation
    takes the firsts after those of test, and the first few seconds, which test leaves to it.
    """
    parts = inventory(CONFIG, name_type)
    admitted = tagger.admitted(name_type)
    passed = [part for part in parts["firsts"] if part["id"] in admitted]
    firsts = draws.ranked(passed, seed, CONFIG, "firsts", name_type, by=lambda part: part["id"])
    seconds = draws.ranked(parts["seconds"], seed, CONFIG, "seconds", name_type, by=lambda part: part["id"])
    in_test = TEMPLATES["test"]
    if split == "test":
        firsts, seconds = firsts[:in_test], seconds[VALIDATION_SECONDS:]
    else:
        firsts, seconds = firsts[in_test : in_test + TEMPLATES[split]], seconds[:VALIDATION_SECONDS]
    return tuple(_template(first, seconds[place % len(seconds)]) for place, first in enumerate(firsts))


def _template(first, second):
    return Template(f"{first['id']}+{second['id']}", first["text"], second["text"])


def deal(members, split, seed):
    """Yield (template, member): each member in five templates of its type.

    Within a stratum and type, members are ranked by keyed hash and served in rounds; a round passes each
    template once, in a cyclic order of its own, so that template counts differ by at most 1.
    """
    groups = {}
    for member in members:
        groups.setdefault((member.stratum, member.name_type), []).append(member)
    for (stratum, name_type), group in sorted(groups.items()):
        offered = templates(name_type, split, seed)
        ranked = draws.ranked(group, seed, CONFIG, "deal", split, stratum, name_type, by=lambda member: member.name)
        in_a_round = len(offered) // PER_NAME
        for place, member in enumerate(ranked):
            number, turn = divmod(place, in_a_round)
            order = _cyclic(len(offered), seed, split, stratum, name_type, number)
            for at in order[turn * PER_NAME : (turn + 1) * PER_NAME]:
                yield offered[at], member


@cache
def _cyclic(size, seed, *key):
    """0 … size - 1 from a keyed start in steps of a keyed stride that is coprime to the size."""
    stream = draws.Stream(seed, CONFIG, "cycle", *key)
    stride = stream.choice([step for step in range(1, size) if gcd(step, size) == 1])
    start = stream.below(size)
    return tuple((start + stride * turn) % size for turn in range(size))
