"""What the Hub and `datasets` need beside the data: the list of configs, and what each holds."""

from pathlib import Path

from build import parquet
from build.publishing import columns

CONFIGS_FILE = ".huggingface.yaml"
DEFAULT = "ambiguous_names"


def configs(manifest):
    """The configs of a release as `datasets` reads them: names, version, and each split's files."""
    names = sorted({entry["config"] for entry in manifest["files"]})
    return [
        {
            "config_name": name,
            "version": manifest["version"],
            "data_files": [
                {"split": entry["split"], "path": entry["path"]}
                for entry in manifest["files"]
                if entry["config"] == name
            ],
            **({"default": True} if name == DEFAULT else {}),
        }
        for name in names
    ]


def dataset_info(folder, manifest):
    """The configs' columns, row counts and sizes, read from the data, as a card's `dataset_info`."""
    return [_info(folder, name, manifest) for name in sorted({entry["config"] for entry in manifest["files"]})]


def _info(folder, config, manifest):
    entries = [entry for entry in manifest["files"] if entry["config"] == config]
    tables = {entry["split"]: parquet.read(Path(folder) / entry["path"]) for entry in entries}
    schema = next(iter(tables.values())).schema
    return {
        "config_name": config,
        "features": columns.features(columns.of(config, schema)),
        "splits": [
            {"name": split, "num_bytes": table.nbytes, "num_examples": table.num_rows}
            for split, table in tables.items()
        ],
        "download_size": sum(entry["bytes"] for entry in entries),
        "dataset_size": sum(table.nbytes for table in tables.values()),
    }


def write_configs(folder, manifest):
    """Write `.huggingface.yaml`, so that a clone loads as the Hub's copy does."""
    (Path(folder) / CONFIGS_FILE).write_text(as_yaml({"configs": configs(manifest)}), encoding="utf-8", newline="\n")


def as_yaml(value):
    """A value as YAML, in its own order of keys."""
    import yaml

    return yaml.safe_dump(value, sort_keys=False, allow_unicode=True)
