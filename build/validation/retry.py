"""Waiting: exponential backoff with keyed jitter, Retry-After, and a rate limit. Seconds throughout."""

from build.draws import Stream
from build.validation.providers import RateLimited, Transient

_STEPS = 1_000_000


class Pacer:
    """Keeps calls at least 1 / per_second apart. `clock` is monotonic; both it and `sleep` can be replaced."""

    def __init__(self, per_second, clock, sleep):
        self._gap = 1.0 / per_second
        self._clock, self._sleep = clock, sleep
        self._next = None

    def wait(self):
        """Sleep until the next call may start."""
        now = self._clock()
        if self._next is not None and now < self._next:
            self._sleep(self._next - now)
            now = self._next
        self._next = now + self._gap


def delay(attempt, settings, stream):
    """Seconds before the attempt after number `attempt` (from 1): between a half and all of base * 2^(attempt-1)."""
    longest = min(settings["longest"], settings["base"] * 2 ** (attempt - 1))
    return longest * (0.5 + 0.5 * stream.below(_STEPS) / _STEPS)


def call(ask, settings, key, sleep, before=lambda: None):
    """What `ask()` returns, after as many attempts as the settings allow.

    Args:
        settings: attempts, base, longest, longest_retry_after.
        key: (seed, config, *items) of the jitter's stream.
        before: called before every attempt (rate limit, attempt count).

    Raises the last RateLimited or Transient when attempts run out or a Retry-After is longer than allowed; any other
    error of the provider at once.
    """
    stream = Stream(*key)
    for attempt in range(1, settings["attempts"] + 1):
        before()
        try:
            return ask()
        except (RateLimited, Transient) as error:
            wait = delay(attempt, settings, stream)
            asked_for = getattr(error, "retry_after", None) or 0
            if attempt == settings["attempts"] or asked_for > settings["longest_retry_after"]:
                raise
            sleep(max(wait, asked_for))
