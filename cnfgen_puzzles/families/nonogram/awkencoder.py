"""The encodings of nonograms and triddlers as short awk programs for certificates. `encodings.py` documents the formulas. The
programs contain no numbers of a puzzle.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from cnfgen_puzzles.families.awktemplate import fill, template

USAGE = "#     awk -v given=x.nin -f encode.awk x.nin puzzle.json    # exit code 0: they have the same clues\n"


def encoder(puzzle: Any, encoding: str, options: Mapping[str, Any]) -> str | None:
    """The program that writes the formula of a nonogram; None for at-most-one encodings other than the default."""
    return fill_encoder("nonogram", template(__file__, "members"), template(__file__, "grid"), encoding, options, given=True)


def fill_encoder(
    kind: str, members: str, cells: str, encoding: str, options: Mapping[str, Any], given: bool = False
) -> str | None:
    """The program, with the parts that read the puzzle and list the cells of its lines. `given`: cells may be known beforehand,
    and the puzzle is compared with a file of plain clues (.nin)."""
    if options.get("amo", "pairwise") != "pairwise":
        return None
    words = {
        "KIND": kind, "NAME": encoding, "MEMBERS": members, "CELLS": cells, "ENCODING": template(__file__, encoding),
        "NAMES": " ".join(re.findall('"([a-z_]+)": /', members)),
        "KNOWN": template(__file__, "units") + "\n" if given else "",
        "GIVEN": template(__file__, "given") + "\n" if given else "",
        "COMPARE": "    if (given) exit compare()\n" if given else "",
        "USAGE": USAGE if given else "",
    }  # fmt: skip
    return fill(template(__file__, "encode"), words) + "\n"
