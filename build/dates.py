"""Dates are inputs: the release's is kept in CITATION.cff, never read off a clock."""

from datetime import date
from pathlib import Path

from build.errors import BuildError

KEY = "date-released:"


def iso_date(text):
    """The text of an ISO date, as it is. Raises BuildError for any other text."""
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError as error:
        raise BuildError(f"{text!r} is no date like 2026-11-30") from error


def released_at(root):
    """The ISO date of the release. Raises BuildError when CITATION.cff names none."""
    path = Path(root) / "CITATION.cff"
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith(KEY):
            return iso_date(line.removeprefix(KEY).strip())
    raise BuildError(f"{path}: names no date-released")
