"""Damage to a release: `verify` finds each kind in every sort of file, and no command reads damaged files."""

import ast
import hashlib
import json
import shutil
import sys
from types import SimpleNamespace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from build import lexicons
from build.__main__ import app
from build.verify import verify
from scoring.errors import UserError
from tests.releases import ROOT

TINY = ROOT / "examples" / "tiny"
SPLIT = "data/usernames/test-00000-of-00001.parquet"
LEXICON = "data/lexicons/baseline_names.parquet"
SCHEMA = "schemas/usernames.row.schema.json"
POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
LEXICON_ROWS = [{"name": name, "list": "given"} for name in ("Ann", "None", "Null")]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The ten-row release with one lexicon."""
    folder = shutil.copytree(TINY, tmp_path_factory.mktemp("made") / "release")
    entry = lexicons.write(folder, "baseline_names", LEXICON_ROWS)
    change(folder, lambda manifest: manifest.update(lexicons=[entry]))
    (folder / lexicons.PROVENANCE).write_text(json.dumps({"lexicons": [entry]}), encoding="utf-8")
    return folder


@pytest.fixture
def release(made, tmp_path):
    return shutil.copytree(made, tmp_path / "release")


def change(folder, act):
    """Let `act` change the manifest."""
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    act(manifest)
    path.write_text(json.dumps(manifest, indent=1), encoding="utf-8")


def entry_of(manifest, name):
    """The manifest's entry of a file, or of the split whose schema it is."""
    entries = [*manifest["files"], *manifest["lexicons"]]
    return next(entry for entry in entries if name in (entry["path"], entry.get("schema")))


def flip(folder, name):
    data = bytearray((folder / name).read_bytes())
    data[len(data) // 2] ^= 1
    (folder / name).write_bytes(data)


def crlf(folder, name):
    path = folder / name
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))


def link(folder, name):
    outside = folder.parent / "outside"
    shutil.move(folder / name, outside)
    (folder / name).symlink_to(outside)


def leave(folder, name):
    """The manifest names the same bytes outside of the release's folder."""
    shutil.copyfile(folder / name, folder.parent / "outside")
    key = "schema" if name == SCHEMA else "path"
    change(folder, lambda manifest: entry_of(manifest, name).update({key: "../outside"}))


def cut(folder, name):
    (folder / name).write_bytes((folder / name).read_bytes()[:-1])


DAMAGES = {
    "one flipped byte": flip,
    "a byte less": cut,
    "an empty file": lambda folder, name: (folder / name).write_bytes(b""),
    "a missing file": lambda folder, name: (folder / name).unlink(),
    "a folder in its place": lambda folder, name: ((folder / name).unlink(), (folder / name).mkdir()),
    "an LFS pointer": lambda folder, name: (folder / name).write_bytes(POINTER),
    "a path that leaves": leave,
    "a link that leaves": link,
}
SAYS = {
    (SPLIT, "an LFS pointer"): "git lfs pull",
    (LEXICON, "an LFS pointer"): "git lfs pull",
    (SPLIT, "a missing file"): "missing",
    (LEXICON, "a missing file"): "missing",
    (SCHEMA, "a missing file"): "missing",
    (SPLIT, "a path that leaves"): "leaves",
    (LEXICON, "a path that leaves"): "leaves",
    (SCHEMA, "a path that leaves"): "no row schema",
    (SPLIT, "a link that leaves"): "leaves",
    (LEXICON, "a link that leaves"): "leaves",
    (SCHEMA, "a link that leaves"): "leaves",
    (SCHEMA, "one flipped byte"): "not the schema",
}


def test_the_release_is_whole(release):
    assert verify(release) == []


@pytest.mark.parametrize("damage", sorted(DAMAGES))
@pytest.mark.parametrize("name", [SPLIT, LEXICON, SCHEMA])
def test_damage_to_a_file_is_found(name, damage, release):
    DAMAGES[damage](release, name)
    faults = verify(release)
    told = [fault for fault in faults if name in fault or "outside" in fault]
    assert told and SAYS.get((name, damage), "") in " ".join(told), faults


def rewritten(act):
    """A file with other rows or columns, whose hashes the manifest was given."""

    def damage(folder, name):
        path = folder / name
        table = act(pq.read_table(path))
        pq.write_table(table, path)
        data = path.read_bytes()
        new = {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data), "rows": table.num_rows}
        change(folder, lambda manifest: entry_of(manifest, name).update(new))

    return damage


def no_parquet(folder, name):
    (folder / name).write_bytes(b"PAR1 no PAR1")
    new = {"sha256": hashlib.sha256(b"PAR1 no PAR1").hexdigest(), "bytes": 12}
    change(folder, lambda manifest: entry_of(manifest, name).update(new))


def with_value(column, value):
    return rewritten(
        lambda t: t.set_column(
            t.column_names.index(column),
            t.schema.field(column),
            pa.array([value, *t[column].to_pylist()[1:]], t.schema.field(column).type),
        )
    )


CHANGED = {
    "a row less": (SPLIT, rewritten(lambda t: t.slice(1)), "content hash"),
    "a row twice": (SPLIT, rewritten(lambda t: pa.concat_tables([t, t.slice(0, 1)])), "an id stands twice"),
    "another text": (SPLIT, with_value("text", "x"), "content hash"),
    "a value the schema forbids": (SPLIT, with_value("stratum", "other"), "expected one of"),
    "no id": (SPLIT, rewritten(lambda t: t.drop_columns("id")), "lacks the columns"),
    "a column more": (SPLIT, rewritten(lambda t: t.append_column("more", t["text"])), "more than the columns"),
    "a column of times": (
        SPLIT,
        rewritten(lambda t: t.append_column("at", pa.array([0] * 10, pa.date32()))),
        "more than the columns",
    ),
    "no Parquet": (SPLIT, no_parquet, "not a readable Parquet"),
    "a lexicon that is no Parquet": (LEXICON, no_parquet, "not a readable Parquet"),
    "a lexicon's row less": (LEXICON, rewritten(lambda t: t.slice(1)), "content hash"),
    "a lexicon's other columns": (LEXICON, rewritten(lambda t: t.drop_columns("list")), "its columns"),
}


@pytest.mark.parametrize("case", sorted(CHANGED))
def test_changed_rows_are_found_though_the_hash_of_the_bytes_fits(case, release):
    name, act, message = CHANGED[case]
    act(release, name)
    assert any(message in fault for fault in verify(release)), verify(release)


FOLDERS = ["data/usernames", "data", "data/lexicons", "data/other/deep"]


@pytest.mark.parametrize("place", FOLDERS)
def test_an_extra_parquet_is_found(place, release):
    (release / place).mkdir(parents=True, exist_ok=True)
    shutil.copyfile(release / SPLIT, release / place / "x.parquet")
    assert verify(release) == [f"{place}/x.parquet: lies among the data, but the manifest does not name it"]


@pytest.mark.parametrize("name", ["manifest.json", SCHEMA])
def test_crlf_is_found(name, release):
    crlf(release, name)
    assert any(name in fault and "CRLF" in fault for fault in verify(release))


ODD = [None, 0, -1, 1.5, "", "x", "../x", "/dev/null", "data", "\0", "a" * 5000, [], {}, True, "manifest.json", SPLIT]


def places_in(value, way=()):
    """The ways to every part of a manifest, two items of each list."""
    if way:
        yield way
    parts = value.items() if isinstance(value, dict) else enumerate(value[:2]) if isinstance(value, list) else ()
    for key, part in parts:
        if len(way) or key in ("files", "lexicons", "version", "name"):
            yield from places_in(part, (*way, key))


def test_no_odd_value_in_a_manifest_breaks_verify(release):
    """Every value of a manifest replaced by odd ones: faults, never an exception."""
    text = (release / "manifest.json").read_text(encoding="utf-8")
    tried = 0
    for way in places_in(json.loads(text)):
        for value in ODD:
            manifest = json.loads(text)
            holder = manifest
            for key in way[:-1]:
                holder = holder[key]
            if holder[way[-1]] == value:
                continue
            holder[way[-1]] = value
            (release / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
            assert isinstance(verify(release), list), (way, value)
            tried += 1
    assert tried > 300


READERS = {
    "evaluate": "evaluate P --data D",
    "evaluate with a split": "evaluate P --data D --split test",
    "check": "check P --data D",
    "compare": "compare P P --data D",
    "compare unpaired": f"compare P P --unpaired --data {TINY} --other-data D",
    "prompts": "build prompts usernames --split test --model m --out O --data D",
    "diff": f"build diff D {ROOT}",
    "verify": "build verify D",
}
OF_A_SPLIT = [
    "one flipped byte",
    "a byte less",
    "a missing file",
    "an LFS pointer",
    "a path that leaves",
    "a link that leaves",
]


@pytest.fixture
def run(release, tmp_path, monkeypatch, capsys):
    """Runs a command line on the release; gives its status and what it says."""
    import score

    words = {"D": str(release), "P": str(TINY / "usernames.jsonl"), "O": str(tmp_path / "out.jsonl")}

    def given(line):
        line = [words.get(word, word) for word in line.split()]
        if line[0] == "build":
            done = CliRunner().invoke(app, line[1:])
            told = isinstance(done.exception, UserError)
            assert told or done.exception is None or isinstance(done.exception, SystemExit), done.exception
            return SimpleNamespace(status=2 if told else done.exit_code, said=f"{done.output}{done.exception}")
        monkeypatch.setattr(sys, "argv", ["score.py", *line])
        with pytest.raises(SystemExit) as caught:
            score.run()
        captured = capsys.readouterr()
        return SimpleNamespace(status=caught.value.code or 0, said=captured.out + captured.err)

    return given


@pytest.mark.parametrize("damage", OF_A_SPLIT)
@pytest.mark.parametrize("command", sorted(READERS))
def test_no_command_reads_a_damaged_split(command, damage, run, release, tmp_path):
    DAMAGES[damage](release, SPLIT)
    done = run(READERS[command])
    assert done.status == 2
    assert any(word in done.said for word in ("usernames", "outside")), done.said
    assert not (tmp_path / "out.jsonl").exists()


@pytest.mark.parametrize("command", sorted(READERS))
def test_every_command_reads_the_whole_release(command, run):
    assert run(READERS[command]).status == (1 if command == "diff" else 0)


@pytest.mark.parametrize("damage", OF_A_SPLIT[:2] + ["an LFS pointer", "a missing file"])
def test_builders_read_no_damaged_lexicon(damage, release):
    assert lexicons.rows(release, "baseline_names") == LEXICON_ROWS
    DAMAGES[damage](release, LEXICON)
    with pytest.raises(UserError, match="baseline_names"):
        lexicons.rows(release, "baseline_names")


MAY_OPEN_PARQUET = {
    "build/parquet.py",
    "build/publishing/croissant.py",
    "build/publishing/pages.py",
    "build/sources/companies.py",
    "build/sources/names.py",
    "scoring/parquet.py",
}


def test_a_release_is_read_in_one_place():
    """Other modules open no Parquet file: Release.table checks the bytes, so every command does."""
    found = set()
    for path in [
        ROOT / "score.py",
        *(p for room in ("scoring", "build", "baselines") for p in (ROOT / room).rglob("*.py")),
    ]:
        names = {
            node.attr
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Attribute)
        }
        if names & {"ParquetFile", "read_table", "read_schema", "read_parquet", "ParquetDataset"}:
            found.add(path.relative_to(ROOT).as_posix())
    assert found == MAY_OPEN_PARQUET
