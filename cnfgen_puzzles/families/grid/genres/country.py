"""Country Road."""

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any, ClassVar

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, joined, room, room_borders, walled
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula, Lines, lines_at
from cnfgen_puzzles.families.grid.layer.kinds import Loop
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell
from cnfgen_puzzles.formula.formula import FALSE


def wall_crossings(puzzle: Any, pairs: Iterable[tuple[Cell, Cell]]) -> dict[int, list[tuple[Cell, Cell]]]:
    """For each room those of the pairs of neighbors that cross a wall around it, and those that cross one inside it twice."""
    found: dict[int, list[tuple[Cell, Cell]]] = {}
    for a, b in pairs:
        for cell in (a, b) if walled(puzzle, a, b) else ():
            found.setdefault(room(puzzle, cell), []).append((a, b))
    return found


class RoomLoop(Loop):
    """Boards of one loop through the centers of cells, which visits each room exactly once."""

    def single_visits(self, puzzle: Any, formula: GridFormula, connectivity: str) -> tuple[Lines, dict[Cell, int]]:
        """The lines of a loop that visits each room once, or with the flag `e` at most once, and the cells on it. To cross a wall
        inside a room is a visit, too."""
        some = puzzle.variant == "e"
        side = formula.single_cycle(puzzle.height, puzzle.width, connectivity, empty=some)
        on_line = {cell: formula.iff_or(lines_at(side, cell)) for cell in puzzle.cells}
        rooms, crossings = puzzle.room_cells(), wall_crossings(puzzle, side)
        for cells in rooms:
            lines = [side[pair] for pair in crossings.get(room(puzzle, cells[0]), ())]
            if some:
                formula.at_most_k([each for each in lines if each != FALSE], 2)
                continue
            formula.add_folded(*(on_line[cell] for cell in cells))
            if len(rooms) > 1:  # each room is left
                formula.exactly_k_folded(lines, 2)
            for one, other in combinations(dict.fromkeys(lines), 2) if len(rooms) == 1 else ():
                formula.add_folded(-one, -other)
        return side, on_line

    def single_visit_faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        """The faults of lines that are not such a loop."""
        yield from self.loop_faults(board)
        for cells in puzzle.room_cells():
            if sum(walled(puzzle, cell, other) for cell in cells for other in joined(board, cell)) > 2:
                yield "bkPassTwice", f"{at(cells[0])}: the line visits the room more than once"
            if not (puzzle.variant or any(joined(board, cell) for cell in cells)):
                yield "bkNoLine", f"{at(cells[0])}: the line misses the room"


class Country(RoomLoop):
    """Country Road: one loop through the centers of cells, which visits each room exactly once.

    A number says how many cells of its room the loop passes. Of two cells with a wall between them, the loop passes at least one.
    To cross a wall inside a room counts as two visits.
    """

    name = "country"
    url = (pzpr.ROOMS, pzpr.ROOM_NUMBERS)
    file = (pzprfile.FLAGS, pzprfile.WALLS, pzprfile.CLUES, pzprfile.LINES, pzprfile.COLORS)
    older = (
        (pzprfile.ROOMS, pzprfile.CLUES, pzprfile.LINES),
        (pzprfile.FLAGS, pzprfile.ROOMS, pzprfile.CLUES, pzprfile.LINES, pzprfile.COLORS),
    )
    variants: ClassVar = {"e": "rooms may be left out"}
    beside = True
    rules = "lnBranch lnCross bkPassTwice bkLineNe bkNoLine cbNoLine lnDeadEnd lnPlLoop"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        _, on_line = self.single_visits(puzzle, formula, connectivity)
        for a, b in room_borders(puzzle):
            formula.add_folded(on_line[a], on_line[b])
        for cells in puzzle.room_cells():
            for number in (puzzle.number(cell) for cell in cells if puzzle.number(cell) > 0):
                formula.exactly_k_folded([on_line[cell] for cell in cells], number)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from self.single_visit_faults(puzzle, board)
        for cells in puzzle.room_cells():
            passed = sum(bool(joined(board, cell)) for cell in cells)
            for number in (puzzle.number(cell) for cell in cells if puzzle.number(cell) > 0):
                if passed != number:
                    yield "bkLineNe", f"{at(cells[0])}: the line passes {passed} cells of the room, expected {number}"
        for a, b in room_borders(puzzle):
            if not joined(board, a) and not joined(board, b):
                yield "cbNoLine", f"{at(a)}: the line misses two cells beside a border"


FAMILY = Country()
