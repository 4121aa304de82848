"""What the Hub and `datasets` need beside the data: the list of configs, and what each holds."""

from pathlib import Path

from build import parquet
from build.publishing import columns
from scoring.truth import parts

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
                {"split": entry["split"], "path": _paths(entry)}
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
    sizes = {entry["split"]: sum(parquet.read(path).nbytes for path in _files(folder, entry)) for entry in entries}
    schema = parquet.read(_files(folder, entries[0])[0]).schema
    return {
        "config_name": config,
        "features": columns.features(columns.of(config, schema)),
        "splits": [
            {"name": entry["split"], "num_bytes": sizes[entry["split"]], "num_examples": entry["rows"]}
            for entry in entries
        ],
        "download_size": sum(part["bytes"] for entry in entries for part in parts(entry)),
        "dataset_size": sum(sizes.values()),
    }


def _files(folder, entry):
    return [Path(folder) / part["path"] for part in parts(entry)]


def _paths(entry):
    """The path of a split's one file, or the list of its files' paths."""
    paths = [part["path"] for part in parts(entry)]
    return paths if len(paths) > 1 else paths[0]


def write_configs(folder, manifest):
    """Write `.huggingface.yaml`, so that a clone loads as the Hub's copy does."""
    (Path(folder) / CONFIGS_FILE).write_text(as_yaml({"configs": configs(manifest)}), encoding="utf-8", newline="\n")


def as_yaml(value):
    """A value as YAML, in its own order of keys."""
    import yaml

    return yaml.safe_dump(value, sort_keys=False, allow_unicode=True)
