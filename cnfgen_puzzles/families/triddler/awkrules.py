"""The rules of triddlers as a short program for awk that has a puzzle's sides and clues in it: for certificates, so that nothing
else is needed to see that a picture is a solution. It reads the picture, a row a line, `#` for a black cell and `.` for a white
one; or a letter for each colour, `a` for the first.
"""

from __future__ import annotations

from cnfgen_puzzles.families.awktemplate import template
from cnfgen_puzzles.families.nonogram.awkrules import filled
from cnfgen_puzzles.families.nonogram.puzzle import Board
from cnfgen_puzzles.families.triddler.puzzle import Triddler

KINDS = ("row", "rising", "falling")


def rules(puzzle: Triddler, board: Board) -> tuple[str, str] | None:
    """The program, and the picture for it; None for more colours than letters."""
    sides = dict(zip("ABCDEF", puzzle.sides, strict=True))
    lines = {kind: puzzle.lines(direction) for direction, kind in enumerate(KINDS)}
    return filled(template(__file__, "rules"), sides, lines, puzzle.inks, board)
