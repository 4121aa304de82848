r"""Which words of a document are kept in its anonymised form (METRICS §8; TAB for token and entity recall).

Tokens are `\w+` runs. They are aligned by least edit distance; of equally near alignments the one that keeps the fewest
sensitive tokens is taken, then the one that keeps most others. What moved elsewhere whole, and what was altered by a
letter, is kept.
"""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from scoring.text import WORD, comparison_form

SENSITIVE = ("DIRECT", "QUASI")
EDIT, KEPT_SENSITIVE, KEPT_OTHER = 1 << 32, 1 << 16, -1
SHORTEST_ALTERED = 3


@dataclass(eq=False)
class Tokens:
    """The words of a text in comparison form, where they start and end."""

    words: tuple
    spans: tuple
    text: str

    @cached_property
    def starts(self):
        """Where the words start, in order."""
        return [start for start, _ in self.spans]

    @cached_property
    def ends(self):
        """Where the words end, in order."""
        return [end for _, end in self.spans]


def tokens(text):
    """The Tokens of a text."""
    found = [match.span() for match in WORD.finditer(text)]
    return Tokens(tuple(comparison_form(text[start:end]) for start, end in found), tuple(found), text)


def sensitive(original, entities):
    """Boolean array: which tokens overlap a DIRECT or QUASI span."""
    mask = np.zeros(len(original.words), dtype=bool)
    for entity in entities:
        if entity["identifier_type"] in SENSITIVE:
            mask[within(original, entity)] = True
    return mask


def within(original, entity):
    """The places of the tokens that overlap an entity's span, as a list; tokens lie in text order, apart."""
    first = bisect_right(original.ends, entity["start"])
    last = bisect_left(original.starts, entity["end"])
    return list(range(first, last))


def kept(original, anonymised, entities):
    """Boolean array over the original's tokens: True where the token can be read in the anonymised text.

    Args:
        original, anonymised: Tokens.
        entities: the row's entities.
    """
    mask = sensitive(original, entities)
    partner = align(original.words, anonymised.words, mask)
    found = partner >= 0
    found |= _altered(original, anonymised, partner)
    _moved(original, anonymised, entities, partner, found)
    return found


def align(first, second, mask):
    """For each word of `first` the place of its equal in `second`, or -1, under the best alignment.

    The cost of an alignment is edits (insert, delete, replace: one each), then sensitive words kept, then fewer
    others kept, as one number.
    """
    n, m = len(first), len(second)
    partner = np.full(n, -1)
    if not n or not m:
        return partner
    codes = {word: at for at, word in enumerate(dict.fromkeys((*first, *second)))}
    one, other = (np.array([codes[word] for word in words]) for words in (first, second))
    gain = np.where(mask, KEPT_SENSITIVE, KEPT_OTHER)
    costs = _costs(one, other, gain)
    row, column = n, m
    while row and column:
        here, equal = costs[row, column], one[row - 1] == other[column - 1]
        if here == costs[row - 1, column - 1] + (gain[row - 1] if equal else EDIT):
            row, column = row - 1, column - 1
            if equal:
                partner[row] = column
        elif here == costs[row - 1, column] + EDIT:
            row -= 1
        else:
            column -= 1
    return partner


def _costs(one, other, gain):
    """(n + 1, m + 1) array of the least cost of aligning the first n words with the first m.

    Along a row, inserting from k to j costs j - k edits, so a running minimum of cost - j gives the best start.
    """
    n, m = len(one), len(other)
    steps = np.arange(m + 1, dtype=np.int64) * EDIT
    costs = np.empty((n + 1, m + 1), dtype=np.int64)
    costs[0] = steps
    equal = {code: other == code for code in set(one.tolist())}
    across = np.empty(m, dtype=np.int64)
    for row in range(n):
        above, here = costs[row], costs[row + 1]
        across.fill(EDIT)
        across[equal[int(one[row])]] = gain[row]
        across += above[:-1]
        np.add(above, EDIT, out=here)
        np.minimum(here[1:], across, out=here[1:])
        here -= steps
        np.minimum.accumulate(here, out=here)
        here += steps
    return costs


def _altered(original, anonymised, partner):
    """Boolean array: replaced words whose gap holds them, or a word one edit away."""
    found = np.zeros(len(partner), dtype=bool)
    for start, end, low, high in _gaps(partner, len(anonymised.words)):
        offered = _offered(anonymised, low, high)
        if offered:
            for at in range(start, end):
                found[at] = any(_near(original.words[at], word) for word in offered)
    return found


def _gaps(partner, size):
    """Yield (start, end, low, high): runs of unaligned original words and the anonymised words beside them."""
    anchors = [(-1, -1), *((at, int(p)) for at, p in enumerate(partner) if p >= 0), (len(partner), size)]
    for (one, low), (other, high) in zip(anchors, anchors[1:], strict=False):
        if other - one > 1:
            yield one + 1, other, low + 1, high


def _offered(anonymised, low, high):
    """The words of a gap, and pairs of words that one odd character parts, joined."""
    made = set(anonymised.words[low:high])
    for at in range(low, high - 1):
        between = anonymised.text[anonymised.spans[at][1] : anonymised.spans[at + 1][0]]
        if len(between) == 1 and not between.isspace():
            made.add(anonymised.words[at] + anonymised.words[at + 1])
            made.add(anonymised.words[at] + between + anonymised.words[at + 1])
    return sorted(made)


@lru_cache(maxsize=1 << 16)
def _near(word, other):
    from rapidfuzz.distance import Levenshtein

    if word == other:
        return True
    return len(word) >= SHORTEST_ALTERED and Levenshtein.distance(word, other, score_cutoff=1) <= 1


def _moved(original, anonymised, entities, partner, found):
    """Mark the tokens of mentions that stand whole and contiguous among the unaligned words; changes `found`."""
    taken = set(partner[partner >= 0].tolist())
    free = "\x1f".join("\x00" if at in taken else word for at, word in enumerate(anonymised.words))
    haystack = f"\x1f{free}\x1f"
    for entity in entities:
        places = within(original, entity) if entity["identifier_type"] in SENSITIVE else []
        if places and not found[places].all():
            needle = "\x1f".join(original.words[at] for at in places)
            if f"\x1f{needle}\x1f" in haystack:
                found[places] = True


def masked_entities(original, entities, found, identifier_type):
    """(masked, all) entities of one identifier type: masked if every token of every such mention is."""
    groups = {}
    for entity in entities:
        places = within(original, entity) if entity["identifier_type"] == identifier_type else []
        if places:
            groups.setdefault(entity["entity_id"], []).extend(places)
    return sum(not found[places].any() for places in groups.values()), len(groups)
