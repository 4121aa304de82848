"""A release in a folder or on the Hub."""

from pathlib import Path

from scoring.truth import MANIFEST, load_release


def open_release(data):
    """The release in a folder or, when there is none of that name, of a dataset OWNER/NAME[@REVISION] of the Hub."""
    if Path(data).exists():
        return load_release(data)
    import huggingface_hub

    repo, _, revision = str(data).partition("@")
    place = Path(huggingface_hub.constants.HF_HUB_CACHE) / "nymbench" / repo / (revision or "main")
    patterns = [MANIFEST, "data/*/*.parquet"]
    huggingface_hub.snapshot_download(
        repo, repo_type="dataset", revision=revision or None, local_dir=place, allow_patterns=patterns
    )
    return load_release(place)
