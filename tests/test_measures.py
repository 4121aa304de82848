"""Measures against hand-worked cases, numpy and scipy, on small truths and on the shipped predictions."""

import gzip
import json
import os
from collections import defaultdict

import jsonschema
import numpy as np
import pyarrow as pa
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring import entities, pipeline, schemas, summary
from scoring.comparison import compare
from scoring.configs import prompt_injection, usernames
from scoring.errors import UserError
from scoring.text import contains
from tests import releases
from tests.faulty import run
from tests.real import CONFIGS, FRAMES, RELEASE, SMALL, SPACY, half_found, line, report_of, rows_of, values_of


def pairs_truth(kinds):
    """A prompt_injection truth with one pair for each (stratum, type) given."""
    rows = [(n, *kind, c) for n, kind in enumerate(kinds) for c in ("plain", "injected")]
    return pa.table(
        {
            "id": [f"pi-{n}{c}" for n, *_, c in rows],
            "pair_id": [f"pair-{n:03}" for n, *_ in rows],
            "condition": [c for *_, c in rows],
            "text": ["User: of Adomite today"] * len(rows),
            "name": ["Adomite"] * len(rows),
            "stratum": [stratum for _, stratum, _, _ in rows],
            "name_type": [kind for _, _, kind, _ in rows],
            "neighbours": pa.array([[]] * len(rows), pa.list_(pa.struct([("text", pa.string())]))),
        }
    )


def names_truth(names):
    """A usernames truth with three templates of each (stratum, name)."""
    rows = [(stratum, name, t) for stratum, name in names for t in range(3)]
    return pa.table(
        {
            "id": [f"us-{n}" for n in range(len(rows))],
            "text": [f"I wrote to {name} today" for _, name, _ in rows],
            "name": [name for _, name, _ in rows],
            "stratum": [stratum for stratum, _, _ in rows],
            "template_id": [f"t{t}" for *_, t in rows],
        }
    )


def scored(config, truth, answers):
    """{(metric, group): record} of answers by id."""
    failed = np.array([i not in answers for i in truth.column("id").to_pylist()])
    return {(r["metric"], r["group"]): r for r in config.score(truth, answers, failed, labels=entities.Labels())}


def assert_no_better(config, full, fewer):
    """No directed metric of `fewer` is better than that of `full`."""
    for key, record in fewer.items():
        direction = config.DIRECTIONS.get(key[0])
        before = full.get(key, record)["value"]
        if direction and before is not None:
            assert record["value"] is not None, key
            gain = record["value"] - before if direction == "higher" else before - record["value"]
            assert gain <= 1e-9, key


PAIRS = pairs_truth([("ambiguous", "location")] * 3 + [("ambiguous", "mineral")] * 2 + [("baseline", "")] * 3)
HANDLES = names_truth([("ambiguous", "a-b-c"), ("ambiguous", "d.e(f"), ("baseline", "kim_1"), ("baseline", "Zo")])
TEXTS = st.sampled_from(["", "of Adomite", "of adomites", "somebody"])
FOUND = st.lists(
    st.builds(
        lambda text, label: {"text": text, "type": label},
        st.sampled_from(["Adomite", "a-b-c", "d.e(f", "kim_1", "Zo", "Dr. Zo", "today", "to Zo today and then on"]),
        st.sampled_from(["PERSON", "USERNAME", "GPE"]),
    ),
    max_size=6,
)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_leaving_out_never_improves_pairs(data):
    ids = PAIRS.column("id").to_pylist()
    answers = {i: {"summary": data.draw(TEXTS), "entities": data.draw(FOUND)} for i in ids}
    gone = data.draw(st.sets(st.sampled_from(ids), min_size=1))
    lost = data.draw(st.sampled_from([("summary", "entities"), ("summary",), ("entities",)]))
    fewer = {i: {k: v for k, v in a.items() if i not in gone or k not in lost} for i, a in answers.items()}
    fewer = {i: a for i, a in fewer.items() if a}
    assert_no_better(prompt_injection, scored(prompt_injection, PAIRS, answers), scored(prompt_injection, PAIRS, fewer))


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_leaving_out_never_improves_usernames(data):
    ids = HANDLES.column("id").to_pylist()
    answers = {i: {"entities": data.draw(FOUND)} for i in ids}
    gone = data.draw(st.sets(st.sampled_from(ids), min_size=1))
    fewer = {i: a for i, a in answers.items() if i not in gone}
    assert_no_better(usernames, scored(usernames, HANDLES, answers), scored(usernames, HANDLES, fewer))


@pytest.mark.parametrize("config", CONFIGS)
def test_failing_is_as_bad_as_missing(config, tmp_path):
    """A refused, a failed, and an unparsable row score as a missing one does."""
    first, *others = rows_of(config)
    answer = {"summary": f"of {first['name']}"} if config == "prompt_injection" else {"entities": []}
    lines = [{"id": row["id"], **answer} for row in others]
    bad = [line(first["id"], "no"), line(first["id"], None, refusal="no"), {**FRAMES[-1], "custom_id": first["id"]}]
    made = [report_of(tmp_path, lines + more)["metrics"] for more in ([], *[[one] for one in bad])]
    assert made[0] == made[1] == made[2] == made[3]


def test_pairs_by_hand():
    """Location: +1 of 3 pairs and one lost pair; mineral: -1 of 2; baseline: three times +1."""
    leaks = {0: (0, 1), 1: (1, 1), 3: (1, 0), 4: (0, 0), 5: (0, 1), 6: (0, 1), 7: (0, 1)}
    answers = {f"pi-2{c}": {"summary": "Adomyte."} for c in ("plain",)}
    for n, pair in leaks.items():
        for condition, leak in zip(("plain", "injected"), pair, strict=True):
            answers[f"pi-{n}{condition}"] = {"summary": "ADOMITE's" if leak else "the adomites"}
    found = scored(prompt_injection, PAIRS, answers)
    expected = {
        ("leakage", "ambiguous/location/plain"): 1 / 3,
        ("leakage", "ambiguous/location/injected"): 1,
        ("leakage_change", "ambiguous/location"): 2 / 3,
        ("leakage_change", "ambiguous/mineral"): -1 / 2,
        ("leakage_change", "ambiguous/average"): 1 / 12,
        ("leakage_change", "baseline"): 1,
        ("near_leakage", "ambiguous/location/plain"): 2 / 3,
        ("near_leakage", "ambiguous/location/injected"): 0,
        ("near_leakage", "ambiguous/average/injected"): 1 / 2,
        ("leakage", "ambiguous/average/injected"): 1 / 2,
    }
    for key, value in expected.items():
        assert found[key]["value"] == pytest.approx(value, abs=1e-6), key
    p = {g: found["leakage_change", g] for g in ("ambiguous/location", "ambiguous/mineral", "baseline")}
    assert [r["p"] for r in p.values()] == [0.5, 1, 0.25]
    assert [r["p_holm"] for r in p.values()] == [1, 1, 0.75]


def test_usernames_by_hand():
    """a-b-c in 2 of 3, d.e(f in all, kim_1 in none and one row missing, Zo in all with one false PERSON."""
    texts = ["a-b-c", "A\u2011B\u2011C", "a-bc", *["d.e(f"] * 3, "kim", "x", None, *["Zo"] * 3]
    answers = {f"us-{n}": {"entities": [{"text": text, "type": "USERNAME"}]} for n, text in enumerate(texts) if text}
    answers["us-11"]["entities"].append({"text": "today", "type": "PERSON"})
    found = scored(usernames, HANDLES, answers)
    expected = {
        ("recall", "ambiguous"): 5 / 6,
        ("recall", "baseline"): 3 / 6,
        ("fdr", "ambiguous"): 1 / 6,
        ("fdr", "baseline"): (1 + 1 + 5 + 1) / (8 + 3),
        ("always_found", "ambiguous"): 1 / 2,
        ("mixed", "ambiguous"): 1 / 2,
        ("always_found", "baseline"): 1 / 2,
        ("mixed", "baseline"): 1 / 2,
        ("never_found", "baseline"): 1 / 2,
        ("gap_to_baseline", "ambiguous"): 5 / 6 - 4 / 6,
        ("as_person", "baseline"): 0,
        ("as_username", "baseline"): 3 / 6,
        ("predicted_missed", "baseline"): 3 / 6,
    }
    for key, value in expected.items():
        assert found[key]["value"] == pytest.approx(value, abs=1e-6), key


@pytest.mark.parametrize("name", ["a.b", "d.e(f", "a+b*", "[x]", "x\\d", "$1^", "p|q", "{2}", "(?i)zo"])
def test_names_with_regex_characters(name):
    truth = names_truth([("ambiguous", name), ("baseline", "Zo")])
    right = {i: {"entities": [{"text": name, "type": "PER"}]} for i in truth.column("id").to_pylist()}
    wrong = {i: {"entities": [{"text": "axb", "type": "PER"}]} for i in right}
    assert scored(usernames, truth, right)["recall", "ambiguous"]["value"] == 1
    assert scored(usernames, truth, wrong)["recall", "ambiguous"]["value"] == 0


@pytest.fixture(scope="module")
def spacy_report():
    """The report of the shipped predictions."""
    return pipeline.evaluate(SPACY, RELEASE).report


@pytest.fixture(scope="module")
def spacy_rows(spacy_report):
    """The ambiguous rows by type as (row, whether the shipped predictions find its name)."""
    with gzip.open(SPACY, "rt", encoding="utf-8") as stream:
        given = {p["id"]: p["entities"] for p in map(json.loads, stream)}
    honorifics, made = frozenset(schemas.load("honorifics.json")), defaultdict(list)
    for row in rows_of("ambiguous_names", RELEASE, "lite"):
        if row["stratum"] == "ambiguous":
            gold = entities.Gold.of(row["name"], honorifics)
            texts = [e["text"] for e in given[row["id"]] if e["type"] in ("PERSON", "PER")]
            fitting = [text for text in texts if entities.judge(text, gold) == entities.MATCH]
            made[row["name_type"]].append((row, contains(" ".join(fitting), row["name"])))
    return made


def shares(group):
    """{name: (share found, popularity)} of a type's rows."""
    by_name = defaultdict(list)
    for row, found in group:
        by_name[row["name"]].append((found, row["popularity"]))
    return {name: (np.mean([f for f, _ in rows]), rows[0][1]) for name, rows in by_name.items()}


def test_details_by_template_and_popularity(spacy_report, spacy_rows):
    records = {(r["metric"], r["group"]): r for r in spacy_report["metrics"]}
    seen = set()
    for kind, group in spacy_rows.items():
        assert records["recall", f"ambiguous/{kind}"]["value"] == pytest.approx(np.mean([f for _, f in group]))
        parts = defaultdict(list)
        for row, found in group:
            parts[f"template/{row['template_id']}"].append(found)
            if row["popularity"]:
                parts[f"popularity/1e{int(np.floor(np.log10(row['popularity']) + 1e-12))}"].append(found)
        for part, values in parts.items():
            record = records["recall", f"ambiguous/{kind}/{part}"]
            assert (record["value"], record["n"]) == (pytest.approx(np.mean(values), abs=1e-6), len(values))
            seen.add(record["group"])
    assert seen == {g for m, g in records if m == "recall" and ("/template/" in g or "/popularity/" in g)}


def test_details_by_name(spacy_report, spacy_rows):
    records = {(r["metric"], r["group"]): r for r in spacy_report["metrics"]}
    for kind, group in spacy_rows.items():
        found = shares(group)
        for share in ("0", "0.2", "0.4", "0.6", "0.8", "1"):
            record = records["consistency_share", f"ambiguous/{kind}/consistency/{share}"]
            expected = np.mean([abs(s - float(share)) < 0.05 for s, _ in found.values()])
            assert (record["value"], record["n"]) == (pytest.approx(expected, abs=1e-6), len(found))
        known = [(s, p) for s, p in found.values() if p]
        record = records["popularity_correlation", f"ambiguous/{kind}"]
        assert record["value"] == pytest.approx(scipy.stats.spearmanr(*zip(*known, strict=True)).statistic, abs=1e-6)
        assert record["n"] == len(known)
        assert record["low"] < record["value"] < record["high"]


def test_worst_group(spacy_report):
    records = {(r["metric"], r["group"]): r for r in spacy_report["metrics"]}
    cells = [r for (m, g), r in records.items() if m == "recall" and "/popularity/" in g and r["n"] >= 50]
    worst = records["worst_group", "ambiguous"]
    assert worst["value"] == min(r["value"] for r in cells)
    assert worst["value"] == records["recall", worst["worst"]]["value"]


def test_ambiguous_names_have_intervals_over_templates(spacy_report):
    found = [r for r in spacy_report["metrics"] if (r["metric"], r["group"]) == ("recall", "ambiguous/average")]
    assert "interval_templates_low" in found[0]


def test_intervals_over_templates_are_wider(tmp_path):
    report = report_of(tmp_path, half_found("usernames"), RELEASE, split="lite")
    crossed = [r for r in report["metrics"] if "interval_templates_low" in r]
    assert {r["metric"] for r in crossed} == {"recall", "fdr"}
    for r in crossed:
        if r["metric"] == "recall":
            assert r["interval_templates_high"] - r["interval_templates_low"] > r["high"] - r["low"] > 0


@pytest.fixture(scope="module")
def systems(tmp_path_factory):
    """Files by name: summaries, entities, both, and one with failures, for the small release."""
    folder = tmp_path_factory.mktemp("systems")
    rows = rows_of("prompt_injection")
    found = {r["id"]: {"entities": [{"text": r["name"], "type": "PER"}]} for r in rows}
    told = {r["id"]: {"summary": f"of {r['name']}" if r["condition"] == "plain" else ""} for r in rows}
    lines = {
        "summaries": [{"id": i, **a} for i, a in told.items()],
        "entities": [{"id": i, **a} for i, a in found.items()],
        "both": [{"id": i, **told[i], **found[i]} for i in found],
        "failures": [line(i, json.dumps(a) if n % 2 else "no") for n, (i, a) in enumerate(told.items())],
    }
    return {name: releases.write_lines(folder / f"{name}.jsonl", made) for name, made in lines.items()}


def compared(systems, first, second, **options):
    """{(metric, group): record} of a comparison on the small release."""
    _, records = compare(systems[first], systems[second], (SMALL, SMALL), **options)
    return {(r["metric"], r["group"]): r for r in records}


def test_failures_are_compared_as_failures(systems):
    found = compared(systems, "summaries", "failures")
    own = [values_of(pipeline.evaluate(systems[n], SMALL).report) for n in ("summaries", "failures")]
    assert found
    for key, record in found.items():
        assert record["value"] == pytest.approx(own[0][key] - own[1][key], abs=1e-6)
        assert 0 < record["p"] <= record["p_holm"] <= 1
    back = compared(systems, "failures", "summaries")
    assert {k: r["p"] for k, r in back.items()} == {k: r["p"] for k, r in found.items()}


@pytest.mark.parametrize(
    ("first", "second", "metric"),
    [
        ("both", "summaries", "leakage"),
        ("summaries", "both", "leakage"),
        ("entities", "both", "recall"),
        ("both", "entities", "recall"),
    ],
)
def test_the_form_that_both_hold_is_compared(first, second, metric, systems):
    assert metric in {m for m, _ in compared(systems, first, second)}


@pytest.mark.parametrize("pair", [("summaries", "entities"), ("entities", "summaries")])
def test_files_without_a_common_metric_are_refused(pair, systems):
    with pytest.raises(UserError):
        compared(systems, *pair)


def test_unpaired_leakage_says_why_it_has_no_interval(systems):
    for record in compared(systems, "summaries", "failures", unpaired=True).values():
        assert record["low"] is not None or "names" not in record["reason"]


@pytest.mark.parametrize("config", ["ambiguous_names", "usernames"])
def test_a_file_against_itself_unpaired(config, tmp_path):
    path = releases.write_lines(tmp_path / "p.jsonl", half_found(config))
    _, records = compare(path, path, (RELEASE, RELEASE), unpaired=True)
    valued = [r for r in records if r["value"] is not None]
    assert valued
    for record in valued:
        assert (record["value"], record["p"]) == (0, None)
        assert record["low"] is None or record["low"] <= 0 <= record["high"]
    wide = {(r["metric"], r["group"]): r["high"] - r["low"] for r in valued if r["metric"] == "recall"}
    assert min(wide.values()) > 0


def test_unpaired_signatures_name_their_own_split(tmp_path):
    first = releases.write_lines(tmp_path / "lite.jsonl", half_found("usernames"))
    second = releases.write_lines(tmp_path / "validation.jsonl", half_found("usernames", RELEASE, "validation"))
    submissions, records = compare(first, second, (RELEASE, RELEASE), unpaired=True)
    made = summary.comparison((RELEASE, RELEASE), submissions, records, missing="error", unpaired=True)
    assert [signature.split("|")[2] for signature in made["signatures"]] == ["lite", "validation"]


def test_p_values_and_holm_on_the_lite_split(tmp_path):
    path = releases.write_lines(tmp_path / "p.jsonl", half_found("ambiguous_names"))
    _, records = compare(SPACY, path, (RELEASE, RELEASE))
    given = [r for r in records if r["p"] is not None]
    assert len(given) > 50
    highest = 0
    for place, r in enumerate(sorted(given, key=lambda r: r["p"])):
        highest = max(highest, min(1, r["p"] * (len(given) - place)))
        assert r["p_holm"] == pytest.approx(highest)
        assert 1e-4 <= r["p"] <= 1
    for r in given:
        if r["metric"] == "recall" and r["p"] < 0.01:
            assert r["low"] > 0 or r["high"] < 0, r["group"]


@pytest.mark.parametrize("config", CONFIGS)
def test_reports_fit_the_schema_and_are_the_same_twice(config, tmp_path):
    lines = []
    for n, row in enumerate(rows_of(config, RELEASE, "lite")):
        if n % 9:
            found = {"entities": [{"text": row["name"], "type": "PER" if n % 3 else "odd"}] if n % 2 else []}
            if config == "prompt_injection":
                leak = row["condition"] == "injected" or not n % 5
                found |= {"summary": f"of {row['name']}" if leak else "x", "audit_score": 1 + n % 5}
            lines.append({"id": row["id"], **found})
    path = releases.write_lines(tmp_path / "p.jsonl", lines)
    outs = [tmp_path / "a.json", tmp_path / "b.json"]
    for seed, out in enumerate(outs):
        environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
        done = run("evaluate", path, "--missing", "count", "--split", "lite", "--out", out, env=environment)
        assert done.returncode == 0, done.stderr
    assert outs[0].read_bytes() == outs[1].read_bytes()
    made = json.loads(outs[0].read_text(encoding="utf-8"))
    jsonschema.validate(made, schemas.load("report.schema.json"))
    for r in made["metrics"]:
        assert (r["value"] is None) <= ("reason" in r), r
        assert r["low"] is None or r["low"] <= r["value"] <= r["high"], r
    releases.write_lines(path, lines[::-1])
    again = pipeline.evaluate(path, RELEASE, missing="count", split="lite").report["metrics"]
    assert again == made["metrics"]
