#!/usr/bin/env python3
"""Compare every encoding, with all its options, with independent solutions of all small puzzles of tests/exhaustive/.

    python scripts/check/compare_encodings.py [FAMILY...]

A line for each range of puzzles shows the numbers of puzzles, solutions, and variants (encodings with options), and the CPU time.
The first difference is an AssertionError. All families take about 45 minutes on one core; `make test` takes a sample.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(REPOSITORY), str(REPOSITORY / "tests")]

from exhaustive.comparing import tallies  # noqa: E402  from tests/, which the lines above make known
from exhaustive.table import OWN, ranges_of  # noqa: E402

from cnfgen_puzzles.families import find_family  # noqa: E402


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("families", metavar="FAMILY", nargs="*", help="by default all families of this package")
    for name in parser.parse_args(arguments).families or OWN:
        family = find_family(name)
        for each in ranges_of(family):
            start = time.process_time()
            found = tallies(family, each, 1)
            first, seconds = next(iter(found.values())), time.process_time() - start
            numbers = f"{first.puzzles:,} puzzles, {first.solutions:,} solutions, {len(found)} variants, {seconds:.0f} s"
            print(f"{name}: {each.name}: {numbers}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
