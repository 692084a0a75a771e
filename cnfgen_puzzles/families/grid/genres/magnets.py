"""Magnets."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, line_beside, room_borders, walled
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Numbers
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.links.pzpr import BLACK
from cnfgen_puzzles.families.looks import Cells, Look
from cnfgen_puzzles.families.squares import Cell, components, neighbors

PLUS, MINUS = 1, 2


class Magnets(Numbers):
    """Magnets: put a magnet, a plus and a minus beside each other, into some rooms, and leave the others empty.

    Equal poles do not share a side. A number above or to the left says how many pluses its column or row has, a number below or
    to the right how many minuses. A room of one cell may have one pole.
    """

    name = "magnets"
    url = (pzpr.POLES, pzpr.ROOMS, pzpr.HOLED_CIRCLES)
    file = (pzprfile.WALLS, pzprfile.POLES)
    variants: ClassVar = {"a": "no different poles share a side across a border of rooms, but equal ones may share sides"}
    signs: ClassVar = {PLUS: "+", MINUS: "-", BLACK: "■"}
    looks: ClassVar[Mapping[Any, Look]] = {0: Look("."), PLUS: Look("+", written=True), MINUS: Look("-", written=True)}
    capabilities: ClassVar = {"givens": "cnfgen_puzzles.families.grid.layer.givens:CLUES"}
    clue_field = "outside"
    rules = "nmAdjacent nmAdjDiff bkNumGt2 bkNumLt2 exPlusNe exMinusNe ceNoNum"

    def values(self, puzzle: Any) -> dict[Cell, Sequence[int]]:
        return {cell: (0, PLUS, MINUS) for cell in puzzle.cells if puzzle.number(cell) != BLACK}

    def known(self, puzzle: Any, row: int, column: int) -> int | None:
        return 0 if puzzle.number((row, column)) == BLACK else super().known(puzzle, row, column)

    def rooms(self, puzzle: Any) -> list[list[Cell]]:
        """The cells of each room of several cells, without cells that are no part of the board."""
        free = self.values(puzzle)
        parts = components(free, lambda cell: [o for o in neighbors(cell) if o in free and not walled(puzzle, cell, o)])
        return [sorted(part) for part in parts if len(part) > 1]

    def borders(self, puzzle: Any) -> list[tuple[Cell, Cell]]:
        """The pairs of neighbors on the board with a wall between them."""
        free = self.values(puzzle)
        return [(one, other) for one, other in room_borders(puzzle) if one in free and other in free]

    def counts(self, puzzle: Any) -> Iterator[tuple[Cell, int]]:
        """The numbers outside, by side (above, below, left, right) and line."""
        return ((place, count) for place, count in puzzle.given("outside") if count >= 0)

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        number = self.numbers(puzzle, formula)
        for pole in (PLUS, MINUS):
            if puzzle.variant:
                for one, other in self.borders(puzzle):
                    formula.add(-number[one][pole], -number[other][PLUS + MINUS - pole])
            else:
                formula.no_two_adjacent({cell: values[pole] for cell, values in number.items()})
        for cells in self.rooms(puzzle):
            formula.at_most_k([-number[cell][0] for cell in cells], 2)
            for cell in cells:
                formula.add(number[cell][0], *(-number[other][0] for other in neighbors(cell) if other in cells))
        for place, count in formula.each(self.counts(puzzle)):
            line, pole = line_beside(puzzle, place), (PLUS, MINUS)[place[0] % 2]
            formula.exactly_k([number[cell][pole] for cell in line if cell in number], count)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        if puzzle.variant:
            for (r, c), (k, m) in self.borders(puzzle):
                if {board[r][c], board[k][m]} == {PLUS, MINUS}:
                    yield "nmAdjDiff", f"{at((r, c))}: another pole is beyond the border of its room"
        else:
            yield from self.adjacent_faults(puzzle, board)
        for cells in self.rooms(puzzle):
            poles = {(r, c) for r, c in cells if board[r][c] > 0}
            if len(poles) > 2:
                yield "bkNumGt2", f"{at(cells[0])}: its room has more than two poles"
            for cell in sorted(poles):
                if poles.isdisjoint(neighbors(cell)):
                    yield "bkNumLt2", f"{at(cell)}: no other pole of its room is beside it"
        for place, count in self.counts(puzzle):
            line, pole = line_beside(puzzle, place), (PLUS, MINUS)[place[0] % 2]
            if (found := sum(board[r][c] == pole for r, c in line)) != count:
                yield "exPlusNe" if pole == PLUS else "exMinusNe", f"{at(line[0])}: {found} poles in its line, expected {count}"
        yield from self.number_faults(puzzle, board)


FAMILY = Magnets()
