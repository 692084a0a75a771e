"""LITS."""

from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import (
    Fault,
    at,
    blocks_of,
    cells_with,
    polyominoes,
    room,
    room_neighbors,
    room_parts,
)
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Shading
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell, components, neighbors

KINDS = {(3, 2): "L", (4, 2): "I", (3, 3): "T", (2, 2): "S"}
"""The tetrominoes but the square: the most cells in a line, and the most neighbors of a cell."""


class Lits(Shading):
    """LITS: shade a tetromino in each room, all of them connected, without 2x2 blocks.

    The shaded cells of a room are four cells, connected without crossing a wall. Tetrominoes of two rooms that share a side have
    different shapes; turned and mirrored ones have the same shape.
    """

    name = "lits"
    styles = ("", "c")
    url = (pzpr.ROOMS,)
    file = (pzprfile.WALLS, pzprfile.SHADES)
    older = ((pzprfile.ROOMS, pzprfile.SHADES),)
    rules = "cs2x2 bkShadeGt4 bkShadeDivide bsSameShape csDivide bkNoShade bkShadeLt4"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        shaded = formula.subset("shaded")
        formula.forbid_block(shaded, 2, 2)
        formula.connected(shaded, connectivity)
        has: dict[tuple[int, str], int] = {}
        for cells in puzzle.room_cells():
            pieces = [(formula.new(), piece, kind) for piece, kind in _pieces(puzzle, cells)]
            formula.exactly_one(literal for literal, _, _ in pieces)
            over: dict[Cell, list[int]] = {cell: [] for cell in cells}
            for literal, cell in ((literal, cell) for literal, piece, _ in pieces for cell in piece):
                formula.add(-literal, shaded[cell])
                over[cell].append(literal)
            formula.add_clauses([-shaded[cell], *literals] for cell, literals in over.items())
            for kind in KINDS.values():
                has[room(puzzle, cells[0]), kind] = formula.iff_or([literal for literal, _, its in pieces if its == kind])
        between = [(a, b) for a, b in pzpr.sides(puzzle.size) if room(puzzle, a) != room(puzzle, b)]
        for (a, b), kind in product(between, KINDS.values()):
            formula.add_folded(-shaded[a], -shaded[b], -has[room(puzzle, a), kind], -has[room(puzzle, b), kind])

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        for cell in blocks_of(board, 1):
            yield "cs2x2", f"{at(cell)}: a shaded block of 2x2 cells"
        kinds: dict[Cell, tuple[str | None, Cell]] = {}
        for cells in puzzle.room_cells():
            parts = room_parts(puzzle, board, cells)
            if (found := sum(map(len, parts))) != 4:
                code = "bkShadeGt4" if found > 4 else "bkShadeLt4" if found else "bkNoShade"
                yield code, f"{at(cells[0])}: the room has {found} shaded cells, expected 4"
            if len(parts) > 1:
                yield "bkShadeDivide", f"{at(cells[0])}: the shaded cells of the room are not connected"
            kinds |= {cell: (_kind(part), min(part)) for part in parts for cell in part if len(part) == 4 and _kind(part)}
        for a, b in pzpr.sides(puzzle.size):
            if a in kinds and b in kinds and kinds[a][0] == kinds[b][0] and kinds[a] != kinds[b]:
                yield "bsSameShape", f"{at(a)}: tetrominoes of the same shape share a side"
        if len(components(cells_with(board, 1))) > 1:
            yield "csDivide", "the shaded cells are not connected"


def _kind(piece: set[Cell] | frozenset[Cell]) -> str | None:
    lines = Counter((axis, cell[axis]) for cell in piece for axis in (0, 1))
    sides = [len(piece.intersection(neighbors(cell))) for cell in piece]
    return KINDS.get((max(lines.values()), max(sides))) if min(sides) == 1 else None


def _pieces(puzzle: Any, cells: list[Cell]) -> list[tuple[frozenset[Cell], str]]:
    """The tetrominoes in a room and their kinds, without squares."""
    beside = {cell: room_neighbors(puzzle, cell) for cell in cells}
    return [(piece, kind) for piece in polyominoes(cells, 4, beside.__getitem__) if (kind := _kind(piece))]


FAMILY = Lits()
