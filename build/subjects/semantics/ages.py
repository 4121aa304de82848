"""Ages as intervals of whole years, and the phrases that name some of them."""

import json
import re
from functools import cache
from pathlib import Path

_INTERVAL = re.compile(r"^\s*(\d{1,3})(?:\s*(?:-|–|to)\s*(\d{1,3}))?\s*$")


@cache
def phrases():
    """The table: a list of {"low", "high", "phrases"}, both ends within the interval."""
    return json.loads((Path(__file__).parent / "ages.json").read_text(encoding="utf-8"))


def aliases(value):
    """The phrases of the very interval that a value such as "30-39" gives."""
    read = _INTERVAL.match(value)
    if not read:
        return []
    low, high = int(read[1]), int(read[2] or read[1])
    return [phrase for row in phrases() if (row["low"], row["high"]) == (low, high) for phrase in row["phrases"]]
