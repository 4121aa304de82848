"""Neighbour search beside rapidfuzz cdist and symspellpy, on real names and entities; and its growth."""

import numpy as np

from build import draws, lexicons
from build.neighbours import neighbours
from perf import timing
from perf.bars import beside, growth

OVER_CDIST, OVER_SYMSPELL = 10, 1
NAMES, ENTITIES = 300_000, 10_000
CHUNK = 2_000


def bars(root, *, quick=False):
    """The ratios to both peers and the growth over 1, 10 and 100 times the names.

    Raises RuntimeError when our search and the distance matrix disagree.
    """
    names, entities = samples(root, *((3_000, 1_000) if quick else (NAMES, ENTITIES)))
    found = neighbours(names, entities)
    if {(n, e) for n, near in found.items() for e in near} != by_cdist(names, entities):
        raise RuntimeError("the two searches disagree")
    what = f"neighbours of {len(names):,} names among {len(entities):,} entities"
    peers = {
        "rapidfuzz cdist, one worker": (by_cdist, OVER_CDIST, 1),
        "symspellpy": (by_symspell, OVER_SYMSPELL, 5),
    }
    for peer, (search, least, rounds) in peers.items():
        measured = timing.ratio(
            lambda: neighbours(names, entities), lambda search=search: search(names, entities), rounds
        )
        yield beside(what, peer, measured, least)
    if not quick:
        parts = [(names[::share], entities[::share]) for share in (100, 10, 1)]
        yield growth("neighbours", [timing.seconds(lambda part=part: neighbours(*part)) for part in parts])


def samples(root, names, entities):
    """So many real names and real one-word entities, distinct, in keyed order."""
    known = lexicons.read(root, "names").column("folded").to_pylist()
    near = {e for e in lexicons.read(root, "entities").column("folded").to_pylist() if " " not in e}
    return draws.ranked(known, 0, "perf", "names")[:names], draws.ranked(near, 0, "perf", "entities")[:entities]


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
