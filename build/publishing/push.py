"""`push`: a checked release, staged in the Hub's layout, as one commit and one tag."""

import os
import re
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

from build.errors import BuildError
from build.publishing import git, layout, pages
from build.release import MANIFEST
from build.verify import verify
from scoring.truth import load_release

REPO = re.compile(r"[\w.-]+/[\w.-]+")
OF_THE_HUB = {".gitattributes", "README.md"}
FAULTS_SHOWN = 10
NOTHING_YET = "nothing was committed and no tag was set"
AGAIN = "run the same command again; what has arrived is not sent twice"


def push(root, repo, tag, *, dry_run=False, stage=None, say=print):
    """Send the release at `root` to a dataset repository of the Hub.

    Args:
        root: the repository's folder.
        repo: OWNER/NAME; made when it is not there yet.
        tag: "v" and the manifest's version.
        dry_run: only say what would go; needs neither network nor token.
        stage: an empty or new folder that keeps the staged files, or None.
        say: is given each line for the user.

    Raises:
        BuildError: why the release may not go, or what failed on the way and what to do then.
    """
    if not REPO.fullmatch(repo):
        raise BuildError(f"{repo!r}: expected OWNER/NAME of a dataset repository")
    manifest = checked(root, tag)
    with tempfile.TemporaryDirectory() as spare:
        staged = layout.stage(layout.items(root, manifest), stage or Path(spare) / "stage")
        if dry_run:
            for line in layout.listing(staged):
                say(line)
            say(f"dry run: nothing was sent; they would go to the dataset {repo} as one commit with the tag {tag}")
            return
        commit = upload(staged, repo, tag)
    say(f"{repo}: {len(staged)} files, commit {commit}, tag {tag}")


def checked(root, tag):
    """The manifest of a release that may go under `tag`. Raises BuildError with the reason when it may not."""
    manifest = load_release(root).manifest
    if tag != f"v{manifest['version']}":
        raise BuildError(f"the tag {tag} differs from the version in {MANIFEST}: expected v{manifest['version']}")
    git.refuse_dirty(root)
    faults = verify(root) or pages.faults(root)
    if faults:
        more = [f"… and {len(faults) - FAULTS_SHOWN} more"] if len(faults) > FAULTS_SHOWN else []
        raise BuildError("\n".join(["the release is not fit to go:", *faults[:FAULTS_SHOWN], *more]))
    return manifest


def upload(staged, repo, tag):
    """Commit the Items so that the repository holds them alone, and tag that commit. Returns the commit's hash.

    Raises:
        BuildError: what failed, what the repository holds now, and what to do.
    """
    from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi
    from huggingface_hub.utils import disable_progress_bars

    if not sys.stderr.isatty():
        disable_progress_bars()
    api = HfApi(endpoint=os.environ.get("HF_ENDPOINT"))
    kind = {"repo_id": repo, "repo_type": "dataset"}
    with _step(repo, "opening the repository", NOTHING_YET):
        api.create_repo(**kind, exist_ok=True)
        refs = api.list_repo_refs(**kind)
        there = set(api.list_repo_files(**kind))
    _refuse_place(repo, tag, refs, there)
    operations = [CommitOperationAdd(item.path, item.source) for item in staged]
    operations += [CommitOperationDelete(path) for path in sorted(there - {item.path for item in staged})]
    head = next((branch.target_commit for branch in refs.branches if branch.name == "main"), None)
    with _step(repo, "sending the files", "no tag was set"):
        message = f"Release {tag}"
        commit = api.create_commit(**kind, operations=operations, commit_message=message, parent_commit=head).oid
    with _step(
        repo,
        f"setting the tag {tag}",
        f"the files are there as commit {commit}; if the tag is, too, the next run says so",
    ):
        api.create_tag(**kind, tag=tag, revision=commit, tag_message=message)
    return commit


def _refuse_place(repo, tag, refs, there):
    if tag in {found.name for found in refs.tags}:
        raise BuildError(f"{repo}: the tag {tag} is there already; a release is never replaced: raise the version")
    if there - OF_THE_HUB and MANIFEST not in there:
        raise BuildError(f"{repo}: holds other files and no {MANIFEST}; push replaces all files: choose a repository")


@contextmanager
def _step(repo, doing, state):
    """Turn what a step of the upload may raise into one message: what failed, what is there, what to do."""
    from huggingface_hub.errors import HTTPError

    try:
        yield
    except (HTTPError, OSError, ValueError, RuntimeError) as error:
        raise BuildError(f"{repo}: {doing} failed: {_reason(error)}; {state}; {_advice(error)}") from error


def _reason(error):
    """The first line that says something, of the innermost error."""
    while error.__cause__ is not None and not _status(error):
        error = error.__cause__
    status = _status(error)
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    said = lines[0] if lines else type(error).__name__
    return f"the server answered {status}" if status else said.rstrip(".")


def _advice(error):
    status = _status(error) or _status(error.__cause__)
    if status == 401:
        return (
            "the token is missing or not valid: set HF_TOKEN to one with write access (or log in with 'hf auth login')"
        )
    if status == 403:
        return "the token may not write there: use one with write access to that owner's datasets"
    if status in (409, 412):
        return "somebody else changed the repository meanwhile: look at it, then run the same command again"
    return AGAIN


def _status(error):
    return getattr(getattr(error, "response", None), "status_code", None)
