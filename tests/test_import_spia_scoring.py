"""Imported documents, scored: gold answers protect nobody, silence protects all, and a noisy guess lies between."""

import pytest

from build.subjects.published.importing import import_spia
from scoring import pipeline
from scoring.configs import BY_NAME
from scoring.truth import load_release
from tests import published
from tests.releases import ROOT, write_lines

NAME = "subject_inference"
CERTAIN = 3
SETS = ("spia_tab_144", "spia_panorama_151", "spia_panorama_531")

pytestmark = pytest.mark.skipif(NAME not in BY_NAME, reason="no scorer of subject_inference is registered")


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


@pytest.fixture(scope="module", params=["by hand", *SETS])
def release(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("import")
    if request.param == "by hand":
        documents = [published.document("TAB-1"), published.document("PANORAMA-2")]
        paths = published.write(folder, documents, [published.spans()])
    elif published.PEERS.is_dir():
        paths = [published.PEERS / "spia" / f"{request.param}.jsonl"]
    else:
        pytest.skip("the published files are not here")
    import_spia(ROOT, paths, folder / "out")
    return load_release(folder / "out")


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


def test_the_manifest_holds_the_prior(release):
    assert release.manifest["reports"][NAME]["prior"]
