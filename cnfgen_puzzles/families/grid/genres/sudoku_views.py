"""Pictures of Sudoku with further rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from math import cos, pi, sin
from typing import Any

from cnfgen_puzzles.families.drawing import Drawing, Shape, ShapeGroup, Stroke, Text
from cnfgen_puzzles.families.grid.genres.sudoku_rules import groups, lines_of
from cnfgen_puzzles.families.grid.layer.gridviews import GridViews
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell, neighbors

GRAY = "#8a857c"


class SudokuViews(GridViews):
    """Boards with their rules: a line each in text, marks in pictures."""

    def text(self, puzzle: Any, board: Cells, other: Cells | None = None, **options: Any) -> str:
        return super().text(puzzle, board, other, **options) + "".join(f"{line}\n" for line in lines_of(puzzle))

    def drawing(self, puzzle: Any, board: Cells, other: Cells | None = None, **options: Any) -> Drawing:
        picture, cell = super().drawing(puzzle, board, other, **options), options.get("cell") or self.png_cell(puzzle)
        left, top = self.origin(puzzle, cell, options.get("clues", True))
        marks = (_marks(puzzle, name, value, cells, cell) for name, value, cells in puzzle.sets)
        picture.shapes.append(ShapeGroup(left, top, [*chain.from_iterable(marks)]))
        return picture


def _marks(puzzle: Any, name: str, value: int, cells: Sequence[Cell], cell: int) -> Iterator[Shape]:
    """Outlines of sets, arrows through cells, and signs between two cells."""

    def stroke(*points: tuple[float, float]) -> Stroke:
        return Stroke(tuple((x * cell, y * cell) for x, y in points), max(1, cell // 24), GRAY)

    centers = [(c + 0.5, r + 0.5) for r, c in cells]
    if name == "diagonals":
        yield stroke((0, 0), (puzzle.width, puzzle.width))
        yield stroke((0, puzzle.width), (puzzle.width, 0))
    elif name == "greater":
        (x, y), (a, b) = centers
        sign = ">" if a > x else "<" if a < x else "∨" if b > y else "∧"
        yield Text((x + a) / 2 * cell, (y + b) / 2 * cell, sign, cell * 0.3, GRAY)
    elif name == "arrow":
        yield stroke(*_ring(*centers[0], 0.4))
        yield from (stroke(*pair) for pair in pairwise(centers))
        yield stroke(*_ring(*centers[-1], 0.1))
    elif name == "odd":
        yield from (stroke(*_ring(x, y, 0.4)) for x, y in centers)
    elif name == "even":
        for x, y in centers:
            yield stroke(*((x + a, y + b) for a, b in ((-0.4, -0.4), (0.4, -0.4), (0.4, 0.4), (-0.4, 0.4), (-0.4, -0.4))))
    else:
        parts = [cells] if cells else [part for code, part in groups(puzzle) if code == "setDupNum"]
        for part in parts:
            for (r, c), other in ((each, other) for each in part for other in neighbors(each) if other not in part):
                k, m = (other[0] - r) * 0.44, (other[1] - c) * 0.44
                x, y, across, down = c + 0.5 + m, r + 0.5 + k, 0.44 * (k != 0), 0.44 * (m != 0)
                yield stroke((x - across, y - down), (x + across, y + down))
        if value:
            yield Text((centers[0][0] - 0.3) * cell, (centers[0][1] - 0.3) * cell, str(value), cell * 0.22, GRAY)


def _ring(x: float, y: float, radius: float) -> list[tuple[float, float]]:
    return [(x + radius * cos(k * pi / 16), y + radius * sin(k * pi / 16)) for k in range(33)]
