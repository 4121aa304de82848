"""What the Hub and `datasets` need beside the data: the list of configs."""

from pathlib import Path

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


def _paths(entry):
    """The path of a split's one file, or the list of its files' paths."""
    paths = [part["path"] for part in parts(entry)]
    return paths if len(paths) > 1 else paths[0]


def write_configs(folder, manifest):
    """Write `.huggingface.yaml`, so that a clone loads as the Hub's copy does."""
    import yaml

    text = yaml.safe_dump({"configs": configs(manifest)}, sort_keys=False, allow_unicode=True)
    (Path(folder) / CONFIGS_FILE).write_text(text, encoding="utf-8", newline="\n")
