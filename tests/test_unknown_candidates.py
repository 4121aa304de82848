"""How unknown names are drawn, taken and judged: small pools by hand, and the speed of the local validator."""

import pickle
import time
from collections import Counter

import numpy as np
import pytest

from build import lexicons
from build.configs.unknown import ablations, candidates, checks, screening
from build.configs.unknown.attractors import Attractors
from build.configs.unknown.bearers import Bearers
from build.configs.unknown_names import _spread
from build.person_index import PersonIndex, index_hash
from build.sources import components, persons
from build.validation import offline, rules, verdicts
from build.validation.providers.local import Local
from build.validation.runner import Runner
from build.validation.store import Store
from tests.releases import ROOT

RULES = rules.load()
ACCEPT = verdicts.Verdict(verdicts.NO_LOCAL_EVIDENCE, "", 1, 1, None)


@pytest.fixture(scope="module")
def whole():
    return screening.Screening.of(ROOT)


def an_index(*names):
    return PersonIndex(np.sort(np.array([index_hash(*name.split()) for name in names], dtype=np.int64)))


def one(given, surname, given_country="A", surname_country="B"):
    return candidates.Candidate(given, surname, given_country, surname_country)


# 25 names a split, so a country may supply two (8 %) of either component
def test_a_component_serves_one_name_and_a_country_its_share():
    taking = screening.Taking([25, 25])
    offers = {
        "taken": one("Adalinde", "Brokmann"),
        "the same given name": one("Adalinde", "Corvasce"),
        "the same word in the other role": one("Brokmann", "Dalgaard"),
        "a second of the country": one("Edwigis", "Farnstedt"),
        "a third of the country": one("Gundula", "Hartveit", "A", "C"),
        "another country": one("Ilsabet", "Jorgaard", "D", "E"),
    }
    before, kept = 0, []
    for what, offer in offers.items():
        taking.offer(offer, ACCEPT)
        kept += [what] if len(taking.taken) > before else []
        before = len(taking.taken)
    assert kept == ["taken", "a second of the country", "another country"]


def test_each_split_has_its_own_shares_and_all_share_the_components():
    first = screening.Taking([13, 13])
    words = ["".join(chr(97 + n % 26) for n in (number, number // 26, 7, 8, 9, 10)) for number in range(200)]
    for number in range(60):
        first.offer(one(words[number], words[100 + number], f"A{number % 20}", f"B{number % 20}"), ACCEPT)
    assert first.is_full and len(first.taken) == 26
    for split in (first.taken[:13], first.taken[13:]):
        assert max(Counter(found.given_country for found, _ in split).values()) == 1
    second = screening.Taking([13], first.parts)
    second.offer(one(words[0], "Kelleroth"), ACCEPT)
    assert second.taken == []


def test_lite_keeps_the_share_of_a_country_too():
    rows = [{"given_country": "A" if n < 20 else f"B{n}", "surname_country": f"C{n}"} for n in range(60)]
    assert Counter(row["given_country"] for row in _spread(rows, 25))["A"] == 2
    assert len(_spread(rows, 25)) == 25
    assert len(_spread([{"given_country": None, "surname_country": None}] * 9, 7)) == 7


TITLES = {
    "Brunhalla Maria Osterdank": [],
    "Ludmarek Veltrosso Jr.": [],
    "Maria Brunhalla Veltrosso (painter)": [],
    "Ann Osterdank": [],
}


def test_source_persons_of_three_words_are_remembered(tmp_path):
    """By hand: of the rare words, Osterdank stands with Brunhalla, and Brunhalla with Veltrosso, in longer names."""

    class Package:
        def path(self, *_):
            (tmp_path / "p.pkl").write_bytes(pickle.dumps(TITLES))
            return tmp_path / "p.pkl"

    rows = persons.source_pairs({"name2nat": Package()}, {"brunhalla", "osterdank", "veltrosso", "ludmarek"})
    expected = {index_hash("Brunhalla", "Osterdank"), index_hash("Brunhalla", "Veltrosso")}
    assert {row["hash"] for row in rows} == expected
    facts = checks.Facts(frozenset(), Bearers({}, {"x": 1}), an_index("Ludmarek Veltrosso"), frozenset(expected))
    names = ("Osterdank Brunhalla", "Ludmarek Veltrosso", "Ludmarek Osterdank")
    assert [checks.name_reason(name, facts) for name in names] == [checks.SOURCE, checks.SOURCE, None]


def test_a_component_is_ablated_by_the_one_kind_of_filter_that_it_fails():
    """By hand: Zebedeus has eleven German bearers; Quirinus four in four countries; Ottokar passes; Wim is short."""
    titles = {f"Zebedeus Mann{'abcdefghijk'[n]}": ["German"] for n in range(11)}
    titles |= {f"Quirinus {word}": [word] for word in ("German", "French", "Czech", "Greek")}
    titles |= {f"Ottokar Kern{n}": ["German"] for n in "ab"} | {f"Wim Kern{n}": ["German"] for n in "cd"}
    seen, pools = components.tally(titles)
    passing = {None: set(components.kept_of("given", seen, pools)[0])}
    for kind, lifted in components.ABLATED.items():
        passing[kind] = set(components.kept_of("given", seen, pools, lifted)[0])
    assert passing[None] == {"ottokar"}
    assert passing["rarity"] == {"ottokar", "zebedeus"}
    assert passing["country share"] == {"ottokar", "quirinus"}


def test_country_words_are_grouped_or_left_out_never_both():
    keys, left_out = components.country_keys()
    assert not keys.keys() & left_out.keys()
    assert all(reason.strip() for reason in left_out.values())


def test_partners_are_those_that_the_index_holds():
    index = an_index("Zoe Angstrom", "Angstrom Ann", "Bo Lee")
    others = ["ann", "bo", "zebra", "zoe"]
    assert index.partners("Ångström", others) == ["ann", "zoe"]
    assert index.partners("Lee", others) == [other for other in others if index.contains(f"Lee {other}")] == ["bo"]
    assert index.partners("Lee", []) == []


def test_attractors_join_a_surname_with_a_given_name_near_its_bearers():
    """By hand: Sigrun Halvorn is attested; Sigran and Sigrunn lie one letter away, the latter in Halvorn's country."""
    parts = {"given": {"A": ["Sigran", "Tobias"], "B": ["Sigrunn"]}, "surname": {"B": ["Halvorn", "Nobodius"]}}
    source = Attractors(candidates.Pools(parts), an_index("Sigrun Halvorn"), {"sigrun", "tobia"})
    drawn = {source.draw(0, number) for number in range(40)}
    assert drawn == {None, one("Sigran", "Halvorn", "A", "B")}


@pytest.mark.parametrize("policy", ["any_countries", "by_size", "country_pairs"])
def test_policies_draw_countries_as_they_say(policy):
    """Country A has nine of ten components of either role."""
    parts = {role: {"A": [f"{role}{n}" for n in range(9)], "B": [f"{role}x"]} for role in candidates.ROLES}
    found = candidates.Pools(parts)
    drawn = [candidates.draw(found, found.pairs, 0, number, policy) for number in range(1000)]
    share = sum(one.given_country == "A" for one in drawn) / 1000
    same = sum(one.given_country == one.surname_country for one in drawn) / 1000
    expected = {"any_countries": (0.5, 0.5), "by_size": (0.9, 0.82), "country_pairs": (0.5, 0)}[policy]
    assert (share, same) == pytest.approx(expected, abs=0.05)


def test_no_released_name_was_drawn_within_one_country(whole):
    found = whole.run(3, [30], [15])
    assert len(found.accepted) == 30 and len(found.ambiguous) == 15
    for candidate, _ in found.accepted + found.ambiguous:
        assert candidate.given_country != candidate.surname_country
        assert not whole.facts.attested(candidate.name)
    assert {verdict.verdict for _, verdict in found.accepted} == {verdicts.NO_LOCAL_EVIDENCE}
    assert {verdict.verdict for _, verdict in found.ambiguous} == {verdicts.AMBIGUOUS}
    assert whole.run(3, [30], [15]).accepted == found.accepted


def test_ten_thousand_candidates_are_judged_in_less_than_a_minute(whole, tmp_path):
    """Measured on a thousand, in seconds of processor time, with a store and without."""
    passed, _ = candidates.sift(whole.pools, 9, 1000, whole.facts)
    names, provider = [candidate.name for candidate in passed], Local(whole.facts.index)
    began = time.process_time()
    offline.verdicts_of(names, provider, RULES)
    at_hand = time.process_time() - began
    with Store(tmp_path / "run.db") as store:
        Runner(store, provider, RULES).run(names)
    stored = time.process_time() - began - at_hand
    assert max(at_hand, stored) * 10 < 60, (at_hand, stored)


def test_the_ablations_name_what_stands_for_the_papers_condition():
    assert set(ablations.IN_THE_PAPER) <= set(ablations.CONDITIONS)
    assert {row["without"] for row in lexicons.rows(ROOT, "ablated_components")} == set(components.ABLATED)
