r"""Which words of a document are kept in its anonymised form (METRICS §8; TAB for token and entity recall).

Tokens are `\w+` runs of the comparison form. What is aligned, what was altered by a letter, and what moved elsewhere
whole is kept.
"""

from bisect import bisect_left, bisect_right

import numpy as np

from scoring.subjects import alignment, words

SENSITIVE = ("DIRECT", "QUASI")
SHORTEST_ALTERED = 3
LONGEST_ALTERED = 64
_TAKEN = "\0"


def tokens(text):
    """The words.Words of a text."""
    return words.read(text)


def sensitive(original, entities):
    """Boolean array: which tokens overlap a DIRECT or QUASI span."""
    mask = np.zeros(len(original.words), dtype=bool)
    for entity in entities:
        if entity["identifier_type"] in SENSITIVE:
            mask[within(original, entity)] = True
    return mask


def within(original, entity):
    """The places of the tokens that overlap an entity's span, as a slice; tokens lie in text order, apart."""
    return slice(bisect_right(original.ends, entity["start"]), bisect_left(original.starts, entity["end"]))


def kept(original, anonymised, entities):
    """Boolean array over the original's tokens: True where the token can be read in the anonymised text.

    Args:
        original, anonymised: words.Words.
        entities: the row's entities.
    """
    mask = sensitive(original, entities)
    codes = alignment.encode(original.words, anonymised.words)
    partner = alignment.align(*codes, mask)
    found = partner >= 0
    _mark_altered(original, anonymised, partner, found)
    _mark_moved(original, codes, entities, partner, found)
    return found


def _mark_altered(original, anonymised, partner, found):
    """Mark replaced words whose gap holds them, or a word one edit away; changes `found`."""
    for start, end, low, high in _gaps(partner, len(anonymised.words)):
        if low < high:
            near = _Near(_offered(anonymised, low, high))
            for at in range(start, end):
                found[at] = near.holds(original.words[at])


def _gaps(partner, size):
    """Yield (start, end, low, high): runs of unaligned original words and the anonymised words beside them."""
    anchors = [(-1, -1), *((at, int(p)) for at, p in enumerate(partner) if p >= 0), (len(partner), size)]
    for (one, low), (other, high) in zip(anchors, anchors[1:], strict=False):
        if other - one > 1:
            yield one + 1, other, low + 1, high


def _offered(anonymised, low, high):
    """The words of a gap, and those that one odd character each parts, joined: pairs, and whole runs of them."""
    made, run = set(anonymised.words[low:high]), [anonymised.words[low]]
    for at in range(low, high - 1):
        between, after = anonymised.gaps[at], anonymised.words[at + 1]
        if len(between) == 1 and not between.isspace():
            made |= {anonymised.words[at] + after, anonymised.words[at] + between + after}
            run.append(after)
        else:
            made.add("".join(run))
            run = [after]
    return made | {"".join(run)}


class _Near:
    """Words that can be asked for an equal one, or one a single edit away, in time that does not grow with them."""

    def __init__(self, offered):
        self._words = offered
        self._lesser = {shorter for word in offered for shorter in _shorter(word)}
        self._patterns = {pattern for word in offered for pattern in _patterns(word)}

    def holds(self, word):
        """Whether one of them is the word or, for three characters and more, one edit from it."""
        if word in self._words:
            return True
        if len(word) < SHORTEST_ALTERED:
            return False
        if word in self._lesser or not self._words.isdisjoint(_shorter(word)):
            return True
        return not self._patterns.isdisjoint(_patterns(word))


def _shorter(word):
    """The word without each of its characters."""
    return {word[:at] + word[at + 1 :] for at in range(len(word))} if len(word) <= LONGEST_ALTERED else set()


def _patterns(word):
    """The word with each of its characters left open."""
    return {f"{word[:at]}\0{word[at + 1 :]}" for at in range(len(word))} if len(word) <= LONGEST_ALTERED else set()


def _mark_moved(original, codes, entities, partner, found):
    """Mark the tokens of mentions that stand whole and contiguous among the unaligned words; changes `found`."""
    taken = set(partner.tolist())
    free = "".join([_TAKEN if at in taken else code for at, code in enumerate(codes[1])])
    for entity in entities:
        places = within(original, entity)
        if entity["identifier_type"] in SENSITIVE and codes[0][places] and not found[places].all():
            found[places] |= codes[0][places] in free


def masked_entities(original, entities, found, identifier_type):
    """(masked, all) entities of one identifier type: masked if every token of every such mention is."""
    groups = {}
    for entity in entities:
        places = within(original, entity)
        if entity["identifier_type"] == identifier_type and places.start < places.stop:
            groups[entity["entity_id"]] = groups.get(entity["entity_id"], False) or bool(found[places].any())
    return len(groups) - sum(groups.values()), len(groups)
