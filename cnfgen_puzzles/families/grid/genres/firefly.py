"""Hotaru Beam (Glow of Fireflies)."""

from collections.abc import Iterator
from itertools import permutations, product
from typing import Any, ClassVar

from cnfgen_puzzles.families.grid.layer.boards import Fault, at, joined
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula, lines_at
from cnfgen_puzzles.families.grid.layer.kinds import Paths
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.links.pzpr import NONE
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell, components, neighbors
from cnfgen_puzzles.formula.formula import TRUE

ARROWS = (1, 3, 4, 2)
"""The directions of clues up, left, right, and down, which is the order of `neighbors`."""


class Firefly(Paths):
    """Hotaru Beam: draw a beam from each firefly in the direction of its arrow, until it meets another side of a firefly.

    Beams go through the centers of cells and do not branch or cross. All of them are connected, through fireflies as well. A
    number says how often its beam turns. A firefly without an arrow has no beam, and need not meet one.
    """

    name = "firefly"
    url = (pzpr.ARROWS,)
    file = (pzprfile.ARROWS, pzprfile.LINES)
    ends_at_numbers = True
    capabilities: ClassVar = {"givens": "cnfgen_puzzles.families.grid.layer.givens:KNOWN"}  # a beam needs a firefly
    rules = "brNoLine lnBranch lnCross lcInvDirB lcInvDirW lcCurveNe lcDeadEnd lcDivided lnDeadEnd nmNoLine"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        """Beams have directions, and each line knows how often its beam still turns, up to one more than the largest number.

        All of this is a function of the lines. Size: 24 clauses for each cell and number.
        """
        line, fireflies = formula.lines(), dict(puzzle.given())
        most = max((number for _, number in puzzle.clues()), default=-1) + 1
        formula.add_clause(line.values())
        formula.connected_by(line, {cell: formula.iff_or(lines_at(line, cell)) for cell in puzzle.cells}, connectivity)
        for cell in puzzle.cells:
            if cell not in fireflies:
                ends = lines_at(line, cell)
                formula.pattern(ends, [each for each in product((False, True), repeat=len(ends)) if sum(each) in (0, 2)])
        if not any(map(puzzle.arrow, fireflies)):  # the only line is a cycle, which has no direction
            formula.forbid(literal for cell in fireflies for literal in lines_at(line, cell))
            return
        flow, turns = dict[tuple[Cell, Cell], int](), dict[tuple[Cell, Cell], list[int]]()
        for (a, b), literal in line.items():
            flow[a, b], flow[b, a] = ways = formula.new(), formula.new()
            turns[a, b] = turns[b, a] = list(formula.auxiliary(most))
            formula.add_clauses([(-literal, *ways), [-way for way in ways]])
            formula.add_clauses((-each, literal) for each in (*ways, *turns[a, b]))
        for cell in puzzle.cells:
            near = {k: other for k, other in enumerate(neighbors(cell)) if (cell, other) in flow}
            if cell in fireflies:
                self._add_firefly(puzzle, formula, cell, near, flow, turns)
                continue
            for other in near.values():
                rest = [each for each in near.values() if each != other]
                formula.add(-flow[other, cell], *(flow[cell, each] for each in rest))
                formula.add(-flow[cell, other], *(flow[each, cell] for each in rest))
            for (k, one), (m, two) in permutations(near.items(), 2):
                after = turns[cell, two] if k + m == 3 else [TRUE, *turns[cell, two]]
                for before, left in zip(turns[one, cell], after, strict=False):
                    formula.add_folded(-flow[one, cell], -flow[cell, two], -before, left)
                    formula.add_folded(-flow[one, cell], -flow[cell, two], before, -left)

    def _add_firefly(self, puzzle: Any, formula: GridFormula, cell: Cell, near: Any, flow: Any, turns: Any) -> None:
        """Only the beam leads away from a firefly, and turns as often as its number says; other lines do not turn anymore."""
        number, arrow = puzzle.number(cell), puzzle.arrow(cell)
        if arrow and ARROWS.index(arrow) not in near:
            formula.add()
        for k, other in near.items():
            formula.add(flow[cell, other] if ARROWS[k] == arrow else -flow[cell, other])
            formula.add_clauses((-flow[other, cell], -turn) for turn in turns[other, cell])
            if ARROWS[k] == arrow and number >= 0:
                formula.add_clauses([turn if n < number else -turn] for n, turn in enumerate(turns[cell, other]))

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        fireflies = dict(puzzle.given())
        if not any(map(any, board)):
            yield "brNoLine", "there is no line"
        for cell in puzzle.cells:
            ends = len(joined(board, cell))
            if cell not in fireflies and ends in (1, 3, 4):
                yield {1: "lnDeadEnd", 3: "lnBranch", 4: "lnCross"}[ends], f"{at(cell)}: {ends} lines meet"
        for cell, way in product(fireflies, range(4)):
            if neighbors(cell)[way] not in joined(board, cell):
                if ARROWS[way] == puzzle.arrow(cell):
                    yield "nmNoLine", f"{at(cell)}: the firefly has no beam"
                continue
            end, back, turns = _beam(puzzle, board, cell, way)
            if end not in fireflies:
                yield "lcDeadEnd", f"{at(cell)}: a line from here does not lead to a firefly"
                continue
            starts = [firefly for firefly, k in ((cell, way), (end, back)) if ARROWS[k] == puzzle.arrow(firefly)]
            if len(starts) != 1:
                yield "lcInvDirB" if starts else "lcInvDirW", f"{at(cell)}: a line from here has {len(starts)} beams"
            elif fireflies[starts[0]] not in (pzpr.UNKNOWN, turns):
                yield "lcCurveNe", f"{at(starts[0])}: the beam turns {turns} times, expected {fireflies[starts[0]]}"
        lit = [cell for cell in puzzle.cells if joined(board, cell)]
        if len(components(lit, lambda cell: joined(board, cell))) > 1:
            yield "lcDivided", "the lines are not connected"


def _beam(puzzle: Any, board: Cells, cell: Cell, way: int) -> tuple[Cell, int, int]:
    """The cell where a line from a firefly ends, its direction from there, and the number of its turns."""
    turns, cell, seen = 0, neighbors(cell)[way], set[tuple[Cell, int]]()
    while puzzle.number(cell) == NONE and (cell, way) not in seen:
        seen.add((cell, way))
        ways = [k for k, other in enumerate(neighbors(cell)) if k != 3 - way and other in joined(board, cell)]
        if not ways:
            break
        turns, way = (turns, way) if way in ways else (turns + 1, ways[0])
        cell = neighbors(cell)[way]
    return cell, 3 - way, turns


FAMILY = Firefly()
