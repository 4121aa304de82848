"""What comes with unknown_names: rules for free text, exchange with the published files, panels, agreement, sheets."""

import csv
import json
from pathlib import Path

import pytest

from build import folder
from build.configs import unknown_names
from build.configs.unknown import ablations
from build.configs.unknown.screening import Screening
from build.errors import BuildError
from build.pun import export, importer
from build.survey import ITEMS
from build.survey import write as write_survey
from build.verify import verify
from scoring import pipeline
from scoring.errors import UserError
from scoring.rows import file_sha256
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
    where = tmp_path_factory.mktemp("pun") / "csv"
    return where, export.export(release, where)


def test_export_writes_the_published_files_and_columns(published, release):
    where, counts = published
    rows = release.table(release.entry("unknown_names", "test"), ["stratum"]).column("stratum").to_pylist()
    assert counts["release_unknown_names.csv"] == rows.count("unknown")
    assert counts["famous_name_perturbation_controls.csv"] == sum(s.startswith("proximity") for s in rows)
    for name, file in export.plan()["files"].items():
        assert set(filter(None, file["columns"].values())) <= {*unknown_names.SCHEMA.names, "@stratum", "@level"}
        with open(where / name, encoding="utf-8", newline="") as stream:
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


def csv_folder(where, text, name="comparison_names.csv"):
    where.mkdir()
    (where / name).write_text(text, encoding="utf-8", newline="")
    return where


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("stratum,title\nunknown,A B\n", "no column 'name'"),
        ("", "no column 'name'"),
        ("stratum,name\nunknown,Abcdef\n", "'Abcdef' in unknown: a name of two words"),
        ("stratum,name\nunknown,\n", "line 2: the name is missing"),
        ("stratum,name\nunknown, \n", "line 2: the name is missing"),
        ("stratum,name\nunknown,Ab Cd,more\n", "line 2: 3 cells under 2 columns"),
        ("stratum,name\nunknown\n", "line 2: 1 cells under 2 columns"),
        ('stratum,name\nunknown,"Ab Cd\n', "is no CSV"),
        ("stratum,name\nother,Ab Cd\n", "no row has a stratum that is known"),
        ("stratum,name\ncomparison_1,X\n", "'X' in known_1: name"),
        *(
            (f"stratum,name,proximity_distance_level\nunknown,Ab Cd,{number}\n", "distance_level is no whole number")
            for number in ("x", "nan", "inf", "-1", "1.5", "1e300")
        ),
    ],
)
def test_faulty_published_files_are_refused_and_nothing_is_written(text, message, tmp_path):
    source = csv_folder(tmp_path / "in", text)
    with pytest.raises(UserError, match=message):
        importer.convert(source, ROOT, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_every_fault_of_the_published_files_is_told(tmp_path):
    source = csv_folder(tmp_path / "in", "stratum,name,exact_prevalence\nunknown,,1\nunknown,Ab Cd,x\n")
    (source / "known_person_controls.csv").write_bytes(b"name\n\xff\n")
    with pytest.raises(UserError) as raised:
        importer.convert(source, ROOT, tmp_path / "out")
    assert len(raised.value.faults) == 3


def test_names_that_look_like_missing_values_and_one_word_controls_survive(tmp_path):
    lines = ["unknown,None NA", "unknown,Null 007", "comparison_1,NaN Nan", "famous_name_proximity_d12,Olou", "x,Ab Cd"]
    source = csv_folder(tmp_path / "in", "\ufeffstratum,name\r\n" + "\r\n".join(lines))
    manifest = importer.convert(source, ROOT, tmp_path / "out")
    back = load_release(tmp_path / "out")
    names = back.table(back.entry("unknown_names", "test"), ["name"]).column("name").to_pylist()
    assert sorted(names) == ["NaN Nan", "None NA", "Null 007", "Olou"]
    assert manifest["reports"]["unknown_names"]["left_out"] == {"stratum 'x', which is none of ours": 1}
    assert verify(tmp_path / "out") == []


def test_the_files_may_lie_in_the_folder_release(tmp_path):
    (tmp_path / "copy").mkdir()
    csv_folder(tmp_path / "copy" / "release", "stratum,name\nunknown,Ab Cd\n")
    assert importer.convert(tmp_path / "copy", ROOT, tmp_path / "out")["files"][0]["rows"] == 1


def test_a_copy_without_known_names_is_scored_without_balance(tmp_path):
    source = csv_folder(tmp_path / "in", "stratum,name\nunknown,Ab Cd\nunknown,Ef Gh\n")
    importer.convert(source, ROOT, tmp_path / "out")
    back = load_release(tmp_path / "out")
    ids = back.table(back.entry("unknown_names", "test"), ["id"]).column("id").to_pylist()
    path = releases.write_lines(tmp_path / "p.jsonl", [{"id": row_id, "label": "no_info"} for row_id in ids])
    found = {(r["metric"], r["group"]): r for r in pipeline.evaluate(path, back).report["metrics"]}
    assert found["abstention", "unknown"]["value"] == 1
    assert found["balanced_accuracy", "all"]["value"] is None and found["balanced_accuracy", "all"]["reason"]


def test_the_export_says_what_it_holds_and_lacks(published, release):
    where, counts = published
    made = json.loads((where / export.MANIFEST).read_text(encoding="utf-8"))
    assert {file["path"]: file["rows"] for file in made["files"]} == counts
    assert all(file_sha256(where / file["path"]) == file["sha256"] for file in made["files"])
    assert made["omitted"] and made["strata"]["proximity_12"] == "famous_name_proximity_d12"


def test_stable_names_are_doubled_as_in_the_published_files_and_come_back(tmp_path):
    kept = load_release(ROOT)
    rows = kept.table(kept.entry("unknown_names", "lite")).to_pylist()
    unknown = [row for row in rows if row["stratum"] == "unknown"]
    for at, row in enumerate(unknown):
        row |= {"stable_no_info_3": at % 2 == 0, "stable_no_info_10": at % 4 == 0}
    folder.write(ROOT, tmp_path / "panel", unknown_names, {"test": rows}, report={}, sources=[])
    counts = export.export(load_release(tmp_path / "panel"), tmp_path / "csv")
    assert counts["reproducibility_study_noinfo3_stable_no_info.csv"] == len(unknown[::2])
    assert counts["reproducibility_study_noinfo10_stable_no_info.csv"] == len(unknown[::4])
    importer.convert(tmp_path / "csv", ROOT, tmp_path / "back")
    back = load_release(tmp_path / "back")
    found = {row["id"]: row for row in back.table(back.entry("unknown_names", "test")).to_pylist()}
    for row in unknown:
        assert all(found[row["id"]][column] == row[column] for column in export.STABLE)


def test_a_folder_without_the_files_is_refused(tmp_path):
    with pytest.raises(UserError, match="holds no comparison_names.csv"):
        importer.convert(tmp_path, ROOT, tmp_path / "out")


def test_an_import_into_a_folder_in_use_is_refused(published, tmp_path):
    (tmp_path / "kept.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(BuildError, match="is not empty"):
        importer.convert(published[0], ROOT, tmp_path)


def test_generation_ablations_have_the_papers_conditions():
    """Directions as in the paper's Table 13; our local checks drop the common names that the cap keeps out there."""
    table = {row["condition"]: row for row in ablations.table(ROOT, Screening.of(ROOT).facts, 0)}
    assert set(table) == set(ablations.CONDITIONS)
    assert "no_native_language_requirement" in {row["in_the_paper"] for row in table.values()}
    assert all(row["generated"] == 500 <= row["attempts"] for row in table.values())
    assert {name for name, row in table.items() if row["same_country"]} == {"allow_same_country"}
    assert table["no_rare_token_cap"]["local_pass"] < table["paper_baseline"]["local_pass"]
    assert table["pool_size_country_sampling"]["attempts"] > table["paper_baseline"]["attempts"]
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
