"""Yajilin."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from cnfgen_puzzles.families.cells import Look
from cnfgen_puzzles.families.grid.layer.boards import Fault, adjacent, at, joined, pointed_at
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula, lines_at
from cnfgen_puzzles.families.grid.layer.genre import Clauses, Genre, Parts, variable_of
from cnfgen_puzzles.families.grid.layer.kinds import SHADED, Loop
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.links.pzpr import NONE
from cnfgen_puzzles.families.looks import INK, Cells
from cnfgen_puzzles.formula import Block


class Yajilin(Loop):
    """Yajilin: shade cells that do not touch by a side, and draw one loop through the centers of all others without a clue.

    A number says how many cells are shaded in the direction of its arrow. Cells with a clue are not shaded.
    """

    name = "yajilin"
    styles = ("", "b")
    url = (pzpr.ARROWS,)
    file = (pzprfile.ARROWS, pzprfile.SHADES, pzprfile.LINES)
    variants: ClassVar = {"o": "all shaded cells are outside the loop"}
    without = pzpr.UNKNOWN
    rules = "lnBranch lnCross lnOnShade csAdjacent lnDeadEnd anShadeNe lnPlLoop ceEmpty anNoArrow lcOnNum"
    looks: ClassVar = {**Loop.looks, **{SHADED + mask: Look("#", fill=INK) for mask in reversed(Loop.looks)}}

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        side = formula.single_cycle(puzzle.height, puzzle.width, connectivity, empty=True)
        free = [cell for cell in puzzle.cells if puzzle.number(cell) == NONE]
        block = formula.bools("shaded", free)
        shaded = {cell: block[cell] for cell in free}
        formula.no_two_adjacent(shaded)
        for cell, literal in shaded.items():
            formula.forbid(lines_at(side, cell), unless=-literal)
            formula.add_folded(literal, *lines_at(side, cell))
        for cell, number in puzzle.given():
            formula.forbid(lines_at(side, cell))
            for _ in formula.each([(cell, number)] * (number >= 0)):
                if puzzle.arrow(cell):
                    formula.exactly_k([shaded[other] for other in pointed_at(puzzle, cell) if other in shaded], number)
                else:
                    formula.add()  # a number needs an arrow

    def decode(self, puzzle: Any, blocks: Mapping[str, Block], true: Collection[int]) -> Cells:
        lines = self.parts_of(super().decode(puzzle, blocks, true))
        return self.board_of(puzzle, lines | {place: variable in true for place, variable in blocks["shaded"].items()})

    def known_clauses(self, puzzle: Any, blocks: Mapping[str, Block], place: tuple[int, ...], value: int) -> Clauses:
        if len(place) == 4:
            return super().known_clauses(puzzle, blocks, place, value)
        shaded = variable_of(blocks["shaded"], place)
        return [[shaded if value else -shaded]]

    def parts_of(self, board: Sequence[Sequence[int | None]]) -> dict[tuple[int, ...], int]:
        """Also whether cells are shaded."""
        shades = {(r, c): int(bool(value & SHADED)) for (r, c), value in Genre.parts_of(self, board).items()}
        return super().parts_of(board) | shades

    def board_of(self, puzzle: Any, parts: Parts) -> Cells:
        rows = enumerate(super().board_of(puzzle, parts))
        return tuple(tuple(value + SHADED * parts.get((r, c), 0) for c, value in enumerate(row)) for r, row in rows)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from self.loop_faults(board)
        shaded = tuple(tuple(int(value >= SHADED) for value in row) for row in board)
        for cell in adjacent(shaded, 1):
            yield "csAdjacent", f"{at(cell)}: shaded cells share a side"
        for r, c in puzzle.cells:
            number, on_line = puzzle.number((r, c)), bool(joined(board, (r, c)))
            if shaded[r][c] and (on_line or number != NONE):
                yield "lnOnShade", f"{at((r, c))}: a shaded cell with a line or a clue"
            if number != NONE and on_line:
                yield "lcOnNum", f"{at((r, c))}: the line passes a clue"
            if number == NONE and not on_line and not shaded[r][c]:
                yield "ceEmpty", f"{at((r, c))}: neither shaded nor on the loop"
            if number >= 0 and not puzzle.arrow((r, c)):
                yield "anNoArrow", f"{at((r, c))}: a number without an arrow"
            elif number >= 0 and (found := sum(shaded[k][m] for k, m in pointed_at(puzzle, (r, c)))) != number:
                yield "anShadeNe", f"{at((r, c))}: {found} shaded cells, expected {number}"


FAMILY = Yajilin()
