"""`python -m perf [matching|neighbours|scoring]`: print each bar as a ratio beside its peer."""

import sys
from pathlib import Path

from perf import matching, neighbours, scoring

ROOT = Path(__file__).resolve().parent.parent


def main(wanted):
    """Print the measurements that were asked for; all of them without an argument."""
    if not wanted or "matching" in wanted:
        print(matching.measure(ROOT))
    if not wanted or "scoring" in wanted:
        print(scoring.measure(ROOT))
    if not wanted or "neighbours" in wanted:
        for line in neighbours.measure(ROOT):
            print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
