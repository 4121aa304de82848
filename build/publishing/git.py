"""What git says of the repository that a release is pushed from."""

import subprocess
from pathlib import Path

from build.errors import BuildError

SHOWN = 5


def refuse_dirty(root):
    """Raise BuildError unless the work tree at `root` is as its last commit says."""
    changed = _git(root, "status", "--porcelain", "--untracked-files=all", ".").splitlines()
    if changed:
        more = f" and {len(changed) - SHOWN} more" if len(changed) > SHOWN else ""
        names = ", ".join(line[3:] for line in changed[:SHOWN])
        raise BuildError(f"{root}: the work tree differs from its last commit ({names}{more}): commit or remove that")


def tracked(root):
    """The files that git tracks at `root`: POSIX paths relative to it, sorted."""
    return sorted(filter(None, _git(root, "ls-files", "-z").split("\0")))


def _git(root, *words):
    try:
        done = subprocess.run(["git", *words], cwd=Path(root), capture_output=True, text=True, check=False)
    except OSError as error:
        raise BuildError(f"git cannot be run ({error.strerror}); push needs it to see what is committed") from error
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[0]
        raise BuildError(f"{root}: git says: {reason}; push works from a clone of the repository")
    return done.stdout
