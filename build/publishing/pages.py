"""Do card, configs file, Croissant description, manifest and data say the same? Versions, configs, rows, columns."""

import json
import tomllib
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import yaml

from build import card, hub
from build.configs import BY_NAME
from build.publishing import columns, croissant
from build.release import MANIFEST
from scoring.truth import load_release


def write(root):
    """Write anew what is made from manifest and data: `.huggingface.yaml`, `croissant.json`, the card's parts."""
    hub.write_configs(root, load_release(root).manifest)
    croissant.write(root)
    card.write(root)


def faults(root):
    """Every disagreement in the repository at `root`, one line each; empty when all say the same."""
    root = Path(root)
    manifest = load_release(root).manifest
    found = _version_faults(root, manifest["version"])
    for entry in manifest["files"]:
        found += _data_faults(root, entry)
    return found or _page_faults(root, manifest)


def _version_faults(root, version):
    said = {
        "pyproject.toml": tomllib.loads(_text(root, "pyproject.toml"))["project"]["version"],
        "CITATION.cff": yaml.safe_load(_text(root, "CITATION.cff"))["version"],
    }
    for name, head in ((hub.CONFIGS_FILE, _configs(root)), (card.CARD, _front_matter(root))):
        said |= {f"{name}, {config['config_name']}": config.get("version") for config in head.get("configs", [])}
    said[croissant.FILE] = json.loads(_text(root, croissant.FILE))["version"]
    return [f"{where}: version {v}, {MANIFEST} says {version}" for where, v in said.items() if v != version]


def _data_faults(root, entry):
    """What a Parquet file's own metadata tells otherwise than manifest, builder and row schema."""
    where, config = entry["path"], entry["config"]
    try:
        with pq.ParquetFile(root / where) as file:
            rows, found = file.metadata.num_rows, file.schema_arrow
    except (pa.ArrowException, OSError) as error:
        return [f"{where}: not a readable Parquet file ({error})"]
    faulty = []
    if rows != entry["rows"]:
        faulty.append(f"{where}: {rows} rows, {MANIFEST} says {entry['rows']}")
    if not found.equals(BY_NAME[config].SCHEMA):
        faulty.append(f"{where}: its columns are not those of the builder of {config}")
    elif columns.shape(columns.of(config, found)) != columns.shape_of_schema(config):
        faulty.append(f"{where}: its columns are not those of {entry['schema']}")
    return faulty


def _page_faults(root, manifest):
    """What is written from manifest and data, and differs from what would be written now."""
    faulty = []
    if _configs(root) != {"configs": hub.configs(manifest)}:
        faulty.append(f"{hub.CONFIGS_FILE}: its configs are not those of {MANIFEST}: run 'python -m build card'")
    head = _front_matter(root)
    now = {"configs": hub.configs(manifest), "dataset_info": hub.dataset_info(root, manifest)}
    faulty += [f"{card.CARD}: its {key} are not those of the release" for key in now if head.get(key) != now[key]]
    text = _text(root, card.CARD)
    if not faulty and card.render(root, text) != text:
        faulty.append(f"{card.CARD}: is not that of the release: run 'python -m build card'")
    if json.loads(_text(root, croissant.FILE)) != croissant.describe(root):
        faulty.append(f"{croissant.FILE}: is not that of the release: run 'python -m build card'")
    return faulty


def _configs(root):
    return yaml.safe_load(_text(root, hub.CONFIGS_FILE)) or {}


def _front_matter(root):
    return yaml.safe_load(_text(root, card.CARD).split("---\n")[1]) or {}


def _text(root, name):
    return (root / name).read_text(encoding="utf-8")
