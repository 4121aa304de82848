"""A release folder of rows from elsewhere: whole by its manifest, never over something."""

import pytest

from build.configs import BY_NAME
from build.errors import BuildError
from build.release import folder_of
from build.verify import verify
from scoring.truth import load_release
from tests import releases
from tests.releases import ROOT

AMBIGUOUS = BY_NAME["ambiguous_names"]
ROWS = [releases.row(number, name) for number, name in enumerate(("Keyna", "Kenva", "None"))]


def test_the_folder_is_whole_and_holds_the_rows(tmp_path):
    manifest = folder_of(ROOT, tmp_path / "a", AMBIGUOUS, {"test": ROWS, "validation": ROWS[:1]}, {"from": "a test"})
    assert verify(tmp_path / "a") == []
    release = load_release(tmp_path / "a")
    assert release.table(release.entry("ambiguous_names", "test")).to_pylist() == ROWS
    assert [entry["rows"] for entry in manifest["files"]] == [3, 1]
    assert manifest["reports"] == {"ambiguous_names": {"from": "a test"}}
    assert (tmp_path / "a" / ".huggingface.yaml").is_file()


@pytest.mark.parametrize("kind", ["file", "full"])
def test_nothing_is_written_over(kind, tmp_path):
    out = tmp_path / "a"
    if kind == "full":
        out.mkdir()
    kept = out / "kept.txt" if kind == "full" else out
    kept.write_text("mine", encoding="utf-8")
    with pytest.raises(BuildError, match="holds something"):
        folder_of(ROOT, out, AMBIGUOUS, {"test": ROWS}, {})
    assert kept.read_text(encoding="utf-8") == "mine"
