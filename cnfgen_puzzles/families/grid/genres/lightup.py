"""Light Up (Akari)."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, ClassVar

from cnfgen_puzzles.common.seededchoice import SeededChoice
from cnfgen_puzzles.families.grid.layer.boards import Fault, at, cells_with, lines_from, stretches
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Shading
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.links.pzpr import Size
from cnfgen_puzzles.families.looks import Cells, Look
from cnfgen_puzzles.families.squares import Cell, neighbors


class Lightup(Shading):
    """Light Up: place lamps in white cells so that they light all of them, and no lamp lights another one.

    A lamp lights its own cell, and its row and its column to the next black cell. A number in a black cell says how many of the
    cells beside it have a lamp.
    """

    name = "lightup"
    url = (pzpr.FOUR,)
    file = (pzprfile.SHADED_CLUES,)
    rules = "akariDup nmAkariNe ceDark"
    connectivity = False
    solid = True
    looks: ClassVar = {0: Look("."), 1: Look("●", written=True)}

    density = 0.9
    without = pzpr.UNKNOWN

    def prepared(self, blank: Any, choice: SeededChoice) -> Any:
        """A fifth of the cells are black."""
        black = set(choice.shuffled(blank.cells)[: len(blank.cells) // 5])
        return replace(
            blank,
            numbers=Size(blank.height, blank.width).rows([pzpr.UNKNOWN if cell in black else pzpr.NONE for cell in blank.cells]),
        )

    def clue(self, puzzle: Any, board: Cells, place: Cell) -> int:
        lamps = set(cells_with(board, 1)).intersection(neighbors(place))
        return pzpr.NONE if puzzle.number(place) == pzpr.NONE else len(lamps)

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        lamp = formula.subset("shaded")
        lighting: dict[Any, set[int]] = {cell: set() for cell in puzzle.cells if puzzle.number(cell) == pzpr.NONE}
        for line in stretches(puzzle):
            formula.at_most_one([lamp[cell] for cell in line], "pairwise")
            for cell in line:
                lighting[cell].update(lamp[other] for other in line)
        for lamps in lighting.values():
            formula.add_clause(sorted(lamps))
        for cell, number in puzzle.given():
            formula.add(-lamp[cell])
            for _ in formula.each([(cell, number)] * (number >= 0)):
                formula.exactly_k([lamp[other] for other in neighbors(cell) if other in lighting], number)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        lit = set(lamps := cells_with(board, 1))
        for cell in lamps:
            if puzzle.number(cell) != pzpr.NONE:
                yield "akariDup", f"{at(cell)}: a lamp in a black cell"
            for line in lines_from(puzzle, cell):
                for other in line:
                    if puzzle.number(other) != pzpr.NONE:
                        break
                    if other in lamps:
                        yield "akariDup", f"{at(cell)}: a lamp lights another one"
                    lit.add(other)
        for cell, number in puzzle.clues():
            if (found := len(set(neighbors(cell)) & set(lamps))) != number:
                yield "nmAkariNe", f"{at(cell)}: {found} lamps, expected {number}"
        for cell in puzzle.cells:
            if puzzle.number(cell) == pzpr.NONE and cell not in lit:
                yield "ceDark", f"{at(cell)}: no lamp lights the cell"


FAMILY = Lightup()
