"""The rules of a validation run, read from `data/*.json`: terms, domains, cues, variants, caps, queries, settings."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

from build.errors import BuildError
from build.fold import fold

DATA = Path(__file__).parent / "data"
CANARY = Path(__file__).parent.parent / "canary.txt"
_WORD = re.compile(r"[^\W_]+")


def words(text):
    """The words of a text in folded form: runs of letters and digits, so that hyphens and apostrophes part them."""
    return _WORD.findall(fold(text))


@dataclass(frozen=True, eq=False)
class Rules:
    """Rules ready for use. `data` holds the files as they are, by stem; phrases are tuples of folded words."""

    data: dict
    person_terms: frozenset
    panel_cues: frozenset
    domains: tuple
    types: dict
    canary: str

    @property
    def order(self):
        """The query types in the paper's order (table 7)."""
        return list(self.types)

    def settings(self, provider):
        """The settings of a provider; {} for one that has none."""
        return self.data["providers"].get(provider, {})


def load(folder=DATA):
    """Rules from a folder of JSON files. Raises BuildError when a file is missing or is no JSON."""
    try:
        data = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(Path(folder).glob("*.json"))}
    except ValueError as error:
        raise BuildError(f"{folder}: a rule file is no JSON ({error})") from error
    return from_data(data, CANARY.read_text(encoding="utf-8").strip())


def from_data(data, canary=""):
    """Rules from the contents of the files, by stem. Raises BuildError for a part that is missing."""
    try:
        terms = [term for lang, listed in data["person_terms"].items() if lang != "source" for term in listed]
        return Rules(
            data=data,
            person_terms=frozenset(tuple(words(term)) for term in terms),
            panel_cues=frozenset(tuple(words(cue)) for cue in data["panel_cues"]["cues"]),
            domains=tuple(data["domains"]["domains"]),
            types={entry["type"]: entry for entry in data["queries"]["types"]},
            canary=canary,
        )
    except KeyError as error:
        raise BuildError(f"the rules lack {error}") from error
