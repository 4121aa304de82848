"""How name-like a string is: bits per character under a Witten-Bell character 5-gram (PUN §6.3, A.8).

The paper trains an LSTM; an interpolated 5-gram is the open, exactly reproducible stand-in. Lower is more name-like.
It is a measure of form alone and says nothing about evidence.
"""

import unicodedata
from collections import Counter, defaultdict
from math import log2

ORDER = 5
START, END = "^", "$"


def grams(name):
    """The 5-grams of a name, one for each character and the end; casefolded NFC, padded with "^", closed by "$"."""
    text = START * (ORDER - 1) + unicodedata.normalize("NFC", name).casefold() + END
    return [text[at - ORDER + 1 : at + 1] for at in range(ORDER - 1, len(text))]


class CharModel:
    """Interpolated Witten-Bell: P(c|h) = (count(hc) + T(h) P(c|h')) / (count(h) + T(h)), h' being h less its first.

    T(h) is the number of distinct characters seen after h; the empty context backs off to a uniform distribution over
    the characters seen, and one more for all that were not.

    Args:
        counts: dict from 5-gram to how often it was seen.
    """

    def __init__(self, counts):
        self._seen, self._total, self._kinds = Counter(), Counter(), defaultdict(int)
        for gram, count in counts.items():
            for at in range(ORDER):
                self._seen[gram[at:]] += count
                self._total[gram[at:-1]] += count
        for gram in self._seen:
            self._kinds[gram[:-1]] += 1
        self._uniform = 1 / (self._kinds[""] + 1)

    def probability(self, gram):
        """P(last character | the ones before it)."""
        found = self._uniform
        for at in range(ORDER - 1, -1, -1):
            context = gram[at:-1]
            total, kinds = self._total.get(context, 0), self._kinds.get(context, 0)
            if total:
                found = (self._seen.get(gram[at:], 0) + kinds * found) / (total + kinds)
        return found

    def bits_per_character(self, name):
        """Mean bits over the characters of a name and its end."""
        found = grams(name)
        return -sum(log2(self.probability(gram)) for gram in found) / len(found)
