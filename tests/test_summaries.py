"""The summariser behind the detectors, the command that attacks somebody's texts, and what RESULTS.md says of them."""

import json
import re
import subprocess
import sys

import pytest

from baselines import findings, subjects, summaries, textrank
from baselines import run as runner
from scoring.pipeline import evaluate
from scoring.truth import load_release
from tests import releases
from tests.real import SMALL, TINY, rows_of
from tests.releases import ROOT

SENTENCES = "The tall oak fell on the shed. The shed was old. Nobody saw the oak fall. Soup boiled over next door."


def test_a_summary_is_half_of_the_sentences_in_their_order():
    """By hand: the first sentence shares words with two others, so that it is among the half."""
    parts = textrank.Tokens().to_sentences(SENTENCES)
    kept = textrank.Tokens().to_sentences(textrank.summarise(SENTENCES))
    assert len(parts) == 4 and len(kept) == 2 and kept[0] == parts[0]
    assert kept == [part for part in parts if part in kept]


@pytest.mark.parametrize(
    ("text", "summary"),
    [
        ("", ""),
        ("\n \n", ""),
        ("One word", "One word"),
        ("Same same. Same same.", "Same same."),
        ("!!! ...", "!!! ..."),
    ],
)
def test_odd_texts_have_summaries(text, summary):
    assert textrank.summarise(text) == summary


@pytest.mark.parametrize("seed", ["0", "1", "2"])
def test_summaries_do_not_hang_on_the_hash_seed(seed):
    code = f"from baselines import textrank; print(textrank.summarise({SENTENCES!r}))"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == textrank.summarise(SENTENCES)


def detected(folder, entities_of):
    """Detections of every detector for the tiny rows, where `run_all` looks for them."""
    for detector in summaries.detectors()[1:]:
        path = runner.predictions_path(folder, summaries.CONFIG, "test", detector)
        runner.write_predictions(path, ({"id": r["id"], "entities": entities_of(r)} for r in rows_of(summaries.CONFIG)))


def named(row, label):
    places = [match.span() for match in re.finditer(re.escape(row["name"]), row["text"])]
    return [{"text": row["name"], "type": label, "start": start, "end": end} for start, end in places]


@pytest.mark.parametrize(("label", "leaks"), [("PER", False), ("ORG", True), (None, True)])
def test_only_what_is_called_a_person_is_masked(tmp_path, label, leaks):
    detected(tmp_path, lambda row: named(row, label) if label else [])
    found = dict(summaries.run_all("test", TINY, tmp_path, tmp_path / "reports"))
    assert set(found) == {summaries.system_name(detector) for detector in summaries.detectors()}
    free = leakage(found[summaries.system_name(summaries.NO_DETECTOR)])
    masked = leakage(found[summaries.system_name("spacy_md")])
    assert free > 0 and masked == (free if leaks else 0)


def leakage(report):
    records = [r for r in report["metrics"] if r["metric"] == "leakage" and r["value"] is not None]
    return sum(record["value"] for record in records)


def attack(*parts):
    command = [sys.executable, "-m", "baselines", "attack", *map(str, parts)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_somebody_s_texts_are_attacked_and_scored(tmp_path):
    rows = rows_of(subjects.CONFIG)
    texts = releases.write_lines(tmp_path / "t.jsonl", [{"id": r["id"], "anonymized_text": r["text"]} for r in rows])
    for name, options in (("both", (texts,)), ("original", ("--split", "test"))):
        done = attack("--out", tmp_path / f"{name}.jsonl", "--data", TINY, *options)
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "both.jsonl").read_bytes() == (tmp_path / "original.jsonl").read_bytes()
    options = {"original": tmp_path / "original.jsonl"}
    made = evaluate(tmp_path / "both.jsonl", SMALL, options=options).report
    values = {(r["metric"], r["group"]): r["value"] for r in made["metrics"]}
    assert values["recovery", "all"] == 1 and values["token_recall", "all"] == 0 and values["cpr", "all"] < 1


@pytest.mark.parametrize(
    ("lines", "options", "message"),
    [
        (None, (), "--split lite"),
        ([], (), "t.jsonl"),
        ([{"id": "si-0", "anonymized_text": "x"}], (), "si-0"),
        ("subjects", (), "no row has an `anonymized_text`"),
        (None, ("--split", "none"), "none"),
    ],
)
def test_what_cannot_be_attacked_is_told(tmp_path, lines, options, message):
    if lines == "subjects":
        lines = [{"id": rows_of(subjects.CONFIG)[0]["id"], "subjects": []}]
    given = () if lines is None else (releases.write_lines(tmp_path / "t.jsonl", lines),)
    done = attack("--out", tmp_path / "o.jsonl", "--data", TINY, *given, *options)
    assert done.returncode == 2 and message in done.stderr and not (tmp_path / "o.jsonl").exists()


def test_the_page_of_results_is_that_of_the_reports():
    text = findings.PAGE.read_text(encoding="utf-8")
    for name, made in findings.SECTIONS.items():
        assert f"<!-- {name} -->\n\n{made()}\n\n<!-- /{name} -->" in text
    signatures = {
        json.loads(p.read_text(encoding="utf-8"))["signature"].split("|")[3] for p in runner.REPORTS.iterdir()
    }
    assert signatures == {load_release(ROOT).manifest["version"]}
