"""What ambiguous_names promises, on the committed release."""

import json
from collections import Counter, defaultdict

import pytest
from rapidfuzz.distance import Levenshtein

from build import lexicons
from build.configs.ambiguous_names import MINIMA, TYPES
from build.fold import fold, is_letters
from build.neighbours import describe_edit
from tests.releases import ROOT

SPLITS = ("test", "validation", "lite")


@pytest.fixture(scope="module")
def splits():
    import pyarrow.parquet as pq

    folder = ROOT / "data" / "ambiguous_names"
    return {split: pq.read_table(folder / f"{split}-00000-of-00001.parquet").to_pylist() for split in SPLITS}


@pytest.fixture(scope="module")
def exclusion():
    return frozenset(lexicons.read(ROOT, "exclusion").column("folded").to_pylist())


@pytest.fixture(scope="module")
def names():
    return {row["folded"]: row for row in lexicons.rows(ROOT, "names")}


@pytest.fixture(scope="module")
def entities():
    found = defaultdict(set)
    for row in lexicons.rows(ROOT, "entities"):
        found[row["name_type"]].add(row["folded"])
    return found


def of(rows, stratum, name_type=None):
    return [r for r in rows if r["stratum"] == stratum and name_type in (None, r["name_type"])]


def distinct(rows):
    return {(r["stratum"], r["name_type"], r["name"]): r for r in rows}.values()


@pytest.mark.parametrize("name_type", TYPES)
def test_counts_reach_the_minima(splits, name_type):
    test = splits["test"]
    assert len({fold(r["name"]) for r in of(test, "ambiguous", name_type)}) >= MINIMA[name_type]
    assert len({fold(r["name"]) for r in of(test, "matched", name_type)}) >= 400
    assert len({fold(r["name"]) for r in of(test, "entity_control", name_type)}) >= 40
    assert len({fold(r["name"]) for r in of(splits["validation"], "ambiguous", name_type)}) >= 50


def test_a_name_is_ambiguous_for_one_type_only(splits):
    types = defaultdict(set)
    for r in of(splits["test"], "ambiguous"):
        types[fold(r["name"])].add(r["name_type"])
    assert not [name for name, found in types.items() if len(found) > 1]


@pytest.mark.parametrize("split", SPLITS)
def test_every_neighbour_is_one_edit_away(splits, split):
    """Distances from rapidfuzz, not from the search that found them."""
    for r in distinct(of(splits[split], "ambiguous")):
        assert r["neighbours"], r
        assert [n["text"] for n in r["neighbours"]] == sorted((n["text"] for n in r["neighbours"]), key=fold)
        for near in r["neighbours"]:
            assert Levenshtein.distance(fold(r["name"]), fold(near["text"])) == 1, r
            assert near["edit"] == describe_edit(fold(near["text"]), fold(r["name"]))


@pytest.mark.parametrize("split", SPLITS)
def test_names_are_no_known_entities(splits, split, exclusion, entities):
    everything = set().union(*entities.values())
    for r in distinct(of(splits[split], "ambiguous") + of(splits[split], "matched")):
        assert fold(r["name"]) not in exclusion, r
        assert fold(r["name"]) not in everything, r
        assert all(map(is_letters, fold(r["name"]).split(" "))), r


def test_matched_names_are_near_no_entity_of_any_type(splits, entities):
    """An independent check: rapidfuzz against every entity of like length."""
    by_length = defaultdict(list)
    for folded in set().union(*entities.values()):
        by_length[len(folded)].append(folded)
    from rapidfuzz import process

    for name in {fold(r["name"]) for r in of(splits["test"], "matched")}:
        near = [e for size in (-1, 0, 1) for e in by_length[len(name) + size]]
        best = process.extractOne(name, near, scorer=Levenshtein.distance, score_cutoff=1)
        assert best is None, (name, best)


@pytest.mark.parametrize("name_type", TYPES)
def test_names_are_attested(splits, names, name_type):
    for r in distinct(of(splits["test"], "ambiguous", name_type)):
        words = fold(r["name"]).split(" ")
        if name_type == "syndrome":
            pairs = [fold(n["text"]).split(" ") for n in r["neighbours"]]
            assert len(words) == 2
            words = [
                w
                for at, w in enumerate(words)
                if any(pair[at] != w and pair[1 - at] == words[1 - at] for pair in pairs)
            ]
        known = [names[w] for w in words if w in names]
        assert known, r
        if name_type not in ("bacteria", "mineral"):
            counts = [max(k["given_count"] or 0, k["surname_count"] or 0) for k in known]
            persons = [k["given_persons"] + k["surname_persons"] for k in known]
            assert max(counts) >= 100 or max(persons) >= 2, r
        assert max(map(len, words)) >= (4 if name_type in ("bacteria", "mineral") else 5), r


def test_at_most_25_names_a_pair(splits):
    used = Counter(n["text"] for r in distinct(of(splits["test"], "ambiguous", "syndrome")) for n in r["neighbours"])
    assert max(used.values()) <= 25


def test_matched_is_like_ambiguous():
    reports = json.loads((ROOT / "manifest.json").read_text(encoding="utf-8"))["reports"]["ambiguous_names"]
    for name_type in TYPES:
        balance = reports[name_type]["balance"]
        assert abs(balance["log_count"]) <= 0.1, name_type
        assert abs(balance["length"]) <= 0.1, name_type


def test_the_manifest_s_balance_is_that_of_the_data(splits):
    """Worked anew from the rows with numpy alone."""
    import numpy as np

    reports = json.loads((ROOT / "manifest.json").read_text(encoding="utf-8"))["reports"]["ambiguous_names"]
    for name_type in TYPES:
        groups = [list(distinct(of(splits["test"], s, name_type))) for s in ("ambiguous", "matched")]
        measures = {"log_count": lambda r: np.log10(r["popularity"]), "length": lambda r: len(fold(r["name"]))}
        for key, measure in measures.items():
            first, second = (
                np.array([measure(r) for r in group if key == "length" or r["popularity"]]) for group in groups
            )
            spread = np.sqrt((first.var(ddof=1) + second.var(ddof=1)) / 2)
            found = (second.mean() - first.mean()) / spread
            assert found == pytest.approx(reports[name_type]["balance"][key], abs=1e-4)


@pytest.mark.parametrize("split", SPLITS)
def test_offsets_cut_out_the_name_and_it_stands_once(splits, split):
    for r in splits[split]:
        assert r["text"][r["start"] : r["end"]] == r["name"]
        assert r["text"].count(r["name"]) == 1, r


@pytest.mark.parametrize("split", ("test", "validation"))
def test_templates_are_dealt_evenly(splits, split):
    counts = defaultdict(Counter)
    for r in splits[split]:
        counts[r["stratum"], r["name_type"]][r["template_id"]] += 1
    for group, found in counts.items():
        assert max(found.values()) - min(found.values()) <= 1, group
        assert len(found) == {"test": 20, "validation": 5}[split], group


def test_each_name_has_five_templates_and_baseline_twenty_five(splits):
    per_name = defaultdict(set)
    for r in splits["test"]:
        name_type = "" if r["stratum"] == "baseline" else r["name_type"]
        per_name[r["stratum"], name_type, r["name"]].add(r["template_id"])
    for (stratum, _, _), found in per_name.items():
        assert len(found) == (25 if stratum == "baseline" else 5)


def test_validation_shares_no_name_and_no_sentence_with_test(splits):
    names = [{fold(r["name"]) for r in splits[split]} for split in ("test", "validation")]
    assert not names[0] & names[1]
    sentences = [
        {s for r in splits[split] for s in r["text"].replace(r["name"], "[MASK]").split(". ")}
        for split in ("test", "validation")
    ]
    assert not sentences[0] & sentences[1]


def test_lite_holds_whole_names_of_test(splits):
    ids = {r["id"]: r for r in splits["test"]}
    assert all(ids[r["id"]] == r for r in splits["lite"])
    kept = {(r["stratum"], r["name"], "" if r["stratum"] == "baseline" else r["name_type"]) for r in splits["lite"]}
    whole = [
        r
        for r in splits["test"]
        if (r["stratum"], r["name"], "" if r["stratum"] == "baseline" else r["name_type"]) in kept
    ]
    assert len(whole) == len(splits["lite"])
    assert 2_500 <= len(splits["lite"]) <= 3_500


def test_baseline_names_are_the_papers_and_common():
    provenance = json.loads((ROOT / "data" / "lexicons" / "provenance.json").read_text(encoding="utf-8"))
    assert provenance["readings"]["baseline_names"]["names"] == 200
    assert provenance["readings"]["baseline_names"]["in_top_hundreds"] >= 190
