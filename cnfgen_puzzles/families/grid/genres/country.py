"""Country Road."""

from collections.abc import Iterator
from typing import Any, ClassVar

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, joined, room, room_borders, walled
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula, lines_at
from cnfgen_puzzles.families.grid.layer.kinds import Loop
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.formula.formula import FALSE


class Country(Loop):
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
        some = puzzle.variant == "e"
        side = formula.single_cycle(puzzle.height, puzzle.width, connectivity, empty=some)
        on_line = {cell: formula.iff_or(lines_at(side, cell)) for cell in puzzle.cells}
        for a, b in room_borders(puzzle):
            formula.add_folded(on_line[a], on_line[b])
        borders = [(a, b) for a, b in side if room(puzzle, a) != room(puzzle, b)]
        for cells in puzzle.room_cells():
            crossings = [side[a, b] for a, b in borders if room(puzzle, cells[0]) in (room(puzzle, a), room(puzzle, b))]
            within = [side[wall] for wall in sorted(puzzle.inner_walls) if wall[0] in cells]
            for k, wall in enumerate(within):  # crossed once, if the room is not left
                formula.forbid([*crossings, *within[k + 1 :]], unless=-wall)
            if some:
                formula.at_most_k([each for each in crossings if each != FALSE], 2)
            else:
                formula.add_folded(*(on_line[cell] for cell in cells))
            if crossings and not some:
                formula.exactly_k_folded(crossings, 2)
            for number in (puzzle.number(cell) for cell in cells if puzzle.number(cell) > 0):
                formula.exactly_k_folded([on_line[cell] for cell in cells], number)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from self.loop_faults(board)
        for cells in puzzle.room_cells():
            ends = [other for cell in cells for other in joined(board, cell) if walled(puzzle, cell, other)]
            passed = sum(bool(joined(board, cell)) for cell in cells)
            if len(ends) > 2:
                yield "bkPassTwice", f"{at(cells[0])}: the line visits the room more than once"
            if not passed and not puzzle.variant:
                yield "bkNoLine", f"{at(cells[0])}: the line misses the room"
            for number in (puzzle.number(cell) for cell in cells if puzzle.number(cell) > 0):
                if passed != number:
                    yield "bkLineNe", f"{at(cells[0])}: the line passes {passed} cells of the room, expected {number}"
        for a, b in room_borders(puzzle):
            if not joined(board, a) and not joined(board, b):
                yield "cbNoLine", f"{at(a)}: the line misses two cells beside a border"


FAMILY = Country()
