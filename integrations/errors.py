"""Faults of a run's parameters."""

from scoring.errors import UserError


class ParameterError(UserError):
    """A parameter of a run that fits no config, form or file; the message names what fits."""
