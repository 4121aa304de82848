"""`import-spia`: published documents become rows, and their faults a report."""

import json

import pytest

from build.subjects.commands import report_lines
from build.subjects.published import faults
from build.subjects.published.importing import import_spia
from build.verify import verify
from scoring import schemas
from scoring.truth import load_release
from tests import published
from tests.releases import ROOT

NAME = "subject_inference"


def imported(folder, subjects=None, entities=None):
    """(manifest, rows) of an import of hand-written documents."""
    paths = published.write(folder, subjects or [published.document()], entities or [])
    manifest = import_spia(ROOT, paths, folder / "out")
    return manifest, rows_of(folder / "out")


def rows_of(folder):
    release = load_release(folder)
    return release.table(release.entry(NAME, "test")).to_pylist()


def counts(manifest):
    return {kind: fault["count"] for kind, fault in manifest["reports"][NAME]["faults"].items() if fault["count"]}


def test_a_document_becomes_a_row(tmp_path):
    manifest, (row,) = imported(tmp_path, entities=[published.spans()])
    assert verify(tmp_path / "out") == []
    assert counts(manifest) == {}
    assert (row["domain"], row["document_date"], row["target_subject"]) == ("legal", "2009", "0")
    assert row["text"] == published.TEXT
    assert [subject["subject_id"] for subject in row["subjects"]] == ["0", "1"]
    assert {pii["tag"]: pii["value"] for pii in row["subjects"][0]["pii"]} == published.KNOWN
    assert [(e["text"], e["identifier_type"]) for e in row["entities"]] == [
        ("Ole Lund", "DIRECT"),
        ("Cracow", "QUASI"),
        ("Eva", "NO_MASK"),
    ]
    assert all(row["text"][e["start"] : e["end"]] == e["text"] for e in row["entities"])
    assert manifest["reports"][NAME]["documents"] == {"TAB-1": row["id"]}


def test_values_bring_their_meaning(tmp_path):
    _, (row,) = imported(tmp_path)
    pii = {pii["tag"]: pii for pii in row["subjects"][0]["pii"]}
    assert "Polish" in pii["NATIONALITY"]["aliases"] and pii["NATIONALITY"]["broader"] == []
    assert "Kraków" in pii["LOCATION"]["aliases"] and "Poland" in pii["LOCATION"]["broader"]
    assert "Midwife" in pii["OCCUPATION"]["aliases"] and "Healthcare worker" in pii["OCCUPATION"]["broader"]


def test_without_spans_there_is_no_target_and_no_date(tmp_path):
    manifest, (row,) = imported(tmp_path)
    assert (row["entities"], row["target_subject"], row["document_date"]) == ([], "", "")
    assert counts(manifest) == {"document_without_spans": 1}


@pytest.mark.parametrize(("data_id", "domain"), [("TAB-0a", "legal"), ("PANORAMA-0A", "online")])
def test_the_domain_is_told_by_the_id(tmp_path, data_id, domain):
    assert imported(tmp_path, [published.document(data_id)])[1][0]["domain"] == domain


@pytest.mark.parametrize(
    ("names", "target", "found"),
    [
        (["Ole Lund", "Eva Lund"], "Ole Lund", "0"),
        (["Eva Lund", "Mr Ole Lund"], "Lund Ole", "1"),
        (["Ole", "Eva Lund"], "Ole Lund", "0"),
        (["Lund", "Ole Lund"], "Ole Lund", "1"),
        (["Ole Karl Lund", ""], "Ole Lund", "0"),
        (["O. Lund", "Eva"], "Ole Lund", "0"),
        (["O.L.", "Eva"], "Ole Lund", ""),
        (["Ole", "Lund"], "Ole Lund", ""),
        (["Ole Lund", "Ole Lund"], "Ole Lund", ""),
        (["", ""], "Ole Lund", ""),
        (["Ole Lund", "Eva"], "", ""),
        (["Zoë O’Brien", "Eva"], "Zoe O'Brien", "0"),
    ],
)
def test_the_target_is_found_by_name(tmp_path, names, target, found):
    document = published.document()
    document["subjects"] = [published.person(number, {"NAME": name}) for number, name in enumerate(names)]
    _, (row,) = imported(tmp_path, [document], [published.spans(applicant=target)])
    assert row["target_subject"] == found


def test_a_profile_names_the_target_of_an_online_text(tmp_path):
    spans = published.spans("PANORAMA-1")
    spans["metadata"] |= {
        "provenance": {"profile": {"First Name": "Ole", "Last Name": "Lund"}},
        "number_of_subjects": "2",
    }
    _, (row,) = imported(tmp_path, [published.document("PANORAMA-1")], [spans])
    assert (row["target_subject"], row["document_date"]) == ("0", "")


def value(tag, text, certainty=4, hardness=1):
    """A fault of the first subject: another entry for a tag."""

    def change(document, spans):
        entries = document["subjects"][0]["PIIs"]
        at = next(number for number, entry in enumerate(entries) if entry["tag"] == tag)
        entries[at] = published.entry(tag, text, certainty, hardness)

    return change


def repeat(document, spans):
    document["subjects"][0]["PIIs"].append(published.entry("SEX", "Male"))


def nobody(document, spans):
    document["subjects"][1] = published.person(1, {})


def nameless(document, spans):
    document["subjects"][1]["description"] = " "


def numbers(document, spans):
    document["subjects"][1]["id"] = 2


def count(document, spans):
    document["metadata"]["number_of_subjects"] = 3


def count_of_spans(document, spans):
    spans["metadata"]["number_of_subjects"] = "3"


def moved(document, spans):
    spans["entities"][0]["start_offset"] += 1


def beyond(document, spans):
    spans["entities"][0]["start_offset"] = 5000


def of_another(document, spans):
    spans["metadata"]["data_id"] = "TAB-2"


def of_nobody(document, spans):
    spans["metadata"]["provenance"]["applicant"] = "Karl Berg"


FAULTS = [
    ("empty_value", "TAB-1/0/POSITION", value("POSITION", "", 3, 2)),
    ("empty_value", "TAB-1/0/POSITION", value("POSITION", "  ", 1, 0)),
    ("value_without_certainty", "TAB-1/0/POSITION", value("POSITION", "Agent", 0, 1)),
    ("value_without_certainty", "TAB-1/0/POSITION", value("POSITION", "Agent", 3, 0)),
    ("repeated_tag", "TAB-1/0", repeat),
    ("no_scored_unit", "TAB-1/1", nobody),
    ("empty_description", "TAB-1/1", nameless),
    ("subject_numbers", "TAB-1", numbers),
    ("subject_count", "TAB-1", count),
    ("subject_count_of_spans", "TAB-1", count_of_spans),
    ("outer_space", "TAB-1/0/SEX", value("SEX", " Male")),
    ("age_dash", "TAB-1/0/AGE", value("AGE", "30–31")),
    ("age_no_number", "TAB-1/0/AGE", value("AGE", "Philippines")),
    ("age_out_of_range", "TAB-1/0/AGE", value("AGE", "121-122")),
    ("age_out_of_range", "TAB-1/0/AGE", value("AGE", "40-31")),
    ("location_reversed", "TAB-1/0/LOCATION", value("LOCATION", "Poland / Cracow")),
    ("location_empty_part", "TAB-1/0/LOCATION", value("LOCATION", "/ / Cracow / Poland")),
    ("location_no_country", "TAB-1/0/LOCATION", value("LOCATION", "Austraila")),
    ("nationality_no_country", "TAB-1/0/NATIONALITY", value("NATIONALITY", "Civil servant")),
    ("no_class", "TAB-1/0/EDUCATION", value("EDUCATION", "Data Analyst")),
    ("span_text", "TAB-1/7-14", moved),
    ("span_text", "TAB-1/5000-14", beyond),
    ("spans_without_document", "TAB-2", of_another),
    ("document_without_spans", "TAB-1", of_another),
    ("target_not_found", "TAB-1", of_nobody),
]


@pytest.mark.parametrize(("kind", "where", "change"), FAULTS)
def test_a_fault_is_reported_and_kept(tmp_path, kind, where, change):
    document, spans = published.document(), published.spans()
    change(document, spans)
    manifest, (row,) = imported(tmp_path, [document], [spans])
    report = manifest["reports"][NAME]
    assert report["faults"][kind]["where"] == [where] and report["faults"][kind]["count"] == 1
    assert set(counts(manifest)) == {kind for kind, place, other in FAULTS if other is change}
    assert any(report["faults"][kind]["what"] in line and where in line for line in report_lines(report))
    assert schemas.is_valid("subject_inference.row.schema.json", row)
    assert [e["keyword"] for s in document["subjects"] for e in s["PIIs"] if e["keyword"] or e["certainty"]] == [
        pii["value"] for subject in row["subjects"] for pii in subject["pii"]
    ]


def test_every_kind_of_fault_has_a_case():
    assert {kind for kind, _, _ in FAULTS} == set(faults.kinds())


UNITS = [
    ([("AGE", "34", 3)], 1),
    ([("AGE", "34", 2)], 0),
    ([("AGE", " ", 5)], 0),
    ([("AGE", "34", 3), ("AGE", "30-39", 5)], 1),
    ([("AGE", "", 5), ("AGE", "34", 3)], 1),
    ([("AGE", "34", 3), ("SEX", "Male", 5), ("NAME", "Ole", 1)], 2),
]


@pytest.mark.parametrize(("entries", "units"), UNITS)
def test_units_are_distinct_tags_that_are_certain(tmp_path, entries, units):
    document = published.document()
    document["subjects"] = [{"id": 0, "description": "x", "PIIs": [published.entry(*e) for e in entries]}]
    document["metadata"]["number_of_subjects"] = 1
    manifest, _ = imported(tmp_path, [document])
    made = manifest["reports"][NAME]["files"]["subjects.jsonl"]
    assert (made["units"], made["subjects_with_unit"]) == (units, int(units > 0))


def test_order_of_files_and_documents_never_matters(tmp_path):
    documents = [published.document(f"TAB-{number}") for number in range(4)]
    spans = [published.spans("TAB-3"), published.spans("TAB-0")]
    contents = set()
    for number, order in enumerate((1, -1)):
        folder = tmp_path / str(number)
        folder.mkdir()
        paths = published.write(folder, documents[::order], spans[::order])
        contents.add(import_spia(ROOT, paths[::order], folder / "out")["files"][0]["content_sha256"])
    assert len(contents) == 1


def test_whole_numbers_may_be_written_as_decimals(tmp_path):
    document = published.document()
    document["subjects"][0]["PIIs"][0]["certainty"] = 4.0
    document["subjects"][0]["id"] = 0.0
    spans = published.spans()
    spans["entities"][0]["start_offset"] = float(spans["entities"][0]["start_offset"])
    manifest, (row,) = imported(tmp_path, [document], [spans])
    assert row["subjects"][0]["subject_id"] == row["target_subject"] == "0" and counts(manifest) == {}


def test_the_manifest_names_no_folder(tmp_path):
    manifest, _ = imported(tmp_path)
    assert str(tmp_path) not in json.dumps(manifest)
