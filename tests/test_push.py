"""Push against a loopback Hub over a real socket: what goes, what is refused, what a failure leaves behind."""

import json
import os
import shutil
import subprocess
import sys
from types import SimpleNamespace

import pytest
import yaml

from build.errors import BuildError
from build.publishing.push import push
from build.verify import verify
from scoring.errors import UserError
from tests import hub_server, projects
from tests.hub_server import READER, WRITER, sha256

REPO = "someone/nymbench"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A project of ten rows per config, committed, for tests that change nothing in it."""
    return projects.make(tmp_path_factory.mktemp("made") / "project")


@pytest.fixture
def project(made, tmp_path):
    """A copy of it, to be changed."""
    return shutil.copytree(made, tmp_path / "project")


@pytest.fixture
def tag(made):
    return "v" + json.loads((made / "manifest.json").read_text(encoding="utf-8"))["version"]


@pytest.fixture
def hub(monkeypatch):
    """A loopback Hub to which the library's calls go, without waiting between its retries, and without Xet."""
    monkeypatch.setenv("HF_TOKEN", WRITER)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_DISABLE_XET", True)
    monkeypatch.setattr("huggingface_hub.utils._http.time", SimpleNamespace(sleep=lambda _: None))
    with hub_server.running() as server:
        monkeypatch.setenv("HF_ENDPOINT", server.address)
        yield server


def said(project, tag, repo=REPO, **options):
    lines = []
    push(project, repo, tag, say=lines.append, **options)
    return "\n".join(lines)


def test_the_hub_receives_the_release_s_bytes(made, tag, hub, tmp_path):
    assert tag in said(made, tag)
    repo = hub.repos[REPO]
    oid, files = repo.resolve(tag)
    assert oid == repo.head and repo.tags == {tag: oid}
    assert (hub.log.count("commit"), hub.log.count("tag")) == (1, 1)
    manifest = json.loads(files["manifest.json"])
    assert {e["path"]: sha256(files[e["path"]]) for e in manifest["files"]} == {
        e["path"]: e["sha256"] for e in manifest["files"]
    }
    assert all(files[name] == (made / name).read_bytes() for name in set(files) - {"README.md", ".gitattributes"})
    assert files["README.md"] == (made / "DATASET_CARD.md").read_bytes()
    assert b"*.parquet filter=lfs" in files[".gitattributes"]
    for path, data in files.items():
        (tmp_path / "got" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "got" / path).write_bytes(data)
    assert verify(tmp_path / "got") == []


def test_nothing_stray_goes(made, tag, hub):
    said(made, tag)
    paths = set(hub.repos[REPO].resolve("main")[1])
    assert {"README.md", "score.py", "scoring/truth.py", "croissant.json", "manifest.json", "LICENSE"} <= paths
    tops = {path for path in paths if "/" not in path}
    assert not [path for path in tops if path.endswith((".csv", ".eval", ".parquet", ".jsonl"))]
    assert not [path for path in paths if path.startswith(("build/", "tests/", "baselines/")) or "__pycache__" in path]


def test_the_staged_folder_loads_and_scores(made, tag, tmp_path, monkeypatch):
    import datasets

    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    stage = tmp_path / "stage"
    said(made, tag, dry_run=True, stage=stage)
    assert verify(stage) == []
    manifest = json.loads((stage / "manifest.json").read_text(encoding="utf-8"))
    assert sorted(datasets.get_dataset_config_names(str(stage))) == sorted({e["config"] for e in manifest["files"]})
    for entry in manifest["files"]:
        rows = datasets.load_dataset(
            str(stage), entry["config"], split=entry["split"], cache_dir=str(tmp_path / "cache")
        )
        assert rows.num_rows == entry["rows"]
    default = datasets.load_dataset(str(stage), cache_dir=str(tmp_path / "cache"))
    assert default["test"].column_names[1] == "text"
    command = [sys.executable, "score.py", "evaluate", "examples/tiny/ambiguous_names.jsonl"]
    done = subprocess.run(command, cwd=stage, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


LOAD = """
import datasets, json, sys
found = {}
for config in datasets.get_dataset_config_names(sys.argv[1], revision=sys.argv[2]):
    found[config] = {name: [split.num_rows, split.info.splits[name].num_bytes]
                     for name, split in datasets.load_dataset(sys.argv[1], config, revision=sys.argv[2]).items()}
print(json.dumps(found))
"""


def test_datasets_loads_what_was_pushed(made, tag, hub, tmp_path):
    """By its id, from the loopback Hub; the sizes that `datasets` counts are those of the card."""
    said(made, tag)
    environment = os.environ | {"HF_HOME": str(tmp_path / "cache"), "HF_HUB_DISABLE_XET": "1"}
    command = [sys.executable, "-c", LOAD, REPO, tag]
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Ignoring" not in done.stderr, "datasets finds a fault in the card's dataset_info"
    head = yaml.safe_load((made / "DATASET_CARD.md").read_text(encoding="utf-8").split("---\n")[1])
    told = {
        info["config_name"]: {s["name"]: [s["num_examples"], s["num_bytes"]] for s in info["splits"]}
        for info in head["dataset_info"]
    }
    assert json.loads(done.stdout) == told and len(told) == 5


def test_the_dry_run_needs_neither_network_nor_token(made, tag, monkeypatch):
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.delenv("HF_TOKEN", raising=False)
    text = said(made, tag, dry_run=True)
    path = "data/usernames/test-00000-of-00001.parquet"
    assert f"{(made / path).stat().st_size:,}  {path}" in text
    assert "bytes in" in text and "nothing was sent" in text


def append(name):
    def act(project):
        with open(project / name, "ab") as stream:
            stream.write(b"\n")

    return act


def committed(*acts):
    def act(project):
        for one in acts:
            one(project)
        projects.commit(project)

    return act


def flip(project):
    path = project / "data/usernames/test-00000-of-00001.parquet"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def stray(project):
    folder = project / "data/usernames"
    shutil.copyfile(folder / "test-00000-of-00001.parquet", folder / "x.parquet")


def replaced(name, old, new):
    def act(project):
        text = (project / name).read_text(encoding="utf-8")
        assert old in text
        (project / name).write_text(text.replace(old, new), encoding="utf-8", newline="\n")

    return act


REFUSED = {
    "a changed file": (append("METRICS.md"), "differs from its last commit (METRICS.md"),
    "a new file": (lambda project: (project / "x.csv").write_text("a"), "x.csv"),
    "a file of the release that is ignored": (
        committed(
            lambda p: (p / ".gitignore").write_text("LICENSE\n"),
            lambda p: projects.git(p, "rm", "-q", "--cached", "LICENSE"),
        ),
        "not committed, though it belongs to the release: LICENSE",
    ),
    "a flipped byte": (committed(flip), "sha256"),
    "a stray Parquet": (committed(stray), "does not name"),
    "a card of another release": (
        committed(replaced("DATASET_CARD.md", "| usernames | test | 10 |", "| usernames | test | 11 |")),
        "build card",
    ),
    "no git": (lambda project: shutil.rmtree(project / ".git"), "clone of the repository"),
    "no manifest": (committed(lambda project: (project / "manifest.json").unlink()), "no manifest.json"),
}


@pytest.mark.parametrize("case", sorted(REFUSED))
def test_an_unfit_release_is_refused_before_the_network(case, project, tag, hub):
    act, message = REFUSED[case]
    act(project)
    with pytest.raises(UserError) as caught:
        said(project, tag)
    assert message in str(caught.value)
    assert hub.log == []


def test_the_dry_run_refuses_as_the_push_does(project, tag):
    append("METRICS.md")(project)
    with pytest.raises(BuildError, match="differs from its last commit"):
        said(project, tag, dry_run=True)


@pytest.mark.parametrize("wrong", ["v9.9.9", "9.9.9", "", "main"])
def test_a_tag_of_another_version_is_refused(wrong, made, hub):
    with pytest.raises(BuildError, match="differs from the version"):
        said(made, wrong)
    assert hub.log == []


@pytest.mark.parametrize("repo", ["nymbench", "a/b/c", "", "a/", "https://x/y", "a b/c"])
def test_a_repository_is_owner_and_name(repo, made, tag):
    with pytest.raises(BuildError, match="expected OWNER/NAME"):
        said(made, tag, repo=repo)


def test_an_existing_tag_is_never_moved(made, tag, hub):
    said(made, tag)
    before = dict(hub.repos[REPO].commits)
    with pytest.raises(BuildError, match="raise the version"):
        said(made, tag)
    assert hub.repos[REPO].commits == before and hub.log.count("tag") == 1


def test_a_repository_of_something_else_is_left_alone(made, tag, hub):
    hub.repos[REPO] = hub_server.Repo({"README.md": b"", "weights.bin": b"x"})
    with pytest.raises(BuildError, match="holds other files"):
        said(made, tag)
    assert len(hub.repos[REPO].commits) == 1


def test_files_of_an_older_release_go(made, tag, hub):
    old = {"manifest.json": b"{}", "data/gone/test-00000-of-00001.parquet": b"x"}
    hub.repos[REPO] = hub_server.Repo(old)
    said(made, tag)
    assert "data/gone/test-00000-of-00001.parquet" not in hub.repos[REPO].resolve(tag)[1]


FAILURES = {
    "create 500": ({"create": 500}, "opening the repository failed", "run the same command again"),
    "refs dropped": ({"refs": "drop"}, "opening the repository failed", "nothing was committed"),
    "preupload 500": ({"preupload": 500}, "sending the files failed", "no tag was set"),
    "batch 500": ({"batch": 500}, "the server answered 500", "run the same command again"),
    "upload 500": ({"upload": 500}, "the server answered 500", "run the same command again"),
    "upload dropped": ({"upload": "drop"}, "sending the files failed", "run the same command again"),
    "commit 500": ({"commit": 500}, "the server answered 500", "no tag was set"),
    "commit 412": ({"commit": 412}, "somebody else changed", "no tag was set"),
    "commit 401": ({"commit": 401}, "set HF_TOKEN", "no tag was set"),
    "commit 403": ({"commit": 403}, "may not write", "no tag was set"),
    "commit dropped": ({"commit": "drop"}, "sending the files failed", "run the same command again"),
    "commit's answer lost": ({"commit": "lost"}, "sending the files failed", "run the same command again"),
    "tag 500": ({"tag": 500}, "setting the tag", "run the same command again"),
    "tag dropped": ({"tag": "drop"}, "setting the tag", "run the same command again"),
}


@pytest.mark.parametrize("case", sorted(FAILURES))
def test_a_failure_leaves_no_tag_and_the_next_run_ends_well(case, made, tag, hub):
    hub.faults, *messages = FAILURES[case]
    with pytest.raises(BuildError) as caught:
        said(made, tag)
    text = str(caught.value)
    assert "\n" not in text and text.startswith(REPO) and all(message in text for message in messages), text
    assert all(repo.tags == {} for repo in hub.repos.values())
    hub.faults = {}
    said(made, tag)
    repo = hub.repos[REPO]
    assert repo.tags == {tag: repo.head}
    assert len(repo.commits) == 2, "the files went twice"


@pytest.mark.parametrize(
    ("token", "message"), [(None, "set HF_TOKEN"), ("hf_wrong", "set HF_TOKEN"), (READER, "may not write")]
)
def test_without_write_access_nothing_is_made(token, message, made, tag, hub, monkeypatch):
    monkeypatch.delenv("HF_TOKEN")
    if token:
        monkeypatch.setenv("HF_TOKEN", token)
    with pytest.raises(BuildError, match=message):
        said(made, tag)
    assert hub.repos == {}


def test_the_command_line(made, tag, hub):
    def run(*words):
        command = [sys.executable, "-m", "build", "push", "--repo", REPO, "--tag", tag, *words]
        environment = os.environ | {"HF_HUB_DISABLE_XET": "1"}
        return subprocess.run(command, cwd=made, env=environment, capture_output=True, text=True, check=False)

    dry = run("--dry-run")
    assert (dry.returncode, dry.stderr, hub.log) == (0, "", []) and "README.md" in dry.stdout
    hub.faults = {"commit": 403}
    refused = run()
    assert refused.returncode == 2 and "may not write" in refused.stderr and "Traceback" not in refused.stderr
    hub.faults = {}
    done = run()
    assert done.returncode == 0 and tag in done.stdout, done.stderr
    assert hub.repos[REPO].tags == {tag: hub.repos[REPO].head}
