"""Fillomino."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from cnfgen_puzzles.families.grid import pzpr, pzprfile
from cnfgen_puzzles.families.grid.boards import Fault, at, border_words, borders_of, loose_borders
from cnfgen_puzzles.families.grid.connectivity import Cell, components, neighbors
from cnfgen_puzzles.families.grid.constraints import GridFormula
from cnfgen_puzzles.families.grid.genre import Clauses, Parts, variable_of
from cnfgen_puzzles.families.grid.kinds import Numbers
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.formula import Block


class Fillomino(Numbers):
    """Fillomino: write a number into each cell so that it is the size of its region.

    A region is connected cells with the same number. A given wall is between two regions.
    """

    name = "fillomino"
    url = (pzpr.NUMBERS, pzpr.SOME_WALLS)
    file = (pzprfile.CLUES, pzprfile.VALUES, pzprfile.GIVEN_WALLS)
    variants: ClassVar = {"t": "no region has more than three cells"}
    bordered = True
    sized = True
    rules = "bkSizeLt bsSameNum bkSizeGt bdUnused ceNoNum"

    def values(self, puzzle: Any) -> dict[Cell, Sequence[int]]:
        """The sizes for which there is room among the cells without another number."""
        found: dict[Cell, list[int]] = {cell: [] for cell in puzzle.cells}
        clues = dict(puzzle.clues())
        free = [cell for cell in puzzle.cells if cell not in clues]
        alone = components(free)
        for size in range(1, len(puzzle.cells) + 1):
            own = [cell for cell, number in clues.items() if number == size]
            for part in components([*free, *own]) if own else alone:
                for cell in part if len(part) >= size else ():
                    found[cell].append(size)
        return dict(found)

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        walls = {(one, other) for one, other, mark in puzzle.pairs() if mark != pzpr.NONE}
        formula.region_sizes(self.numbers(puzzle, formula), walls, connectivity)

    def known_clauses(self, puzzle: Any, blocks: Mapping[str, Block], place: tuple[int, ...], value: int) -> Clauses:
        if len(place) == 2:
            return super().known_clauses(puzzle, blocks, place, value)
        numbers = range(1, len(puzzle.cells) + 1)
        pairs = [tuple(variable_of(blocks["number"], (*cell, n)) for cell in (place[:2], place[2:])) for n in numbers]
        return [[-a, -b] for a, b in pairs] if value else [[s * a, -s * b] for a, b in pairs for s in (1, -1)]

    def all_parts(self, board: Sequence[Sequence[int | None]]) -> dict[tuple[int, ...], int]:
        """Also borders, which are between different numbers."""
        return self.parts_of(board) | borders_of(board)

    def part_words(self, puzzle: Any, place: tuple[int, ...], value: int) -> str:
        return super().part_words(puzzle, place, value) if len(place) == 2 else border_words(place, value)

    def border_faults(self, puzzle: Any, board: Cells, parts: Parts) -> Iterator[Fault]:
        return loose_borders(board, parts, "bdUnused")

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        number = {(r, c): board[r][c] for r, c in puzzle.cells if board[r][c] > 0}
        walls = {frozenset(pair) for *pair, mark in puzzle.pairs() if mark != pzpr.NONE}

        def around(cell: Cell) -> list[Cell]:
            near = [other for other in neighbors(cell) if {cell, other} not in walls]
            return [other for other in near if number.get(other) == number[cell]]

        for part in components(number, around):
            size = number[min(part)]
            if len(part) != size:
                code = "bkSizeLt" if len(part) < size else "bkSizeGt"
                yield code, f"{at(min(part))}: its region has {len(part)} cells, expected {size}"
            for one, other in (pair for pair in walls if part & pair):
                if number.get(one) == number.get(other):
                    code = "bdUnused" if {one, other} <= part else "bsSameNum"
                    yield code, f"{at(min(one, other))}: the same number is beyond a wall"
        for r, c in puzzle.cells:
            if (r, c) not in number or puzzle.number((r, c)) not in (pzpr.NONE, pzpr.UNKNOWN, board[r][c]):
                yield "ceNoNum", f"{at((r, c))}: found no number, or another than the given one"


FAMILY = Fillomino()
