"""The conformance test detects planted errors: a family that obeys its contract, and copies with one violation each."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import ClassVar

import pytest

from cnfgen_puzzles.families import Counting, Encoding, Generator, Option, Symmetry, by_name
from cnfgen_puzzles.families.cells import CellFamily, read_rows, write_rows, written_signs
from cnfgen_puzzles.families.fileformats import Format, FormatTable
from cnfgen_puzzles.formula import Formula
from cnfgen_puzzles.formula.exactcover import ExactCover
from cnfgen_puzzles.testing import check_family


@dataclass(frozen=True)
class Row:
    """A row of cells, 0 or 1, in which neighbors differ; 2 if the puzzle does not determine the cell."""

    cells: tuple[int, ...]
    height = 1

    def __post_init__(self) -> None:
        if not self.cells or set(self.cells) - {0, 1, 2}:
            raise ValueError("found no row of 0, 1 and 2")

    @property
    def width(self) -> int:
        return len(self.cells)


def alternating(puzzle: Row, loose: int = 0) -> Formula:
    formula = Formula()
    cell = formula.grid("cell", puzzle.width)
    formula.projection = cell.variables
    for left, right in list(zip(cell.variables, cell.variables[1:], strict=False))[loose:]:
        formula.add(left, right)
        formula.add(-left, -right)
    for variable, given in zip(cell.variables, puzzle.cells, strict=True):
        if given < 2:
            formula.add(variable if given else -variable)
    return formula


class Flip(Symmetry):
    """0 and 1 exchanged, for the puzzle without clues."""

    order, convention = 2, "up to the 2 symmetries"

    def __init__(self, size: int):
        self.size = size

    def canonical(self, true):
        return tuple(min(sorted(true), sorted(set(range(1, self.size + 1)) - set(true)))), 2


class RowCounting(Counting):
    def symmetry(self, puzzle, blocks):
        return Flip(puzzle.width) if set(puzzle.cells) == {2} else None

    def antichain(self, puzzle, blocks):
        return True

    def cubes(self, puzzle, blocks):
        return [(1,), (-1,)]


def read(text: str, name: str) -> Row:
    (cells,) = read_rows(text, name, "012")
    return Row(cells)


def noise(seed: int, size: int = 4) -> Row:
    return Row(tuple((seed >> place) % 3 for place in range(size)))


class RowFamily(CellFamily):
    name = "row"
    summary = "rows of cells whose neighbours differ"
    puzzle = Row
    formats = FormatTable(
        "row", "a row", [Format("row", "digits", (".row",), read=read, write=lambda p: write_rows([p.cells], "012"))]
    )
    encodings = by_name(Encoding("pairs", "two clauses a pair", alternating))
    looks = written_signs("01")
    capabilities: ClassVar = {
        "generators": by_name(Generator("noise", "noise", noise, (Option("size", "cells", 4, int, least=1),))),
        "counting": RowCounting(),
    }

    def decode(self, puzzle, blocks, true):
        return (tuple(int(variable in true) for variable in blocks["cell"].variables),)

    def check(self, puzzle, board):
        pairs = sum(a == b for a, b in zip(board[0], board[0][1:], strict=False))
        others = sum(given not in (2, cell) for given, cell in zip(puzzle.cells, board[0], strict=True))
        return ["neighbours are equal"] * pairs + ["not as given"] * others

    def small_puzzles(self):
        return [Row((2, 2, 2)), Row((2, 1, 2, 2)), Row((1, 1))]


def test_a_family_that_keeps_its_contract():
    told = check_family(RowFamily())
    assert told[0] == "3 of 3 puzzles: the models of every encoding are all boards that obey the rules"
    assert any("symmetry" in line for line in told) and any("cubes" in line for line in told)


def broken(**members):
    return type("Broken", (RowFamily,), members)()


def counts(**members):
    return type("BrokenCounting", (RowCounting,), members)()


SEEDS = count()

BROKEN = {
    "a model breaks the rules": broken(encodings=by_name(Encoding("pairs", "", lambda p: alternating(p, loose=1)))),
    "boards by models": broken(check=lambda self, puzzle, board: []),
    "two solutions decode to the same board": broken(decode=lambda self, puzzle, blocks, true: ((0,) * puzzle.width,),
                                                         check=lambda self, puzzle, board: []),
    "a variable twice": broken(encodings=by_name(Encoding("pairs", "", lambda p: _twice(alternating(p))))),
    "an orbit of 3": broken(counting=counts(symmetry=lambda self, p, b: _Lying(p.width))),
    "is declared an antichain": broken(
        encodings=by_name(Encoding("pairs", "", lambda p: alternating(p, loose=9))), check=lambda self, puzzle, board: []),
    "satisfies 0 of the cubes": broken(counting=counts(cubes=lambda self, p, b: [(1,)])),
    "the exact cover has other solutions": broken(
        counting=counts(exact_cover=lambda self, p, b: ExactCover(["a"], [], [["a"]], [1], []))),
    "is another puzzle after JSON": broken(puzzle_to_json=lambda self, puzzle: {"cells": [next(SEEDS) % 2]}),
    "is another puzzle after row": broken(formats=FormatTable("row", "a row", [
        Format("row", "digits", (".row",), read=read, write=lambda p: write_rows([(2,) * p.width], "012"))])),
    "from the damaged file": broken(formats=FormatTable("row", "a row", [
        Format("row", "digits", (".row",), read=lambda text, name: Row(tuple([0, 1, 2][int(sign)] for sign in text.strip())),
               write=lambda p: write_rows([p.cells], "012"))])),
    "from damaged JSON": broken(puzzle_from_json=lambda self, entry: Row(entry["cells"].copy() and tuple(entry["cells"]))),
    "two boards without a difference": broken(differences=lambda self, puzzle, board, other: []),
    "another board after JSON": broken(board_from_json=lambda self, puzzle, entry: ((0,) * puzzle.width,)),
    "two puzzles of one seed": broken(generators=by_name(Generator("noise", "", lambda seed: noise(next(SEEDS))))),
    "does not look at its seed": broken(generators=by_name(Generator("noise", "", lambda seed: noise(5)))),
    "gives none, so nothing can be shown": broken(small_puzzles=lambda self: []),
    "argues that there is no solution": broken(impossible=lambda self, puzzle: "it is odd"),
    "describe gives a line": broken(describe=lambda self, puzzle: ""),
}  # fmt: skip


def _twice(formula: Formula) -> Formula:
    formula.projection = [*formula.projection, formula.projection[0]]
    return formula


class _Lying(Flip):
    def canonical(self, true):
        return super().canonical(true)[0], 3


@pytest.mark.parametrize("told", BROKEN)
def test_planted_faults_are_found(told):
    with pytest.raises(AssertionError, match=told):
        check_family(BROKEN[told])


def test_unchecked_options_are_found():
    class Careless(RowFamily):
        def encode(self, puzzle, encoding=None, **options):
            return self.encoding(encoding).build(puzzle)

    with pytest.raises(AssertionError, match="was let pass"):
        check_family(Careless())
