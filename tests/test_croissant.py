"""croissant.json: valid by mlcroissant, of one mind with manifest and row schemas, and read as the data are."""

import json
import shutil
from itertools import islice

import mlcroissant
import pyarrow.parquet as pq
import pytest

from build.configs import BY_NAME
from build.publishing import croissant
from scoring import schemas
from tests.releases import ROOT

ROWS = 3
MANIFEST = json.loads((ROOT / "manifest.json").read_text(encoding="utf-8"))
DESCRIBED = json.loads((ROOT / croissant.FILE).read_text(encoding="utf-8"))
LITE = [entry for entry in MANIFEST["files"] if entry["split"] == "lite"]


@pytest.fixture(scope="module")
def dataset():
    return mlcroissant.Dataset(str(ROOT / croissant.FILE))


def test_it_is_the_release_s():
    assert croissant.describe(ROOT) == DESCRIBED


def test_mlcroissant_finds_no_fault(dataset):
    issues = dataset.metadata.ctx.issues
    assert (set(issues.errors), set(issues.warnings)) == (set(), set())


def test_files_and_versions_are_the_manifest_s():
    files = {f["contentUrl"]: (f["sha256"], f["contentSize"]) for f in DESCRIBED["distribution"]}
    assert files == {e["path"]: (e["sha256"], f"{e['bytes']} B") for e in MANIFEST["files"]}
    assert DESCRIBED["version"] == MANIFEST["version"]
    sets = {made["@id"] for made in DESCRIBED["recordSet"] if made["@id"].count("/") == 1}
    assert sets == {f"{e['config']}/{e['split']}" for e in MANIFEST["files"]}


@pytest.mark.parametrize("config", sorted(BY_NAME))
def test_fields_are_the_columns_with_their_descriptions(config):
    made = next(found for found in DESCRIBED["recordSet"] if found["@id"] == f"{config}/test")
    told = {field["@id"].rpartition("/")[2]: field.get("description") for field in made["field"]}
    columns = schemas.load(schemas.schema_name(config, "row"))["properties"]
    assert told == {name: column["description"] for name, column in columns.items()}


def ids_of(fields):
    return {i for field in fields for i in (field["@id"], *ids_of(field.get("subField", [])))}


def leaves(schema, where):
    """Every path of names in an Arrow schema."""
    found = set()
    for field in schema:
        found.add(f"{where}/{field.name}")
        inner = field.type.value_type if hasattr(field.type, "value_type") else field.type
        if hasattr(inner, "fields"):
            found |= leaves(inner.fields, f"{where}/{field.name}")
    return found


@pytest.mark.parametrize("entry", LITE, ids=lambda entry: entry["config"])
def test_every_nested_name_is_described_once(entry):
    where = f"{entry['config']}/{entry['split']}"
    sets = [made for made in DESCRIBED["recordSet"] if f"{made['@id']}/".startswith(f"{where}/")]
    described = {i for made in sets for i in ids_of(made["field"])} | {made["@id"] for made in sets[1:]}
    assert described == leaves(pq.read_schema(ROOT / entry["path"]), where)


def plain(value):
    """A value as mlcroissant gives it, with the names of the Parquet columns and text for bytes."""
    if isinstance(value, dict):
        return {key.rpartition("/")[2]: plain(part) for key, part in value.items()}
    if isinstance(value, list):
        return [plain(part) for part in value]
    if isinstance(value, bytes):
        return value.decode()
    return value.item() if hasattr(value, "item") else value


def shallow(value):
    """A value without lists of structs within lists of structs, which mlcroissant does not read."""
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return [{k: v for k, v in item.items() if not (isinstance(v, list) and k == "pii")} for item in value]
    return value


@pytest.mark.parametrize("entry", LITE, ids=lambda entry: entry["config"])
def test_records_are_the_rows(entry, dataset):
    where = f"{entry['config']}/{entry['split']}"
    records = [plain(record) for record in islice(dataset.records(where), ROWS)]
    rows = pq.read_table(ROOT / entry["path"]).slice(0, ROWS).to_pylist()
    assert records == [{name: shallow(value) for name, value in row.items()} for row in rows]


def test_other_bytes_are_other_words(tmp_path):
    """A manifest that differs gives a description that differs: it cannot be edited by hand unseen."""
    for name in ("pyproject.toml", "CITATION.cff"):
        shutil.copyfile(ROOT / name, tmp_path / name)
    (tmp_path / "data").symlink_to(ROOT / "data")
    for key, value in (("sha256", "0" * 64), ("rows", 7), ("bytes", 7), ("content_sha256", "1" * 64)):
        changed = {**MANIFEST, "files": [MANIFEST["files"][0] | {key: value}, *MANIFEST["files"][1:]]}
        (tmp_path / "manifest.json").write_text(json.dumps(changed), encoding="utf-8")
        assert croissant.describe(tmp_path) != DESCRIBED, key
