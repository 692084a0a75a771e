"""Two genres on the grid layer of the package: n queens, and peaceable armies of queens, with the symmetries of their boards.

queens/8/8/ is the address of the eight queens, peaceable/5/5/4/ that of two armies of 4 queens on a 5 x 5 board.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from itertools import chain, combinations, product
from typing import Any, ClassVar

from cnfgen_puzzles.families import Symmetry
from cnfgen_puzzles.families.grid.layer.boards import Fault, at, cells_with
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.genre import Genre
from cnfgen_puzzles.families.grid.layer.kinds import Shading
from cnfgen_puzzles.families.grid.layer.refinement import GridCounting
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells, Look
from cnfgen_puzzles.families.squares import Cell
from cnfgen_puzzles.formula import Block
from cnfgen_puzzles.formula.exactcover import ExactCover

WHITE, BLACK = 1, 2


def lines(puzzle: Any) -> dict[str, list[Cell]]:
    """The cells of each row, column, and diagonal, by its name."""
    found: dict[str, list[Cell]] = {}
    for r, c in puzzle.cells:
        for name in (f"row{r}", f"column{c}", f"falling{r - c}", f"rising{r + c}"):
            found.setdefault(name, []).append((r, c))
    return found


def attack(a: Cell, b: Cell) -> bool:
    """Whether two queens attack each other if no piece is between them."""
    down, right = b[0] - a[0], b[1] - a[1]
    return down == 0 or right == 0 or abs(down) == abs(right)


class SquareSymmetry(Symmetry):
    """The 8 symmetries of a square board, with `colors` also with the exchange of the colors, on a block with keys (row, column)
    or (row, column, color)."""

    def __init__(self, puzzle: Any, block: Block, colors: bool):
        last, self.elements = puzzle.height - 1, list[Mapping[int, int]]()
        for down, right, transposed, exchanged in product((False, True), repeat=4):
            element = {}
            for key, variable in block.items():
                r, c, *color = key
                r, c = last - r if down else r, last - c if right else c
                image = [WHITE + BLACK - each if exchanged else each for each in color]
                element[variable] = block[(c, r, *image) if transposed else (r, c, *image)]
            self.elements += [element] * (element not in self.elements)
        self.order = len(self.elements)
        self.convention = "up to the symmetries of the board" + " and the exchange of the colors" * colors

    def canonical(self, true: Collection[int]) -> tuple[tuple[int, ...], int]:
        images = {tuple(sorted(element[variable] for variable in true)) for element in self.elements}
        return min(images), len(images)

    def permutations(self) -> list[Mapping[int, int]]:
        return self.elements


# -- n queens -----------------------------------------------------------------------------------------------------------


class QueensCounting(GridCounting):
    """Rows and columns have exactly one queen, diagonals at most one."""

    def symmetry(self, puzzle: Any, blocks: Mapping[str, Block]) -> Symmetry | None:
        return SquareSymmetry(puzzle, blocks["shaded"], colors=False) if puzzle.height == puzzle.width else None

    def exact_cover(self, puzzle: Any, blocks: Mapping[str, Block]) -> ExactCover:
        named = lines(puzzle)
        crossing = {cell: [name for name, cells in named.items() if cell in cells] for cell in puzzle.cells}
        primary = [name for name in named if name.startswith(("row", "column"))]
        secondary = [name for name in named if name not in primary]
        block = blocks["shaded"]
        return ExactCover(primary, secondary, list(crossing.values()), [block[cell] for cell in crossing])


class Queens(Shading):
    """Queens: place a queen in each row and each column so that no two queens attack each other.

    Queens attack each other in the same row, column, or diagonal.
    """

    name = "queens"
    url = ()
    file = (pzprfile.SHADES,)
    rules = "attack few"
    connectivity = False
    looks: ClassVar = {0: Look("."), 1: Look("♛", written=True)}
    capabilities: ClassVar = {"counting": QueensCounting(), "givens": None}

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        queen = formula.subset("shaded")
        for name, cells in lines(puzzle).items():
            rule = formula.exactly_one if name.startswith(("row", "column")) else formula.at_most_one
            rule([queen[cell] for cell in cells], "pairwise")

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        queens = cells_with(board, 1)
        for a, b in combinations(queens, 2):
            if attack(a, b):
                yield "attack", f"{at(a)} and {at(b)}: two queens attack each other"
        if len(queens) < (expected := max(puzzle.height, puzzle.width)):
            yield "few", f"number of queens: found {len(queens)}, expected {expected}"

    def small_puzzles(self) -> list[Any]:
        return [self.puzzle(*size) for size in ((1, 1), (2, 3), (3, 3), (4, 4))]


# -- peaceable armies ---------------------------------------------------------------------------------------------------


class ArmyCounting(GridCounting):
    """The exchange of the colors is a symmetry; solutions have as many true variables as queens."""

    def symmetry(self, puzzle: Any, blocks: Mapping[str, Block]) -> Symmetry | None:
        return SquareSymmetry(puzzle, blocks["queen"], colors=True) if puzzle.height == puzzle.width else None

    def antichain(self, puzzle: Any, blocks: Mapping[str, Block]) -> bool:
        return True


class Peaceable(Genre):
    """Peaceable queens: place the given number of white queens and as many black ones so that no two of different colors attack
    each other.

    Queens attack each other in the same row, column, or diagonal. Queens of one color can be anywhere.
    """

    name = "peaceable"
    url = (pzpr.COUNT,)
    file = (pzprfile.COUNT, pzprfile.VALUES)
    rules = "attack number"
    kind = "numbers"
    connectivity = False
    looks: ClassVar = {0: Look("."), WHITE: Look("♕", written=True), BLACK: Look("♛", written=True)}
    capabilities: ClassVar = {"counting": ArmyCounting(), "givens": None}

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        """A line without black queens can have white ones, any other line only black ones: linear size but for the numbers of
        queens. The variable of a line is not a function of the board if the line is empty."""
        block = formula.bools("queen", ((*cell, color) for cell in puzzle.cells for color in (WHITE, BLACK)))
        for cells in lines(puzzle).values():
            white = formula.new()
            for cell in cells:
                formula.add(-block[(*cell, WHITE)], white)
                formula.add(-block[(*cell, BLACK)], -white)
        for color in (WHITE, BLACK):
            formula.exactly_k([block[(*cell, color)] for cell in puzzle.cells], puzzle.count, "totalizer")

    def decode(self, puzzle: Any, blocks: Mapping[str, Block], true: Collection[int]) -> Cells:
        queen = blocks["queen"]
        colors = {(r, c): color for (r, c, color), variable in queen.items() if variable in true}
        return tuple(tuple(colors.get((r, c), 0) for c in range(puzzle.width)) for r in range(puzzle.height))

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        for a, b in product(cells_with(board, WHITE), cells_with(board, BLACK)):
            if attack(a, b):
                yield "attack", f"{at(a)} and {at(b)}: queens of different colors attack each other"
        found = Counter(chain.from_iterable(board))
        for color, name in ((WHITE, "white"), (BLACK, "black")):
            if found[color] != puzzle.count:
                yield "number", f"number of {name} queens: found {found[color]}, expected {puzzle.count}"

    def small_puzzles(self) -> list[Any]:
        return [self.puzzle(*size, count=count) for *size, count in ((1, 1, 0), (2, 2, 1), (2, 3, 1), (3, 3, 1), (3, 3, 2))]


QUEENS, PEACEABLE = Queens(), Peaceable()
