"""Fillomino."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, border_words, borders_of
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.genre import SIZED, Clauses, Parts, variable_of
from cnfgen_puzzles.families.grid.layer.kinds import Numbers
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell, components, neighbors
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
    more_encodings = SIZED
    rules = "bkSizeLt bkSizeGt3 bsSameNum bkSizeGt bkMixedNum bdUnused ceNoNum"

    def numbers_from(self, puzzle: Any) -> tuple[int, int]:
        return 1, len(puzzle.cells)

    def values(self, puzzle: Any) -> dict[Cell, Sequence[int]]:
        """The sizes for which there is room among the cells without another number."""
        found: dict[Cell, list[int]] = {cell: [] for cell in puzzle.cells}
        clues = dict(puzzle.clues())
        free = [cell for cell in puzzle.cells if cell not in clues]
        alone = components(free)
        for size in range(1, min(3 if "t" in puzzle.variant else 200**2, len(puzzle.cells)) + 1):
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

    def drawn_faults(self, puzzle: Any, board: Cells, parts: Parts) -> Iterator[Fault]:
        """Also the faults of borders; cells whose number follows may be empty."""
        number = {
            cell: max(clue, 0) if (clue := puzzle.number(cell)) != pzpr.NONE else parts.get(cell, 0) for cell in puzzle.cells
        }
        drawn = {frozenset((place[:2], place[2:])) for place, border in parts.items() if len(place) == 4 and border}
        return _block_faults(number, _walls(puzzle) | drawn)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from _block_faults({(r, c): board[r][c] for r, c in puzzle.cells}, _walls(puzzle))
        for r, c in puzzle.cells:
            if "t" in puzzle.variant and board[r][c] > 3:
                yield "bkSizeGt3", f"{at((r, c))}: its region has more than three cells"
            if board[r][c] <= 0 or puzzle.number((r, c)) not in (pzpr.NONE, pzpr.UNKNOWN, board[r][c]):
                yield "ceNoNum", f"{at((r, c))}: found no number, or another than the given one"


Walls = set[frozenset[Any]]


def _walls(puzzle: Any) -> Walls:
    """The given walls."""
    return {frozenset(pair) for *pair, mark in puzzle.pairs() if mark != pzpr.NONE}


def _block_faults(number: dict[Cell, int], walls: Walls) -> Iterator[Fault]:
    """The faults of blocks, as pzprjs has them: no wall separates the cells of a block, and neighbors in it have the same number,
    or one of them has none (0). A region with as many cells as its number takes no further cells."""

    def alike(cell: Cell) -> list[Cell]:
        near = [other for other in neighbors(cell) if {cell, other} not in walls]
        return [other for other in near if number.get(other) == number[cell]]

    parts = components((cell for cell in number if number[cell] > 0), alike)
    complete = {cell for part in parts for cell in part if len(part) == number[cell]}

    def around(cell: Cell) -> list[Cell]:
        near = [other for other in neighbors(cell) if other in number and {cell, other} not in walls]
        full = cell in complete
        return [o for o in near if number[o] == number[cell] or (0 in (number[o], number[cell]) and not (full or o in complete))]

    size: dict[Cell, int] = {}  # by cell: the size that its block has to have, 0 if there are several
    block: dict[Cell, Cell] = {}
    for part in components(number, around):
        kinds = {number[cell] for cell in part} - {0}
        wanted = min(kinds, default=len(part)) if len(kinds) < 2 else 0
        size |= dict.fromkeys(part, wanted)
        block |= dict.fromkeys(part, min(part))
        if not wanted:
            yield "bkMixedNum", f"{at(min(part))}: a region with several numbers"
        elif len(part) != wanted:
            yield (
                "bkSizeLt" if len(part) < wanted else "bkSizeGt",
                (f"{at(min(part))}: its region has {len(part)} cells, expected {wanted}"),
            )
    for cell in number:
        for other in neighbors(cell)[2:]:
            if other in number and block[cell] != block[other] and size[cell] == size[other] > 0:
                yield "bsSameNum", f"{at(cell)}: the same number is beyond the border of its region"
            elif {cell, other} in walls and block[cell] == block[other] and size[cell]:
                yield "bdUnused", f"{at(cell)}: a wall within a region"


FAMILY = Fillomino()
