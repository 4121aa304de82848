"""Where the data comes from, and that the folders of this project hide no package of the same name."""

import subprocess
import sys

import huggingface_hub
import pytest

from integrations import runs
from integrations.tests import harnesses
from integrations.tests.replies import TINY, mixed, rows_of
from scoring.errors import UserError
from tests import hub_server
from tests.releases import ROOT

REPO = "someone/nymbench"


@pytest.fixture
def hub(monkeypatch, tmp_path):
    with hub_server.running() as server:
        files = {path.relative_to(TINY).as_posix(): path.read_bytes() for path in TINY.rglob("*") if path.is_file()}
        server.repos[REPO] = hub_server.Repo(files)
        monkeypatch.setenv("HF_ENDPOINT", server.address)
        monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", False)
        for name in ("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"):
            monkeypatch.setattr(huggingface_hub.constants, name, str(tmp_path / "cache"), raising=False)
        runs._opened.cache_clear()
        yield server
        runs._opened.cache_clear()


def test_a_hub_id_gives_the_numbers_of_the_folder(hub, tmp_path):
    rows = rows_of("usernames")
    asked = harnesses.requests_of("usernames", "recognise", TINY, "test", tmp_path)
    table = {asked[row["id"]]: mixed(row, "recognise") for row in rows}
    joined = {"\n\n".join(prompt): text for prompt, text in table.items()}
    made = {}
    for data in (TINY, REPO):
        log = harnesses.by_inspect("usernames", table.__getitem__, data, "test", tmp_path)
        found = harnesses.by_lm_eval("usernames", "recognise", joined.__getitem__, data, "test", tmp_path)
        made[data] = (harnesses.metrics_of(log), found)
    assert made[TINY] == made[REPO]
    assert "file" in hub.log


def test_a_dataset_that_is_not_there_is_named(hub):
    with pytest.raises(UserError, match="no such dataset"):
        runs.Run("usernames", "recognise", data="someone/else").release()


@pytest.mark.parametrize("data", [".", "examples/tiny", str(TINY)])
def test_folders_are_read_from_the_clone_s_root(data, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert runs.Run("usernames", "recognise", data=data).release().folder.resolve().is_relative_to(ROOT)


@pytest.mark.parametrize("package", ["inspect_ai", "lm_eval"])
@pytest.mark.parametrize("place", [".", "integrations"])
def test_the_folders_hide_no_package(package, place):
    code = f"import sys; sys.path.insert(0, {place!r}); import {package}; print({package}.__file__)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert str(ROOT / "integrations") not in done.stdout and "site-packages" in done.stdout
