"""How many people in the United States can be expected to bear a full name, if its parts were independent."""

from build import lexicons
from build.fold import fold

PLACES = 4


class Bearers:
    """Expected bearers = N × share(given) × share(surname) = given_count × surname_count / N.

    Counts are the Census's and SSA's; a word that neither lists counts as borne by fewer than they report, and so as
    0. N is the sum of the surname counts. The estimate is rough: parts of names are not independent, and the sources
    know the United States alone.

    Args:
        given, surname: dicts from folded word to count.
    """

    def __init__(self, given, surname):
        self._given, self._surname = given, surname
        self._population = sum(surname.values())

    @classmethod
    def load(cls, root):
        """From the lexicon `names`."""
        table = lexicons.read(root, "names").select(["folded", "given_count", "surname_count"]).to_pydict()
        counts = [
            {word: count for word, count in zip(table["folded"], table[column], strict=True) if count}
            for column in ("given_count", "surname_count")
        ]
        return cls(*counts)

    def count(self, word):
        """The larger of a word's two counts; 0 where neither source lists it."""
        folded = fold(word)
        return max(self._given.get(folded, 0), self._surname.get(folded, 0))

    def expected(self, given, surname):
        """Expected bearers of a full name, rounded to 4 places."""
        product = self._given.get(fold(given), 0) * self._surname.get(fold(surname), 0)
        return round(product / self._population, PLACES) if self._population else 0.0
