"""The rules of tilings as an awk program for certificates: it checks a board without other software.

The program contains the numbers of the puzzle. It reads one line for each piece on the board: its number (from 1), then its
cells. The program contains no orientations or placements: it turns the shape of each piece by each matrix that the piece may use,
and moves it onto the cells of the line.

`encoder` is a program that writes the formula of a puzzle from its canonical JSON.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from cnfgen_puzzles.families.awktemplate import fill, template
from cnfgen_puzzles.families.tiling.lattice import Cell, Matrix
from cnfgen_puzzles.families.tiling.puzzle import COVERED, EMPTY, OPTIONAL, Board, Tiling

MOST_WORK = 5_000_000
"""The most cells that the program moves; it usually moves far fewer."""

A_LINE = 16  # cells

ENCODED = ("pairwise", "product", "sequential")
"""The encodings that `awk/encode.awk` supports, without options, for puzzles without groups."""


def rules(puzzle: Tiling, board: Board) -> tuple[str, str] | None:
    """The program and its input; None if it would take too long."""
    if sum(len(laid.cells) ** 2 * len(puzzle.matrices(puzzle.pieces[laid.piece])) for laid in board) > MOST_WORK:
        return None
    numbers = {"DIMENSION": puzzle.lattice.dimension, "STEP": puzzle.lattice.period, "DATA": "\n".join(_data(puzzle))}
    return fill(template(__file__, "rules"), numbers) + "\n", "".join(
        f"{laid.piece + 1} {_write_cells(laid.cells)}\n" for laid in board
    )


def encoder(puzzle: Tiling, encoding: str, options: Mapping[str, Any]) -> str | None:
    """An awk program that writes the formula; the same text for every puzzle. None if it does not support the puzzle."""
    chosen = options.items() - {("symmetry", "all"), ("regions", False), ("starving", False), ("placed", True)}
    if encoding not in ENCODED or chosen or puzzle.groups:
        return None
    return fill(template(__file__, "encode"), {"ENCODING": encoding}) + "\n"


def _data(puzzle: Tiling) -> Iterator[str]:
    """The data of the puzzle as awk assignments; names become numbers."""
    yield from (f"    ring[{axis}] = {period}" for axis, period in enumerate(puzzle.wrap, start=1) if period)
    for kind in (COVERED, OPTIONAL, EMPTY):
        yield from _list_cells(f'cells_are("{kind}"', sorted(cell for cell, other in puzzle.board.items() if other == kind))
    colours = {name: number for number, name in enumerate(sorted(set(puzzle.colours.values())), start=1)}
    for name, number in colours.items():
        yield from _list_cells(f"cells_have({number}", sorted(cell for cell, other in puzzle.colours.items() if other == name))
    matrices: dict[Matrix, int] = {}
    for number, piece in enumerate(puzzle.pieces, start=1):
        uses = [matrices.setdefault(matrix, len(matrices) + 1) for matrix in puzzle.matrices(piece)]
        yield f'    shape[{number}] = "{_write_cells(piece.shape)}"; uses[{number}] = "{" ".join(map(str, uses))}"'
        yield f'    copies[{number}] = "{_bounds(piece.least, piece.most)}"'
        if piece.colours is not None:
            yield f'    colours[{number}] = " {"".join(f"{colours[name]} " for name in sorted(piece.colours & colours.keys()))}"'
        if piece.pinned:
            yield f'    places[{number}] = "{";".join(map(_write_cells, map(sorted, piece.pinned)))}"'
    for matrix, number in matrices.items():
        yield f'    matrix[{number}] = "{";".join(",".join(map(str, row)) for row in matrix)}"'
    for number, group in enumerate(puzzle.groups, start=1):
        yield f'    members[{number}] = "{" ".join(str(piece + 1) for piece in group.pieces)}"'
        yield f'    together[{number}] = "{_bounds(group.least, group.most)}"'


def _list_cells(call: str, cells: list[Cell]) -> Iterator[str]:
    return (f'    {call}, "{_write_cells(cells[start : start + A_LINE])}")' for start in range(0, len(cells), A_LINE))


def _write_cells(cells: Iterable[Cell]) -> str:
    return " ".join(",".join(map(str, cell)) for cell in cells)


def _bounds(least: int, most: int | None) -> str:
    return f"{least} {'any' if most is None else most}"
