"""unknown_names: candidates, local checks, validation at hand, strata and diagnostics, on the released data."""

import random
from collections import Counter
from statistics import median

import numpy as np
import pytest

from build import lexicons
from build.configs import unknown_names
from build.configs.unknown import candidates, checks, known, nonnames, proximity
from build.configs.unknown.bearers import Bearers
from build.configs.unknown.charmodel import CharModel, grams
from build.configs.unknown.screening import Screening
from build.fold import fold
from build.neighbours import edits
from build.person_index import PersonIndex
from build.sources import components
from build.validation import offline, queries, rules, verdicts
from build.validation.providers.local import Local
from scoring.truth import load_release
from tests.releases import ROOT

SPLITS = ("test", "lite", "validation")


@pytest.fixture(scope="module")
def rows():
    release = load_release(ROOT)
    return {split: release.table(release.entry("unknown_names", split)).to_pylist() for split in SPLITS}


@pytest.fixture(scope="module")
def screening():
    return Screening.of(ROOT)


def of(rows, *strata):
    return [row for row in rows if row["stratum"].startswith(strata)]


def test_counts_of_the_test_split(rows):
    counts = Counter(row["stratum"] for row in rows["test"])
    assert counts["unknown"] >= 300 and counts["ambiguous"] >= 100
    assert all(counts[f"known_{level}"] >= 60 for level in known.LEVELS)
    assert all(counts[f"proximity_{level}"] >= 300 for level in proximity.LEVELS)
    assert all(counts[kind] >= 100 for kind in nonnames.KINDS)


def test_no_name_comes_twice_and_splits_share_none(rows):
    for found in rows.values():
        names = [fold(row["name"]) for row in found]
        assert len(set(names)) == len(names)
    assert not {fold(r["name"]) for r in rows["test"]} & {fold(r["name"]) for r in rows["validation"]}
    parts = [{fold(r[p]) for r in of(rows[s], "unknown") for p in ("given", "surname")} for s in ("test", "validation")]
    assert not parts[0] & parts[1]
    assert {r["id"] for r in rows["lite"]} <= {r["id"] for r in rows["test"]}


def test_pairs_of_countries_differ_and_no_country_prevails(rows):
    for split in ("test", "validation"):
        unknown = of(rows[split], "unknown")
        assert all(row["given_country"] != row["surname_country"] for row in unknown)
        for column in ("given_country", "surname_country"):
            largest = max(Counter(row[column] for row in unknown).values())
            assert largest <= 0.08 * len(unknown), (split, column)


def test_no_component_of_a_country_that_is_left_out(rows):
    _, left_out = components.country_keys()
    used = {row[column] for row in rows["test"] for column in ("given_country", "surname_country")} - {None}
    assert used and not used & left_out.keys()


def test_components_keep_their_filters():
    for row in lexicons.rows(ROOT, "components"):
        assert 2 <= row["bearers"] <= 10 and len(row["folded"]) >= 6
        assert 2 * row["bearers_in_country"] >= row["bearers"]
        if row["role"] == "given":
            assert row["as_first"] >= 3 * row["as_last"]
        else:
            assert row["as_last"] > row["as_first"]


# four made-up titles: the tally is by hand
TITLES = {
    "Brunhalla Osterdank": ["German"],
    "Brunhalla Veltrosso (painter)": ["German", "Italian"],
    "Osterdank Ludmarek": ["Czech"],
    "Kim Brunhalla": ["Korean"],
}


def test_components_are_tallied_by_role_and_country():
    seen, pools = components.tally(TITLES)
    assert seen["given"]["brunhalla"].bearers == 2 and seen["surname"]["brunhalla"].bearers == 1
    assert seen["given"]["brunhalla"].countries == {"German": 2, "Italian": 1}
    assert pools == {"German": 2, "Italian": 1, "Czech": 1}
    passes = dict(components.filters("given", seen, pools))
    assert not passes["three times as often first as last"]("brunhalla", seen["given"]["brunhalla"])


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Muyiwa", "not two words"),
        ("Muyiwa De Tiamzon", "not two words"),
        ("Muyiwa " + "Tiamzon" * 9, "longer than sixty characters"),
        ("Muyiw4a Tiamzon", "not Latin letters alone"),
        ("Мурзилка Tiamzon", "not Latin letters alone"),
        ("O'Muyiwa Tiamzon", "not Latin letters alone"),
        ("Muyi Tiamzon", "shorter than six letters"),
        ("Sheikh Tiamzon", "a title or suffix"),
        ("Muyiwa Junior", "a title or suffix"),
        ("Muyiwa Window", "a word or a thing"),
        ("Muyiwa Washington", "a word or a thing"),
        ("Muyiwa Kowalczyk", "a common name"),
        ("Tiamzon Tiamzon", "the same word twice"),
        ("Muyiwa Tiamzon", None),
    ],
)
def test_local_checks_give_their_reason(name, reason, screening):
    assert checks.name_reason(name, screening.facts) == reason


def test_a_source_persons_name_is_refused(screening):
    name = next(r["name"] for r in lexicons.rows(ROOT, "known_persons") if len(min(r["name"].split(), key=len)) >= 6)
    facts = checks.Facts(frozenset(), Bearers({}, {"x": 1}), screening.facts.index)
    assert checks.name_reason(name, facts) == "a source person's name"
    assert checks.name_reason(name, facts, allow_source_match=True) is None


def test_attrition_adds_up():
    attrition = load_release(ROOT).manifest["reports"]["unknown_names"]["attrition"]
    counts = {key: value["count"] for key, value in attrition["candidates"].items()}
    rejected = sum(count for key, count in counts.items() if key.startswith("rejected: "))
    assert counts["generated"] == rejected + counts["passed the local checks"]
    judged = sum(count for key, count in counts.items() if key.startswith("verdict: "))
    assert judged == counts["passed the local checks"]
    for found in attrition["components"].values():
        assert found["in the lexicon"] == found["kept"] + sum(found["dropped"].values())


def test_no_form_of_an_accepted_name_is_in_the_index(rows):
    index, found = PersonIndex.load(ROOT), rules.load()
    whole = PersonIndex(index._hashes)  # without the quick test of words
    for split in ("test", "validation"):
        for row in of(rows[split], "unknown"):
            forms = {query.form for query in queries.inventory(row["name"], found)}
            assert len(forms) > 2
            assert not any(map(index.contains, forms)), row["name"]
    for row in random.Random(5).sample(of(rows["test"], "unknown"), 40):
        assert not whole.near(row["name"]), row["name"]


def planted(count, rng):
    """Attested names, from the lists of bare names that the lexicons keep."""
    names = [row["name"] for row in lexicons.rows(ROOT, "known_persons")]
    return rng.sample([name for name in names if all(len(word) > 3 for word in name.split())], count)


def test_planted_real_names_and_names_one_edit_away_are_caught(screening):
    rng = random.Random(11)
    index, found = screening.facts.index, rules.load()
    provider = Local(index)
    real = planted(200, rng)
    judged = offline.verdicts_of(real, provider, found)
    assert {made.verdict for made in judged.values()} == {verdicts.LOCAL_EVIDENCE}
    near = []
    for name in planted(400, rng):
        first, last = map(fold, name.split())
        altered = rng.choice([f"{word} {last}" for word in sorted(edits(first)) if len(word) > 2])
        if not index.contains(altered) and len(near) < 200:
            near.append(altered)
    judged = offline.verdicts_of(near, provider, found)
    assert len(near) == 200 and {made.verdict for made in judged.values()} == {verdicts.AMBIGUOUS}


def test_many_at_once_and_one_by_one_give_the_same_verdicts(screening, tmp_path):
    from build.validation.runner import Runner
    from build.validation.store import Store

    class Asked:
        """The local provider without its short cut."""

        name, is_web, types = "local", False, Local.types

        def __init__(self, inner):
            self.settings, self.search = inner.settings, inner.search

    provider, found = Local(screening.facts.index), rules.load()
    names = planted(6, random.Random(2)) + ["Muyiwa Tiamzon", "Georgs Nedyalkov", "Estêvão Carrasquel"]
    with Store(tmp_path / "asked.db") as asked, Store(tmp_path / "quick.db") as quick:
        slow_id = Runner(asked, Asked(provider), found).run(names)
        quick_id = Runner(quick, provider, found).run(names)
        slow, fast = asked.verdicts(slow_id), quick.verdicts(quick_id)
        states = [
            {(q.text, s, a) for n in names for q, s, a in store.queries(run, n)}
            for store, run in ((asked, slow_id), (quick, quick_id))
        ]
    at_once = offline.verdicts_of(names, provider, found)
    without_time = {n: {k: v for k, v in row.items() if k != "checked_at"} for n, row in slow.items()}
    assert without_time == {n: {k: v for k, v in row.items() if k != "checked_at"} for n, row in fast.items()}
    assert {n: row["verdict"] for n, row in slow.items()} == {n: made.verdict for n, made in at_once.items()}
    assert states[0] == states[1]


def test_unknown_rows_carry_their_run(rows):
    unknown = of(rows["test"], "unknown")
    assert {row["verdict"] for row in unknown} == {verdicts.NO_LOCAL_EVIDENCE}
    assert {row["verdict"] for row in of(rows["test"], "ambiguous")} == {verdicts.AMBIGUOUS}
    assert all(row["expected_query_count"] == row["executed_query_count"] for row in unknown)
    assert len({row["run_id"] for row in unknown}) == 1 and all(row["provider"] == "local" for row in unknown)
    assert all(row["verdict"] is None for row in of(rows["test"], "known", "proximity", "nonname"))


@pytest.mark.parametrize("split", SPLITS)
def test_every_unknown_name_is_paired_with_a_known_one_of_like_length(split, rows):
    by_id = {row["id"]: row for row in rows[split]}
    unknown = of(rows[split], "unknown")
    gaps = [abs(len(by_id[row["paired_known"]]["name"]) - len(row["name"])) for row in unknown]
    assert all(by_id[row["paired_known"]]["stratum"].startswith("known_") for row in unknown)
    assert median(gaps) == 0 and max(gaps) <= 6
    assert all(row["paired_known"] is None for row in rows[split] if row["stratum"] != "unknown")


def medians(rows, strata, rng):
    drawn = [[row["bits_per_character"] for row in of(rows, stratum)] for stratum in strata]
    return [float(np.median(rng.choice(values, len(values)))) for values in drawn]


def test_bits_per_character_rise_from_known_to_random(rows):
    order = ("known", "unknown", "nonname_wordlike", "nonname_gibberish", "nonname_random")
    far = ("unknown", *(f"proximity_{level}" for level in range(8, 13)))
    rng, held = np.random.RandomState(3), Counter()
    for _ in range(200):
        found = medians(rows["test"], order, rng)
        held["order"] += found == sorted(found) and len(set(found)) == len(found)
        unknown, *others = medians(rows["test"], far, rng)
        held["far"] += unknown < min(others)
    assert held["order"] >= 195 and held["far"] >= 195, held


def test_the_model_never_saw_a_part_of_an_unknown_name(rows):
    """A part's own 5-gram, start to letter four, may be seen elsewhere; whole words with both marks are not."""
    names = [row["folded"] for row in lexicons.rows(ROOT, "components")]
    words = {fold(row[part]) for row in of(rows["test"], "unknown") for part in ("given", "surname")}
    assert words <= set(names)


def test_witten_bell_by_hand():
    # one name "ab": the 5-grams are ^^^^a, ^^^ab, ^^ab$; three characters are seen, so the base is 1/4
    model = CharModel(Counter(grams("ab")))
    # empty context: (1 + 3 * 1/4) / (3 + 3); then one continuation after each longer context: (1 + p) / 2, four times
    expected = (1 + 3 / 4) / 6
    for _ in range(4):
        expected = (1 + expected) / 2
    assert model.probability("^^^^a") == pytest.approx(expected)
    assert sum(model.probability("^^^^" + c) for c in "ab$") < 1
    assert model.bits_per_character("ab") < model.bits_per_character("ba")


def test_distances_rise(rows):
    groups = [of(rows["test"], f"proximity_{level}") for level in proximity.LEVELS]
    exact = [
        [row for row in group if row["distance_level"] == level]
        for level, group in zip(proximity.LEVELS, groups, strict=True)
    ]
    far = [median(row["normalised_edit_distance"] for row in group) for group in exact]
    assert far == sorted(set(far))
    assert far[11] > 0.7 > far[4]


def test_levels_of_known_names_follow_lists_and_bearers(rows):
    bearers = Bearers.load(ROOT)
    vital = {row["name"]: row["vital"] for row in lexicons.rows(ROOT, "known_persons")}
    for level in known.LEVELS:
        found = of(rows["test"], f"known_{level}")
        assert {vital[row["name"]] for row in found} == {level >= 3}
        assert all(row["expected_bearers"] == bearers.expected(row["given"], row["surname"]) for row in found)
    means = [np.mean([np.log1p(r["expected_bearers"]) for r in of(rows["test"], f"known_{n}")]) for n in (3, 4, 5)]
    assert means == sorted(means)


def test_fame_by_hand():
    # .45 ln 100 + .25 ln 10 + .20 ln 5 + .10 ln 2
    assert known.fame(99, 9, 4, 1) == pytest.approx(0.45 * 4.605170 + 0.25 * 2.302585 + 0.2 * 1.609438 + 0.1 * 0.693147)


@pytest.mark.parametrize("kind", nonnames.KINDS)
def test_non_names_are_no_words_and_no_names(kind, rows, screening):
    for row in of(rows["test"], kind):
        assert not any(map(screening.exists, row["name"].split()))


def test_a_country_never_meets_itself_among_the_pairs(screening):
    pairs = screening.pools.pairs
    assert len(set(pairs)) == len(pairs) and all(one != other for one, other in pairs)
    assert candidates.draw(screening.pools, pairs, 0, 7) == candidates.draw(screening.pools, pairs, 0, 7)
    assert candidates.draw(screening.pools, pairs, 0, 7) != candidates.draw(screening.pools, pairs, 1, 7)


def test_the_config_reports_no_shortfall():
    assert load_release(ROOT).manifest["reports"]["unknown_names"]["shortfall"] == {}
    assert unknown_names.MINIMA["unknown"] == 300
