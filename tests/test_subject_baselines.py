"""The adversaries and anonymisers of subject_inference, on documents written by hand."""

import json
import re

import pytest

from baselines import run as runner
from baselines import subjects, tables
from baselines.adversary.answers import answer
from build.subjects.published.importing import import_spia
from scoring.subjects import values
from scoring.truth import load_release
from tests import published
from tests.releases import ROOT

JUDGMENT = (
    "The application was lodged by a Danish national, Ms Ulla Brink (“the applicant”), on 3 May 2010. She was born in "
    "1970 and lives in Odense. The applicant was represented by Mr T. Okoro, a lawyer practising in Aarhus. "
    "Her brother, Jens Brink, a retired bus driver, gave evidence."
)
POST = (
    "@pia_holm: I'm 34 and I work as a nurse at Lindal Hospital here in Bergen. My husband Karl loves it. Write to "
    "pia@lindal.example or call +47 555 01 234."
)
ROW = {
    "id": "si-1",
    "text": "Ole Lund met Eva Moe in Lyme.",
    "target_subject": "0",
    "entities": [
        {"start": 0, "end": 8, "entity_type": "PERSON", "identifier_type": "DIRECT", "subject_id": "0"},
        {"start": 13, "end": 20, "entity_type": "PERSON", "identifier_type": "DIRECT", "subject_id": "1"},
        {"start": 24, "end": 28, "entity_type": "LOC", "identifier_type": "QUASI", "subject_id": "0"},
        {"start": 9, "end": 12, "entity_type": "MISC", "identifier_type": "NO_MASK", "subject_id": "0"},
    ],
}


def told(text, who, persons=()):
    """{tag: values} of the one subject whose description holds a word."""
    names = [m.span() for name in persons for m in re.finditer(re.escape(name), text)]
    (found,) = [one for one in answer(text, names) if who.casefold() in one["description"].casefold()]
    made = {}
    for pii in found["pii"]:
        made.setdefault(pii["tag"], []).append(pii["value"])
    return made


@pytest.mark.parametrize(
    "text, who, tag, value",
    [
        (JUDGMENT, "Ulla", "NAME", "Ulla Brink"),
        (JUDGMENT, "Ulla", "SEX", "Female"),
        (JUDGMENT, "Ulla", "AGE", "39-40"),
        (JUDGMENT, "Ulla", "NATIONALITY", "Denmark"),
        (JUDGMENT, "Ulla", "LOCATION", "Odense"),
        (JUDGMENT, "Okoro", "SEX", "Male"),
        (JUDGMENT, "Okoro", "OCCUPATION", "lawyer"),
        (JUDGMENT, "Okoro", "LOCATION", "Aarhus"),
        (JUDGMENT, "Okoro", "EDUCATION", "College Degree"),
        (JUDGMENT, "Jens", "SEX", "Male"),
        (JUDGMENT, "Jens", "OCCUPATION", "bus driver"),
        (POST, "pia_holm", "NAME", "Pia Holm"),
        (POST, "pia_holm", "AGE", "34"),
        (POST, "pia_holm", "OCCUPATION", "nurse"),
        (POST, "pia_holm", "AFFILIATION", "Lindal Hospital"),
        (POST, "pia_holm", "RELATIONSHIP", "Married"),
        (POST, "Karl", "RELATIONSHIP", "Married"),
        (POST, "Karl", "SEX", "Male"),
        ("My brother Tom turned fifty-two.", "brother", "AGE", "52"),
        ("I have been a widower since spring.", "author", "RELATIONSHIP", "Widowed"),
        ("My passport is X1234567, lost again.", "author", "PASSPORT_NUMBER", "X1234567"),
        ("My driving licence AB-123456 was found.", "author", "DRIVER_LICENSE_NUMBER", "AB-123456"),
        ("Written on 3 May 2010. I was born on 4 May 1970.", "author", "AGE", "39"),
        ("Written on 4 May 2010. I was born on 4 May 1970.", "author", "AGE", "40"),
        ("Ada Moe, a safety officer at Lindal Works, is away.", "Ada", "POSITION", "safety officer"),
        ("Ada Moe, a safety officer at Lindal Works, is away.", "Ada", "AFFILIATION", "Lindal Works"),
        ("Ada Moe became a loan officer.", "Ada", "OCCUPATION", "loan officer"),
        ("My two sons are here.", "number 2", "SEX", "Male"),
        ("Lovely snow today.\nRegards, Ada Moe", "author", "NAME", "Ada Moe"),
        ("@moe.ada says: I saw it.", "author", "NAME", "Moe Ada"),
        ("I am married to Tom.", "Tom", "RELATIONSHIP", "Married"),
        ("I'm in my mid-forties, not old.", "author", "AGE", "mid-forties"),
    ],
)
def test_the_rules_read_each_cue(text, who, tag, value):
    found = told(text, who, ["Ulla Brink", "Jens Brink", "Karl", "Tom", "Ada Moe"])
    assert value in found.get(tag, []), found


@pytest.mark.parametrize(
    "text, who, tag",
    [
        ("Kim Tan lives in Oslo.", "Kim", "SEX"),
        ("I am a nurse.", "author", "AGE"),
        (JUDGMENT, "Okoro", "AGE"),
        ("Ada Moe met Bo Lind, a nurse.", "Ada", "OCCUPATION"),
    ],
)
def test_the_rules_say_nothing_of_what_is_not_there(text, who, tag):
    assert tag not in told(text, who, ["Kim Tan", "Ada Moe", "Bo Lind"])


@pytest.mark.parametrize("text", ["", " ", "\n\n", "[PERSON]", "No one here.", "@", "Mr", "His.", "É" * 3000])
def test_any_text_has_an_answer(text):
    for one in answer(text):
        assert isinstance(one["description"], str)


def test_no_tag_has_more_values_than_count():
    for one in answer(JUDGMENT + " " + POST * 2):
        by_tag = {}
        for pii in one["pii"]:
            by_tag.setdefault(pii["tag"], []).append(pii["value"])
        assert all(values.count(values.said(found)) <= values.allowed(tag) for tag, found in by_tag.items())


def test_the_prior_adversary_says_the_prior_of_each_mention():
    from baselines import prior_only

    (one,) = prior_only.predict([{"id": "si-1", "text": POST}], prior={"SEX": "Male", "AGE": "40", "NAME": ""})
    assert [len(subject["pii"]) for subject in one["subjects"]] == [2] * len(one["subjects"])
    assert len(one["subjects"]) >= 2
    assert one["subjects"][0]["pii"] == [{"tag": "AGE", "value": "40"}, {"tag": "SEX", "value": "Male"}]


@pytest.mark.parametrize(
    "name, expected",
    [
        ("mask_direct", "[PERSON] met [PERSON] in Lyme."),
        ("mask_all", "[PERSON] met [PERSON] in [LOC]."),
        ("target_only", "[PERSON] met Eva Moe in [LOC]."),
    ],
)
def test_gold_anonymisers_mask_their_spans(name, expected):
    (one,) = runner.system(name).predict([ROW])
    assert one == {"id": "si-1", "anonymized_text": expected}


def test_without_a_target_nothing_is_masked():
    (one,) = runner.system("target_only").predict([ROW | {"target_subject": ""}])
    assert one["anonymized_text"] == ROW["text"]


@pytest.mark.parametrize(
    "spans, expected",
    [
        ([], "abcdef"),
        ([(0, 2, "A"), (2, 4, "B")], "[A][B]ef"),
        ([(1, 3, "B"), (0, 4, "A")], "[A]ef"),
        ([(0, 3, "A"), (2, 5, "B")], "[A]f"),
        ([(4, 99, "A"), (-3, 0, "B"), (2, 2, "C")], "abcd[A]"),
    ],
)
def test_spans_that_overlap_are_one(spans, expected):
    from baselines.masking import mask

    assert mask("abcdef", spans) == expected
    assert mask("abcdef", spans[::-1]) == expected


@pytest.mark.parametrize("name", ["spacy_mask", "presidio_mask"])
def test_detectors_mask_what_they_find(name):
    (one,) = runner.system(name).predict(
        [{"id": "si-1", "text": "Peter Jackson called Mary Smith in London on Monday."}]
    )
    assert "[PERSON]" in one["anonymized_text"]
    assert not {"Peter", "Mary", "London"} & set(re.findall(r"\w+", one["anonymized_text"]))
    assert one["anonymized_text"].endswith(".")


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    """A release of two documents with spans, and a prior."""
    folder = tmp_path_factory.mktemp("spia")
    paths = published.write(folder, [published.document()], [published.spans()])
    import_spia(ROOT, paths, folder / "out")
    path = folder / "out" / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    manifest["reports"]["subject_inference"]["prior"] = {"SEX": "Female", "AGE": "50"}
    path.write_text(json.dumps(manifest), encoding="utf-8")
    return folder / "out"


@pytest.fixture(scope="module")
def scored(release, tmp_path_factory):
    """({pair: report}, the folder of reports) of every pair on that release."""
    work = tmp_path_factory.mktemp("work")
    return dict(subjects.run_all("test", release, work, work / "reports")), work / "reports"


def value(report, metric, group="all"):
    (found,) = [r["value"] for r in report["metrics"] if (r["metric"], r["group"]) == (metric, group)]
    return found


def test_every_pair_is_scored(scored):
    reports, folder = scored
    assert sorted(reports) == sorted(subjects.pair(*one) for one in subjects.pairs())
    assert {path.name for path in folder.iterdir()} == {f"subject_inference.test.{name}.json" for name in reports}


@pytest.mark.parametrize("adversary", subjects.ADVERSARIES)
def test_originals_recover_themselves(scored, adversary):
    report = scored[0][f"original+{adversary}"]
    assert value(report, "token_recall") == 0 and value(report, "rouge_l") == 1
    assert value(report, "recovery") == 1


def test_gold_masks_hide_what_they_mask(scored):
    reports = scored[0]
    assert value(reports["mask_all+rules_adversary"], "token_recall") == 1
    assert value(reports["mask_direct+rules_adversary"], "entity_recall_direct") == 1
    assert value(reports["mask_direct+rules_adversary"], "entity_recall_quasi") == 0
    assert value(reports["mask_all+rules_adversary"], "cpr") > value(reports["original+rules_adversary"], "cpr")


def test_the_table_says_what_the_reports_say(scored):
    reports, folder = scored
    shown = tables.subject_results("test", folder)
    numbers = {
        f"{record[key]:.3f}"
        for report in reports.values()
        for record in report["metrics"]
        for key in ("value", "low", "high")
        if record[key] is not None
    }
    assert set(re.findall(r"-?\d\.\d{3}", shown)) <= numbers
    for anonymiser, adversary in subjects.pairs():
        called = "original texts" if anonymiser == subjects.ORIGINAL else f"`{anonymiser}`"
        rows = shown.split(f"against `{adversary}`")[1].splitlines()
        (row,) = [line for line in rows if line.startswith(f"| {called} |")][:1]
        assert f"{value(reports[f'{anonymiser}+{adversary}'], 'cpr'):.3f}" in row


def test_the_committed_tables_are_those_of_the_reports():
    """Once reports are committed, README and card show them; without them there is nothing to show."""
    paths = [runner.report_path(subjects.pair(*one), subjects.CONFIG) for one in subjects.pairs()]
    pages = [(ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "DATASET_CARD.md")]
    marked = [page for page in pages if "<!-- results subject_inference -->" in page]
    assert len({path.is_file() for path in paths}) == 1
    assert all(tables.subject_results() in page for page in marked if paths[0].is_file())


def test_equal_rows_give_equal_bytes(release, tmp_path):
    opened = load_release(release)
    texts = subjects.anonymised(opened, "test", "spacy_mask")
    for adversary in subjects.ADVERSARIES:
        for name in ("one", "two"):
            subjects.write_pair(tmp_path / name, texts, subjects.attack(adversary, texts, opened.manifest))
        assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_the_rules_do_not_hang_on_what_was_read_before():
    from baselines import rules_adversary

    rows = [{"id": str(at), "text": text} for at, text in enumerate((JUDGMENT, POST, ROW["text"]))]
    forwards = {one["id"]: one for one in rules_adversary.predict(rows)}
    backwards = {one["id"]: one for one in rules_adversary.predict(rows[::-1])}
    assert forwards == backwards
