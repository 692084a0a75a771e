"""The rules of nonograms as a short program for awk that has a puzzle's clues in it: for certificates, so that nothing else is
needed to see that a picture is a solution. It reads the picture, a row a line, `#` for a black cell and `.` for a white one; or a
letter for each colour, `a` for the first.
"""

from __future__ import annotations

import string
from collections.abc import Iterable

from cnfgen_puzzles.families.nonogram.puzzle import Board, Nonogram

PROGRAM = """\
# Is the picture a solution of this nonogram? A row a line, @SIGNS@, '.' a @GROUND@ one.
# The @RUNS@ must be those of the clues, in every row and in every column.
BEGIN {
    width = @WIDTH@; height = @HEIGHT@
@CLUES@
}
function runs(line,    sign, n, i, told) {
    for (i = 1; i <= length(line); i += n) {
        sign = substr(line, i, 1)
        for (n = 1; substr(line, i + n, 1) == sign; n++);
        if (sign != ".") told = told (told == "" ? "" : " ") @TOLD@
    }
    return told ""
}
function wrong(what) { print what; bad = 1 }
$0 !~ /^[@ALL@.]*$/ || length($0) != width { wrong("line " NR " is no row of " width " cells") }
runs($0) != row[NR] { wrong("row " NR " has the runs " runs($0) ", expected " row[NR]) }
{ for (c = 1; c <= width; c++) down[c] = down[c] substr($0, c, 1) }
END {
    if (NR != height) wrong(NR " rows, expected " height)
    for (c = 1; c <= width; c++)
        if (runs(down[c]) != column[c]) wrong("column " c " has the runs " runs(down[c]) ", expected " column[c])
    exit bad
}
"""


def rules(puzzle: Nonogram, board: Board) -> tuple[str, str] | None:
    """The program, and the picture for it; None for more colours than letters."""
    several = puzzle.inks > 1
    signs = string.ascii_letters[: puzzle.inks] if several else "#"
    if puzzle.inks > len(signs):
        return None
    words = {
        "WIDTH": str(puzzle.width), "HEIGHT": str(puzzle.height), "ALL": signs, "TOLD": "n sign" if several else "n",
        "SIGNS": f"'{signs[0]}' to '{signs[-1]}' are cells of colours 1 to {puzzle.inks}" if several else "'#' is a black cell",
        "GROUND": "background" if several else "white",
        "RUNS": "lengths and colours of the runs of equal cells" if several else "lengths of the runs of black cells",
        "CLUES": "\n".join([*_clues(puzzle, "row", signs), *_clues(puzzle, "column", signs)]),
    }  # fmt: skip
    program = PROGRAM
    for word, text in words.items():
        program = program.replace(f"@{word}@", text)
    return program, "".join("".join(("." + signs)[cell] for cell in row) + "\n" for row in board)


def _clues(puzzle: Nonogram, kind: str, signs: str) -> Iterable[str]:
    for number, (clue, colours) in enumerate(puzzle.lines(kind), start=1):
        blocks = (f"{block}{signs[colour - 1] if puzzle.inks > 1 else ''}" for block, colour in zip(clue, colours, strict=True))
        yield f'    {kind}[{number}] = "{" ".join(blocks)}"'
