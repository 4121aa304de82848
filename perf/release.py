"""Building the release from the lexicons and verifying it, as processes."""

import sys
import tempfile

from perf import timing
from perf.bars import at_most

BUILD, VERIFY = 180, 20


def bars(root, *, quick=False):
    """Seconds of `release` into an empty folder and of `verify` there; none in the short form."""
    if quick:
        return
    with tempfile.TemporaryDirectory() as out:
        for name, arguments, limit in (
            ("release", ["release", "--out", out], BUILD),
            ("verify", ["verify", out], VERIFY),
        ):
            wall, cpu = timing.process([sys.executable, "-m", "build", *arguments], root)
            yield at_most(f"build {name}, wall", wall, limit, f"{cpu:.1f} s CPU")
