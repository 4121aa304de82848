"""The project as its users meet it: loading splits, scoring from the five parts alone, the examples."""

import json
import re
import shutil
import subprocess
import sys

import pytest

from tests.releases import ROOT

FIVE = ("score.py", "scoring", "schemas", "data/ambiguous_names", "manifest.json")
CONFIGS = ("ambiguous_names", "prompt_injection", "usernames")
TINY = ROOT / "examples" / "tiny"


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """What a clone holds of the dataset: data, manifest and the list of configs."""
    folder = tmp_path_factory.mktemp("clone") / "nymbench"
    shutil.copytree(ROOT / "data", folder / "data")
    shutil.copytree(ROOT / "schemas", folder / "schemas")
    for name in (".huggingface.yaml", "manifest.json"):
        shutil.copyfile(ROOT / name, folder / name)
    return folder


@pytest.mark.parametrize("streaming", [False, True])
def test_load_dataset(clone, streaming, tmp_path, monkeypatch):
    import datasets

    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    manifest = json.loads((clone / "manifest.json").read_text(encoding="utf-8"))
    for entry in manifest["files"]:
        loaded = datasets.load_dataset(
            str(clone), entry["config"], split=entry["split"], streaming=streaming, cache_dir=str(tmp_path)
        )
        rows = list(loaded)
        assert len(rows) == entry["rows"]
        if entry["split"] == "lite":
            from scoring.rows import content_sha256

            assert content_sha256(rows) == entry["content_sha256"]


def test_load_dataset_by_relative_path(clone, tmp_path, monkeypatch):
    import datasets

    monkeypatch.chdir(clone.parent)
    loaded = datasets.load_dataset("./nymbench", "ambiguous_names", split="test", cache_dir=str(tmp_path))
    assert loaded.num_rows == 76885 or loaded.num_rows > 70_000


def run(command, folder):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_the_five_score_alone(tmp_path):
    for name in FIVE:
        source, target = ROOT / name, tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(source, target) if source.is_dir() else shutil.copyfile(source, target)
    shutil.copyfile(ROOT / "baselines/predictions/ambiguous_names.lite.spacy_md.jsonl.gz", tmp_path / "p.jsonl.gz")
    done = run([sys.executable, "score.py", "evaluate", "p.jsonl.gz", "--out", "r.json"], tmp_path)
    assert done.returncode == 0, done.stderr
    assert "ambiguous/average" in done.stdout
    assert json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))["split"] == "lite"


def score_tiny(config, *more):
    command = [
        sys.executable,
        "score.py",
        "evaluate",
        f"examples/tiny/{config}.jsonl",
        "--data",
        "examples/tiny",
        *more,
    ]
    return run(command, ROOT)


@pytest.mark.parametrize("config", CONFIGS)
def test_the_tiny_examples_have_their_expected_reports(config, tmp_path):
    done = score_tiny(config, "--out", str(tmp_path / "report.json"))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "report.json").read_bytes() == (TINY / f"{config}.report.json").read_bytes()


def test_the_readme_prints_the_tiny_example_s_table():
    assert score_tiny("ambiguous_names").stdout.strip() in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("config", CONFIGS)
def test_results_tables_are_those_of_the_reports(config):
    from baselines.tables import results

    for name in ("README.md", "DATASET_CARD.md"):
        assert results(config) in (ROOT / name).read_text(encoding="utf-8"), name


def test_shipped_predictions_are_the_detectors_own():
    """spaCy itself, on the tiny example's texts, against the predictions shipped for lite."""
    import gzip

    from baselines import spacy_md
    from scoring.truth import load_release

    release = load_release(TINY)
    rows = release.table(release.entry("ambiguous_names", "test"), ["id", "text"]).to_pylist()
    with gzip.open(ROOT / "baselines/predictions/ambiguous_names.lite.spacy_md.jsonl.gz", "rt", encoding="utf-8") as f:
        shipped = {p["id"]: p for p in map(json.loads, f)}
    for prediction in spacy_md.predict(rows, processes=1):
        assert prediction == shipped[prediction["id"]]


def test_the_readme_s_python_blocks_run(tmp_path, clone):
    """Each python block of the README, run from a folder that holds a clone named nymbench."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    assert len(blocks) >= 2
    for name in ("score.py", "scoring"):
        source, target = ROOT / name, clone / name
        shutil.copytree(source, target, dirs_exist_ok=True) if source.is_dir() else shutil.copyfile(source, target)
    for block in blocks:
        done = run([sys.executable, "-c", block], clone.parent)
        assert done.returncode == 0, done.stderr
