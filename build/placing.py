"""Many new files put in the place of old ones as a whole: after a crash at any moment the old or the new ones stand.

They are written into a draft beside their place. One rename makes the draft ready; from then on they are moved into
place one by one, and whoever is interrupted there leaves the rest to be moved by the next `mend`. Drafts that never
got ready are removed then.
"""

import json
import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path

from build.errors import BuildError

PREFIX = ".release-"
READY = ".release-ready"
LISTED = "placed.json"
CLEANED = "data"  # folders below it hold what a release names, and nothing else


@contextmanager
def draft(out, names):
    """A folder to write new files into; on leaving it without an error they are put in place in `out`.

    Args:
        out: the folder that takes them; it is made where it is not there.
        names: the files and folders of the draft that are placed, in this order; others are scratch.

    Raises:
        BuildError: when `out` cannot be written, or another process is writing there.
    """
    out = Path(out)
    with _told(out):
        out.mkdir(parents=True, exist_ok=True)
    with _alone(out):
        with _told(out):
            _mend(out)
            made = Path(tempfile.mkdtemp(dir=out, prefix=PREFIX))
        try:
            yield made
            with _told(out):
                _commit(made, out, names)
        finally:
            shutil.rmtree(made, ignore_errors=True)


@contextmanager
def _told(out):
    """Turn an error of the file system into a BuildError."""
    try:
        yield
    except OSError as error:
        raise BuildError(f"{out}: cannot be written ({error.strerror or error})") from error


def is_interrupted(out):
    """Whether a release was interrupted in `out` while its files were moved into place."""
    return (Path(out) / READY).is_dir()


def mend(out):
    """Move into place what an interrupted process left ready. Raises BuildError when `out` cannot be written."""
    out = Path(out)
    if is_interrupted(out):
        with _alone(out), _told(out):
            _mend(out)


def _mend(out):
    """As `mend`, and remove drafts that never got ready; only for who holds the folder."""
    if is_interrupted(out):
        _place(out)
    for left in out.glob(PREFIX + "*"):
        shutil.rmtree(left, ignore_errors=True)


def _commit(made, out, names):
    files = [path.relative_to(made).as_posix() for name in names for path in _files(made / name)]
    (made / LISTED).write_text(json.dumps(files), encoding="utf-8")
    os.replace(made, out / READY)
    _place(out)


def _files(path):
    return [path] if path.is_file() else sorted(found for found in path.rglob("*") if found.is_file())


def _place(out):
    """Move the ready files, remove what they replace, and give up the ready folder; may be done again at any step."""
    ready = out / READY
    files = json.loads((ready / LISTED).read_text(encoding="utf-8"))
    for name in files:
        if (ready / name).exists():
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            os.replace(ready / name, out / name)
    kept = {out / name for name in files}
    for folder in {path.parent for path in kept if path.is_relative_to(out / CLEANED)}:
        for path in set(folder.iterdir()) - kept:
            if path.is_file():
                path.unlink()
    done = Path(tempfile.mkdtemp(dir=out, prefix=PREFIX))
    os.replace(ready, done / READY)
    shutil.rmtree(done, ignore_errors=True)


@contextmanager
def _alone(out):
    """Hold the folder while writing; the system lets go of it when the process ends, however it ends."""
    try:
        import fcntl
    except ImportError:  # no such locks on Windows
        yield
        return
    handle = os.open(out, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError as error:
        raise BuildError(f"{out}: another process is building here") from error
    finally:
        os.close(handle)
