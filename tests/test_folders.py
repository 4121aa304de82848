"""A release folder of rows from elsewhere: whole by its manifest, never over something."""

import pytest

from build import folder
from build.configs import BY_NAME
from build.errors import BuildError
from build.verify import verify
from scoring.truth import load_release
from tests import releases
from tests.releases import ROOT

AMBIGUOUS = BY_NAME["ambiguous_names"]
ROWS = [releases.row(number, name) for number, name in enumerate(("Keyna", "Kenva", "None"))]


def written(out):
    splits = {"test": ROWS, "validation": ROWS[:1]}
    return folder.write(ROOT, out, AMBIGUOUS, splits, report={"from": "a test"}, sources=[])


def test_the_folder_is_whole_and_holds_the_rows(tmp_path):
    manifest = written(tmp_path / "a")
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
    with pytest.raises(BuildError, match="is not empty"):
        written(out)
    assert kept.read_text(encoding="utf-8") == "mine"
