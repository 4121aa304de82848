"""Errors of the builders that a user can act on."""

from scoring.errors import UserError


class BuildError(UserError):
    """A build that cannot go on; the message says why and what to do."""
