"""FourCells."""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from cnfgen_puzzles.families.grid.layer.boards import (
    Fault,
    at,
    border_count,
    border_count_faults,
    holed,
    loose_borders,
    loose_places,
    polyominoes,
    regions,
)
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula, lines_at
from cnfgen_puzzles.families.grid.layer.genre import Parts
from cnfgen_puzzles.families.grid.layer.kinds import Borders
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell, neighbors


class FourCells(Borders):
    """FourCells: divide the board into regions of four cells.

    A number says how many sides of its cell are borders, also of the board or of a black cell. Black cells belong to no region.
    """

    name = "fourcells"
    url = (pzpr.HOLED_DECIMAL,)
    file = (pzprfile.HOLED_CLUES, pzprfile.FRAMED_BORDERS)
    older: ClassVar[Sequence[Sequence[pzprfile.Section]]] = ((pzprfile.HOLED_CLUES, pzprfile.BORDERS),)
    signs: ClassVar = {pzpr.BLACK: "■"}
    without = pzpr.NONE
    area: ClassVar[int] = 4
    """The number of cells of each region."""
    rules = "bkSizeLt4 nmBorderNe bdDeadEnd bkSizeGt4"

    def holes(self, puzzle: Any) -> set[Cell]:
        """The black cells."""
        return {cell for cell, number in puzzle.given() if number == pzpr.BLACK}

    def unmakeable(self, width: int, height: int) -> str:
        return "" if width * height % self.area == 0 else f"a size with a multiple of {self.area} cells"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        holes = self.holes(puzzle)
        free = [cell for cell in puzzle.cells if cell not in holes]
        over: dict[Cell, dict[frozenset[Cell], int]] = {cell: {} for cell in free}
        for piece in polyominoes(free, self.area, lambda cell: [other for other in neighbors(cell) if other in over]):
            literal = formula.new()
            for cell in piece:
                over[cell][piece] = literal
        for pieces in over.values():
            formula.exactly_one(pieces.values())
        border = formula.lines("border")
        for (a, b), literal in border.items():
            within = [piece for shape, piece in over.get(a, {}).items() if b in shape]
            formula.add(literal, *within) if not {a, b} <= holes else formula.add(-literal)
            formula.add_clauses((-literal, -piece) for piece in within)
        for cell, number in formula.each(puzzle.clues()):
            around = lines_at(border, cell)
            formula.exactly_k(around, number - 4 + len(around))

    def clue(self, puzzle: Any, board: Cells, place: Cell) -> int:
        return border_count(board, place)

    def drawn_faults(self, puzzle: Any, board: Cells, parts: Parts) -> Iterator[Fault]:
        yield from self.faults(puzzle, board, loose_places(board, parts))
        yield from loose_borders(board, parts)

    def faults(self, puzzle: Any, board: Cells, loose: Sequence[tuple[int, ...]] = ()) -> Iterator[Fault]:
        split, holes = holed(puzzle, board), self.holes(puzzle)
        yield from border_count_faults(puzzle, split, loose)
        for cells in regions(split):
            if cells[0] not in holes and len(cells) != self.area:
                code = f"bkSize{'Lt' if len(cells) < self.area else 'Gt'}{self.area}"
                yield code, f"{at(cells[0])}: its region has {len(cells)} cells, expected {self.area}"


FAMILY = FourCells()
