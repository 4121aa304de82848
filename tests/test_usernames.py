"""What usernames promises, on the committed release, and its scoring by hand."""

import json
from collections import Counter, defaultdict

import pyarrow.parquet as pq
import pytest

from build import lexicons
from build.configs import usernames
from scoring import pipeline
from scoring.truth import load_release
from tests import releases
from tests.releases import ROOT


@pytest.fixture(scope="module")
def splits():
    folder = ROOT / "data" / "usernames"
    names = ("test", "validation", "lite")
    return {split: pq.read_table(folder / f"{split}-00000-of-00001.parquet").to_pylist() for split in names}


def names_of(rows, stratum):
    return {r["name"] for r in rows if r["stratum"] == stratum}


def test_counts_reach_the_minima(splits):
    assert len(names_of(splits["test"], "ambiguous")) >= 4408
    assert len(names_of(splits["test"], "baseline")) == 200
    assert len(names_of(splits["validation"], "ambiguous")) >= 50
    assert set(Counter(r["name"] for r in splits["test"]).values()) == {5}


def test_compounds_are_four_or_more_plain_words(splits):
    for split in splits.values():
        for r in split:
            if r["stratum"] == "ambiguous":
                assert r["name"].split("-") == r["words"]
                assert len(r["words"]) >= 4
                assert all(word.isascii() and word.isalpha() and word.islower() for word in r["words"])


def test_no_offensive_word_and_no_common_given_name(splits):
    offensive = {e["folded"] for e in lexicons.rows(ROOT, "exclusion") if "offensive" in e["kinds"]}
    given = {n["folded"] for n in lexicons.rows(ROOT, "names") if (n["given_count"] or 0) >= 5000}
    words = {word for r in splits["test"] + splits["validation"] for word in r["words"]}
    lower = {word.lower() for word in words}
    assert not lower & offensive
    assert not lower & given


def test_offsets_cut_out_the_username(splits):
    for split in splits.values():
        assert all(r["text"][r["start"] : r["end"]] == r["name"] and r["text"].count(r["name"]) == 1 for r in split)


@pytest.mark.parametrize("split", ("test", "validation"))
def test_templates_are_dealt_evenly(splits, split):
    counts = defaultdict(Counter)
    for r in splits[split]:
        counts[r["stratum"]][r["template_id"]] += 1
    assert all(max(found.values()) - min(found.values()) <= 1 for found in counts.values())


def test_validation_shares_no_name_and_no_sentence_with_test(splits):
    test, validation = splits["test"], splits["validation"]
    assert not {r["name"] for r in test} & {r["name"] for r in validation}
    parts = [{part for r in rows for part in r["template_id"].split("+")} for rows in (test, validation)]
    assert not parts[0] & parts[1]


def test_patterns_share_no_compound():
    found = usernames.grammar("grammar")
    seen = Counter(name for pattern in found["patterns"] for name in usernames.expansions(found, pattern))
    assert max(seen.values()) == 1


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        (
            "USERNAME",
            {"recall": 1, "as_username": 1, "as_person": 0, "predicted_username": 1, "predicted_person": 0, "fdr": 0},
        ),
        (
            "PER",
            {"recall": 1, "as_username": 0, "as_person": 1, "predicted_username": 0, "predicted_person": 1, "fdr": 0},
        ),
        ("ORG", {"recall": 0, "as_username": 0, "as_person": 0, "predicted_organization": 1, "detected": 1}),
    ],
)
def test_person_and_username_both_count(tmp_path, label, expected):
    release = load_release(ROOT)
    rows = release.table(release.entry("usernames", "lite")).to_pylist()
    lines = [{"id": r["id"], "entities": [{"text": r["name"], "type": label}]} for r in rows]
    report = pipeline.evaluate(releases.write_lines(tmp_path / "p.jsonl", lines), release).report
    values = {(r["metric"], r["group"]): r["value"] for r in report["metrics"]}
    for metric, value in expected.items():
        assert values[metric, "ambiguous"] == values[metric, "baseline"] == value, metric


def test_the_grammar_is_large_enough_for_other_seeds():
    found = usernames.grammar("grammar")
    assert sum(len(usernames.expansions(found, pattern)) for pattern in found["patterns"]) >= 4 * 4408
    assert json.dumps(found)
