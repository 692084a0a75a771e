"""Numberlink with shortest lines only, and the solutions that such a formula leaves out.

Order the solutions by the number of their cells, then by the sum of the places of these cells in reading order. If a puzzle has a
solution, it has a least one, and in that no section of a line can be replaced by a lower one through empty cells. The clauses
forbid sections that some short detour could replace. Two kinds of questions need no other solutions:

- Is there a solution?
- Is there another one besides a solution S? Replace sections of another one until it is least. If that gives one other than S,
  the formula has a second model. If it gives S, then the last step replaced a section through cells that are empty in S, so a
  part of the empty cells touches two cells of one line of S. `another` looks for such a part.

tests/families/grid/test_numlin.py compares both with all boards of small puzzles.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import combinations, pairwise
from typing import Any

from cnfgen_puzzles.families.grid.layer.boards import joined
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula, Lines
from cnfgen_puzzles.families.grid.layer.refinement import GridRefinement
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell, components, neighbors
from cnfgen_puzzles.formula.formula import TRUE

UP_TO = "up to sections of lines that can be replaced through empty cells"


def applies(puzzle: Any) -> bool:
    """Whether each number occurs twice, without question marks, and nothing of the board is known; if not, all lines are kept."""
    numbers = [number for _, number in puzzle.given()]
    return not puzzle.known and all(number >= 0 and numbers.count(number) == 2 for number in numbers)


def shorten(puzzle: Any, formula: GridFormula, line: Lines, label: Mapping[tuple[int, int, int], int]) -> None:
    """Forbid sections of lines that a detour of one or two cells replaces. The literal `formula.guess` also forbids sections that
    a detour of the same length replaces, or one of two cells more, which a puzzle with one solution does not have.

    Size: labels times 6 clauses for each cell with 4 neighbors, twice with the guess, and labels for each line and each pair of
    cells. Auxiliary variables: a cell is on a line, a function of the board; the guess.
    """
    formula.up_to = UP_TO
    cells, count = set(puzzle.cells), 1 + max((k for _, _, k in label), default=-1)
    clues = {cell for cell, _ in puzzle.given()}
    used = {cell: TRUE if cell in clues else formula.iff_or([label[*cell, k] for k in range(count)]) for cell in puzzle.cells}
    guess = formula.new()
    formula.guess = [guess]

    def forbid_ends(a: Cell, b: Cell, *unless: int) -> None:
        """The cells have no common label, except if one of the literals is true."""
        for k in range(count):
            formula.add_folded(-label[*a, k], -label[*b, k], *unless)

    for (a, b), literal in line.items():
        forbid_ends(a, b, literal)
        down, right = b[0] - a[0], b[1] - a[1]
        for way in (-1, 1):
            beside = [(r + way * right, c + way * down) for r, c in (a, b)]
            if cells.issuperset(beside):
                formula.add_folded(-guess, -literal, *(used[cell] for cell in beside))
    for m in puzzle.cells:
        near = [cell for cell in neighbors(m) if cell in cells]
        for a, b in combinations(near, 2) if m not in clues else ():
            corner = (a[0] + b[0] - m[0], a[1] + b[1] - m[1])
            if corner < m and corner in cells:  # a line by the corner is as short, and its cells are earlier ones
                for k in range(count):
                    formula.add_folded(-label[*a, k], -label[*b, k], used[m], label[*corner, k])
                    formula.add_folded(-label[*a, k], -label[*b, k], used[m], -guess)
            else:
                forbid_ends(a, b, used[m])
        for n in near if m not in clues else ():
            a, b = ((2 * p[0] - q[0], 2 * p[1] - q[1]) for p, q in ((m, n), (n, m)))
            if m < n and n not in clues and {a, b} <= cells:
                forbid_ends(a, b, used[m], used[n])


def another(puzzle: Any, board: Cells) -> Cells | None:
    """The board with a section of a line replaced through empty cells; None if there is no such section."""
    clues = [cell for cell, _ in puzzle.given()]
    place: dict[Cell, tuple[Cell, int]] = {}
    """The first cell of the line of each cell, and its number in that line."""
    for start in clues:
        if start not in place:
            last, cell = None, start
            while cell is not None:
                place[cell] = start, len([each for each in place.values() if each[0] == start])
                last, cell = cell, next((each for each in joined(board, cell) if each not in (last, *place)), None)
    for part in components([cell for cell in puzzle.cells if cell not in place]):
        beside: dict[Cell, Cell] = {}
        for cell in sorted(other for inner in part for other in neighbors(inner) if other in place):
            first = beside.setdefault(place[cell][0], cell)
            if first != cell:
                return _rerouted(puzzle, board, first, cell, part, place)
    return None


def _rerouted(
    puzzle: Any, board: Cells, a: Cell, b: Cell, part: Collection[Cell], place: Mapping[Cell, tuple[Cell, int]]
) -> Cells:
    """The board whose line from a to b leads through cells of this part."""
    before: dict[Cell, Cell] = {a: a}
    queue = [a]
    for cell in queue:
        for other in neighbors(cell):
            if other not in before and (other in part or (other == b and cell != a)):
                before[other] = cell
                queue.append(other)
    route = [b]
    while route[-1] != a:
        route.append(before[route[-1]])
    start = place[a][0]
    low, high = sorted((place[a][1], place[b][1]))
    section = sorted((number, cell) for cell, (line, number) in place.items() if line == start and low <= number <= high)
    old = [cell for _, cell in section]
    parts = dict(puzzle.family.parts_of(board))
    for cells, value in ((old, 0), (route, 1)):
        for one, other in pairwise(cells):
            parts[*min(one, other), *max(one, other)] = value
    return puzzle.family.board_of(puzzle, parts)  # type: ignore[no-any-return]


class NumlinRefinement(GridRefinement):
    """Cycles by cuts, and with the option `shortest` the other lines."""

    finds_others = True

    @staticmethod
    def helpful_options(puzzle: Any, *, every: bool) -> Mapping[str, Any]:
        return {"shortest": not every}

    def __init__(self, puzzle: Any, encoding: Any, shortest: bool = False, **options: Any):
        super().__init__(puzzle, encoding, shortest=shortest, **options)
        self.keeps_all = not self.formula.up_to
        self.guess = self.formula.guess

    def another(self, board: Cells) -> Cells | None:
        return None if self.keeps_all else another(self.puzzle, board)
