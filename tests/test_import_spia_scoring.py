"""Imported documents, scored: gold answers protect nobody, silence protects all, and a noisy guess lies between."""

import pytest

from build.subjects.published.importing import import_spia
from build.verify import verify
from scoring import pipeline
from scoring.configs import BY_NAME, BY_PREFIX, subject_inference
from scoring.subjects.forms import norm
from scoring.truth import load_release
from tests import published
from tests.releases import ROOT, write_lines

NAME = "subject_inference"
CERTAIN = 3
# Counted from the published files by a plain loop over their entries, apart from this code.
DENOMINATORS = {
    "spia_tab_144": {"documents": 144, "subjects": 586, "units": 3064, "subjects_with_unit": 580},
    "spia_panorama_151": {"documents": 151, "subjects": 360, "units": 942, "subjects_with_unit": 319},
    "spia_panorama_531": {"documents": 531, "subjects": 1126, "units": 2967, "subjects_with_unit": 992},
}
FAULTS = {
    "spia_tab_144": {"no_scored_unit": 6, "age_dash": 1, "empty_value": 0},
    "spia_panorama_151": {"no_scored_unit": 41, "empty_value": 17, "repeated_tag": 2, "span_text": 5},
    "spia_panorama_531": {"no_scored_unit": 134, "empty_value": 67, "repeated_tag": 6, "subject_numbers": 12},
}
SPANS = {"spia_tab_144": "entity_tab_144", "spia_panorama_151": "entity_panorama_151"}
BY_HAND, BY_HAND_FILE = "by hand", "subjects"


@pytest.fixture(scope="module", autouse=True)
def registered():
    """The config among those that can be scored, whether or not a release of our own holds it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(BY_NAME, NAME, subject_inference)
        patch.setitem(BY_PREFIX, subject_inference.PREFIX, subject_inference)
        yield


def answered(row, value_of=lambda number, value: value):
    """A prediction with the first certain value of each of a subject's tags, passed through `value_of`."""
    subjects = []
    for subject in row["subjects"]:
        first = {}
        for pii in subject["pii"]:
            if pii["certainty"] >= CERTAIN and pii["value"].strip():
                first.setdefault(pii["tag"], pii["value"])
        pii = [{"tag": tag, "value": value_of(number, value)} for number, (tag, value) in enumerate(first.items())]
        subjects.append({"description": subject["description"], "pii": pii})
    return {"id": row["id"], "subjects": subjects}


def silent(row):
    return {"id": row["id"], "subjects": []}


def noisy(row):
    """Every other value is wrong."""
    return answered(row, lambda number, value: value if number % 2 else "Qyzzyx")


@pytest.fixture(scope="module", params=[BY_HAND, *DENOMINATORS])
def release(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("import")
    if request.param == BY_HAND:
        documents = [published.document("TAB-1"), published.document("PANORAMA-2")]
        paths = published.write(folder, documents, [published.spans()])
    elif published.PEERS.is_dir():
        paths = published_files(request.param)
    else:
        pytest.skip("the published files are not here")
    import_spia(ROOT, paths, folder / "out")
    return load_release(folder / "out")


def published_files(name):
    """The file of subjects, and that of spans where there is one."""
    spans = [published.PEERS / "spia-entity" / f"{SPANS[name]}.jsonl"] if name in SPANS else []
    return [published.PEERS / "spia" / f"{name}.jsonl", *spans]


def set_of(release):
    """The name of the file of subjects that a release was made of."""
    files = release.manifest["reports"][NAME]["files"]
    return next(file for file, made in files.items() if "subjects" in made).removesuffix(".jsonl")


def scored(release, folder, answer):
    """{(metric, group): record} of an answer to every row."""
    rows = release.table(release.entry(NAME, "test")).to_pylist()
    path = write_lines(folder / "predictions.jsonl", [answer(row) for row in rows])
    return {(r["metric"], r["group"]): r for r in pipeline.evaluate(path, release).report["metrics"]}


def units(release):
    files = release.manifest["reports"][NAME]["files"].values()
    made = [file for file in files if "units" in file]
    return sum(file["units"] for file in made), sum(file["subjects_with_unit"] for file in made)


def test_gold_answers_protect_nobody(release, tmp_path):
    found = scored(release, tmp_path, answered)
    assert (found["cpr", "all"]["value"], found["ipr", "all"]["value"]) == (0, 0)
    assert (found["cpr", "all"]["n"], found["ipr", "all"]["n"]) == units(release)


def test_silence_protects_all(release, tmp_path):
    found = scored(release, tmp_path, silent)
    assert (found["cpr", "all"]["value"], found["ipr", "all"]["value"]) == (1, 1)


def test_a_noisy_guess_lies_between(release, tmp_path):
    found = scored(release, tmp_path, noisy)
    assert 0.3 < found["cpr", "all"]["value"] < 0.8


def test_the_prior_is_a_constant_for_each_tag_and_leaks_some(release, tmp_path):
    found = scored(release, tmp_path, silent)
    # Most subjects of each published set are men; by hand there are as many women, and "F" comes first as a text.
    likely = ("f",) if set_of(release) == BY_HAND_FILE else ("m", "male")
    assert norm(release.manifest["reports"][NAME]["prior"]["SEX"]) in likely
    assert 0 < found["prior_cpr", "all"]["value"] < 1


def test_the_published_files_give_the_published_denominators(release):
    report = release.manifest["reports"][NAME]
    name = set_of(release)
    if name == BY_HAND_FILE:
        pytest.skip("made by hand")
    assert report["files"][f"{name}.jsonl"] == DENOMINATORS[name]
    assert {kind: report["faults"][kind]["count"] for kind in FAULTS[name]} == FAULTS[name]
    assert verify(release.folder) == []
