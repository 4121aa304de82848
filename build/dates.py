"""Dates are inputs: the release's is kept in CITATION.cff, never read off a clock."""

from datetime import date
from pathlib import Path

from build.errors import BuildError

KEY = "date-released:"


def released_at(root):
    """The ISO date of the release. Raises BuildError when CITATION.cff names none."""
    path = Path(root) / "CITATION.cff"
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith(KEY):
            return date.fromisoformat(line.removeprefix(KEY).strip()).isoformat()
    raise BuildError(f"{path}: names no date-released")
