"""score.py --data OWNER/NAME against a loopback Hub: the same report as from the folder, and only what is needed."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from scoring import hub as scoring_hub
from scoring import pipeline, summary
from scoring.errors import UserError
from scoring.truth import load_release
from tests import hub_server
from tests.releases import ROOT

REPO = "someone/nymbench"
TINY = ROOT / "examples" / "tiny"
TAG = "v1.0.0"
PREDICTIONS = {
    path.name.removesuffix(".jsonl"): path for path in sorted(TINY.glob("*.jsonl")) if "unknown" not in path.name
}


def files_of(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def hub():
    with hub_server.running() as server:
        server.repos[REPO] = repo = hub_server.Repo(files_of(TINY))
        repo.tags[TAG] = repo.head
        yield server


@pytest.fixture
def score(hub, tmp_path):
    """Runs score.py in an empty folder with a cache of its own."""
    work = tmp_path / "work"
    work.mkdir()

    def run(*words, cwd=work, **environment):
        more = {"HF_ENDPOINT": hub.address, "HF_HOME": str(tmp_path / "cache"), "HF_HUB_DISABLE_XET": "1"}
        command = [sys.executable, ROOT / "score.py", *map(str, words)]
        return subprocess.run(
            command, cwd=cwd, env=os.environ | more | environment, capture_output=True, text=True, check=False
        )

    return run


def cached(tmp_path):
    """Paths of the files that the cache holds, below their snapshot."""
    snapshots = (tmp_path / "cache" / "hub").glob("datasets--*/snapshots/*")
    return {path.relative_to(top).as_posix() for top in snapshots for path in top.rglob("*") if path.is_file()}


@pytest.mark.parametrize("data", [REPO, f"{REPO}@{TAG}"])
def test_the_report_is_that_of_the_folder(data, score, tmp_path):
    done = score("evaluate", PREDICTIONS["ambiguous_names"], "--data", data, "--out", tmp_path / "hub.json")
    assert (done.returncode, done.stderr) == (0, "")
    local = pipeline.evaluate(PREDICTIONS["ambiguous_names"], load_release(TINY)).report
    assert (tmp_path / "hub.json").read_bytes() == summary.report_json(local)
    assert cached(tmp_path) == {"manifest.json", "data/ambiguous_names/test-00000-of-00001.parquet"}


def test_without_network_the_cache_serves(score, hub, tmp_path):
    words = ("evaluate", PREDICTIONS["usernames"], "--data", REPO)
    first = score(*words)
    hub.log.clear()
    again = score(*words, HF_HUB_OFFLINE="1")
    assert (first.returncode, again.returncode) == (0, 0) and again.stdout == first.stdout
    assert hub.log == []
    unreachable = score(*words, HF_ENDPOINT="http://127.0.0.1:9")
    assert unreachable.stdout == first.stdout
    other = score("evaluate", PREDICTIONS["ambiguous_names"], "--data", REPO, HF_HUB_OFFLINE="1")
    assert other.returncode == 2 and "not whole in the cache" in other.stderr and "Traceback" not in other.stderr


def test_compare_takes_two_revisions(score, hub):
    words = ("compare", PREDICTIONS["usernames"], PREDICTIONS["usernames"], "--data", REPO)
    done = score(*words, "--other-data", f"{REPO}@{TAG}", "--unpaired")
    assert done.returncode == 0, done.stderr


@pytest.fixture
def here(hub, tmp_path, monkeypatch):
    """`open_release` in this process, against the loopback Hub and an empty cache."""
    monkeypatch.setenv("HF_ENDPOINT", hub.address)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_DISABLE_XET", True)
    monkeypatch.chdir(tmp_path)

    def read(data):
        release = scoring_hub.open_release(data)
        return release.table(release.entry("usernames", "test"))

    return read


def test_a_folder_of_that_name_wins(here, hub, tmp_path):
    shutil.copytree(TINY, tmp_path / REPO)
    assert here(REPO).num_rows == 10 and hub.log == []


def without(name):
    return lambda hub: hub.repos[REPO].commit({k: v for k, v in files_of(TINY).items() if k != name})


def with_manifest(change):
    def act(hub):
        files = files_of(TINY)
        manifest = json.loads(files["manifest.json"])
        change(next(entry for entry in manifest["files"] if entry["config"] == "usernames"))
        hub.repos[REPO].commit(files | {"manifest.json": json.dumps(manifest).encode()})

    return act


USERNAMES = "data/usernames/test-00000-of-00001.parquet"
BROKEN = {
    "an unknown dataset": ("someone/else", None, "no such folder, and no such dataset"),
    "an unknown revision": (f"{REPO}@v9", None, "has no revision 'v9'"),
    "a folder that is not there": ("variants/7", None, "no such folder"),
    "a longer path": ("a/b/c", None, "no manifest.json here"),
    "a folder above": ("../x", None, "no manifest.json here"),
    "a mere name": ("nymbench", None, "no manifest.json here"),
    "a token that is asked for": (REPO, lambda hub: hub.faults.update(info=401), "HF_TOKEN"),
    "no right to read": (REPO, lambda hub: hub.faults.update(info=403), "Hugging Face Hub"),
    "a Hub that is down": (REPO, lambda hub: hub.faults.update(info=503), "Hugging Face Hub"),
    "a connection that ends": (REPO, lambda hub: hub.faults.update(info="drop"), "Hugging Face Hub"),
    "a file that is not given": (REPO, lambda hub: hub.faults.update(file=404), "Hugging Face Hub"),
    "no manifest": (REPO, without("manifest.json"), "no manifest.json"),
    "a split that is missing": (REPO, without(USERNAMES), "missing, though the manifest names it"),
    "other bytes": (REPO, with_manifest(lambda entry: entry.update(sha256="0" * 64)), "sha256"),
    "a path that leaves": (REPO, with_manifest(lambda entry: entry.update(path="../../refs/main")), "leaves"),
    "a path into the cache": (REPO, with_manifest(lambda entry: entry.update(path="data/../../x")), "leaves"),
}


@pytest.mark.parametrize("case", sorted(BROKEN))
def test_what_cannot_be_had_is_said(case, here, hub):
    data, act, message = BROKEN[case]
    if act:
        act(hub)
    with pytest.raises(UserError) as caught:
        here(data)
    assert message in str(caught.value), str(caught.value)
    assert "\n" not in str(caught.value)


def test_without_the_library_a_message_says_so(here, monkeypatch):
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(UserError, match="huggingface-hub"):
        here(REPO)


def test_a_moved_branch_is_followed_and_a_tag_stays(here, hub):
    first = here(f"{REPO}@{TAG}")
    files = files_of(TINY)
    hub.repos[REPO].commit({name: data for name, data in files.items() if "usernames" not in name})
    assert here(f"{REPO}@{TAG}").equals(first)
    with pytest.raises(UserError, match="missing"):
        here(REPO)


def test_local_scoring_does_not_load_the_hub_s_library(tmp_path):
    code = (
        "import sys; sys.argv = ['score.py', 'evaluate', sys.argv[1], '--data', sys.argv[2]]; import score\n"
        "try:\n    score.run()\nexcept SystemExit as end:\n    assert not end.code\n"
        "assert 'huggingface_hub' not in sys.modules"
    )
    command = [sys.executable, "-c", code, PREDICTIONS["usernames"], TINY]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
