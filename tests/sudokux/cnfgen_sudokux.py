"""Sudoku X of order n: digits 1 to n*n in n*n boxes, each digit once in every row, column, box, and long diagonal."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import isqrt
from typing import ClassVar

from cnfgen_puzzles.common.seededchoice import SeededChoice
from cnfgen_puzzles.families import Encoding, Generator, Option, Puzzle, by_name
from cnfgen_puzzles.families.cells import CellFamily, read_rows, write_rows, written_signs
from cnfgen_puzzles.families.fileformats import Format, FormatTable
from cnfgen_puzzles.families.options import amo_option
from cnfgen_puzzles.formula import Formula

SIGNS = ".123456789ABCDEFG"


@dataclass(frozen=True, repr=False)
class SudokuX(Puzzle):
    """The given digits row by row, 0 where none is."""

    givens: tuple[tuple[int, ...], ...]
    width = height = property(lambda self: len(self.givens))

    def __post_init__(self) -> None:
        if self.height not in (1, 4, 9, 16) or any(len(row) != self.height for row in self.givens):
            raise ValueError(f"found {self.height} rows, expected 1, 4, 9 or 16 of as many cells")
        if any(not 0 <= digit <= self.height for row in self.givens for digit in row):
            raise ValueError(f"found a digit that is none of 1 to {self.height}")


def groups(side: int) -> dict[str, list[tuple[int, int]]]:
    """The cells of every row, column, box, and long diagonal, by its name."""
    n, numbers = isqrt(side), range(side)
    rows = {f"row {k + 1}": [(k, c) for c in numbers] for k in numbers}
    columns = {f"column {k + 1}": [(r, k) for r in numbers] for k in numbers}
    boxes = {f"box {k + 1}": [(k // n * n + c // n, k % n * n + c % n) for c in numbers] for k in numbers}
    diagonals = {"falling diagonal": [(k, k) for k in numbers], "rising diagonal": [(k, side - 1 - k) for k in numbers]}
    return rows | columns | boxes | diagonals


def direct(puzzle: SudokuX, amo: str = "pairwise") -> Formula:
    """digit[r, c, d]: cell (r, c) holds d + 1. One digit a cell; each digit once in a group; the givens."""
    formula, side = Formula(), puzzle.height
    digit = formula.grid("digit", side, side, side)
    formula.projection = digit.variables
    for r, c in product(range(side), repeat=2):
        formula.exactly_one(digit.below(r, c), amo)
        if given := puzzle.givens[r][c]:
            formula.add(digit[r, c, given - 1])
    for cells, d in product(groups(side).values(), range(side)):
        formula.exactly_one([digit[r, c, d] for r, c in cells], amo)
    return formula


def holes(seed: int, order: int = 3, givens: int = 30) -> SudokuX:
    """Some cells of a solved board whose digits are shuffled."""
    choice, side, n = SeededChoice("sudokux holes", seed), order**2, order
    digits = choice.shuffled(range(1, side + 1))
    kept = set(choice.shuffled(list(product(range(side), repeat=2)))[:givens])
    board = [[(r % n + c // n) % n * n + (r // n + r % n + c % n) % n for c in range(side)] for r in range(side)]
    return SudokuX(tuple(tuple(digits[k] * ((r, c) in kept) for c, k in enumerate(row)) for r, row in enumerate(board)))


READ, WRITE = (lambda text, name: SudokuX(read_rows(text, name, SIGNS))), (lambda puzzle: write_rows(puzzle.givens, SIGNS))
SDK = Format("sdk", "rows of digits and dots", (".sdk",), read=READ, write=WRITE)
ORDER = Option("order", "sides of a box", 3, int, least=1, most=4)
GIVENS = Option("givens", "cells that are kept", 30, int, least=0)
HOLES = Generator("holes", "a solved board with holes", holes, (ORDER, GIVENS), truth="SATISFIABLE")


class SudokuXFamily(CellFamily):
    name = "sudokux"
    summary = "diagonal sudoku of 4x4, 9x9 and 16x16 cells"
    puzzle = SudokuX
    formats = FormatTable("sudokux", "a diagonal sudoku", [SDK])
    encodings = by_name(Encoding("direct", "a variable for each digit in each cell", direct, (amo_option(),)))
    looks = written_signs(SIGNS[1:], first=1)
    capabilities: ClassVar = {"generators": by_name(HOLES)}

    def boxes(self, puzzle):
        return (isqrt(puzzle.height),) * 2

    def given(self, puzzle, row, column):
        return puzzle.givens[row][column] > 0

    def decode(self, puzzle, blocks, true):
        side, digit = range(puzzle.height), blocks["digit"]
        return tuple(tuple(next((d + 1 for d in side if digit[r, c, d] in true), 1) for c in side) for r in side)

    def check(self, puzzle, board):
        if wrong := self.misshapen(puzzle, board):
            return wrong
        twice = [name for name, cells in groups(puzzle.height).items() if len({board[r][c] for r, c in cells}) < len(cells)]
        other = [r for r, row in enumerate(puzzle.givens) if any(a not in (0, b) for a, b in zip(row, board[r], strict=True))]
        return [f"{name}: a digit twice" for name in twice] + [f"row {r + 1}: not the given digits" for r in other]

    def small_puzzles(self):
        return [SudokuX(((1, 2, 3, 4), *((0,) * 4,) * 3)), SudokuX(((1, 1, 0, 0), *((0,) * 4,) * 3))]


FAMILY = SudokuXFamily()
