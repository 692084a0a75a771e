"""Decide for all 635,376 ways to remove four cells from the 8x8 board whether the twelve pentominoes cover the rest.

    python scripts/studies/four_holes.py [--folder FOLDER] [--jobs N] [--first N] [--verify]

The article on pentominoes and PySAT claims 'always, except in two cases'. Up to the symmetries of the board, there are 79,920
hole sets; each is decided with a certificate, a JSON line in FOLDER/classes.jsonl:

* covered: a board in 64 letters, found by exact cover and checked against the rules;
* region: the holes cut off a part whose size (which is stored) is not a multiple of five;
* refuted: the formula of the rest is UNSAT, by a solver whose DRAT proof drat-trim has checked.

The same command resumes an interrupted run. `--verify` reads the file and checks every line again, without the code that found
it: boards and regions by separate code, refutations by another solver and another proof.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from cnfgen_puzzles.common.errors import CnfgenError
from studies.four_holes.certificates import NAME, decide_classes, read_certificates
from studies.four_holes.classes import classes
from studies.four_holes.report import report
from studies.four_holes.verify import verify


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path("results/four_holes"))
    parser.add_argument("--jobs", type=int, help="number of processes (default: number of cores)")
    parser.add_argument("--first", type=int, help="decide only the first N classes")
    parser.add_argument("--verify", action="store_true", help="check every certificate of the file again")
    arguments = parser.parse_args(words)
    begun = time.monotonic()
    wanted = classes()[: arguments.first]
    path = arguments.folder / NAME
    try:
        if arguments.verify:
            wrong = list(verify(read_certificates(path), wanted))
            print("\n".join(wrong) if wrong else f"{len(wanted):,} certificates checked, all are valid")
            return 1 if wrong else 0
        certificates = decide_classes(path, wanted, arguments.jobs)
    except CnfgenError as error:
        print(f"four_holes: {error}", file=sys.stderr)
        return error.exit_code
    report({holes: certificates[holes] for holes in wanted}, arguments.folder)
    print(f"{time.monotonic() - begun:.0f} s")
    return 0
