"""Remove any four cells from the 8x8 board: can the twelve pentominoes cover the rest? Decides all 635,376 ways.

    python scripts/four_holes.py [--folder FOLDER] [--jobs N] [--first N] [--verify]

The article on pentominoes and PySAT claims 'always, except in two cases'. Up to the symmetries of the board there are 79,920
hole sets; each is decided with a certificate that is kept, one JSON object a line, in FOLDER/classes.jsonl:

* covered: a board in 64 letters, found by exact cover and checked against the rules;
* region: the holes cut off a part whose size is no multiple of five (its size is kept);
* refuted: the formula of the rest is UNSAT, by a solver whose DRAT proof drat-trim has checked.

A run that was ended goes on with the same command. `--verify` reads the file again and checks every line of it anew, without the
code that found it: boards and regions by a few lines of their own, refutations by another solver and another proof.
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
    parser.add_argument("--jobs", type=int, help="processes; by default one a core")
    parser.add_argument("--first", type=int, help="only so many classes")
    parser.add_argument("--verify", action="store_true", help="check every certificate of the file anew")
    arguments = parser.parse_args(words)
    begun = time.monotonic()
    wanted = classes()[: arguments.first]
    path = arguments.folder / NAME
    try:
        if arguments.verify:
            wrong = list(verify(read_certificates(path), wanted))
            print("\n".join(wrong) if wrong else f"{len(wanted):,} certificates checked, all hold")
            return 1 if wrong else 0
        certificates = decide_classes(path, wanted, arguments.jobs)
    except CnfgenError as error:
        print(f"four_holes: {error}", file=sys.stderr)
        return error.exit_code
    report({holes: certificates[holes] for holes in wanted}, arguments.folder)
    print(f"{time.monotonic() - begun:.0f} s")
    return 0
