"""The form lint of phrase inventories: what every authored sentence must be, whatever it says."""

import re

from build.templates import MASK

REFERENCE = {
    "location": re.compile(r"\bshe\b", re.IGNORECASE),
    "organization": re.compile(r"\bthe manager\b", re.IGNORECASE),
    "mineral": re.compile(r"\bthe subject\b", re.IGNORECASE),
    "bacteria": re.compile(r"\bthe subject\b", re.IGNORECASE),
    "syndrome": re.compile(r"\bthe subject\b", re.IGNORECASE),
}
_PLURAL_OR_NEUTER = {"it", "its", "itself", "they", "them", "their", "theirs", "themselves"}
_GENDERED = {"he", "him", "his", "she", "her", "hers", "himself", "herself"}
_CAPITAL = re.compile(r"\b[A-Z]\w*")
_WORD = re.compile(r"\[mask\]|[a-z'-]+")
WORDS_IN_A_ROW = 4


def first_faults(text):
    """What is wrong with the form of a first sentence; empty when nothing is."""
    faults = _sentence_faults(text, 4, 16)
    if text.count(MASK) != 1 or text.startswith(MASK):
        faults.append("holds the mask not once, or begins with it")
    if not text.startswith("I "):
        faults.append("is not in the first person")
    if set(_CAPITAL.findall(text.replace(MASK, ""))) - {"I"}:
        faults.append("has a capitalised word that could be read as a name")
    if (_PLURAL_OR_NEUTER | _GENDERED) & set(words(text)):
        faults.append("has a pronoun for the mask")
    return faults


def second_faults(text, name_type):
    """What is wrong with the form of a second sentence of one type; empty when nothing is."""
    faults = _sentence_faults(text, 4, 18)
    if len(REFERENCE[name_type].findall(text)) != 1:
        faults.append("does not refer back once by the type's fixed word")
    forbidden = _PLURAL_OR_NEUTER | (set() if name_type == "location" else _GENDERED)
    if forbidden & set(words(text)):
        faults.append("has another pronoun for the mask")
    if set(_CAPITAL.findall(text)[1:]) - {"I"}:
        faults.append("has a capitalised word that could be read as a name")
    return faults


def _sentence_faults(text, least, most):
    faults = []
    if not text.endswith(".") or any(mark in text[:-1] for mark in '.!?"“”;:'):
        faults.append("is not one plain sentence")
    if not text.isascii() or any(letter.isdigit() for letter in text):
        faults.append("has a digit or a letter outside ASCII")
    if not least <= len(text.split()) <= most:
        faults.append(f"has not {least} to {most} words")
    return faults


def words(text):
    """Lower-case words of a sentence; the mask counts as one."""
    return _WORD.findall(text.lower())


def shared_runs(texts):
    """Pairs of texts that share four words in a row, as a list of (text, text, run)."""
    seen, shared = {}, []
    for text in texts:
        found = words(text)
        runs = {tuple(found[at : at + WORDS_IN_A_ROW]) for at in range(len(found) - WORDS_IN_A_ROW + 1)}
        shared += [(seen[run], text, " ".join(run)) for run in sorted(runs) if run in seen]
        seen.update(dict.fromkeys(runs, text))
    return shared
