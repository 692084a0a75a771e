"""Hashiwokakero (Bridges)."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain, pairwise, product
from typing import Any, ClassVar

from cnfgen_puzzles.families.cells import written_signs
from cnfgen_puzzles.families.grid.layer.boards import Fault, at, rows_and_columns
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula, lines_at
from cnfgen_puzzles.families.grid.layer.genre import Clauses, Parts
from cnfgen_puzzles.families.grid.layer.kinds import Loop
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.links.pzpr import NONE, UNKNOWN
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell, components, neighbors
from cnfgen_puzzles.formula import Block
from cnfgen_puzzles.formula.formula import TRUE


def exact_bridges(formula: GridFormula, ends: Sequence[int], number: int) -> None:
    """So many bridges at an island: the prime implicates of the sum of unary numbers up to 2, which `ends` has in pairs."""
    if formula.keep_bound(ends, number, number):
        return
    for counts in product(range(3), repeat=len(ends) // 2):
        if sum(counts) == number + 1:  # not as many or more in each direction
            formula.add_clause(-ends[2 * k + count - 1] for k, count in enumerate(counts) if count)
        if sum(counts) == min(number - 1, len(ends)):  # more in one direction
            formula.add_clause(ends[2 * k + count] for k, count in enumerate(counts) if count < 2)


class Hashikake(Loop):
    """Hashiwokakero: connect all islands by bridges, each straight between two islands in a row or a column.

    Two islands have at most two bridges between them. Bridges do not cross each other or islands. A number says how many bridges
    lead to its island; an island with a question mark can have any number of bridges, and without any it need not be connected.
    """

    name = "hashikake"
    url = (pzpr.NUMBERS,)
    file = (pzprfile.CLUES, pzprfile.LINES)
    without = UNKNOWN
    bridges = ends_at_numbers = ringed = True
    rules = "brNoLine lnCross nmLineGt lcDivided nmLineLt lnDeadEnd"
    looks: ClassVar = written_signs("012345678")

    def lines_from(self, value: int) -> tuple[int, int]:
        return divmod(value, 3)

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        islands = [[cell for cell in line if puzzle.number(cell) != NONE] for line in rows_and_columns(puzzle)]
        pairs = list(chain.from_iterable(map(pairwise, islands)))
        block = formula.bools("bridge", [(*a, *b, k) for a, b in pairs for k in (1, 2)])
        formula.add_clause(block.variables)
        lines, ends = {}, {cell: list[int]() for cell in puzzle.cells}
        for a, b in pairs:
            one, two = block[(*a, *b, 1)], block[(*a, *b, 2)]
            formula.add(-two, one)
            ends[a] += [one, two]
            ends[b] += [one, two]
            path = [(r, c) for r in range(a[0], b[0] + 1) for c in range(a[1], b[1] + 1)]
            lines.update(dict.fromkeys(pairwise(path), one))
        beside = {cell: lines_at(lines, cell) for cell in puzzle.cells}
        used = {cell: formula.iff_or(found) for cell, found in beside.items()}
        for cell in puzzle.cells:
            if (number := puzzle.number(cell)) >= 0:
                exact_bridges(formula, ends[cell], number)
                used[cell] = TRUE if number else used[cell]
            elif number == NONE:
                formula.at_most_one(set(beside[cell]), "pairwise")
        formula.connected_by(lines, used, connectivity)

    def decode(self, puzzle: Any, blocks: Mapping[str, Block], true: Collection[int]) -> Cells:
        found = Counter[tuple[int, ...]]()
        for (r, c, k, m, _), variable in blocks["bridge"].items():
            cells = [(i, j) for i in range(r, k + 1) for j in range(c, m + 1)] if variable in true else []
            found.update((*a, *b) for a, b in pairwise(cells))
        return self.board_of(puzzle, found)

    def board_of(self, puzzle: Any, parts: Parts) -> Cells:
        board = [[0] * puzzle.width for _ in range(puzzle.height)]
        for (r, c, k, _), count in parts.items():
            board[r][c] += (3 if k == r else 1) * count
        return tuple(map(tuple, board))

    def known_clauses(self, puzzle: Any, blocks: Mapping[str, Block], place: tuple[int, ...], value: int) -> Clauses:
        r, c, k, m = place
        over = [v for (i, j, i2, j2, _), v in blocks["bridge"].items() if i <= r and j <= c and k <= i2 and m <= j2]
        if not over:
            return [[]] * value
        one, two = over
        return [[literal] for literal in ([-one], [one, -two], [two])[value]]

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        def ways(cell: Cell) -> list[int]:
            r, c = cell
            up, left = (board[r - 1][c] % 3 if r else 0), (board[r][c - 1] // 3 if c else 0)
            return [up, left, *self.lines_from(board[r][c])]

        if not any(map(any, board)):
            yield "brNoLine", "there is no bridge"
        for cell in puzzle.cells:
            up, left, right, down = ways(cell)
            if (number := puzzle.number(cell)) == NONE:
                if up and left and right and down:
                    yield "lnCross", f"{at(cell)}: bridges cross"
                elif up != down or left != right:
                    yield "lnDeadEnd", f"{at(cell)}: a bridge ends or turns"
            elif number >= 0 and (found := up + left + right + down) != number:
                yield "nmLineGt" if found > number else "nmLineLt", f"{at(cell)}: {found} bridges, expected {number}"
        used = [cell for cell in puzzle.cells if any(ways(cell))]
        if len(components(used, lambda cell: [o for o, n in zip(neighbors(cell), ways(cell), strict=True) if n])) > 1:
            yield "lcDivided", "the islands are not connected"


FAMILY = Hashikake()
