"""kill -9 at every step of release, collect and evaluate: the old state or the new one, and the next run works."""

import json
import shutil
from types import SimpleNamespace

import pytest

from build import lexicons, placing, verify
from build import release as releasing
from build.configs import BY_NAME
from build.errors import BuildError
from build.sources import collect
from tests import releases
from tests.hostile import command
from tests.kills import killed_at_every_step
from tests.real import SMALL, TINY, half_found, rows_of

FACTS = {"sources": [], "attrition": {}, "pools": {}, "readings": {}}


def builder(name, rows):
    """A config's builder that gives the rows of the ten-row release, as many as there are in `rows[0]`."""
    found = rows_of(name)
    return SimpleNamespace(
        NAME=name,
        SCHEMA=BY_NAME[name].SCHEMA,
        build=lambda root, seed, done, scale: SimpleNamespace(splits={"test": found[: rows[0]]}, report={}),
    )


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A small project with two lexicons, and a release of ten rows in two configs.

    Gives its folder and the list whose first number is how many rows the next release has.
    """
    root, rows = tmp_path / "project", [10]
    (root / "build").mkdir(parents=True)
    shutil.copytree(TINY / "schemas", root / "schemas")
    (root / "build" / "canary.txt").write_text("c\n", encoding="utf-8")
    shutil.copyfile(releases.ROOT / "pyproject.toml", root / "pyproject.toml")
    modules = [builder(name, rows) for name in ("usernames", "ambiguous_names")]
    monkeypatch.setattr(releasing, "MODULES", modules)
    collect_names(root, "Ann")
    releasing.release(root, root)
    assert verify.verify(root) == []
    return root, rows


def collect_names(root, name):
    """Write the lexicons, with one name in each."""
    row = dict.fromkeys(lexicons.SCHEMAS["names"].names, 1) | {"folded": name, "name": name, "sources": [name]}
    tables = {"names": [row], "baseline_names": [{"name": name, "list": "x"}]}
    collect.write(root, tables, FACTS, name)


def files(folder):
    """All files below a folder, by path; drafts too."""
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def restored(root, state):
    """Make a folder hold these files and nothing else."""
    shutil.rmtree(root)
    for name, data in state.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)


def outcomes(project, work, old, new, is_new):
    """Kill `work` everywhere; what stood then, as a set, after the next run made all well."""
    root, seen = project, set()

    def after(step):
        told = placing.is_interrupted(root)
        found = {name: data for name, data in files(root).items() if not name.startswith(placing.PREFIX)}
        if told:
            assert verify.verify(root)[0] == verify.INTERRUPTED
        else:
            assert found in (old, new), step
        seen.add("interrupted" if told else "new" if found == new else "old")
        work()
        assert files(root) == new, step

    steps = killed_at_every_step(work, root, lambda: restored(root, old), after)
    assert files(root) == new and is_new(steps)
    return seen


def test_release_is_killed_anywhere(project):
    root, rows = project
    (root / "data" / "usernames" / "stray.parquet").write_bytes(b"of an earlier form")
    old, rows[0] = files(root), 7
    releasing.release(root, root)
    new = files(root)
    assert "data/usernames/stray.parquet" not in new and verify.verify(root) == []
    seen = outcomes(root, lambda: releasing.release(root, root), old, new, lambda steps: steps > 20)
    assert seen == {"old", "interrupted", "new"}


def test_a_first_release_elsewhere_is_killed_anywhere(project, tmp_path):
    root, _ = project
    out = tmp_path / "out"
    releasing.release(root, out, seed=3)
    new = files(out)
    assert verify.verify(out) == [] and "data/lexicons/names.parquet" in new
    seen = outcomes(out, lambda: releasing.release(root, out, seed=3), {}, new, lambda steps: steps > 20)
    assert seen == {"old", "interrupted", "new"}


def test_collect_is_killed_anywhere(project):
    root, _ = project
    old = files(root)
    collect_names(root, "Bob")
    new = files(root)
    seen = outcomes(root, lambda: collect_names(root, "Bob"), old, new, lambda steps: steps > 10)
    assert seen == {"old", "interrupted", "new"}


def test_release_finishes_an_interrupted_collect_first(project):
    root, _ = project
    old = files(root)
    mended = []

    def after(step):
        if placing.is_interrupted(root):
            releasing.release(root, root)
            mended.append(json.loads((root / "manifest.json").read_text(encoding="utf-8"))["lexicons"])
            assert verify.verify(root) == []

    killed_at_every_step(lambda: collect_names(root, "Bob"), root, lambda: restored(root, old), after)
    now = json.loads((root / collect.PROVENANCE).read_text(encoding="utf-8"))["lexicons"]
    assert mended and all(found == now for found in mended)


def test_a_release_that_fails_leaves_nothing(project, monkeypatch):
    root, _ = project
    before = files(root)
    monkeypatch.setattr(releasing.MODULES[1], "build", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        releasing.release(root, root)
    assert files(root) == before


def test_two_builds_in_one_folder_are_refused(project):
    root, _ = project
    with placing.draft(root, []), pytest.raises(BuildError, match="another process"):
        releasing.release(root, root)
    assert verify.verify(root) == []


def test_evaluate_is_killed_anywhere(tmp_path):
    path = releases.write_lines(tmp_path / "p.jsonl", half_found("usernames", SMALL, "test"))
    out = tmp_path / "reports" / "report.json"
    out.parent.mkdir()
    old, seen = b"old", set()

    def work():
        assert command("score.py", "evaluate", path, "--data", TINY, "--split", "test", "--out", out)[0] == 0

    work()
    new = out.read_bytes()

    def after(step):
        assert out.read_bytes() in (old, new)
        seen.add(out.read_bytes() == new)
        work()
        assert out.read_bytes() == new

    assert killed_at_every_step(work, out.parent, lambda: out.write_bytes(old), after) >= 3
    assert seen == {False}
