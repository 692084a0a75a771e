"""Pictures of nonograms and triddlers as the awk programs of certificates read them, and the encodings that these programs write.

A picture has one row per line, with `#` for black and `.` for white cells, or with a letter for each color, `a` for the first.
The programs are `families/awk/clued-rules.awk` and `families/awk/clued-encode.awk`.
"""

from __future__ import annotations

import string
from collections.abc import Mapping
from typing import Any

from cnfgen_puzzles.families.clued.puzzle import Board, CluedPuzzle


def rules(puzzle: CluedPuzzle, board: Board) -> tuple[str, str] | None:
    """The program of the rules and its input; None for more colors than letters."""
    letters = string.ascii_letters[: puzzle.inks] if puzzle.inks > 1 else "#"
    if puzzle.inks > len(letters):
        return None
    signs = "." + letters
    return "clued-rules", "".join("".join(signs[cell] for cell in row) + "\n" for row in board)


def encoder(puzzle: CluedPuzzle, encoding: str, options: Mapping[str, Any]) -> str | None:
    """The program that writes the formula; None for at-most-one encodings other than the default."""
    return "clued-encode" if options.get("amo", "pairwise") == "pairwise" else None
