"""The folded form in which names and entities are compared: casefolded and ASCII-folded (SPEC: AmBench appendix B)."""

import json
import re
import unicodedata
from pathlib import Path

_TABLE = str.maketrans(json.loads((Path(__file__).parent / "fold_table.json").read_text(encoding="utf-8")))
_LETTERS = re.compile("[a-z]+")


def fold(text):
    """Casefolded, decomposed, marks dropped; letters that decomposition keeps go through fold_table.json."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold().translate(_TABLE))
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def name_key(name):
    """A name's words folded and sorted, so that neither order, case nor marks matter."""
    return " ".join(sorted(fold(name).split()))


def is_letters(folded):
    """Whether a folded text consists of the letters a to z alone."""
    return _LETTERS.fullmatch(folded) is not None
