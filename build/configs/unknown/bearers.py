"""How many people in the United States can be expected to bear a full name, if its parts were independent."""

from build import lexicons
from build.fold import fold

PLACES = 4


class Bearers:
    """Expected bearers = N × P(given) × P(surname), a number of persons in the United States.

    P(given) is a word's share of all given-name counts, P(surname) of all surname counts; N is the sum of the surname
    counts, persons whom the Census counted under a listed surname. Given-name counts are of births and census entries
    and come to another sum, so each share has its own. A word that neither source lists is borne by fewer than they
    report and counts as 0: 0 means fewer than can be told, not none. The estimate is rough: parts of names are not
    independent, and the sources know the United States alone.

    Args:
        given, surname: dicts from folded word to count.
    """

    def __init__(self, given, surname):
        self._given, self._surname = given, surname
        self._all_given = sum(given.values())

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
        # N cancels against the surnames' sum, which it is
        product = self._given.get(fold(given), 0) * self._surname.get(fold(surname), 0)
        return round(product / self._all_given, PLACES) if product else 0.0
