"""Templates of a split, and which member goes into which of them; for every config that fills templates."""

from functools import cache
from math import gcd

from build import draws
from build.templates import Template, inventory

PER_NAME = 5
TEMPLATES = {"test": 20, "validation": 5}
VALIDATION_SECONDS = 5


@cache
def templates(config, name_type, split, seed, admitted=None):
    """The templates of one type in one split, as a tuple; test and validation share no sentence.

    First sentences (those whose ids are in `admitted`, if given) and second ones are ranked by keyed hash;
    validation takes the firsts after those of test, and the first few seconds, which test leaves to it.
    """
    parts = inventory(config, name_type)
    passed = [part for part in parts["firsts"] if admitted is None or part["id"] in admitted]
    firsts = draws.ranked(passed, seed, config, "firsts", name_type, by=_id)
    seconds = draws.ranked(parts["seconds"], seed, config, "seconds", name_type, by=_id)
    in_test = TEMPLATES["test"]
    if split == "test":
        firsts, seconds = firsts[:in_test], seconds[VALIDATION_SECONDS:]
    else:
        firsts, seconds = firsts[in_test : in_test + TEMPLATES[split]], seconds[:VALIDATION_SECONDS]
    return tuple(_template(first, seconds[place % len(seconds)]) for place, first in enumerate(firsts))


def _id(part):
    return part["id"]


def _template(first, second):
    return Template(f"{first['id']}+{second['id']}", first["text"], second["text"])


def deal(config, members, offered, split, seed):
    """Yield (template, member): each member in five templates of its type.

    Within a stratum and type, members are ranked by keyed hash and served in rounds; a round passes each
    template once, in a cyclic order of its own, so that template counts differ by at most 1.

    Args:
        members: objects with stratum, name_type and name.
        offered: gives the templates of a type.
    """
    groups = {}
    for member in members:
        groups.setdefault((member.stratum, member.name_type), []).append(member)
    for (stratum, name_type), group in sorted(groups.items()):
        found = offered(name_type)
        ranked = draws.ranked(group, seed, config, "deal", split, stratum, name_type, by=lambda member: member.name)
        in_a_round = len(found) // PER_NAME
        for place, member in enumerate(ranked):
            number, turn = divmod(place, in_a_round)
            order = _cyclic(len(found), seed, config, split, stratum, name_type, number)
            for at in order[turn * PER_NAME : (turn + 1) * PER_NAME]:
                yield found[at], member


@cache
def _cyclic(size, seed, config, *key):
    """0 … size - 1 from a keyed start in steps of a keyed stride that is coprime to the size."""
    stream = draws.Stream(seed, config, "cycle", *key)
    stride = stream.choice([step for step in range(1, size) if gcd(step, size) == 1])
    start = stream.below(size)
    return tuple((start + stride * turn) % size for turn in range(size))
