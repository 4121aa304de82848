"""Neighbour search beside rapidfuzz cdist and symspellpy, on real names and entities; and its growth."""

import numpy as np

from build import draws, lexicons
from build.neighbours import neighbours
from perf import timing

BAR = 10
NAMES, ENTITIES = 300_000, 10_000
CHUNK = 2_000


def measure(root, rounds=1):
    """Lines with the ratios to both peers and the growth over 1, 10 and 100 times the names."""
    names, entities = samples(root)
    found = neighbours(names, entities)
    expected = by_cdist(names, entities)
    if {(n, e) for n, near in found.items() for e in near} != expected:
        raise AssertionError("the two searches disagree")
    size = f"neighbours of {len(names):,} names among {len(entities):,} entities"
    yield timing.line(
        size,
        "rapidfuzz cdist, one worker",
        timing.ratio(lambda: neighbours(names, entities), lambda: by_cdist(names, entities), rounds),
        BAR,
    )
    yield timing.line(
        size,
        "symspellpy",
        timing.ratio(lambda: neighbours(names, entities), lambda: by_symspell(names, entities), rounds),
        1,
    )
    for share in (100, 10, 1):
        some = names[::share]
        spent = timing.seconds(lambda some=some: neighbours(some, entities[::share]))  # noqa: B023
        yield f"growth: {len(some):,} names among {len(entities[::share]):,} entities in {spent:.3f} s"


def samples(root):
    """Real names and real one-word entities, distinct, in keyed order."""
    names = lexicons.read(root, "names").column("folded").to_pylist()
    entities = {e for e in lexicons.read(root, "entities").column("folded").to_pylist() if " " not in e}
    picked = draws.ranked(entities, 0, "perf", "entities")[:ENTITIES]
    return draws.ranked(names, 0, "perf", "names")[:NAMES], picked


def by_cdist(names, entities):
    """Pairs at distance 1 by rapidfuzz's distance matrix, in chunks of rows."""
    from rapidfuzz import process
    from rapidfuzz.distance import Levenshtein

    pairs = set()
    for at in range(0, len(names), CHUNK):
        some = names[at : at + CHUNK]
        matrix = process.cdist(some, entities, scorer=Levenshtein.distance, score_cutoff=1, dtype=np.uint8, workers=1)
        pairs.update((some[row], entities[column]) for row, column in zip(*np.nonzero(matrix == 1), strict=True))
    return pairs


def by_symspell(names, entities):
    """Pairs within one Damerau-Levenshtein edit by symspellpy; it counts transpositions, which we do not."""
    from symspellpy import SymSpell, Verbosity

    index = SymSpell(max_dictionary_edit_distance=1, prefix_length=7)
    for entity in entities:
        index.create_dictionary_entry(entity, 1)
    return {
        (name, found.term)
        for name in names
        for found in index.lookup(name, Verbosity.ALL, max_edit_distance=1)
        if found.distance == 1
    }
