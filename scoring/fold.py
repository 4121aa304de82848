"""The folded form of names, entities and values: casefolded and ASCII-folded (AmBench appendix B)."""

import re
import unicodedata

from scoring import schemas

_TABLE = str.maketrans(schemas.load("fold_table.json"))
_LETTERS = re.compile("[a-z]+")


def fold(text):
    """Casefolded, decomposed, marks dropped; letters that decomposition keeps go through fold_table.json."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold().translate(_TABLE))
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def is_letters(folded):
    """Whether a folded text consists of the letters a to z alone."""
    return _LETTERS.fullmatch(folded) is not None
