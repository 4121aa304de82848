"""Release, verify, diff and variant: same bytes from any process, and every damage found."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from build.diff import diff
from build.verify import verify
from tests.releases import ROOT

CODE = ("build", "scoring", "schemas", "prompts", "pyproject.toml", "CITATION.cff", "data/lexicons")


def copy_of_the_project(folder):
    """The files that a rebuild reads, in another folder."""
    for name in CODE:
        source, target = ROOT / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(source, target) if source.is_dir() else shutil.copyfile(source, target)
    return folder


def start(command, folder, **environment):
    return subprocess.Popen(
        [sys.executable, "-m", "build", *command],
        cwd=folder,
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def files(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(Path(folder).rglob("*"))
        if path.is_file() and path.suffix in (".parquet", ".json", ".yaml")
    }


def test_two_processes_in_two_folders_give_the_same_bytes_as_the_release(tmp_path):
    other = copy_of_the_project(tmp_path / "elsewhere" / "deeper")
    runs = [
        start(["release", "--out", str(tmp_path / "a")], ROOT, PYTHONHASHSEED="0"),
        start(["release", "--out", str(tmp_path / "b")], other, PYTHONHASHSEED="1"),
    ]
    outputs = [run.communicate()[0] for run in runs]
    assert [run.returncode for run in runs] == [0, 0], outputs
    first, second = files(tmp_path / "a"), files(tmp_path / "b")
    assert first.keys() == second.keys()
    assert [name for name in first if first[name] != second[name]] == []
    assert diff(ROOT, tmp_path / "a") == []
    assert verify(tmp_path / "a") == []


def test_the_committed_release_is_whole():
    assert verify(ROOT) == []


def parquet_of(folder):
    return folder / "data" / "ambiguous_names" / "test-00000-of-00001.parquet"


def flip_a_byte(folder):
    path = parquet_of(folder)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def edit_manifest(change):
    def damage(folder):
        path = folder / "manifest.json"
        manifest = json.loads(path.read_text(encoding="utf-8"))
        change(manifest)
        path.write_text(json.dumps(manifest), encoding="utf-8")

    return damage


def crlf(folder):
    path = folder / "schemas" / "ambiguous_names.row.schema.json"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))


def change_schema(folder):
    path = folder / "schemas" / "ambiguous_names.row.schema.json"
    path.write_text(path.read_text(encoding="utf-8").replace('"minLength": 1', '"minLength": 2'), encoding="utf-8")


def add_a_parquet(folder):
    shutil.copyfile(parquet_of(folder), parquet_of(folder).with_name("x.parquet"))


SOURCE = {
    "package": "p",
    "version": "1",
    "file": "f",
    "sha256": "0" * 64,
    "licence_code": "MIT",
    "licence_data": " ",
    "attribution": "a",
    "rows_used": 1,
}
DAMAGES = {
    "one flipped byte": (flip_a_byte, "sha256"),
    "a missing file": (lambda folder: parquet_of(folder).unlink(), "missing"),
    "an extra Parquet": (
        lambda f: shutil.copyfile(parquet_of(f), parquet_of(f).with_name("x.parquet")),
        "does not name",
    ),
    "a changed schema": (change_schema, "not the schema"),
    "CRLF line ends": (crlf, "CRLF"),
    "an LFS pointer": (lambda folder: parquet_of(folder).write_text("version https://git-lfs\noid 1\n"), "LFS"),
    "a path that leaves": (edit_manifest(lambda m: m["files"][0].update(path="../x.parquet")), "leaves"),
    "a wrong row count": (edit_manifest(lambda m: m["files"][0].update(rows=11)), "rows"),
    "a wrong size": (edit_manifest(lambda m: m["files"][0].update(bytes=11)), "bytes"),
    "a wrong content hash": (edit_manifest(lambda m: m["files"][0].update(content_sha256="0" * 64)), "content hash"),
    "a source without licence": (edit_manifest(lambda m: m["sources"].append(SOURCE)), "licence_data"),
    "no manifest": (lambda folder: (folder / "manifest.json").unlink(), "manifest.json"),
    "a manifest that is no JSON": (lambda folder: (folder / "manifest.json").write_text("{"), "JSON"),
}


def test_the_tiny_release_is_whole(tiny):
    assert verify(tiny) == []


@pytest.mark.parametrize("damage", sorted(DAMAGES))
def test_verify_finds(tiny, damage):
    act, expected = DAMAGES[damage]
    act(tiny)
    faults = verify(tiny)
    assert any(expected in fault for fault in faults), faults


def test_diff_names_what_differs(tiny):
    lines = diff(ROOT, tiny)
    assert any("lite: only in" in line for line in lines)
    assert any("test:" in line and "10 ids in both" in line for line in lines)


def test_a_source_s_licence_is_known_for_every_package():
    manifest = json.loads((ROOT / "manifest.json").read_text(encoding="utf-8"))
    assert len(manifest["sources"]) >= 19
    assert all(source["rows_used"] > 0 for source in manifest["sources"]), "a source that serves nothing"
    assert (ROOT / "data" / "lexicons" / "WORDNET-LICENSE").is_file()
