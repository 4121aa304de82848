"""`python -m perf [matching|neighbours|scoring|streaming]`: print each bar as a ratio beside its peer.

Streaming takes an hour, so it runs only when it is named; a folder named by NYMBENCH_VARIANTS keeps its variants.
"""

import os
import sys
from pathlib import Path

from perf import matching, neighbours, scoring, streaming

ROOT = Path(__file__).resolve().parent.parent


def main(wanted):
    """Print the measurements that were asked for; all but streaming without an argument."""
    if not wanted or "matching" in wanted:
        print(matching.measure(ROOT))
    if not wanted or "scoring" in wanted:
        print(scoring.measure(ROOT))
    if not wanted or "neighbours" in wanted:
        for line in neighbours.measure(ROOT):
            print(line, flush=True)
    if "streaming" in wanted:
        for line in streaming.measure(ROOT, os.environ.get("NYMBENCH_VARIANTS")):
            print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
