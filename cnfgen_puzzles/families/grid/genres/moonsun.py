"""Moon or Sun."""

from collections.abc import Iterator
from typing import Any

from cnfgen_puzzles.families.grid.genres.country import RoomLoop
from cnfgen_puzzles.families.grid.layer.boards import Fault, at, joined, room
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells

SUN, MOON = 1, 2


class Moonsun(RoomLoop):
    """Moon or Sun: one loop through the centers of cells, which visits each room exactly once.

    In each room, the loop passes all suns (white circles) and no moon (black circle), or all moons and no sun, but at least one
    of them. In two rooms one after the other, it does not pass suns, or moons, in both. To cross a wall inside a room is a visit,
    too.
    """

    name = "moonsun"
    url = (pzpr.ROOMS, pzpr.CIRCLES)
    file = (pzprfile.WALLS, pzprfile.CLUES, pzprfile.LINES, pzprfile.COLORS)
    older = ((pzprfile.ROOMS, pzprfile.CLUES, pzprfile.LINES, pzprfile.COLORS),) * 2
    circles = True
    rules = (
        "lnBranch lnCross bkPassTwice bkBothMarksPassed bkMSPassedGt2 bkMUPassedGt2 bkNotAllMSPassed bkNotAllMUPassed bkNoLine "
        "bkNoMarksPassed lnDeadEnd lnPlLoop"
    )

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        side, on_line = self.single_visits(puzzle, formula, connectivity)
        moons = {}
        for cells in puzzle.room_cells():
            moons[room(puzzle, cells[0])] = here = formula.new()
            marks = {kind: [on_line[cell] for cell in cells if puzzle.number(cell) == kind] for kind in (SUN, MOON)}
            for kind, passed in ((MOON, here), (SUN, -here)):
                formula.add_folded(-passed, *marks[kind][:1])
                for literal in marks[kind]:
                    formula.add_folded(-passed, literal)
                    formula.add_folded(passed, -literal)
        for (a, b), literal in side.items():
            if (one := moons[room(puzzle, a)]) != (other := moons[room(puzzle, b)]):
                formula.add_folded(-literal, one, other)
                formula.add_folded(-literal, -one, -other)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from self.single_visit_faults(puzzle, board)
        passed = {}
        for cells in puzzle.room_cells():
            here = [(puzzle.number(cell), bool(joined(board, cell))) for cell in cells]
            passed[room(puzzle, cells[0])] = found = {kind for kind in (SUN, MOON) if (kind, True) in here}
            if len(found) != 1:
                yield "bkBothMarksPassed" if found else "bkNoMarksPassed", f"{at(cells[0])}: {len(found)} kinds of marks passed"
            for kind in found:
                if (kind, False) in here:
                    yield ("bkNotAllMSPassed" if kind == MOON else "bkNotAllMUPassed"), f"{at(cells[0])}: the line misses marks"
        for cell in puzzle.cells:
            for other in joined(board, cell):
                one, two = room(puzzle, cell), room(puzzle, other)
                for kind in passed[one] & passed[two] if one != two else ():
                    code = "bkMSPassedGt2" if kind == MOON else "bkMUPassedGt2"
                    yield code, f"{at(cell)}: the same marks in two rooms, one after the other"


FAMILY = Moonsun()
