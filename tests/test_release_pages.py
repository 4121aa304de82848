"""Card, configs file, Croissant description, manifest and data: of one mind, and a fault where they are not."""

import json
import shutil

import pyarrow.parquet as pq
import pytest
import yaml

from build import hub
from build.publishing import columns, pages
from tests import projects
from tests.releases import ROOT

MANIFEST = json.loads((ROOT / "manifest.json").read_text(encoding="utf-8"))
USERNAMES = "data/usernames/test-00000-of-00001.parquet"


def test_the_release_is_of_one_mind():
    assert pages.faults(ROOT) == []


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return projects.make(tmp_path_factory.mktemp("made") / "project")


@pytest.fixture
def project(made, tmp_path):
    return shutil.copytree(made, tmp_path / "project", ignore=shutil.ignore_patterns(".git"))


def test_the_small_project_is_of_one_mind(project):
    assert pages.faults(project) == []


def in_text(name, old, new):
    def act(project):
        text = (project / name).read_text(encoding="utf-8")
        assert old in text, old
        (project / name).write_text(text.replace(old, new, 1), encoding="utf-8", newline="\n")

    return act


def in_manifest(change):
    def act(project):
        path = project / "manifest.json"
        manifest = json.loads(path.read_text(encoding="utf-8"))
        change(manifest)
        path.write_text(json.dumps(manifest), encoding="utf-8")

    return act


def in_yaml(change):
    def act(project):
        path = project / ".huggingface.yaml"
        found = yaml.safe_load(path.read_text(encoding="utf-8"))
        change(found["configs"])
        path.write_text(hub.as_yaml(found), encoding="utf-8")

    return act


def in_data(change):
    def act(project):
        table = change(pq.read_table(project / USERNAMES))
        pq.write_table(table, project / USERNAMES)

    return act


VERSION = f"version: {MANIFEST['version']}"
CHANGES = {
    "version of the manifest": (in_manifest(lambda m: m.update(version="9.9.9")), "pyproject.toml: version"),
    "version of pyproject": (
        in_text("pyproject.toml", f'version = "{MANIFEST["version"]}"', 'version = "9.9.9"'),
        "pyproject.toml: version",
    ),
    "version of the citation": (in_text("CITATION.cff", VERSION, "version: 9.9.9"), "CITATION.cff: version"),
    "version of the card": (
        in_text("DATASET_CARD.md", VERSION, "version: 9.9.9"),
        "DATASET_CARD.md, ambiguous_names: version",
    ),
    "version of the configs file": (
        in_text(".huggingface.yaml", VERSION, "version: 9.9.9"),
        ".huggingface.yaml, ambiguous_names",
    ),
    "version of Croissant": (
        in_text("croissant.json", f'"version": "{MANIFEST["version"]}"', '"version": "9.9.9"'),
        "croissant.json: version",
    ),
    "a config less in the configs file": (in_yaml(lambda configs: configs.pop()), ".huggingface.yaml: its configs"),
    "another default": (in_yaml(lambda configs: configs[0].pop("default")), ".huggingface.yaml: its configs"),
    "another path": (
        in_yaml(lambda configs: configs[1]["data_files"][0].update(path="x")),
        ".huggingface.yaml: its configs",
    ),
    "a split less in the manifest": (in_manifest(lambda m: m["files"].pop()), "its configs are not"),
    "rows of the manifest": (in_manifest(lambda m: m["files"][0].update(rows=11)), "10 rows, manifest.json says 11"),
    "hash of the manifest": (in_manifest(lambda m: m["files"][0].update(sha256="0" * 64)), "croissant.json: is not"),
    "rows of the data": (in_data(lambda table: table.slice(1)), f"{USERNAMES}: 9 rows"),
    "a column less": (in_data(lambda table: table.drop_columns("pattern")), f"{USERNAMES}: its columns"),
    "a column's type": (
        in_data(lambda table: table.set_column(5, "start", table["start"].cast("int64"))),
        f"{USERNAMES}: its columns",
    ),
    "no Parquet": (lambda project: (project / USERNAMES).write_bytes(b"x"), "not a readable Parquet"),
    "rows of the card": (in_text("DATASET_CARD.md", "num_examples: 10", "num_examples: 11"), "its dataset_info"),
    "a feature of the card": (in_text("DATASET_CARD.md", "dtype: int32", "dtype: int64"), "its dataset_info"),
    "a table of the card": (in_text("DATASET_CARD.md", "| test | 10 |", "| test | 11 |"), "DATASET_CARD.md: is not"),
    "a word of Croissant": (in_text("croissant.json", "Opaque, stable", "Opaque and stable"), "croissant.json: is not"),
}


@pytest.mark.parametrize("case", sorted(CHANGES))
def test_a_disagreement_is_found(case, project):
    act, message = CHANGES[case]
    act(project)
    found = pages.faults(project)
    assert any(message in fault for fault in found), found


WRITTEN = [name for name in CHANGES if "configs file" in name or "card" in name or "Croissant" in name]


@pytest.mark.parametrize("case", WRITTEN)
def test_card_mends_what_it_writes(case, project):
    CHANGES[case][0](project)
    pages.write(project)
    assert pages.faults(project) == []


@pytest.mark.parametrize("entry", MANIFEST["files"], ids=lambda entry: f"{entry['config']}-{entry['split']}")
def test_the_card_s_features_are_those_that_datasets_reads(entry):
    """`datasets` itself says which features a Parquet file has, and reads ours from the card's form."""
    from datasets import Features

    schema = pq.read_schema(ROOT / entry["path"])
    given = columns.features(columns.of(entry["config"], schema))
    assert Features._from_yaml_list(given) == Features.from_arrow_schema(schema)
