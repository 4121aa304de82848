"""A release on the Hugging Face Hub: the files that scoring needs are fetched when they are read, into its cache."""

import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from scoring.errors import UserError
from scoring.truth import MANIFEST, Release, load_release

_ID = re.compile(r"(?P<repo>\w[\w.-]*/\w[\w.-]*)(@(?P<revision>[^@\s]+))?")


@dataclass(frozen=True)
class HubRelease(Release):
    """A release in the Hub's cache; `folder` is its snapshot of one commit, and grows as files are asked for."""

    repo: str

    def path(self, relative):
        """The file of the manifest's path, fetched with its config's other splits unless the cache holds it."""
        _fetch(self.repo, self.folder.name, [str(PurePosixPath(relative).parent / "*")])
        return super().path(relative)

    @property
    def within(self):
        """The snapshot's files are links into the same repository's part of the cache."""
        return self.folder.parent.parent


def open_release(data):
    """The release of a folder or, when there is none of that name, of a dataset OWNER/NAME or OWNER/NAME@REVISION.

    Raises:
        UserError: what is wrong with the folder, or why the Hub does not give the dataset.
    """
    found = _ID.fullmatch(str(data))
    if found is None or Path(data).exists():
        return load_release(data)
    folder = _fetch(found["repo"], found["revision"], [MANIFEST])
    return HubRelease(folder, load_release(folder).manifest, found["repo"])


def _fetch(repo, revision, patterns):
    """The snapshot's folder, with the files that match. Raises UserError with the reason when it cannot be had."""
    try:
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import HTTPError
        from huggingface_hub.utils import disable_progress_bars
    except ModuleNotFoundError as error:
        raise UserError(f"{repo}: no such folder, and a dataset of the Hub needs huggingface-hub ({error})") from error
    if not sys.stderr.isatty():
        disable_progress_bars()
    place = {"repo_type": "dataset", "revision": revision, "endpoint": os.environ.get("HF_ENDPOINT")}
    try:
        return Path(snapshot_download(repo, allow_patterns=patterns, **place))
    except (HTTPError, OSError, ValueError, RuntimeError) as error:
        raise UserError(f"{repo}: {_reason(error, revision)}") from error


def _reason(error, revision):
    from huggingface_hub import errors

    if isinstance(error, errors.RevisionNotFoundError):
        return f"the dataset on the Hugging Face Hub has no revision {revision!r}"
    if isinstance(error, errors.RepositoryNotFoundError):
        return (
            "no such folder, and no such dataset on the Hugging Face Hub (or one that needs a token: set HF_TOKEN);"
            " --data takes a folder or OWNER/NAME"
        )
    if isinstance(error, errors.LocalEntryNotFoundError):
        return (
            "no such folder; as a dataset it is not whole in the cache, and the Hugging Face Hub is not reached"
            " (no network, or HF_HUB_OFFLINE is set): try again with a network, or give the folder of a clone"
        )
    status = getattr(getattr(error, "response", None), "status_code", None)
    if status in (401, 403):
        return f"the Hugging Face Hub refuses it ({status}): set HF_TOKEN to a token that may read it"
    said = next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
    return f"cannot be fetched from the Hugging Face Hub ({said})"
