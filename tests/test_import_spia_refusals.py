"""`import-spia` refuses what is no published document and folders in use, tells all faults, and writes nothing then."""

import subprocess
import sys

import pytest

from build.errors import BuildError
from build.subjects.published.importing import import_spia
from scoring.errors import UserError
from tests import published
from tests.releases import ROOT


def without(*path):
    """A document that lacks the field at a path."""

    def make():
        made = published.document()
        inside = made
        for step in path[:-1]:
            inside = inside[step]
        del inside[path[-1]]
        return made

    return make


def with_value(wrong, *path):
    """A document with another value at a path."""

    def make():
        made = published.document()
        inside = made
        for step in path[:-1]:
            inside = inside[step]
        inside[path[-1]] = wrong
        return made

    return make


ENTRY = ("subjects", 0, "PIIs", 0)
REFUSED = [
    ("lacks metadata", without("metadata"), "'metadata' is a required property"),
    ("lacks its id", without("metadata", "data_id"), "'data_id' is a required property"),
    ("lacks text", without("text"), "'text' is a required property"),
    ("lacks subjects", without("subjects"), "lacks both 'subjects' and 'entities'"),
    ("lacks a description", without("subjects", 0, "description"), "'description' is a required property"),
    ("lacks PIIs", without("subjects", 0, "PIIs"), "'PIIs' is a required property"),
    ("lacks a tag", without(*ENTRY, "tag"), "'tag' is a required property"),
    ("lacks a keyword", without(*ENTRY, "keyword"), "'keyword' is a required property"),
    ("no known origin", with_value("OTHER-1", "metadata", "data_id"), "does not match"),
    ("empty text", with_value("", "text"), "text: "),
    ("no subject", with_value([], "subjects"), "subjects: "),
    ("unknown tag", with_value("SHOE_SIZE", *ENTRY, "tag"), "SHOE_SIZE"),
    ("value no text", with_value(None, *ENTRY, "keyword"), "keyword: None is not of type 'string'"),
    ("certainty too high", with_value(6, *ENTRY, "certainty"), "certainty: 6"),
    ("certainty no number", with_value("4", *ENTRY, "certainty"), "certainty: '4'"),
    ("hardness negative", with_value(-1, *ENTRY, "hardness"), "hardness: -1"),
    ("subject twice", with_value(0, "subjects", 1, "id"), "the subject 0 stands twice"),
]


@pytest.mark.parametrize(("make", "message"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_what_is_no_published_document_is_refused(tmp_path, make, message):
    paths = published.write(tmp_path, [published.document("TAB-9"), make()])
    with pytest.raises(UserError) as caught:
        import_spia(ROOT, paths, tmp_path / "out")
    line = str(caught.value)
    assert line.startswith(f"{paths[0]}: line 2") and message in line
    assert not (tmp_path / "out").exists()


def damaged(text):
    return lambda folder: (folder / "subjects.jsonl").write_bytes(text)


def other_text(folder):
    published.write(folder, [published.document()], [published.spans(text="Ole Lund saw Cracow with Eva.")])


def same_document(folder):
    published.write(folder, [published.document(), published.document("TAB-2"), published.document()])


def wrong_type(folder):
    spans = published.spans()
    spans["entities"][0]["identifier_type"] = "MASK"
    spans["entities"][1]["start_offset"] = -1
    published.write(folder, [published.document()], [spans])


FILES = [
    ("bad JSON", damaged(b'{"metadata": \n'), ["line 1", "not valid JSON"]),
    ("empty", damaged(b""), ["the file is empty"]),
    ("an array of numbers", damaged(b"[1]"), ["item 1", "expected a JSON object"]),
    ("a key twice", damaged(b'{"text": "a", "text": "b"}'), ["line 1", "stands twice"]),
    ("NaN", damaged(b'{"text": NaN}'), ["NaN"]),
    ("not UTF-8", damaged(b'{"text": "\xff"}'), ["not UTF-8"]),
    ("an LFS pointer", damaged(b"version https://git-lfs.github.com/spec/v1\n"), ["Git LFS"]),
    ("a missing file", lambda folder: None, ["no such file"]),
    ("another text", other_text, ["entities.jsonl, line 1", "subjects.jsonl, line 1", "its text is not that of"]),
    ("a document twice", same_document, ["line 3", "'TAB-1'", "stands twice, first in", "subjects.jsonl, line 1"]),
    ("spans of a wrong form", wrong_type, ["entities[0].identifier_type: 'MASK'", "entities[1].start_offset: -1"]),
]


@pytest.mark.parametrize(("damage", "messages"), [case[1:] for case in FILES], ids=[case[0] for case in FILES])
def test_a_faulty_file_is_refused_with_status_2_and_nothing_written(tmp_path, damage, messages):
    damage(tmp_path)
    paths = [tmp_path / name for name in ("subjects.jsonl", "entities.jsonl")]
    given = [path for path in paths if path.is_file()] or paths[:1]
    before = sorted(tmp_path.iterdir())
    with pytest.raises(UserError) as caught:
        import_spia(ROOT, given, tmp_path / "out")
    assert all(message in str(caught.value) for message in messages), caught.value
    assert sorted(tmp_path.iterdir()) == before


def test_spans_alone_are_refused(tmp_path):
    with pytest.raises(UserError, match="no file holds a document with 'subjects'"):
        import_spia(ROOT, published.write(tmp_path, [], [published.spans()]), tmp_path / "out")


def test_all_faults_of_all_files_are_told(tmp_path):
    first = published.write(tmp_path, [without("text")(), with_value(9, *ENTRY, "certainty")()])
    second = tmp_path / "more.jsonl"
    second.write_text("{}\n", encoding="utf-8")
    with pytest.raises(UserError) as caught:
        import_spia(ROOT, [*first, second], tmp_path / "out")
    lines = str(caught.value).splitlines()
    assert [line.partition(": ")[2][:6] for line in lines] == ["line 1", "line 2", "line 1"]


def test_the_command_prints_the_report_and_refuses_with_status_2(tmp_path):
    paths = published.write(tmp_path, [published.document()])
    command = [sys.executable, "-m", "build", "import-spia", *map(str, paths), "--out", str(tmp_path / "out")]
    good = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert good.returncode == 0, good.stderr
    assert "subjects.jsonl: 1 documents, 2 subjects, 8 units, 2 subjects with unit" in good.stdout
    paths[0].write_text("{}", encoding="utf-8")
    command[-1] = str(tmp_path / "other")
    bad = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (bad.returncode, bad.stdout) == (2, "") and "subjects.jsonl: line 1" in bad.stderr
    assert not (tmp_path / "other").exists()


def a_file(folder):
    (folder / "out").write_text("x", encoding="utf-8")


def a_full_folder(folder):
    (folder / "out").mkdir()
    (folder / "out" / "mine.txt").write_text("x", encoding="utf-8")


@pytest.mark.parametrize("occupy", [a_file, a_full_folder])
def test_a_folder_in_use_is_not_overwritten(tmp_path, occupy):
    paths = published.write(tmp_path, [published.document()])
    occupy(tmp_path)
    before = {path: path.is_file() and path.read_bytes() for path in tmp_path.rglob("*")}
    with pytest.raises(BuildError):
        import_spia(ROOT, paths, tmp_path / "out")
    assert {path: path.is_file() and path.read_bytes() for path in tmp_path.rglob("*")} == before


def test_a_folder_below_an_absent_one_is_refused(tmp_path):
    with pytest.raises(BuildError, match="does not exist"):
        import_spia(ROOT, published.write(tmp_path, [published.document()]), tmp_path / "a" / "b")
