"""What comes with unknown_names: rules for free text, exchange with the published files, panels, agreement, sheets."""

import csv
import json
from pathlib import Path

import pytest

from build.configs.unknown import ablations, panels
from build.configs.unknown.screening import Screening
from build.errors import BuildError
from build.pun import agreement, export, importer
from build.survey import ITEMS
from build.survey import write as write_survey
from scoring import pipeline
from scoring.errors import UserError
from scoring.truth import load_release
from scoring.unknown import adjudication
from tests import releases
from tests.releases import ROOT

REPLIES = json.loads((Path(__file__).parent / "adjudication_responses.json").read_text(encoding="utf-8"))
HELD_OUT = REPLIES["replies"][2::3]


@pytest.fixture(scope="module")
def release():
    return load_release(ROOT)


def agreed(replies):
    return sum(adjudication.label(REPLIES["name"], text) == label for label, text in replies) / len(replies)


def test_rules_agree_with_labels_given_beforehand():
    print("held out:", agreed(HELD_OUT))
    assert agreed(HELD_OUT) >= 0.9 and agreed(REPLIES["replies"]) >= 0.95


@pytest.mark.parametrize("label", ["found", "similar", "attractor", "no_info", "fail"])
def test_every_label_of_the_decision_order_is_reached(label):
    replies = [reply for reply in REPLIES["replies"] if reply[0] == label]
    assert len(replies) >= 8 and agreed(replies) >= 0.8


@pytest.mark.parametrize("text", ["\U0001f600", "\u202eabc", "a" * 10_000, "\u0301\u0301", "\n\n", "(((", "Ⅻ٣"])
def test_no_reply_stops_the_rules(text):
    assert adjudication.label("Brunhalla Veltrosko", text) in ("fail", "no_info", "similar")


@pytest.fixture(scope="module")
def published(release, tmp_path_factory):
    folder = tmp_path_factory.mktemp("pun") / "csv"
    return folder, export.export(release, folder)


def test_export_writes_the_published_files_and_columns(published, release):
    folder, counts = published
    rows = release.table(release.entry("unknown_names", "test"), ["stratum"]).column("stratum").to_pylist()
    assert counts["release_unknown_names.csv"] == rows.count("unknown")
    assert counts["famous_name_perturbation_controls.csv"] == sum(s.startswith("proximity") for s in rows)
    for name, file in export.plan()["files"].items():
        with open(folder / name, encoding="utf-8", newline="") as stream:
            assert next(csv.reader(stream)) == list(file["columns"])


def test_what_was_exported_comes_back(published, release, tmp_path):
    importer.convert(published[0], ROOT, tmp_path / "back")
    back = load_release(tmp_path / "back")
    ours = release.table(release.entry("unknown_names", "test")).to_pylist()
    theirs = {row["id"]: row for row in back.table(back.entry("unknown_names", "test")).to_pylist()}
    kept = [row for row in ours if not row["stratum"].startswith("nonname")]
    assert len(theirs) == len(kept)
    same = (
        "name",
        "stratum",
        "verdict",
        "run_id",
        "source_name",
        "distance_level",
        "strategy",
        "donor_parts",
        "edit_distance",
        "expected_query_count",
        "bits_per_character",
        "tokens_per_character",
    )
    for row in kept:
        assert {key: theirs[row["id"]][key] for key in same} == {key: row[key] for key in same}
    gold = [{"id": i, "label": "found" if r["stratum"].startswith("known") else "no_info"} for i, r in theirs.items()]
    path = releases.write_lines(tmp_path / "gold.jsonl", gold)
    report = pipeline.evaluate(path, back).report
    found = {(r["metric"], r["group"]): r["value"] for r in report["metrics"]}
    assert found["balanced_accuracy", "all"] == 1 and found["paired_accuracy", "unknown"] == 1


def csv_folder(folder, text, name="comparison_names.csv"):
    folder.mkdir()
    (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("stratum,title\nunknown,A B\n", "no column 'name'"),
        ("", "no column 'name'"),
        ("stratum,name\nunknown,Abcdef\n", "line 2.*a name of two words"),
        ("stratum,name\nunknown,\n", "line 2.*a name of two words"),
        ("stratum,name,proximity_distance_level\nunknown,Ab Cd,x\n", "line 2.*distance_level is no number"),
        ("stratum,name\nother,Ab Cd\n", "no row has a stratum that is known"),
    ],
)
def test_faulty_published_files_are_refused_and_nothing_is_written(text, message, tmp_path):
    source = csv_folder(tmp_path / "in", text)
    with pytest.raises(UserError, match=message):
        importer.convert(source, ROOT, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_folder_without_the_files_is_refused(tmp_path):
    with pytest.raises(UserError, match="holds no comparison_names.csv"):
        importer.convert(tmp_path, ROOT, tmp_path / "out")


def test_an_import_into_a_folder_in_use_is_refused(published, tmp_path):
    (tmp_path / "kept.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(BuildError, match="is not empty"):
        importer.convert(published[0], ROOT, tmp_path)


def replicated(release, tmp_path, labels_of):
    rows = release.table(release.entry("unknown_names", "lite"), ["id", "stratum"]).to_pylist()
    made = [
        {"id": row["id"], "label": label, "replicate": number}
        for place, row in enumerate(rows)
        for number, label in enumerate(labels_of(place, row))
    ]
    return releases.write_lines(tmp_path / "panel.jsonl", made)


def test_panels_by_hand(release, tmp_path):
    # every second row answers no_info throughout, the others find somebody in the fourth run
    path = replicated(
        release, tmp_path, lambda at, row: ["no_info"] * 3 + (["found"] if at % 2 else ["no_info"]) + ["no_info"] * 6
    )
    table = panels.panel(path, release, tmp_path / "data" / "panels" / "unknown_names.jsonl")
    assert [row["reps"] for row in table] == [3, 10]
    assert table[0]["always_no_info_pct"] == 100 and table[0]["found"] == 0
    assert table[1]["found"] == table[1]["names"] - table[1]["always_no_info"] > 0
    read = panels.read(tmp_path)
    assert all(found["stable_no_info_3"] for found in read.values())
    assert sum(found["stable_no_info_10"] for found in read.values()) == table[1]["always_no_info"]


def test_a_panel_of_too_few_reruns_is_refused(release, tmp_path):
    path = replicated(release, tmp_path, lambda at, row: ["no_info"] * 2)
    with pytest.raises(BuildError, match="no unknown name has 3 replicates"):
        panels.panel(path, release, tmp_path / "panel.out")


def verdict_lines(release, change):
    rows = release.table(release.entry("unknown_names", "lite"), ["name", "verdict"]).to_pylist()
    judged = [row for row in rows if row["verdict"]]
    return [
        {"name": r["name"], "verdict": change(at, r["verdict"]), "provider": "serper"} for at, r in enumerate(judged)
    ]


def test_agreement_of_a_run_with_the_release(release, tmp_path):
    def web(at, verdict):
        if at % 4 == 0:
            return "web_evidence_found"
        return verdict.replace("no_local_evidence_found", "no_indexed_full_name_evidence_found")

    lines = verdict_lines(release, web)
    path = releases.write_lines(tmp_path / "run.jsonl", [*lines, {"name": "Nobody Here", "verdict": "ambiguous"}])
    found = agreement.agreement(path, release)
    changed = len(lines[::4])
    assert found["names"] == len(lines) and found["not_in_release"] == 1
    assert found["equal"] == round(1 - changed / len(lines), 4)
    assert sum(found["table"].values()) == len(lines) and found["released_by"] == "local"


def test_cohens_kappa_by_hand():
    # 20 of 25 on the first label in both, 15 of 25 on the second: observed .7, expected .5
    pairs = [("a", "a")] * 20 + [("a", "b")] * 5 + [("b", "a")] * 10 + [("b", "b")] * 15
    assert agreement.cohen(pairs) == 0.4
    assert agreement.cohen([("a", "a")]) is None


@pytest.mark.parametrize("text", ["", "[1]\n", '{"name": 1}\n', "not json\n"])
def test_no_file_of_verdicts(text, release, tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BuildError):
        agreement.agreement(path, release)


def test_generation_ablations_have_the_papers_conditions():
    table = {row["condition"]: row for row in ablations.table(ROOT, Screening.of(ROOT).facts, 0)}
    assert set(table) == set(ablations.CONDITIONS) and table["paper_baseline"]["same_country"] == 0
    assert table["allow_same_country"]["same_country"] > 0
    assert table["no_rare_token_cap"]["local_pass"] < table["paper_baseline"]["local_pass"]
    pairs = [table[name]["distinct_country_pairs"] for name in ("pool_size_country_sampling", "paper_baseline")]
    assert pairs[0] < pairs[1]


def test_packets_hold_six_names_and_three_checks(tmp_path):
    out = tmp_path / "sheet.csv"
    assert write_survey(ROOT, out, 20, 0) == 20 * (ITEMS + 3)
    with open(out, encoding="utf-8", newline="") as stream:
        lines = list(csv.DictReader(stream))
    with open(f"{out}.key.csv", encoding="utf-8", newline="") as stream:
        strata = {line["number"]: line["stratum"] for line in csv.DictReader(stream)}
    assert list(lines[0]) == ["number", "packet", "name", "answer: plausible full name? (yes, no, could not tell)"]
    for packet in range(1, 21):
        kinds = [strata[line["number"]] for line in lines if line["packet"] == str(packet)]
        assert sum(kind.startswith("nonname") for kind in kinds) == 3 and len(kinds) == 9
    assert len({line["name"] for line in lines}) == len(lines)
    with pytest.raises(BuildError, match="exists already"):
        write_survey(ROOT, out, 20, 0)
