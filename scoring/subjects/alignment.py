"""Alignment of two lists of words (METRICS §8): fewest edits, then fewest sensitive words kept, then most others.

Words are inserted, deleted and replaced at one edit each. The three aims are one whole number, so the rule is exact.
"""

import numpy as np
from rapidfuzz.distance import Levenshtein

MOST_CELLS = 1 << 25  # 256 MiB of whole numbers; no text of a release comes near it
FOREIGN = 1
FAR = np.iinfo(np.int64).max // 4


def encode(original, other):
    """Two lists of words as strings of one character a word, equal words alike: what rapidfuzz and `in` take.

    Words that the original lacks are all one character, so that no text has more of them than there are characters.
    """
    numbers = {word: number for number, word in enumerate(dict.fromkeys(original), 2)}
    codes = "".join([chr(numbers[word]) for word in original])
    return codes, "".join([chr(numbers.get(word, FOREIGN)) for word in other])


def align(original, other, sensitive):
    """Which words of the original stand where in the other text.

    Args:
        original, other: as `encode` gives them.
        sensitive: boolean array over the original's words.

    Returns:
        Array of shape (words of the original,): the index in `other`, or -1 for a word that is not aligned. What goes
        beyond MOST_CELLS is not aligned, so that no text asks for endless memory.
    """
    places = np.full(len(original), -1, dtype=np.int64)
    if original == other:
        return np.arange(len(original))
    if not original or not other:
        return places
    other = other[: max(MOST_CELLS // len(original), 1)]
    head, tail = _safe_ends(original, other, sensitive)
    places[:head] = np.arange(head)
    places[len(original) - tail :] = np.arange(len(other) - tail, len(other))
    middle = slice(head, len(original) - tail)
    found = _middle(original[middle], other[head : len(other) - tail], sensitive[middle])
    places[middle] = np.where(found < 0, -1, found + head)
    return places


def _safe_ends(original, other, sensitive):
    """Lengths of the equal heads and tails without a sensitive word.

    Aligning them is never worse: whatever else one of their words were aligned with can be exchanged for its equal
    at the end, at no more edits, with no sensitive word more and no other fewer.
    """
    least = min(len(original), len(other))
    head = 0
    while head < least and original[head] == other[head] and not sensitive[head]:
        head += 1
    tail = 0
    while tail < least - head and original[-1 - tail] == other[-1 - tail] and not sensitive[-1 - tail]:
        tail += 1
    return head, tail


def _middle(original, other, sensitive):
    if not original or not other:
        return np.full(len(original), -1, dtype=np.int64)
    edits = Levenshtein.distance(original, other)
    surplus = len(other) - len(original)
    slack = (edits - abs(surplus)) // 2
    deletions = slack + max(-surplus, 0)
    codes = [np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32) for text in (original, other)]
    table, gains = _table(*codes, sensitive, deletions, slack + max(surplus, 0))
    return _walk(table, gains, *codes, deletions)


def _table(original, other, sensitive, deletions, insertions):
    """Costs of the best alignment of each pair of heads, within the band that `edits` edits can reach.

    Row i, column w stands for i words of the original and j = i + w - deletions of the other. To make a row few
    operations, (i + w) edits are taken off each cost: to replace or to insert then costs nothing, to delete one edit.
    """
    size, width = len(original), deletions + insertions + 1
    weight = min(size, len(other)) + 1
    edit = weight * weight
    gains = np.where(sensitive, edit - weight, edit + 1)
    padded = np.concatenate([np.zeros(deletions, np.uint32), other, np.zeros(insertions + size, np.uint32)])
    table = np.empty((size + 1, width), dtype=np.int64)
    table[0] = -deletions * edit
    table[0, :deletions] = FAR
    deleted = np.full(width, FAR)
    for i in range(size):
        before, row = table[i], table[i + 1]
        np.multiply(padded[i : i + width] == original[i], -gains[i], out=row)
        np.add(row, before, out=row)
        np.add(before[1:], edit, out=deleted[:-1])
        np.minimum(row, deleted, out=row)
        np.minimum.accumulate(row, out=row)
    return table, gains


def _walk(table, gains, original, other, deletions):
    """Back through the table: the index in `other` of each word of the original, -1 where there is none.

    Of equal alignments the one that pairs words before it inserts, and inserts before it deletes, from the end on.
    """
    places = np.full(len(original), -1, dtype=np.int64)
    i, w = len(original), len(other) - len(original) + deletions
    while i > 0:
        j = i + w - deletions
        same = j > 0 and original[i - 1] == other[j - 1]
        if j > 0 and table[i, w] == table[i - 1, w] - (gains[i - 1] if same else 0):
            i -= 1
            if same:
                places[i] = j - 1
        elif w and table[i, w] == table[i, w - 1]:
            w -= 1
        else:
            i, w = i - 1, w + 1
    return places
