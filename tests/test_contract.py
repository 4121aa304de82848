"""What every registered config must do, builder and scorer alike."""

import json
import random

import pyarrow.parquet as pq
import pytest

from build.configs import MODULES as BUILDERS
from scoring import pipeline, schemas
from scoring.configs import BY_NAME as SCORERS
from scoring.truth import load_release
from tests import releases
from tests.releases import ROOT

CONFIGS = sorted(module.NAME for module in BUILDERS)
RECALLS = {"recall": 1, "exact_recall": 1, "recall_paper": 1, "detected": 1, "fdr": 0, "always_found": 1, "mixed": 0}
NOTHING = {"recall": 0, "exact_recall": 0, "recall_paper": 0, "detected": 0, "always_found": 0}


def gold_usernames(rows):
    return [
        {"id": r["id"], "entities": [{"text": r["name"], "type": "USERNAME", "start": r["start"], "end": r["end"]}]}
        for r in rows
    ]


def gold_injection(rows):
    return [
        {"id": r["id"], "summary": "Somebody wanted help.", "entities": [{"text": r["name"], "type": "PERSON"}]}
        for r in rows
    ]


def gold_unknown(rows):
    return [{"id": r["id"], "label": "found" if r["stratum"].startswith("known") else "no_info"} for r in rows]


def gold_subjects(rows):
    made = []
    for row in rows:
        subjects = []
        for one in row["subjects"]:
            first = {p["tag"]: p["value"] for p in reversed(one["pii"]) if p["certainty"] >= 3}
            pii = [{"tag": tag, "value": value} for tag, value in first.items()]
            subjects.append({"description": one["description"], "pii": pii})
        made.append({"id": row["id"], "subjects": subjects, "anonymized_text": row["text"]})
    return made


def no_subjects(rows):
    return [{"id": r["id"], "subjects": []} for r in rows]


def no_entities(rows):
    return [{"id": r["id"], "entities": []} for r in rows]


def no_response(rows):
    return [{"id": r["id"], "response": " "} for r in rows]


GOLD = {
    "ambiguous_names": releases.gold,
    "usernames": gold_usernames,
    "prompt_injection": gold_injection,
    "unknown_names": gold_unknown,
    "subject_inference": gold_subjects,
}
EMPTY = dict.fromkeys(GOLD, no_entities) | {"unknown_names": no_response, "subject_inference": no_subjects}
BEST = {
    "ambiguous_names": RECALLS | {"false_person_rate": 0},
    "usernames": RECALLS,
    "prompt_injection": {
        "leakage": 0,
        "leakage_change": 0,
        "near_leakage": 0,
        "recall": 1,
        "recall_change": 0,
        "lost": 0,
    },
    "unknown_names": {
        "abstention": 1,
        "fabrication": 0,
        "conflation": 0,
        "wrong_person": 0,
        "suggestion": 0,
        "recognition": 1,
        "false_abstention": 0,
        "balanced_accuracy": 1,
        "paired_accuracy": 1,
    },
    "subject_inference": {"cpr": 0, "ipr": 0, "one_minus_aac": 0, "match_rate": 1, "adversary_precision": 1},
}
WORST = {
    "ambiguous_names": NOTHING,
    "usernames": NOTHING,
    "prompt_injection": {"recall": 0},
    "unknown_names": {"abstention": 0, "recognition": 0, "balanced_accuracy": 0, "paired_accuracy": 0},
    "subject_inference": {"cpr": 1, "ipr": 1, "match_rate": 0},
}


@pytest.fixture(scope="module")
def release():
    return load_release(ROOT)


def rows_of(release, config, split="lite"):
    return release.table(release.entry(config, split)).to_pylist()


def scored(release, tmp_path, predictions, **options):
    path = releases.write_lines(tmp_path / "predictions.jsonl", predictions)
    return pipeline.evaluate(path, release, **options).report


def values(report, metric):
    return {r["group"]: r["value"] for r in report["metrics"] if r["metric"] == metric}


def test_builders_and_scorers_are_the_same_configs():
    assert {module.NAME: module.PREFIX for module in BUILDERS} == {n: m.PREFIX for n, m in SCORERS.items()}


@pytest.mark.parametrize("config", CONFIGS)
def test_arrow_and_json_schema_name_the_same_columns(config):
    module = next(module for module in BUILDERS if config == module.NAME)
    schema = schemas.load(schemas.schema_name(config, "row"))
    assert list(schema["properties"]) == module.SCHEMA.names
    assert schema["required"] == module.SCHEMA.names
    assert all("description" in column for column in schema["properties"].values())


@pytest.mark.parametrize("config", CONFIGS)
def test_parquet_has_the_schema_of_its_builder(config, release):
    module = next(module for module in BUILDERS if config == module.NAME)
    for entry in release.splits(config):
        assert pq.read_schema(ROOT / entry["path"]).names == module.SCHEMA.names


@pytest.mark.parametrize("config", CONFIGS)
def test_ids_are_short_prefixed_and_unique(config, release):
    for entry in release.splits(config):
        ids = release.table(entry, ["id"]).column("id").to_pylist()
        assert len(set(ids)) == len(ids)
        assert all(i.startswith(SCORERS[config].PREFIX + "-") and len(i) <= 40 for i in ids)


@pytest.mark.parametrize("split", ("lite", "validation", "test"))
@pytest.mark.parametrize("config", CONFIGS)
def test_gold_answers_are_perfect(config, split, release, tmp_path):
    report = scored(release, tmp_path, GOLD[config](rows_of(release, config, split)), split=split)
    for metric, best in BEST[config].items():
        assert set(values(report, metric).values()) == {best}, metric


@pytest.mark.parametrize("config", CONFIGS)
def test_empty_answers_score_nothing(config, release, tmp_path):
    report = scored(release, tmp_path, EMPTY[config](rows_of(release, config)))
    for metric, worst in WORST[config].items():
        assert set(values(report, metric).values()) == {worst}, metric
    assert report["coverage"]["empty"] == report["coverage"]["expected"]


@pytest.mark.parametrize("config", CONFIGS)
def test_order_of_lines_never_matters(config, release, tmp_path):
    predictions = GOLD[config](rows_of(release, config))
    first = scored(release, tmp_path, predictions)
    random.Random(3).shuffle(predictions)
    second = scored(release, tmp_path, predictions)
    assert first["metrics"] == second["metrics"]


@pytest.mark.parametrize("config", CONFIGS)
def test_the_report_fits_its_schema_and_repeats(config, release, tmp_path):
    from scoring.summary import report_json

    reports = [scored(release, tmp_path, GOLD[config](rows_of(release, config))) for _ in range(2)]
    assert report_json(reports[0]) == report_json(reports[1])
    made = json.loads(report_json(reports[0]))
    assert not schemas.errors("report.schema.json", made)
    keys = [(r["metric"], r["group"]) for r in made["metrics"]]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("config", CONFIGS)
def test_headline_metrics_are_reported_and_directed(config, release, tmp_path):
    report = scored(release, tmp_path, GOLD[config](rows_of(release, config)))
    module = SCORERS[config]
    assert set(module.HEADLINE) <= {r["metric"] for r in report["metrics"]}
    assert set(module.DIRECTIONS.values()) <= {"higher", "lower"}
    for record in report["metrics"]:
        assert record["value"] is not None or record["reason"]
