"""Invented bodies, and what addresses are made of: no known company's name, and kinds that tell no trade."""

from functools import cache

from build import lexicons
from build.fold import fold
from build.subjects import data


class Organisations:
    """Draws the names of bodies that nobody bears.

    Args:
        root: the repository, for its exclusion lexicon.
    """

    def __init__(self, root):
        self._excluded = excluded(root)

    def draw(self, stream):
        """A name such as "Velmar Trust" that is in no list."""
        found = data.load("organisations")
        while True:
            stem = stream.choice(found["heads"]) + stream.choice(found["tails"])
            if fold(stem) not in self._excluded:
                return f"{stem} {stream.choice(found['kinds'])}"


@cache
def excluded(root):
    """Folded words, places, companies and names of things that no invented body may bear."""
    return frozenset(lexicons.read(root, "exclusion").column("folded").to_pylist())


def domain(org):
    """The mail domain of a body, below the reserved top level `example`."""
    return f"{fold(org).replace(' ', '-')}.example"
