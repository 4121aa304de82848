"""Which files of the repository go to the Hub, and under which names (`layout.json`)."""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

from build.errors import BuildError
from build.publishing import git

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Item:
    """One file that goes to the Hub: its path there, and the file that is sent."""

    path: str
    source: Path

    @property
    def size(self):
        """Its size in bytes."""
        return self.source.stat().st_size


def items(root, manifest):
    """The Items of a release at `root`, sorted by path: only files that git tracks.

    Raises:
        BuildError: when one of them is missing or not committed.
    """
    wanted = json.loads((HERE / "layout.json").read_text(encoding="utf-8"))
    tracked = git.tracked(root)
    found = {target: source for source, target in wanted["renamed"].items()}
    for place in [*wanted["kept"], *(entry["path"] for entry in (*manifest["files"], *manifest["lexicons"]))]:
        found |= _below(place, tracked) or {place: place}
    lacking = sorted(set(found.values()) - set(tracked))
    if lacking:
        raise BuildError(f"{root}: not committed, though it belongs to the release: {', '.join(lacking)}")
    return [Item(target, Path(root) / found[target]) for target in sorted(found)]


def stage(found, folder):
    """Copy Items into a new folder, laid out as the Hub will have them. Returns the copies as Items.

    Raises:
        BuildError: when the folder holds something already or cannot be written.
    """
    folder = Path(folder)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BuildError(f"{folder}: is not empty; choose a new folder")
    copies = [Item(item.path, folder / item.path) for item in found]
    try:
        for item, copy in zip(found, copies, strict=True):
            copy.source.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(item.source, copy.source)
    except OSError as error:
        raise BuildError(f"{folder}: cannot be written ({error.strerror})") from error
    return copies


def listing(found):
    """What would go, one line a file: bytes and path, then the total."""
    lines = [f"{item.size:>12,}  {item.path}" for item in found]
    return [*lines, f"{sum(item.size for item in found):>12,}  bytes in {len(found)} files"]


def _below(place, tracked):
    return {path: path for path in tracked if path == place or path.startswith(place + "/")}
