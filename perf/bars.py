"""A bar of speed: what was measured, beside what, against which limit, and whether it is met."""

import math
from dataclasses import dataclass

FACTOR = 10


@dataclass(frozen=True)
class Bar:
    """One measurement.

    Attributes:
        what: what was done, with its size.
        measured: the number that is held against the limit.
        limit: the least that it may be (a ratio to a peer), or the most (seconds, growth), by `at_least`.
        unit: what the number counts, "s" or "×".
        detail: both sides' seconds, or what else was seen.
    """

    what: str
    measured: float
    limit: float
    at_least: bool
    unit: str
    detail: str = ""

    @property
    def is_met(self):
        """Whether the measurement is on the right side of its limit."""
        return self.measured >= self.limit if self.at_least else self.measured <= self.limit

    def line(self):
        """The bar as one line of the printed table."""
        verdict, side = "met" if self.is_met else "NOT MET", "at least" if self.at_least else "at most"
        number, limit = f"{self.measured:.3g} {self.unit}", f"{self.limit:g} {self.unit}"
        return f"{self.what}: {number}, {side} {limit}: {verdict}" + (f" ({self.detail})" if self.detail else "")


def beside(what, peer, measured, least):
    """A Bar on the ratio to a peer, of what timing.ratio gives."""
    mine, theirs, times = measured
    return Bar(f"{what}, beside {peer}", times, least, True, "×", f"{mine:.3f} s beside {theirs:.3f} s")


def at_most(what, seconds, limit, detail=""):
    """A Bar on seconds."""
    return Bar(what, seconds, limit, False, "s", detail)


def growth(what, seconds, most=1.3):
    """A Bar on how cost grows over sizes that are FACTOR apart: the exponent from the last but one to the last.

    Args:
        seconds: of each size; 1.0 is linear, and the first sizes are told but not judged, for fixed costs rule there.
    """
    exponent = math.log(seconds[-1] / seconds[-2], FACTOR)
    told = ", ".join(f"{value:.3f} s" for value in seconds)
    sizes = ", ".join(f"{FACTOR**step}×" for step in range(len(seconds)))
    return Bar(f"{what}, growth over {sizes}", exponent, most, False, "as exponent", told)
