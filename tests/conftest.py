"""Fixtures that every test file may use."""

import shutil
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests import releases


@pytest.fixture(scope="session")
def rows():
    """Rows of every stratum: two ambiguous names in two types, a matched, a baseline name, a control."""
    made = []
    for template in range(5):
        base = template * 10
        made += [
            releases.row(base + 1, "Kenye", template=template),
            releases.row(base + 2, "Adomite", name_type="mineral", near="Adamite", template=template),
            releases.row(base + 3, "Holte Oram", name_type="syndrome", near="Holt Oram", template=template),
            releases.row(base + 4, "Zweibel", stratum="matched", template=template),
            releases.row(base + 5, "Mary", stratum="baseline", template=template),
            releases.row(base + 6, "Kenya", stratum="entity_control", template=template),
        ]
    return made


@pytest.fixture
def folder(tmp_path, rows):
    """A release of those rows as `test`, the first two names of them as `lite`, and another as `validation`."""
    lite = [row for row in rows if row["name"] in ("Kenye", "Adomite")]
    other = [releases.row(900 + n, "Canad", template=n) for n in range(5)]
    return releases.write(tmp_path / "release", {"test": rows, "lite": lite, "validation": other})


@pytest.fixture
def tiny(tmp_path):
    """A copy of the ten-row release."""
    shutil.copytree(releases.ROOT / "examples" / "tiny", tmp_path / "tiny")
    return tmp_path / "tiny"


@pytest.fixture
def refused_here(monkeypatch, capsys):
    """As refused_by_command, within this process."""
    import score

    def refuse(path, folder, out, *options):
        command = ["score.py", "evaluate", path, "--data", folder, "--out", out, *options]
        monkeypatch.setattr(sys, "argv", [str(part) for part in command])
        with pytest.raises(SystemExit) as caught:
            score.run()
        captured = capsys.readouterr()
        assert caught.value.code == 2 and captured.out == ""
        return captured.err

    return refuse
