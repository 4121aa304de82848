"""Templates of a split, and which member goes into which of them; for every config that fills templates."""

from functools import cache, lru_cache
from math import gcd

from build import draws
from build.errors import BuildError
from build.templates import Template, inventory

PER_NAME = 5
TEMPLATES = {"test": 20, "validation": 5}
VALIDATION_SECONDS = 5
ROUNDS_KEPT = 8


@cache
def templates(config, name_type, split, seed, admitted=None, scale=1):
    """The templates of one type in one split, as a tuple; test and validation share no sentence.

    First sentences (those whose ids are in `admitted`, if given) and second ones are ranked by keyed hash;
    validation takes the firsts after those of test, and the first few seconds, which test leaves to it. At a scale K
    test has 20 K templates, or where there are too few pairs of sentences the largest multiple of 5 K that there is.

    Raises:
        BuildError: when the pairs of sentences do not suffice for the scale; it names the largest that works.
    """
    parts = inventory(config, name_type)
    passed = [part for part in parts["firsts"] if admitted is None or part["id"] in admitted]
    firsts = draws.ranked(passed, seed, config, "firsts", name_type, by=_id)
    seconds = draws.ranked(parts["seconds"], seed, config, "seconds", name_type, by=_id)
    end = TEMPLATES["test"] + TEMPLATES["validation"]
    if split == "validation":
        count, firsts, seconds = TEMPLATES[split], firsts[TEMPLATES["test"] : end], seconds[:VALIDATION_SECONDS]
    else:
        firsts, seconds = firsts[: TEMPLATES["test"]] + firsts[end:], seconds[VALIDATION_SECONDS:]
        count = _count(f"{config}, {name_type}", len(firsts) * len(seconds), scale)
    return tuple(_pairs(firsts, seconds, count))


def _count(what, possible, scale):
    """How many templates test has: 20 a unit of scale, fewer where there are no more pairs of sentences."""
    per_name = PER_NAME * scale
    if possible < per_name:
        largest = possible // PER_NAME
        raise BuildError(f"{what}: {possible} pairs of sentences are too few for --scale {scale}; at most {largest}")
    return per_name * min(TEMPLATES["test"] // PER_NAME, possible // per_name)


def _pairs(firsts, seconds, count):
    """`count` templates, none twice: each pass over the firsts joins them with the seconds one place further on."""
    for place in range(count):
        turn, at = divmod(place, len(firsts))
        yield _template(firsts[at], seconds[(at + turn) % len(seconds)])


def _id(part):
    return part["id"]


def _template(first, second):
    return Template(f"{first['id']}+{second['id']}", first["text"], second["text"])


def deal(config, members, offered, split, seed, per_name=PER_NAME):
    """Yield (template, member): each member in `per_name` templates of its type.

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
        in_a_round = len(found) // per_name
        for place, member in enumerate(ranked):
            number, turn = divmod(place, in_a_round)
            order = _cyclic(len(found), seed, config, split, stratum, name_type, number)
            for at in order[turn * per_name : (turn + 1) * per_name]:
                yield found[at], member


@lru_cache(maxsize=ROUNDS_KEPT)
def _cyclic(size, seed, config, *key):
    """0 … size - 1 from a keyed start in steps of a keyed stride that is coprime to the size."""
    stream = draws.Stream(seed, config, "cycle", *key)
    stride = stream.choice([step for step in range(1, size) if gcd(step, size) == 1])
    start = stream.below(size)
    return tuple((start + stride * turn) % size for turn in range(size))
