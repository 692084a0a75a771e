"""Sudoku."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import isqrt
from typing import TYPE_CHECKING, Any

from cnfgen_puzzles.families.grid.genres.sudoku_rules import add_rules, misfit, rule_faults, text_format
from cnfgen_puzzles.families.grid.layer.boards import Fault, at, twice, value_at
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.kinds import Numbers
from cnfgen_puzzles.families.links import pzpr, pzprfile
from cnfgen_puzzles.families.looks import Cells
from cnfgen_puzzles.families.squares import Cell

if TYPE_CHECKING:
    from cnfgen_puzzles.families.cellviews import CellViews


def _plain(known: dict[str, Any]) -> dict[str, Any]:
    """The fields of a puzzle, which has no further rules; ValueError for one that has some."""
    if known.get("sets") or known.get("rooms"):
        raise ValueError("found rules of a variant, which only files of text can have")
    return known


class Sudoku(Numbers):
    """Sudoku: write a number into each cell so that none occurs twice in a row, a column, or a box.

    The numbers go from 1 to the side of the board. The sides of boxes are its square root, rounded down, for a board of 6x6 cells
    3 columns and 2 rows. A puzzle can have boxes of other shapes, and more rules: no number twice in the diagonals (X), in the
    windows between the boxes, in sets of cells, or in cages, which have sums; the numbers along an arrow have the sum in its
    circle; a number is greater than one beside it, odd, or even.
    """

    name = "sudoku"
    url = (replace(pzpr.NUMBERS, write=lambda rows, size, known: pzpr.NUMBERS.write(rows, size, _plain(known))),)
    file = (replace(pzprfile.CLUES, write=lambda found, size: pzprfile.CLUES.write(_plain(found), size)), pzprfile.VALUES)
    more_formats = (text_format,)
    rules = "bkDupNum nmDupRow setDupNum cageSumNe arrowSumNe nmNotGreater nmParityNe ceNoNum"
    clue = staticmethod(value_at)
    density = 1.0
    made = 9

    def boxes(self, puzzle: Any) -> tuple[int, int] | None:
        side = isqrt(puzzle.width)
        return None if puzzle.rooms else (side, 3 if puzzle.width == 6 else side)

    def misfit(self, puzzle: Any) -> str:
        return super().misfit(puzzle) or misfit(puzzle)

    def viewer(self) -> CellViews:
        from cnfgen_puzzles.families.grid.genres.sudoku_views import SudokuViews  # drawing is not needed to encode a puzzle

        return SudokuViews(self)

    def unmakeable(self, width: int, height: int) -> str:
        fits = width == height and width in (4, 6, 9, 16, 25)
        return "" if fits else "4x4, 6x6, 9x9, 16x16, or 25x25, where boxes fill the board"

    def model(self, puzzle: Any, formula: GridFormula, connectivity: str) -> None:
        number = self.numbers(puzzle, formula)
        for cells in self.box_cells(puzzle):
            formula.all_different(number[cell] for cell in cells)
        add_rules(puzzle, formula, number)

    def box_cells(self, puzzle: Any) -> list[list[Cell]]:
        """The cells of each box."""
        if (sides := self.boxes(puzzle)) is None:
            return puzzle.room_cells()  # type: ignore[no-any-return]
        height, width = sides
        found: dict[Cell, list[Cell]] = {}
        for r, c in puzzle.cells:
            found.setdefault((r // height, c // width), []).append((r, c))
        return list(found.values())

    def faults(self, puzzle: Any, board: Cells) -> Iterator[Fault]:
        for cells in self.box_cells(puzzle):
            for number in twice(board, cells):
                yield "bkDupNum", f"{at(cells[0])}: {number} occurs twice in the box from here"
        yield from rule_faults(puzzle, board)
        yield from self.number_faults(puzzle, board)


FAMILY = Sudoku()
