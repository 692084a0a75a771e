"""The rules of tilings as a short program for awk that has a puzzle's numbers in it: for certificates, so that nothing else is
needed to see that a board is a solution. It reads a piece a line: its number (from 1), then the cells on which it lies.

The program knows no orientations and no places: it turns each piece's shape by each matrix that the piece may use, and moves it
onto the cells that the line names. So it takes from the puzzle what the puzzle says, and from the lattice its matrices.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cnfgen_puzzles.families.tiling.lattice import Cell, Matrix
from cnfgen_puzzles.families.tiling.puzzle import COVERED, EMPTY, OPTIONAL, Board, Tiling

MOST_WORK = 5_000_000
"""So many cells are moved, at most: mostly far fewer, since a move ends where it leaves the piece."""

A_LINE = 16  # cells

PROGRAM = """\
# Are these pieces a solution of the puzzle? A piece a line: its number, then the cells that it covers, each as its coordinates.
# Cells of the kind 'covered' must be covered once, those of the kind 'optional' at most once, and no others. Each piece must have
# its shape, turned by one of the matrices that it may use and moved, and be there as often as it may, alone and in groups.
BEGIN {
    dimension = @DIMENSION@; step = @STEP@ # shapes move by multiples of step
@DATA@
}
function wrong(what) { if (++bad <= 5) print what }
function cells_are(kind, cells,    part, n, i) { n = split(cells, part, " "); for (i = 1; i <= n; i++) board[part[i]] = kind }
function cells_have(name, cells,    part, n, i) { n = split(cells, part, " "); for (i = 1; i <= n; i++) colour[part[i]] = name }
function turn(m, cell,    row, entry, x, i, j, sum, told) { # a cell by a matrix: its rows stand side by side
    split(cell, x, ","); split(matrix[m], row, ";")
    for (i = 1; i <= dimension; i++) {
        split(row[i], entry, ","); sum = 0
        for (j = 1; j <= dimension; j++) sum += entry[j] * x[j]
        told = told (i > 1 ? "," : "") sum
    }
    return told
}
function moved(cell, from, onto,    a, b, c, i, x, told) { # a cell as `from` moves onto `onto`, on a ring around it
    split(cell, a, ","); split(from, b, ","); split(onto, c, ",")
    for (i = 1; i <= dimension; i++) {
        if ((c[i] - b[i]) % step) return ""
        x = a[i] + c[i] - b[i]; if (ring[i]) x = (x % ring[i] + ring[i]) % ring[i]
        told = told (i > 1 ? "," : "") x
    }
    return told
}
function has_shape(piece,    cell, use, turned, n, u, k, i, hits) { # the cells `mine`, as many as the piece has
    n = split(shape[piece], cell, " "); u = split(uses[piece], use, " ")
    if (n != NF - 1) return 0
    for (; u >= 1; u--) {
        for (i = 1; i <= n; i++) turned[i] = turn(use[u], cell[i])
        for (k = 2; k <= NF; k++) {
            split("", hit); hits = 0
            for (i = 1; i <= n; i++) {
                to = moved(turned[i], turned[1], $k)
                if (!(to in mine) || to in hit) break
                hit[to]; hits++
            }
            if (hits == n) return 1
        }
    }
    return 0
}
function pinned(piece,    place, cell, n, k, i, hits) { # whether it lies where it must, if it must
    n = split(places[piece], place, ";")
    for (i = 1; i <= n; i++) {
        k = split(place[i], cell, " "); hits = 0
        for (; k >= 1; k--) hits += (cell[k] in mine)
        if (hits == NF - 1) return 1
    }
    return n == 0
}
!($1 in shape) { wrong("line " NR ": no piece " $1); next }
{
    split("", mine); used[$1]++
    for (i = 2; i <= NF; i++) {
        mine[$i]
        if (board[$i] != "covered" && board[$i] != "optional") wrong("line " NR ": " $i " is no cell that may be covered")
        if ($i in covered) wrong("line " NR ": " $i " is covered twice")
        covered[$i]
        if ($1 in colours && $i in colour && index(colours[$1], " " colour[$i] " ") == 0) wrong("line " NR ": the colour of " $i)
    }
    if (!has_shape($1)) wrong("line " NR ": this is not the shape of piece " $1)
    if (!pinned($1)) wrong("line " NR ": piece " $1 " does not lie where it must")
}
function bounded(what, found, bounds,    bound) { # bounds: the least and the most, which may be 'any'
    split(bounds, bound, " ")
    if (found < bound[1] || (bound[2] != "any" && found > bound[2] + 0)) wrong(what ": " found " are there, expected " bounds)
}
END {
    for (cell in board) if (board[cell] == "covered" && !(cell in covered)) wrong(cell " is not covered")
    for (piece in copies) bounded("piece " piece, used[piece] + 0, copies[piece])
    for (g in members) {
        n = split(members[g], member, " "); sum = 0; for (i = 1; i <= n; i++) sum += used[member[i]]
        bounded("pieces " members[g], sum, together[g])
    }
    exit bad > 0
}
"""


def rules(puzzle: Tiling, board: Board) -> tuple[str, str] | None:
    """The program, and the board for it; None where that would take too long."""
    if sum(len(laid.cells) ** 2 * len(puzzle.matrices(puzzle.pieces[laid.piece])) for laid in board) > MOST_WORK:
        return None
    numbers = {"DIMENSION": puzzle.lattice.dimension, "STEP": puzzle.lattice.period, "DATA": "\n".join(_data(puzzle))}
    program = PROGRAM
    for name, value in numbers.items():
        program = program.replace(f"@{name}@", str(value))
    return program, "".join(f"{laid.piece + 1} {_told(laid.cells)}\n" for laid in board)


def _data(puzzle: Tiling) -> Iterator[str]:
    """What the puzzle says, as assignments; names of a user's become numbers."""
    yield from (f"    ring[{axis}] = {period}" for axis, period in enumerate(puzzle.wrap, start=1) if period)
    for kind in (COVERED, OPTIONAL, EMPTY):
        yield from _listed(f'cells_are("{kind}"', sorted(cell for cell, other in puzzle.board.items() if other == kind))
    colours = {name: number for number, name in enumerate(sorted(set(puzzle.colours.values())), start=1)}
    for name, number in colours.items():
        yield from _listed(f"cells_have({number}", sorted(cell for cell, other in puzzle.colours.items() if other == name))
    matrices: dict[Matrix, int] = {}
    for number, piece in enumerate(puzzle.pieces, start=1):
        uses = [matrices.setdefault(matrix, len(matrices) + 1) for matrix in puzzle.matrices(piece)]
        yield f'    shape[{number}] = "{_told(piece.shape)}"; uses[{number}] = "{" ".join(map(str, uses))}"'
        yield f'    copies[{number}] = "{_bounds(piece.least, piece.most)}"'
        if piece.colours is not None:
            yield f'    colours[{number}] = " {"".join(f"{colours[name]} " for name in sorted(piece.colours & colours.keys()))}"'
        if piece.pinned:
            yield f'    places[{number}] = "{";".join(map(_told, map(sorted, piece.pinned)))}"'
    for matrix, number in matrices.items():
        yield f'    matrix[{number}] = "{";".join(",".join(map(str, row)) for row in matrix)}"'
    for number, group in enumerate(puzzle.groups, start=1):
        yield f'    members[{number}] = "{" ".join(str(piece + 1) for piece in group.pieces)}"'
        yield f'    together[{number}] = "{_bounds(group.least, group.most)}"'


def _listed(call: str, cells: list[Cell]) -> Iterator[str]:
    return (f'    {call}, "{_told(cells[start : start + A_LINE])}")' for start in range(0, len(cells), A_LINE))


def _told(cells: Iterable[Cell]) -> str:
    return " ".join(",".join(map(str, cell)) for cell in cells)


def _bounds(least: int, most: int | None) -> str:
    return f"{least} {'any' if most is None else most}"
