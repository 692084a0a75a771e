"""What counting cells says of a puzzle: which choices of pieces have as many cells as the board, and as many of either colour.

The chessboard argument: colour cells alternately, and count what boards and pieces have more of one colour. A piece with d more
cells of one colour adds d or -d, depending on where it lies, so the board's own difference must be a sum of such numbers. The
mutilated chessboard falls to this (Golomb; Max Black 1946), the tetrominoes in 4x5 and the 35 hexominoes in any rectangle, which
no SAT solver refutes in reasonable time. Bounds on groups of pieces are respected, all at once. Only a necessary condition: what
passes may still be impossible.
"""

from __future__ import annotations

from collections.abc import Sequence

from cnfgen_puzzles.families.tiling.model.lattice import HEXAGONAL, TRIANGULAR, Cell, Lattice
from cnfgen_puzzles.families.tiling.model.pieces import PieceGroup
from cnfgen_puzzles.families.tiling.model.puzzle import Tiling

MOST_STATES = 100_000
"""More different choices than this are not followed up: the argument then says nothing."""


MOST_WORK = 10 * MOST_STATES
"""Nor are more steps taken to find them."""

State = tuple[int, ...]
"""Of a choice of pieces: its cells, how many more of them have one colour (0 without colours), its copies in each group."""


def colour(lattice: Lattice, cell: Cell) -> int:
    """1 or -1, different for neighbours: on all lattices but the hexagonal one."""
    odd = cell[0] % 3 == 1 if lattice is TRIANGULAR else sum(cell) % 2
    return -1 if odd else 1


def uneven(puzzle: Tiling) -> str | None:
    """Why the cells, or their colours, allow no tiling; None if they do not say so."""
    coloured = _can_be_coloured(puzzle)
    reachable = _reachable(puzzle, puzzle.groups, coloured=coloured)
    if reachable is None:
        return None
    least, most = len(puzzle.must_cover), len(puzzle.coverable)
    choices = [state for state in reachable if state[0] >= least and _enough(state, puzzle.groups)]
    if not choices:
        allowed = " that the groups allow" if puzzle.groups else ""
        return f"no choice of the pieces{allowed} has {most if least == most else f'{least} to {most}'} cells"
    board = abs(sum(colour(puzzle.lattice, cell) for cell in puzzle.coverable)) if coloured else 0
    if not coloured or any(difference == board for _, difference, *_ in choices):
        return None
    colours = f"{board} more cells of one colour" if board else "as many cells of either colour"
    return f"coloured like a chessboard, the board has {colours}, and no choice of the pieces has"


def open_groups(puzzle: Tiling) -> list[PieceGroup]:
    """The groups that say more than the volumes and the bounds of single pieces do."""
    return [group for group in puzzle.groups if not _settled(puzzle, group)]


def _settled(puzzle: Tiling, group: PieceGroup) -> bool:
    """Whether no choice of pieces that fills the board breaks what the group says."""
    free = PieceGroup(group.pieces, len(puzzle.coverable) + 1, None)  # counts every copy, forbids none
    reachable = _reachable(puzzle, (free,), coloured=False)
    if reachable is None:
        return False
    copies = {count for cells, _, count in reachable if cells >= len(puzzle.must_cover)}
    return all(group.least <= count and (group.most is None or count <= group.most) for count in copies)


def _can_be_coloured(puzzle: Tiling) -> bool:
    """It needs a board that must be covered completely, and neighbours of two colours: not hexagonal, no ring of odd length."""
    if puzzle.lattice is HEXAGONAL or (puzzle.lattice is not TRIANGULAR and any(period and period % 2 for period in puzzle.wrap)):
        return False  # triangles that point up do so around a ring of any length
    return len(puzzle.must_cover) == len(puzzle.coverable)


def _enough(state: State, groups: Sequence[PieceGroup]) -> bool:
    return all(copies >= group.least for copies, group in zip(state[2:], groups, strict=True))


def _reachable(puzzle: Tiling, groups: Sequence[PieceGroup], *, coloured: bool) -> set[State] | None:
    """The states of every choice of pieces, copies and colours that fits the board and has no group too often; None if there are
    too many. Copies beyond a group's `least` are not counted where it has no `most`."""
    room = len(puzzle.coverable)
    states, work = {(0, 0, *(0 for _ in groups))}, 0
    caps = [group.least if group.most is None else group.most + 1 for group in groups]
    for number, piece in enumerate(puzzle.pieces):
        more = abs(sum(colour(puzzle.lattice, cell) for cell in piece.shape)) if coloured else 0
        adds = [int(number in group.pieces) for group in groups]
        fitting = room // piece.size
        most = fitting if piece.most is None else min(piece.most, fitting)
        level, reached = states, set(states if piece.least == 0 else ())
        for copies in range(1, most + 1):
            grown = {
                (cells + piece.size, difference + sign, *(min(a + b, cap) for a, b, cap in zip(counts, adds, caps, strict=True)))
                for cells, difference, *counts in level
                for sign in {more, -more}
                if cells + piece.size <= room
            }
            level = {state for state in grown if not _too_often(state, groups)}
            if copies >= piece.least:
                reached |= level
            work += len(grown)
            if len(level) + len(reached) > MOST_STATES or work > MOST_WORK:
                return None
        states = reached
    return states


def _too_often(state: State, groups: Sequence[PieceGroup]) -> bool:
    return any(group.most is not None and copies > group.most for copies, group in zip(state[2:], groups, strict=True))
