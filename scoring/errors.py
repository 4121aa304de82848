"""Faults a user can act on: what was wrong, where, and what was expected."""

import sys

SHOWN_FAULTS = 20
GATHERED_FAULTS = 10_000


class UserError(Exception):
    """An error whose message is meant for the user; commands print it and exit with status 2."""


class FaultyFile(UserError):
    """All the faults of one file: the first twenty in full, the rest counted."""

    def __init__(self, path, faults, *, stopped=False):
        self.path = str(path)
        self.faults = list(faults)
        shown = [f"{self.path}: {fault}" for fault in self.faults[:SHOWN_FAULTS]]
        rest = len(self.faults) - SHOWN_FAULTS
        if rest > 0:
            shown.append(f"… and {rest} more faults of this file{'; reading stopped there' if stopped else ''}")
        super().__init__("\n".join(shown))


class Faults:
    """Gathers the faults of one file, so that a user sees them all at once."""

    def __init__(self, path):
        self.path = path
        self.found = []

    def add(self, message, *, place=None, row_id=None):
        """Note a fault; `place` is such as "line 3", `row_id` the id that stands there."""
        where = [place] if place is not None else []
        if row_id is not None:
            where.append(f"id {row_id!r}")
        self.found.append(f"{', '.join(where)}: {message}" if where else message)
        if len(self.found) >= GATHERED_FAULTS:
            raise FaultyFile(self.path, self.found, stopped=True)

    def raise_if_any(self):
        """Raise FaultyFile when anything was noted."""
        if self.found:
            raise FaultyFile(self.path, self.found)


def run_command(app):
    """Run a command line; a fault that the user can act on is printed and ends with status 2."""
    try:
        app()
    except UserError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
