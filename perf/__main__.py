"""`python -m perf [PART …] [--quick]`: print each bar as a ratio beside its peer; exit with 1 when one is not met."""

import argparse
import sys
from pathlib import Path

from perf import documents, matching, neighbours, release, scoring, streaming, validation

ROOT = Path(__file__).resolve().parent.parent
PARTS = {
    "matching": matching,
    "validation": validation,
    "documents": documents,
    "scoring": scoring,
    "neighbours": neighbours,
    "release": release,
}
ASKED = {"streaming": streaming}


def main(arguments):
    """Print the bars of the parts that were asked for, all by default. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m perf", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)} (the default) or streaming")
    parser.add_argument("--quick", action="store_true", help="small sizes, to see that it runs; no release is built")
    given = parser.parse_args(arguments)
    strange = set(given.parts) - PARTS.keys() - ASKED.keys()
    if strange:
        parser.error(f"no such part: {', '.join(sorted(strange))}")
    missed = 0
    for name in given.parts or PARTS:
        for bar in (PARTS | ASKED)[name].bars(ROOT, quick=given.quick):
            print(bar.line(), flush=True)
            missed += not bar.is_met
    print(f"{missed} bars are not met" if missed else "every bar is met")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
