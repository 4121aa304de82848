"""Local checks of a candidate, before any validation; each rejection keeps its reason (PUN §4.1, A.1, A.2)."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from build.fold import fold, is_letters
from build.person_index import index_hash

LIMITS = Path(__file__).parent / "limits.json"
PARTS = 2
COMMON, SOURCE = "a common name", "a source person's name"


@cache
def limits():
    """The limits and lists of the checks."""
    return json.loads(LIMITS.read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Facts:
    """What the checks look up: words and entities, bearers of single names, attested full names of two words (index)
    and hashes of component pairs in longer ones."""

    excluded: frozenset
    bearers: object
    index: object
    pairs: frozenset = frozenset()

    def attested(self, name):
        """Whether a source person bears both words of a name."""
        return self.index.contains(name) or index_hash(*name.split()) in self.pairs


def part_reason(word, facts):
    """Why a word cannot be a part of a candidate, or None."""
    folded, bounds = fold(word), limits()
    if not is_letters(folded) or not word.isalpha():
        return "not Latin letters alone"
    if len(word) < bounds["shortest_part"]:
        return "shorter than six letters"
    if folded in bounds["titles"] or folded in bounds["suffixes"]:
        return "a title or suffix"
    if folded in facts.excluded:
        return "a word or a thing"
    if facts.bearers.count(word) > bounds["common_above"]:
        return COMMON
    return None


def name_reason(name, facts, allow_source_match=False):
    """Why a name is no candidate, or None. Duplicates are the sampler's to find."""
    parts = name.split()
    if len(parts) != PARTS:
        return "not two words"
    if len(name) > limits()["longest_name"]:
        return "longer than sixty characters"
    for part in parts:
        reason = part_reason(part, facts)
        if reason:
            return reason
    if fold(parts[0]) == fold(parts[1]):
        return "the same word twice"
    if not allow_source_match and facts.attested(name):
        return SOURCE
    return None
