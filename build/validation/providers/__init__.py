"""Providers answer queries. One interface: `name`, `is_web`, `types`, `settings`, `search(query)` -> list of Trace.

A provider raises RateLimited, Transient, Refused or NotRecorded, and nothing else, for a query it cannot answer; an
empty list means that the provider looked and found nothing.
"""

from typing import Protocol

from build.errors import BuildError

SEARCH_TYPES = ("exact_quoted", "unquoted", "reversed", "ascii_fold", "vowel_variant", "phonetic_variant")
ALL_TYPES = (*SEARCH_TYPES, "page_content")


class ProviderError(BuildError):
    """A query that a provider did not answer."""


class RateLimited(ProviderError):
    """Too many requests; `retry_after` is in seconds, None when the provider does not say."""

    def __init__(self, message, retry_after=None):
        super().__init__(message)
        self.retry_after = retry_after


class Transient(ProviderError):
    """A fault that may pass: a server error, a timeout, a broken or unreadable answer."""


class Refused(ProviderError):
    """A fault that asking again does not mend; `fatal` ones (a bad key) concern every query.

    `location` is where a redirect leads, None for other faults.
    """

    def __init__(self, message, fatal=False):
        super().__init__(message)
        self.fatal = fatal
        self.location = None


class NotRecorded(ProviderError):
    """A replay has no record of the query: the answer is not available, which is not an empty answer."""


class Provider(Protocol):
    """What the runner needs of a provider. `types` are the query types it answers; `settings` hold no secret."""

    name: str
    is_web: bool
    types: tuple
    settings: dict

    def search(self, query):
        """The query's traces, best first."""
