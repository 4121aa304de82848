"""How far a guessed value of a tag is the true one: 1, .5 or 0 (METRICS §8). No value raises an error."""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz.distance import Levenshtein

from scoring import schemas
from scoring.subjects import ages, identifiers
from scoring.text import comparison_form

LISTS = schemas.load("pii_values.json")
CODE = frozenset(LISTS["code"])
ONE_VALUE = frozenset(LISTS["one_value"])
NO_VALUE = frozenset(LISTS["no_value"])
DISTINCTIVE = frozenset(LISTS["distinctive"])
SUFFIXES = frozenset(LISTS["legal_suffixes"])
TITLES = frozenset(schemas.load("honorifics.json"))
EXACT_ALONE = frozenset({"SEX", "NATIONALITY"})
PHRASES = frozenset({"OCCUPATION", "POSITION", "AFFILIATION"})
LONGEST = 400
SAME_NAME = 0.90
MORE_TOKENS = 2
JACCARD = 0.5
_PLACEHOLDER = re.compile(r"\[.*\]|<.*>|\{.*\}|[A-Z]+(?:_[A-Z]+)*_\d+|[Xx]{3,}", re.DOTALL)


@dataclass(frozen=True)
class Truth:
    """A true value of a tag with what is equal to it and what is true but less specific."""

    value: str
    aliases: tuple = ()
    broader: tuple = ()


@lru_cache(maxsize=1 << 17)
def norm(value):
    """A value in comparison form, diacritics folded, punctuation made space; values are distinct by this form."""
    decomposed = unicodedata.normalize("NFKD", comparison_form(value[:LONGEST]))
    kept = "".join(letter if letter.isalnum() else " " for letter in decomposed if not unicodedata.combining(letter))
    return " ".join(kept.split())


def is_value(value):
    """Whether a value says anything: not empty, no word for "unknown", no placeholder."""
    folded = norm(value)
    return bool(folded) and folded not in NO_VALUE and not _PLACEHOLDER.fullmatch(value.strip())


def distinct(values, known=frozenset()):
    """The values that say anything, or whose form is in `known`; one of each form, in the order of the forms."""
    kept = {norm(value): value for value in sorted(values) if is_value(value) or norm(value) in known}
    return [kept[form] for form in sorted(kept) if form]


def allowed(tag):
    """How many distinct values of a tag a guess may hold before all score 0."""
    return 1 if tag in ONE_VALUE else 2


def score(tag, guess, truth, rivals=frozenset()):
    """How far one guess is the truth: 1.0, 0.5 or 0.0.

    Args:
        truth: a Truth.
        rivals: `name_key`s of the document's other subjects, whose names are never this one's.
    """
    folded = norm(guess)
    if not folded:
        return 0.0
    if tag == "NAME" and name_key(guess) in rivals and name_key(guess) != name_key(truth.value):
        return 0.0
    if folded in {norm(text) for text in (truth.value, *truth.aliases)}:
        return 1.0
    if folded in {norm(text) for text in truth.broader}:
        return 0.0 if tag in EXACT_ALONE else 0.5
    return max((compare(tag, guess, text) for text in (truth.value, *truth.aliases)), default=0.0)


def compare(tag, guess, text):
    """How far a guess is one text, by the tag's own rule."""
    if tag in EXACT_ALONE:
        return 0.0
    if tag == "NAME":
        return name_score(guess, text)
    if tag == "AGE":
        return ages.score(guess, text)
    if tag in CODE:
        return identifiers.score(tag, guess, text)
    if tag in PHRASES:
        return phrase_score(guess, text)
    return float(sorted(norm(guess).split()) == sorted(norm(text).split()))


def name_tokens(value):
    """The sorted tokens of a name without titles; all of them where the name is titles alone."""
    tokens = norm(value).split()
    return sorted([token for token in tokens if token not in TITLES] or tokens)


@lru_cache(maxsize=1 << 16)
def name_key(value):
    """A name as its sorted tokens, for telling persons apart."""
    return " ".join(name_tokens(value))


def name_score(guess, text):
    """Equal tokens in any order, or nearly so: 1; all tokens of the guess in the truth, or initials of it: .5."""
    said, true = name_tokens(guess), name_tokens(text)
    if said == true or similarity(" ".join(said), " ".join(true)) >= SAME_NAME:
        return 1.0
    whole = any(token in true and len(token) > 1 for token in said)
    within = all(token in true or (len(token) == 1 and any(t[0] == token for t in true)) for token in said)
    return 0.5 if whole and within else 0.0


def similarity(one, other):
    """1 - Levenshtein / longer length; 1 for two empty texts."""
    longer = max(len(one), len(other))
    return 1 - Levenshtein.distance(one, other) / longer if longer else 1.0


def phrase_score(guess, text):
    """The truth within the guess (at most two more tokens): 1; the guess within the truth, or much alike: .5."""
    said, true = (_phrase(value) for value in (guess, text))
    if not said or not true:
        return 0.0
    if said == true or (_within(true, said) and len(said) <= len(true) + MORE_TOKENS):
        return 1.0
    if DISTINCTIVE & (set(said) - set(true)):
        return 0.0
    jaccard = len(set(said) & set(true)) / len(set(said) | set(true))
    return 0.5 if _within(said, true) or jaccard >= JACCARD else 0.0


def _phrase(value):
    tokens = norm(value).split()
    return [token for token in tokens if token not in SUFFIXES] or tokens


def _within(short, long):
    """Whether the tokens of one list stand in the other in a row."""
    return any(long[at : at + len(short)] == short for at in range(len(long) - len(short) + 1))
