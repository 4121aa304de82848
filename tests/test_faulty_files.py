"""Bad Parquet, bad releases, bad outputs and label maps, in-process and by the command line."""

import gzip
import hashlib
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests import releases
from tests.faulty import (
    ID,
    ORAM,
    TEST_FILE,
    file_of,
    line_of,
    names,
    refusal,
    refused_by_command,
    refused_bytes,
    run,
)


def parquet_bytes(**columns):
    """A Parquet file of these columns."""
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table(columns), sink)
    return sink.getvalue().to_pybytes()


def gold_columns(rows):
    """The gold predictions as columns."""
    gold = releases.gold(rows)
    return {"id": [p["id"] for p in gold], "entities": pa.array([p["entities"] for p in gold])}


def not_utf8(count):
    """A string column whose first value is no UTF-8."""
    return pa.array([b"an-\xff"] + [b"x"] * (count - 1)).view(pa.string())


PARQUET = [
    (
        "no id",
        lambda gold: parquet_bytes(entities=gold["entities"]),
        ["Parquet without a column 'id'", "it has entities"],
    ),
    (
        "id a number",
        lambda gold: parquet_bytes(**gold | {"id": range(30)}),
        ["row 1: the field 'id' is missing or no string"],
    ),
    (
        "id null",
        lambda gold: parquet_bytes(**gold | {"id": [*gold["id"][:2], None, *gold["id"][3:]]}),
        ["row 3: the field 'id'"],
    ),
    (
        "another schema",
        lambda gold: parquet_bytes(id=gold["id"], label=["found"] * 30),
        [f"row 3, id {ID!r}", "'entities' is a required property"],
    ),
    (
        "entities as JSON",
        lambda gold: parquet_bytes(id=gold["id"], entities=["[]"] * 30),
        [f"row 3, id {ID!r}", "not of type 'array'"],
    ),
    (
        "entities null",
        lambda gold: parquet_bytes(id=gold["id"], entities=pa.nulls(30)),
        ["entities: None is not of type 'array'"],
    ),
    (
        "entities of names",
        lambda gold: parquet_bytes(id=gold["id"], entities=[["Kenye"]] * 30),
        ["entities[0]: 'Kenye' is not of type 'object'"],
    ),
    (
        "misspelt column",
        lambda gold: parquet_bytes(id=gold["id"], entites=gold["entities"]),
        ["misspelling of 'entities'"],
    ),
    ("zero rows", lambda gold: parquet_bytes(id=pa.array([], pa.string())), ["the file is empty", "no row"]),
    (
        "duplicate",
        lambda gold: parquet_bytes(id=[gold["id"][0], *gold["id"][:-1]], entities=gold["entities"]),
        ["row 2, id", "the first is on row 1"],
    ),
    (
        "NaN offset",
        lambda gold: parquet_bytes(id=gold["id"], entities=[[{**ORAM, "start": float("nan")}]] * 30),
        ["entities[0].start: nan"],
    ),
    (
        "wrong offset",
        lambda gold: parquet_bytes(id=gold["id"], entities=[[{**ORAM, "start": 3, "end": 13}]] * 30),
        [f"row 3, id {ID!r}: offsets 3:13"],
    ),
    ("cut in half", lambda gold: (data := parquet_bytes(**gold))[: len(data) // 2], ["not a readable Parquet file"]),
    ("cut before the end", lambda gold: parquet_bytes(**gold)[:-1], ["not a readable Parquet file"]),
    ("magic only", lambda gold: b"PAR1", ["not a readable Parquet file"]),
    (
        "id not UTF-8",
        lambda gold: parquet_bytes(**gold | {"id": not_utf8(30)}),
        ["not UTF-8"],
    ),
    (
        "extra not UTF-8",
        lambda gold: parquet_bytes(**gold, note=not_utf8(30)),
        ["not UTF-8"],
    ),
]


@pytest.mark.parametrize(("name", "make", "expected"), PARQUET, ids=names(PARQUET))
def test_bad_parquet(tmp_path, rows, folder, name, make, expected):
    message = refused_bytes(tmp_path, folder, make(gold_columns(rows)))
    assert all(part in message for part in expected), (name, message)


def edit_entry(folder, **changes):
    """Change the manifest's entry of the split test."""
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    next(entry for entry in manifest["files"] if entry["split"] == "test").update(changes)
    path.write_text(json.dumps(manifest), encoding="utf-8")


def replace_data(folder, data):
    """Put other bytes in place of the split test, with their hash in the manifest."""
    (folder / TEST_FILE).write_bytes(data)
    edit_entry(folder, sha256=hashlib.sha256(data).hexdigest())


def link_outside(folder):
    """Let the data be a link that leaves the folder."""
    (folder / TEST_FILE).rename(folder.parent / "elsewhere.parquet")
    (folder / TEST_FILE).symlink_to(folder.parent / "elsewhere.parquet")


RELEASES = [
    (
        "LFS pointer",
        lambda folder: (folder / TEST_FILE).write_bytes(b"version https://git-lfs.github.com/spec/v1\n"),
        [TEST_FILE, "Git LFS pointer", "git lfs pull"],
    ),
    (
        "changed data",
        lambda folder: (folder / TEST_FILE).open("ab").write(b"x"),
        [TEST_FILE, "sha256 is", "the manifest says"],
    ),
    ("empty data", lambda folder: (folder / TEST_FILE).write_bytes(b""), [TEST_FILE, "sha256 is", "the manifest says"]),
    ("other hash", lambda folder: edit_entry(folder, sha256="0" * 64), [TEST_FILE, "the manifest says 000000000000"]),
    ("no data", lambda folder: (folder / TEST_FILE).unlink(), [TEST_FILE, "missing, though the manifest names it"]),
    (
        "path up",
        lambda folder: edit_entry(folder, path="../predictions.jsonl"),
        ["manifest.json", "'../predictions.jsonl' leaves the release's folder"],
    ),
    ("path up within", lambda folder: edit_entry(folder, path="data/../../x"), ["leaves the release's folder"]),
    ("absolute path", lambda folder: edit_entry(folder, path="/dev/null"), ["'/dev/null' leaves the release's folder"]),
    ("link out", link_outside, [TEST_FILE, "leaves the release's folder"]),
    ("path a folder", lambda folder: edit_entry(folder, path="data"), ["data: missing"]),
    ("no manifest", lambda folder: (folder / "manifest.json").unlink(), ["no manifest.json here", "--data takes"]),
    (
        "manifest no JSON",
        lambda folder: (folder / "manifest.json").write_bytes(b"{"),
        ["manifest.json: not valid JSON"],
    ),
    (
        "manifest not UTF-8",
        lambda folder: (folder / "manifest.json").write_bytes(b'"\xff"'),
        ["manifest.json: not valid JSON"],
    ),
    (
        "manifest of nothing",
        lambda folder: (folder / "manifest.json").write_bytes(b"{}"),
        ["manifest.json", "'files' is a required property"],
    ),
    ("manifest's hash", lambda folder: edit_entry(folder, sha256="abc"), ["manifest.json", "sha256", "does not match"]),
    (
        "path with NUL",
        lambda folder: edit_entry(folder, path="a\0b"),
        ["manifest.json"],
    ),
    (
        "path too long",
        lambda folder: edit_entry(folder, path="x" * 5000),
        ["manifest.json"],
    ),
    (
        "manifest deep",
        lambda folder: (folder / "manifest.json").write_bytes(b"[" * 100_000),
        ["manifest.json"],
    ),
    (
        "data no Parquet",
        lambda folder: replace_data(folder, b"hello"),
        [TEST_FILE],
    ),
    (
        "data of another schema",
        lambda folder: replace_data(folder, parquet_bytes(x=[1])),
        [TEST_FILE],
    ),
]


@pytest.mark.parametrize(("name", "spoil", "expected"), RELEASES, ids=names(RELEASES))
def test_a_bad_release(tmp_path, rows, folder, name, spoil, expected):
    path = releases.write_lines(tmp_path / "predictions.jsonl", releases.gold(rows))
    spoil(folder)
    message = refusal(path, folder)
    assert all(part in message for part in expected), (name, message)


BY_COMMAND = [
    ("empty", lambda rows: b"", ["the file is empty"]),
    ("not UTF-8", lambda rows: file_of(rows, b'{"id":"\xff"}'), ["line 3: not UTF-8"]),
    ("NaN", lambda rows: file_of(rows, line_of([], x=float("nan"))), ["line 3: NaN"]),
    ("duplicate", lambda rows: file_of(rows, more=[line_of([]).encode()]), [f"line 31, id {ID!r}", "line 3"]),
    ("wrong offset", lambda rows: file_of(rows, line_of([{**ORAM, "start": 1}])), [f"line 3, id {ID!r}: offsets 1:11"]),
    ("depth", lambda rows: file_of(rows, "[" * 100_000), ["line 3: nested too deeply"]),
    ("truncated gzip", lambda rows: gzip.compress(file_of(rows))[:-9], ["gzip data is truncated"]),
    ("Parquet without id", lambda rows: parquet_bytes(x=[1]), ["Parquet without a column 'id'"]),
    ("missing rows", lambda rows: b"\n".join(file_of(rows).splitlines()[1:]), ["1 of 30 rows have no prediction"]),
]


@pytest.mark.parametrize(("name", "make", "expected"), BY_COMMAND, ids=names(BY_COMMAND))
def test_by_the_command_line(tmp_path, rows, folder, name, make, expected):
    path = tmp_path / "given.jsonl"
    path.write_bytes(make(rows))
    stderr = refused_by_command(path, folder, tmp_path / "report.json")
    assert all(part in stderr for part in expected), stderr


def test_check_refuses_as_evaluate_does(tmp_path, rows, folder):
    path = tmp_path / "given.jsonl"
    path.write_bytes(file_of(rows, line_of([{**ORAM, "start": 1}]), more=[line_of([]).encode()]))
    done = run("check", path, "--data", folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == refused_by_command(path, folder, tmp_path / "report.json")


def test_spoilt_data_by_the_command_line(tmp_path, rows, folder):
    path = releases.write_lines(tmp_path / "p.jsonl", releases.gold(rows))
    (folder / TEST_FILE).write_bytes(b"version https://git-lfs.github.com/spec/v1\n")
    assert "Git LFS pointer" in refused_by_command(path, folder, tmp_path / "report.json")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("no/such/file.jsonl", "no such file"),
        (".", "no such file"),
    ],
)
def test_no_predictions(tmp_path, folder, refused_here, given, expected):
    assert expected in refused_here(tmp_path / given, folder, tmp_path / "report.json")


OUTPUTS = [
    ("the input", "p.jsonl", "is an input of this command"),
    ("a link to the input", "link.jsonl", "is an input of this command"),
    ("the manifest", "release/manifest.json", "is an input of this command"),
    ("the data", f"release/{TEST_FILE}", "lies among the release's files"),
    ("no folder", "no/report.json", "does not exist"),
    ("a file as folder", "p.jsonl/report.json", "does not exist"),
    ("a folder", "release", "is a folder"),
]


@pytest.mark.parametrize(("name", "out", "expected"), OUTPUTS, ids=names(OUTPUTS))
def test_bad_output(tmp_path, rows, folder, refused_here, name, out, expected):
    path = releases.write_lines(tmp_path / "p.jsonl", releases.gold(rows))
    (tmp_path / "link.jsonl").symlink_to(path)
    before = {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    stderr = refused_here(path, folder, tmp_path / out)
    assert str(tmp_path / out) in stderr and expected in stderr
    assert {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()} == before


LABEL_MAPS = [
    ("no JSON", "{", "not a readable JSON file"),
    ("unknown target", '{"HUMAN": ["X"]}', "expected an object with a list of labels"),
    ("labels no list", '{"PERSON": "X"}', "expected an object with a list of labels"),
    ("label a number", '{"PERSON": [1]}', "expected an object with a list of labels"),
    ("deep", "[" * 100_000, "not a readable JSON file"),
]


@pytest.mark.parametrize(("name", "content", "expected"), LABEL_MAPS, ids=names(LABEL_MAPS))
def test_bad_label_map(tmp_path, rows, folder, refused_here, name, content, expected):
    path = releases.write_lines(tmp_path / "p.jsonl", releases.gold(rows))
    (tmp_path / "labels.json").write_text(content, encoding="utf-8")
    stderr = refused_here(path, folder, tmp_path / "r.json", "--label-map", tmp_path / "labels.json")
    assert expected in stderr and "labels.json" in stderr


def test_a_file_name_that_is_no_utf8(tmp_path, rows, folder):
    path = tmp_path / b"\xff.jsonl".decode(errors="surrogateescape")
    releases.write_lines(path, releases.gold(rows))
    done = run("evaluate", path, "--data", folder, "--out", tmp_path / "report.json")
    assert done.returncode in (0, 2) and "Traceback" not in done.stderr
