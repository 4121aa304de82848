"""Source packages as data: plain pickles only, archives that stay in their folder, pins with hashes."""

import base64
import hashlib
import io
import pickle
import re
import tarfile
from collections import OrderedDict
from pathlib import Path

import pytest

from build.errors import BuildError
from build.sources import fetch


@pytest.mark.parametrize("value", [{"a": [1, "b", None]}, {"x"}, ("t", 2.5)])
def test_plain_pickles_load(value):
    assert fetch.plain_pickle(pickle.dumps(value)) == value


@pytest.mark.parametrize("value", [OrderedDict(a=1), re.compile("x"), print])
def test_pickles_that_name_globals_are_refused(value):
    with pytest.raises(BuildError, match="global"):
        fetch.plain_pickle(pickle.dumps(value))


def archive(*names):
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as made:
        for name in names:
            entry = tarfile.TarInfo(name)
            entry.size = 4
            made.addfile(entry, io.BytesIO(b"text"))
    return data.getvalue()


def test_archives_are_unpacked_below_their_folder(tmp_path):
    fetch.untar(archive("package/a.txt", "package/deep/b.txt"), tmp_path)
    assert (tmp_path / "package" / "deep" / "b.txt").read_bytes() == b"text"


@pytest.mark.parametrize("name", ["../out.txt", "package/../../out.txt", "/etc/out.txt"])
def test_archives_that_leave_their_folder_are_refused(tmp_path, name):
    with pytest.raises(BuildError, match="leaves"):
        fetch.untar(archive(name), tmp_path / "inside")


def test_every_pin_has_a_hash_and_a_licence():
    import json

    licences = json.loads(fetch.LICENCES.read_text(encoding="utf-8"))
    npm = json.loads(fetch.NPM_PINS.read_text(encoding="utf-8"))
    assert all(re.fullmatch("[0-9a-f]{64}", sha256) and name in licences for name, _, sha256 in fetch.pypi_pins())
    assert all(pin["integrity"].startswith("sha512-") and pin["package"] in licences for pin in npm)


def test_half_a_download_is_fetched_again(tmp_path, monkeypatch):
    whole = archive("package/a.txt")
    digest = base64.b64encode(hashlib.sha512(whole).digest()).decode()
    pin = {"package": "p", "version": "1", "file": "p-1.tgz", "integrity": f"sha512-{digest}"}
    monkeypatch.setattr(fetch, "_run", lambda command, cwd: (Path(cwd) / "p-1.tgz").write_bytes(whole))
    (tmp_path / "p-1.tgz").write_bytes(whole[:20])
    (tmp_path / "unpacked" / "p-1.draft").mkdir(parents=True)
    assert fetch.fetch_npm(tmp_path, pin).path("a.txt").read_bytes() == b"text"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["p-1.tgz", "unpacked"]


def test_a_download_that_is_not_the_pinned_one_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(fetch, "_run", lambda command, cwd: (Path(cwd) / "p-1.tgz").write_bytes(b"other"))
    pin = {"package": "p", "version": "1", "file": "p-1.tgz", "integrity": "sha512-x"}
    with pytest.raises(BuildError, match="not the pinned file"):
        fetch.fetch_npm(tmp_path, pin)
