"""Name components per country, from persons with an article in the English Wikipedia (PUN §5.1, A.1, A.2).

A component is the first or the last word of a person's title. Its country key groups nationality words; it serves
sampling and audit and is never a claim about a name. Which persons bear what is not kept, only how many.
"""

import json
import unicodedata
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from build.fold import fold, is_letters
from build.sources.fetch import plain_pickle
from build.sources.names import person_parts

KEYS = Path(__file__).parent / "country_keys.json"
FEWEST, MOST = 2, 10
LONGEST_SHARE, LARGE_POOL = 5e-5, 40_000
SHORTEST = 6
IN_COUNTRY = 0.5
TIMES_AS_OFTEN_FIRST = 3
AT_MOST, SHARE, HALF = (
    "at most 10 bearers",
    "a share of at most 5e-5 where the pool is large",
    "at least half in one country",
)
ABLATED = {"rarity": (AT_MOST, SHARE), "country share": (HALF,)}
ROLES = ("given", "surname")


@dataclass
class Seen:
    """What the titles say of one folded word in one role."""

    bearers: int = 0
    countries: Counter = field(default_factory=Counter)
    forms: Counter = field(default_factory=Counter)


def country_keys():
    """{nationality word: key} for those that are grouped, and {word: reason} for those that are left out."""
    data = json.loads(KEYS.read_text(encoding="utf-8"))
    keys = {word: key for key, words in data["groups"].items() for word in words}
    left_out = {word: reason for reason, words in data["left_out"].items() for word in words}
    return keys, left_out


def collect(packages):
    """Rows of the lexicons `components` and `ablated_components`, pools (persons per key), attrition (PUN Table 4).

    Attrition is cumulative: per role a list of {filter, left}, how many distinct components each filter leaves, in
    the filters' order. Ablated components are those that pass once the filters of one kind (`without`) are lifted.
    """
    titles = plain_pickle(packages["name2nat"].path("name2nat", "name2nats.pkl").read_bytes())
    seen, pools = tally(titles)
    rows, ablated, attrition = [], [], {}
    for role in ROLES:
        kept, attrition[role] = kept_of(role, seen, pools)
        rows += [_row(role, word, one, seen) for word, one in kept.items()]
        for without, lifted in ABLATED.items():
            more, _ = kept_of(role, seen, pools, lifted)
            only = {word: one for word, one in more.items() if word not in kept}
            ablated += [_row(role, word, one, seen) | {"without": without} for word, one in only.items()]
    return rows, ablated, dict(pools), attrition


def kept_of(role, seen, pools, lifted=()):
    """({folded: Seen} that pass the filters but those `lifted`, [{filter, left}])."""
    kept = dict(seen[role])
    attrition = [{"filter": "raw pool", "left": len(kept)}]
    for reason, passes in filters(role, seen, pools):
        if reason not in lifted:
            kept = {word: one for word, one in kept.items() if passes(word, one)}
            attrition.append({"filter": reason, "left": len(kept)})
    return kept, attrition


def tally(titles):
    """({role: {folded: Seen}}, {key: persons}) over persons of at least one key that is not left out.

    Args:
        titles: dict from a person's title to a list of nationality words.
    """
    keys, left_out = country_keys()
    seen, pools = {role: defaultdict(Seen) for role in ROLES}, Counter()
    for title, nationalities in titles.items():
        countries = {keys.get(word, word) for word in nationalities if word not in left_out}
        parts = person_parts(title)
        if parts:
            pools.update(countries)
        for word, role in parts:
            one = seen[role][fold(word)]
            one.bearers += 1
            one.countries.update(countries)
            one.forms[unicodedata.normalize("NFC", word)] += 1
    return seen, pools


def filters(role, seen, pools):
    """[(reason, passes(folded, Seen))] in the order in which they are applied."""
    firsts, lasts = seen["given"], seen["surname"]

    def mostly_first(word, one):
        return one.bearers >= TIMES_AS_OFTEN_FIRST * (lasts[word].bearers if word in lasts else 0)

    def mostly_last(word, one):
        return one.bearers > (firsts[word].bearers if word in firsts else 0)

    return [
        (f"at least {FEWEST} bearers", lambda _, one: one.bearers >= FEWEST),
        (AT_MOST, lambda _, one: one.bearers <= MOST),
        ("of a country that is not left out", lambda _, one: bool(one.countries)),
        (HALF, lambda _, one: one.countries[_home(one)] >= IN_COUNTRY * one.bearers),
        (SHARE, lambda _, one: _rare(one, pools)),
        (f"at least {SHORTEST} letters", lambda word, one: min(len(word), len(_text(one))) >= SHORTEST),
        ("Latin letters alone", lambda word, _: is_letters(word)),
        ("three times as often first as last", mostly_first) if role == "given" else ("mostly last", mostly_last),
    ]


def _home(one):
    """The key that most of the bearers share; ties go by its text."""
    return min(one.countries, key=lambda key: (-one.countries[key], key))


def _rare(one, pools):
    size = pools[_home(one)]
    return size < LARGE_POOL or one.countries[_home(one)] <= LONGEST_SHARE * size


def _text(one):
    """The commonest spelling, marks and all; of equally common ones the first."""
    return min(one.forms, key=lambda form: (-one.forms[form], form))


def _row(role, word, one, seen):
    home = _home(one)
    return {
        "text": _text(one),
        "folded": word,
        "role": role,
        "country": home,
        "bearers": one.bearers,
        "bearers_in_country": one.countries[home],
        "as_first": seen["given"][word].bearers if word in seen["given"] else 0,
        "as_last": seen["surname"][word].bearers if word in seen["surname"] else 0,
        "sources": ["wikipedia"],
    }
