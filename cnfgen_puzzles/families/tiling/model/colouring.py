"""The chessboard argument: colour cells alternately, and count what boards and pieces have more of one colour.

A piece with d more cells of one colour adds d or -d, depending on where it lies, so the board's own difference must be a sum of
such numbers. The mutilated chessboard falls to this (Golomb; Max Black 1946), the tetrominoes in 4x5 and the 35 hexominoes in any
rectangle, which no SAT solver refutes in reasonable time. Only a necessary condition: what passes may still be impossible.
"""

from __future__ import annotations

from cnfgen_puzzles.families.tiling.model.lattice import HEXAGONAL, TRIANGULAR, Cell, Lattice
from cnfgen_puzzles.families.tiling.model.puzzle import Tiling

MOST_STATES = 100_000
"""More pairs of (cells, difference) than this are not followed up: the argument then says nothing."""


MOST_WORK = 10 * MOST_STATES
"""Nor are more steps taken to find them."""


def colour(lattice: Lattice, cell: Cell) -> int:
    """1 or -1, different for neighbours: on all lattices but the hexagonal one."""
    odd = cell[0] % 3 == 1 if lattice is TRIANGULAR else sum(cell) % 2
    return -1 if odd else 1


def uneven(puzzle: Tiling) -> str | None:
    """Why the colours of the cells allow no tiling, or None if they do not say so.

    It needs a board that must be covered completely and that can be coloured: not hexagonal, no ring of odd length.
    """
    if puzzle.lattice is HEXAGONAL or (puzzle.lattice is not TRIANGULAR and any(period and period % 2 for period in puzzle.wrap)):
        return None
    if len(puzzle.must_cover) < len(puzzle.board):
        return None
    board = abs(sum(colour(puzzle.lattice, cell) for cell in puzzle.cells))
    reachable = _reachable(puzzle)
    differences = {difference for cells, difference in reachable or () if cells == len(puzzle.board)}
    if reachable is None or board in differences:
        return None
    if not differences:
        return f"no choice of the pieces has {len(puzzle.board)} cells"
    colours = f"{board} more cells of one colour" if board else "as many cells of either colour"
    return f"coloured like a chessboard, the board has {colours}, and no choice of the pieces has"


def _reachable(puzzle: Tiling) -> set[tuple[int, int]] | None:
    """(cells, difference) of every choice of pieces, copies and colours that fits the board; None if there are too many."""
    room = len(puzzle.board)
    states, work = {(0, 0)}, 0
    for piece in puzzle.pieces:
        more = abs(sum(colour(puzzle.lattice, cell) for cell in piece.shape))
        fitting = room // piece.size
        most = fitting if piece.most is None else min(piece.most, fitting)
        level, reached = states, set(states if piece.least == 0 else ())
        for copies in range(1, most + 1):
            level = {(c + piece.size, d + sign) for c, d in level for sign in (more, -more) if c + piece.size <= room}
            if copies >= piece.least:
                reached |= level
            work += len(level)
            if len(level) + len(reached) > MOST_STATES or work > MOST_WORK:
                return None
        states = reached
    return states
