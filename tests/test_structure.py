"""The project's own order: which room may import which, and what the files say of themselves."""

import ast
import re
import subprocess
import tomllib

import pytest

from tests.releases import ROOT

PACKAGES = ("scoring", "build", "baselines", "integrations", "reporting", "tests")
MAY_IMPORT = {
    "score.py": {"scoring"},
    "report.py": {"reporting", "scoring"},
    "scoring": {"scoring"},
    "reporting": {"reporting", "scoring"},
    "build": {"build", "scoring"},
    "baselines": {"baselines", "build", "scoring"},
    "integrations": {"integrations", "build", "scoring"},
}
LINES_OF_A_MODULE = 450


def imports(path):
    """Top-level packages of this project that a file imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            found.add(node.module.partition(".")[0])
    return found & {*PACKAGES, "score", "report"}


def python_files(room):
    """A room's files; the integrations' tests belong to the tests."""
    found = [ROOT / room] if room.endswith(".py") else sorted((ROOT / room).rglob("*.py"))
    return [path for path in found if room == "tests" or "tests" not in path.relative_to(ROOT).parts]


@pytest.mark.parametrize("room", sorted(MAY_IMPORT))
def test_imports_go_one_way(room):
    for path in python_files(room):
        assert imports(path) <= MAY_IMPORT[room], path


def test_only_sources_read_third_party_data():
    """Nothing but build/sources and its command names the folder of downloads or a source package's files."""
    for path in python_files("build"):
        if "sources" not in path.parts and path.name != "__main__.py":
            assert "build.sources.fetch" not in path.read_text(encoding="utf-8"), path


def tracked():
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
    texts = [ROOT / name for name in listed if not name.endswith((".parquet", ".gz", ".png"))]
    return [path for path in texts if path.is_file()]


def test_no_lock_file_names_an_address():
    for path in [*ROOT.glob("requirements*"), *(ROOT / "build" / "sources").glob("pins*")]:
        assert "://" not in path.read_text(encoding="utf-8"), path


def test_no_file_names_a_path_of_this_machine():
    around = str(ROOT.parent) + "/"
    for path in tracked():
        assert around not in path.read_text(encoding="utf-8"), path


def test_every_requirement_is_pinned_with_hashes():
    for path in ROOT.glob("requirements*.txt"):
        lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith(" ")]
        assert lines
        assert all(re.match(r"[a-z0-9._-]+==[^ ]+ (; .*)?\\$", line) for line in lines if not line.startswith("#")), (
            path
        )


def test_modules_stay_readable():
    for room in PACKAGES:
        for path in python_files(room):
            assert len(path.read_text(encoding="utf-8").splitlines()) <= LINES_OF_A_MODULE, path


def test_public_functions_say_what_they_do():
    for room in ("scoring", "build", "baselines", "integrations", "reporting"):
        for path in python_files(room):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            assert ast.get_docstring(tree), path
            for node in tree.body:
                if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
                    assert ast.get_docstring(node), f"{path}: {node.name}"


def test_one_version_everywhere():
    import json

    import yaml

    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    manifest = json.loads((ROOT / "manifest.json").read_text(encoding="utf-8"))
    configs = yaml.safe_load((ROOT / ".huggingface.yaml").read_text(encoding="utf-8"))["configs"]
    assert manifest["version"] == version
    assert {config["version"] for config in configs} == {version}
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == version
