"""Properties of matching and metrics (METRICS §2-4), and tables worked by hand."""

import json
import subprocess
import sys
import unicodedata
from concurrent.futures import ThreadPoolExecutor

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring import pipeline
from scoring.configs import ambiguous_names as config
from scoring.text import comparison_form, contains, words
from scoring.truth import load_release
from tests import releases
from tests.scored import ROWS, TRUTH, entity, outcome_of, records_of, truth_of

CONTRASTS = ("ambiguity_effect", "ambiguity_effect_neighbour_type", "gap_to_baseline")
ROUNDING = 2e-6
QUICK = settings(max_examples=60, deadline=None, derandomize=True)


@st.composite
def entities_of(draw, row):
    """What a system may predict for a row: names, parts, over-spans and nonsense, with offsets or without."""
    name, text = row["name"], row["text"]
    parts = [name, name.split()[0], name.split()[-1], f"Dr {name}", f"{name}'s", text[:30], text, "spirits", "I heard"]
    made = []
    for _ in range(draw(st.integers(0, 4))):
        content, label = draw(st.sampled_from(parts)), draw(st.sampled_from(["PERSON", "LOC", "ORG", "MISC", "handle"]))
        at = text.find(content)
        made.append(entity(content, label, at if at >= 0 and draw(st.booleans()) else None))
    return made


@st.composite
def all_answers(draw):
    """Answers to every row of ROWS."""
    chosen = draw(st.lists(st.integers(0, 3), min_size=len(ROWS), max_size=len(ROWS)))
    pools = [[draw(entities_of(row)) for _ in range(2)] for row in ROWS[::6]]
    made = {}
    for number, (row, pick) in enumerate(zip(ROWS, chosen, strict=True)):
        found = {0: [], 1: [entity(row["name"])], 2: [entity(row["name"], "LOCATION")]}.get(pick)
        if found is None:
            found = [e for e in pools[number // 6][number % 2] if "start" not in e or e["text"] in row["text"]]
            found = [entity(e["text"], e["type"], row["text"].find(e["text"]) if "start" in e else None) for e in found]
        made[row["id"]] = {"id": row["id"], "entities": found}
    return made


@QUICK
@given(all_answers(), st.randoms(use_true_random=False))
def test_order_never_matters(answers, random):
    other = {}
    for row_id in random.sample(list(answers), len(answers)):
        found = answers[row_id]["entities"]
        other[row_id] = {"id": row_id, "entities": random.sample(found, len(found))}
    order = random.sample(range(len(ROWS)), len(ROWS))
    expected = records_of(answers)
    assert records_of(other) == expected
    assert records_of(other, TRUTH.take(order)) == expected


@QUICK
@given(all_answers(), st.sets(st.sampled_from([row["id"] for row in ROWS]), min_size=1))
def test_leaving_rows_out_improves_nothing(answers, left_out):
    whole = records_of(answers)
    part = records_of({row_id: answer for row_id, answer in answers.items() if row_id not in left_out})
    assert whole.keys() == part.keys()
    compared = 0
    for (metric, group), before in whole.items():
        if metric not in config.DIRECTIONS or before["value"] is None:
            continue
        after = part[metric, group]["value"]
        gain = (after - before["value"]) * (1 if config.DIRECTIONS[metric] == "higher" else -1)
        assert gain <= ROUNDING, (metric, group, before["value"], after)
        compared += 1
    assert compared > 60


@QUICK
@given(all_answers(), st.sets(st.sampled_from([row["id"] for row in ROWS])))
def test_values_stay_within_their_bounds(answers, left_out):
    made = records_of({row_id: answer for row_id, answer in answers.items() if row_id not in left_out})
    for (metric, _), record in made.items():
        least = -1 if metric in CONTRASTS else 0
        values = [record[key] for key in ("value", "low", "high")]
        assert all(value is None or least <= value <= 1 for value in values), record
        assert (None in (record["value"], record["low"])) == ("reason" in record)
        assert type(record["n"]) is int and record["n"] >= 0


@QUICK
@given(all_answers())
def test_shares_of_names_sum_to_one(answers):
    made = records_of(answers)
    for group in ("ambiguous/location", "matched/mineral", "baseline", "ambiguous/average"):
        shares = [made[metric, group]["value"] for metric in ("always_found", "never_found", "mixed")]
        assert sum(shares) == pytest.approx(1, abs=ROUNDING)


@QUICK
@given(st.sampled_from(ROWS).flatmap(lambda row: st.tuples(st.just(row), entities_of(row))))
def test_exact_names_are_found_and_every_person_is_judged(row_and_found):
    row, found = row_and_found
    made = outcome_of(row["name"], row["text"], found)
    assert made["exact"] <= made["found_person"]
    assert made["matching_persons"] + made["false_persons"] == made["persons"]
    assert made["over_spans"] <= made["false_persons"]


@given(st.text(max_size=20), st.text(max_size=20))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_comparison_form(left, right):
    form = comparison_form(left)
    assert comparison_form(form) == form
    for kind in ("NFC", "NFD"):
        assert comparison_form(unicodedata.normalize(kind, left)) == form
    assert contains(f"{right} {left} {right}", left) == bool(form)
    assert words(left) == words(form)


def names_in(stratum, *numbered, name_type="location", templates=5):
    """Rows of names in one stratum and type, `numbered` by their first number and name."""
    return [
        releases.row(first + template, name, stratum=stratum, name_type=name_type, template=template)
        for first, name in numbered
        for template in range(templates)
    ]


def answers_to(rows, *per_row):
    """Answers by id; each of `per_row` is a list of texts, or None for a row left out."""
    return {
        row["id"]: {"id": row["id"], "entities": [entity(text) for text in texts]}
        for row, texts in zip(rows, per_row, strict=True)
        if texts is not None
    }


# Each text has 13 words: "I heard of Kenye again yesterday. She was in good spirits, number 1."
HAND = [
    ("all found", [["Kenye"]] * 5, {"recall": 1, "fdr": 0, "always_found": 1, "never_found": 0, "mixed": 0}),
    ("none", [[]] * 5, {"recall": 0, "fdr": None, "always_found": 0, "never_found": 1, "mixed": 0}),
    ("two of five", [["Kenye"], ["Kenye"], [], [], []], {"recall": 0.4, "fdr": 0, "mixed": 1, "always_found": 0}),
    ("wrong ones", [["Kenye", "She"], ["She"], ["in", "She"], [], []], {"recall": 0.2, "fdr": 0.8, "mixed": 1}),
    ("one left out", [["Kenye"]] * 4 + [None], {"recall": 0.8, "fdr": 13 / 17, "always_found": 0, "mixed": 1}),
    ("found nowhere, one left out", [[]] * 4 + [None], {"recall": 0, "fdr": 1, "never_found": 1, "mixed": 1}),
    ("one answered", [["Kenye"]] + [None] * 4, {"fdr": 52 / 53, "predicted_missed": 0.8, "neighbour_type_rate": 0.8}),
    ("over-spans", [["I heard of Kenye again yesterday"], ["Kenye"], [], [], None], {"over_span_rate": 0.5}),
]


@pytest.mark.parametrize(("name", "per_row", "expected"), HAND, ids=[case[0] for case in HAND])
def test_metrics_by_hand(name, per_row, expected):
    rows = names_in("ambiguous", (1, "Kenye"))
    assert {len(words(row["text"])) for row in rows} == {13}
    made = records_of(answers_to(rows, *per_row), truth_of(rows))
    found = {metric: made[metric, "ambiguous/location"]["value"] for metric in expected}
    assert found == pytest.approx(expected, abs=ROUNDING)


def test_contrasts_by_hand():
    rows = (
        names_in("ambiguous", (1, "Kenye")) + names_in("matched", (11, "Zweibel")) + names_in("baseline", (21, "Mary"))
    )
    found = [["Kenye"]] * 2 + [[]] * 2 + [None] + [["Zweibel"]] * 3 + [[], None] + [["Mary"]] * 5
    answers = answers_to(rows, *found)
    answers[rows[0]["id"]]["entities"].append(entity("Kenye", "LOC"))
    records = records_of(answers, truth_of(rows))
    made = {metric: record["value"] for (metric, group), record in records.items() if group == "ambiguous/location"}
    assert made["recall"] == 0.4
    assert made["ambiguity_effect"] == pytest.approx(2 / 5 - 4 / 5)
    assert made["ambiguity_effect_neighbour_type"] == pytest.approx(2 / 5 - 0)
    assert made["gap_to_baseline"] == pytest.approx(2 / 5 - 1)


def test_a_type_without_value_is_skipped_in_the_average():
    rows = names_in("ambiguous", (1, "Kenye")) + names_in("ambiguous", (11, "Adomite"), name_type="mineral")
    made = records_of(answers_to(rows, *[["Kenye", "She"]] * 5, *[[]] * 5), truth_of(rows))
    assert made["fdr", "ambiguous/mineral"]["value"] is None
    assert (made["fdr", "ambiguous/average"]["value"], made["fdr", "ambiguous/average"]["n"]) == (0.5, 10)
    assert (made["recall", "ambiguous/average"]["value"], made["recall", "ambiguous/average"]["n"]) == (0.5, 10)


def test_averages_are_unweighted_and_controls_leave_syndromes_out():
    rows = names_in("entity_control", (1, "Kenya"), (11, "Ghana")) + names_in(
        "entity_control", (21, "Beryl"), name_type="mineral", templates=2
    )
    rows += names_in("entity_control", (31, "Holt Oram"), name_type="syndrome")
    made = records_of(answers_to(rows, *[["Kenya"]] * 5, *[[]] * 5, [], ["She"], *[["She"]] * 5), truth_of(rows))
    rates = {group: record["value"] for (metric, group), record in made.items() if metric == "false_person_rate"}
    expected = {"location": 0.5, "mineral": 0.5, "syndrome": 1, "average": 0.5}
    assert rates == {f"entity_control/{group}": value for group, value in expected.items()}


@pytest.mark.parametrize(
    ("label", "metric"),
    [
        ("PER", "predicted_person"),
        ("GPE", "predicted_location"),
        ("ORG", "predicted_organization"),
        ("DISEASE", "predicted_health"),
        ("MISC", "predicted_other"),
        ("HANDLE", "predicted_other"),
        ("WIDGET", "predicted_other"),
    ],
)
def test_predicted_types(label, metric):
    rows = names_in("ambiguous", (1, "Kenye"))
    answers = {row["id"]: {"id": row["id"], "entities": [entity("Kenye", label)]} for row in rows[:4]}
    made = records_of(answers, truth_of(rows))
    shares = {
        m: r["value"] for (m, group), r in made.items() if m.startswith("predicted_") and group.endswith("location")
    }
    assert shares.pop(metric) == 0.8 and shares.pop("predicted_missed") == 0.2
    assert set(shares.values()) == {0}
    assert made["detected", "ambiguous/location"]["value"] == 0.8


TRAPS = ("None", "NA", "Null", "null", "nan", "NaN", "N/A", "An", "007", "1e5", "True", "no", "-inf", "undefined")


@pytest.mark.parametrize("write", ["JSONL", "pandas"])
def test_names_that_look_like_nothing_survive(tmp_path, write):
    text = "Was it {} who was there at the end of {} days?"
    rows = [
        releases.row(10 * n + k, name, template=k, near=name, text=text.format(name, k))
        for n, name in enumerate(TRAPS, 1)
        for k in range(5)
    ]
    folder = releases.write(tmp_path / "release", {"test": rows})
    path = tmp_path / "p"
    if write == "pandas":
        pd.DataFrame(releases.gold(rows)).to_parquet(path)
    else:
        releases.write_lines(path, releases.gold(rows))
    report = pipeline.evaluate(path, load_release(folder)).report
    values = {record["metric"]: record for record in report["metrics"] if record["group"] == "ambiguous/location"}
    for metric, expected, n in [("recall", 1, 70), ("exact_recall", 1, 70), ("always_found", 1, 14), ("fdr", 0, 70)]:
        assert (values[metric]["value"], values[metric]["n"]) == (expected, n)


def test_statuses_and_bytes_hold_over_thirty_runs(tmp_path, rows, folder):
    path = releases.write_lines(tmp_path / "p.jsonl", releases.gold(rows)[::-1])

    def run(number):
        out = tmp_path / f"report{number}.json"
        line = [sys.executable, releases.ROOT / "score.py", "evaluate", path, "--data", folder, "--out", out]
        done = subprocess.run(line, capture_output=True, text=True, timeout=60)
        return done.returncode, done.stderr, done.stdout, out.read_bytes() if out.exists() else None

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(run, range(30)))
    assert {result[:2] for result in results} == {(0, "")}
    assert len(set(results)) == 1
    assert json.loads(results[0][3])["coverage"]["scored"] == len(rows)
