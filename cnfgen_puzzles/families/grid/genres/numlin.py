"""Numberlink."""

from collections.abc import Iterator
from itertools import product
from typing import Any, ClassVar

from cnfgen_puzzles.families.grid.genres.numlin_shortest import applies, shorten
from cnfgen_puzzles.families.grid.layer.boards import Fault, at, joined
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula, lines_at
from cnfgen_puzzles.families.grid.layer.kinds import Paths
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.links.pzpr import NONE
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.options import Option
from cnfgen_puzzles.families.squares import components
from cnfgen_puzzles.formula.formula import FALSE, TRUE


class Numlin(Paths):
    """Numberlink: connect equal numbers in pairs by lines through the centers of cells.

    Each number is the end of exactly one line; question marks are connected with each other. Lines do not branch, cross, or form
    a loop. They need not pass all cells. There is at least one line.
    """

    name = "numlin"
    url = (pzpr.NUMBERS,)
    file = (pzprfile.CLUES, pzprfile.LINES)
    rules = "brNoLine lnBranch lnCross lcTripleNum nmConnDiff lcOnNum lnDeadEnd lcIsolate nmNoLine"

    ends_at_numbers = True
    capabilities: ClassVar = {
        "givens": "cnfgen_puzzles.families.grid.layer.givens:KNOWN",  # a number needs its partner
        "refinement": "cnfgen_puzzles.families.grid.genres.numlin_shortest:NumlinRefinement",
    }
    lazy_options = (Option("shortest", "leave out solutions whose lines can be shortened; solve-puzzle does", False, bool),)

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str, shortest: bool = False) -> None:
        line = formula.lines()
        formula.add_clause(line.values())
        clues = dict(puzzle.given())
        values = sorted(set(clues.values()))
        block = formula.keyed("label", [(r, c, k) for r, c in puzzle.cells for k in range(len(values)) if (r, c) not in clues])
        label = {(*cell, k): TRUE if value == clues[cell] else FALSE for cell in clues for k, value in enumerate(values)}
        label |= dict(zip(block.keys(), block.variables, strict=True))
        for cell in puzzle.cells:
            ends = lines_at(line, cell)
            if cell in clues:
                formula.exactly_one(ends, "pairwise")
                continue
            formula.pattern(ends, [each for each in product((False, True), repeat=len(ends)) if sum(each) in (0, 2)])
            own = [label[(*cell, k)] for k in range(len(values))]
            formula.at_most_one(own, "pairwise")
            for literal in own:
                formula.add(-literal, *ends)
        for (a, b), literal in line.items():
            for k in range(len(values)):
                formula.add_folded(-literal, -label[(*a, k)], label[(*b, k)])
                formula.add_folded(-literal, label[(*a, k)], -label[(*b, k)])
        formula.acyclic(line, connectivity)
        if shortest and applies(puzzle):
            shorten(puzzle, formula, line, label)

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        yield from self.line_faults(board)
        on_line = [cell for cell in puzzle.cells if joined(board, cell)]
        for part in components(on_line, lambda cell: joined(board, cell)):
            numbers = [puzzle.number(cell) for cell in part if puzzle.number(cell) != NONE]
            if len(numbers) > 2:
                yield "lcTripleNum", f"{at(min(part))}: a line connects more than two numbers"
            if len(set(numbers)) > 1:
                yield "nmConnDiff", f"{at(min(part))}: a line connects different numbers"
            if not numbers:
                yield "lcIsolate", f"{at(min(part))}: a line without a number"
        for cell in puzzle.cells:
            ends, clue = len(joined(board, cell)), puzzle.number(cell) != NONE
            if clue and ends != 1:
                yield ("lcOnNum" if ends else "nmNoLine"), f"{at(cell)}: {ends} lines at a number, expected 1"
            if not clue and ends == 1:
                yield "lnDeadEnd", f"{at(cell)}: a line ends"


FAMILY = Numlin()
