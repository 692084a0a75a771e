"""The rules of nonograms as a short program for awk that has a puzzle's clues in it: for certificates, so that nothing else is
needed to see that a picture is a solution. It reads the picture, a row a line, `#` for a black cell and `.` for a white one.
"""

from __future__ import annotations

from collections.abc import Iterable

from cnfgen_puzzles.families.nonogram.puzzle import Board, Clue, Nonogram

PROGRAM = """\
# Is the picture a solution of this nonogram? A row a line, '#' is a black cell, '.' a white one.
# The lengths of the runs of black cells must be those of the clues, in every row and in every column.
BEGIN {
    width = @WIDTH@; height = @HEIGHT@
@CLUES@
}
function runs(line,    part, n, i, told) {
    gsub(/[.]+/, " ", line)
    n = split(line, part, " ")
    for (i = 1; i <= n; i++) told = told (i > 1 ? " " : "") length(part[i])
    return told ""
}
function wrong(what) { print what; bad = 1 }
$0 !~ /^[#.]*$/ || length($0) != width { wrong("line " NR " is no row of " width " cells") }
runs($0) != row[NR] { wrong("row " NR " has the runs " runs($0) ", expected " row[NR]) }
@KNOWN@{ for (c = 1; c <= width; c++) down[c] = down[c] substr($0, c, 1) }
END {
    if (NR != height) wrong(NR " rows, expected " height)
    for (c = 1; c <= width; c++)
        if (runs(down[c]) != column[c]) wrong("column " c " has the runs " runs(down[c]) ", expected " column[c])
    exit bad
}
"""

KNOWN = """\
# Cells that are known beforehand must be as they are known; '?' is one that is not.
known[NR] != "" {
    for (c = 1; c <= width; c++) {
        sign = substr(known[NR], c, 1)
        if (sign != "?" && sign != substr($0, c, 1)) wrong("row " NR ", column " c " is known to be " sign)
    }
}
"""


def rules(puzzle: Nonogram, board: Board) -> tuple[str, str]:
    """The program, and the picture for it."""
    clues = "\n".join([*_clues("row", puzzle.rows), *_clues("column", puzzle.columns), *_known(puzzle)])
    program = PROGRAM.replace("@WIDTH@", str(puzzle.width)).replace("@HEIGHT@", str(puzzle.height)).replace("@CLUES@", clues)
    program = program.replace("@KNOWN@", KNOWN if puzzle.known else "")
    return program, "".join("".join(".#"[cell] for cell in row) + "\n" for row in board)


def _clues(name: str, clues: Iterable[Clue]) -> Iterable[str]:
    return (f'    {name}[{number}] = "{" ".join(map(str, clue))}"' for number, clue in enumerate(clues, start=1))


def _known(puzzle: Nonogram) -> Iterable[str]:
    for number, line in enumerate(puzzle.known, start=1):
        yield f'    known[{number}] = "{"".join("?" if cell is None else ".#"[cell] for cell in line)}"'
