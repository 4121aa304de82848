"""Source packages as data: plain pickles only, archives that stay in their folder, pins with hashes."""

import io
import pickle
import re
import tarfile
from collections import OrderedDict

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
