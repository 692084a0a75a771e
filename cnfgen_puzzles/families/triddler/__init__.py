"""Triddlers: nonograms on a hexagon of triangles, with clues for lines in three directions, in one color or several."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from cnfgen_puzzles.families.clued.encodings import ENCODINGS
from cnfgen_puzzles.families.clued.family import CluedFamily
from cnfgen_puzzles.families.clued.puzzle import Board
from cnfgen_puzzles.families.family import quoted_title
from cnfgen_puzzles.families.triddler.formats import FORMATS
from cnfgen_puzzles.families.triddler.puzzle import Triddler

if TYPE_CHECKING:
    from cnfgen_puzzles.families.triddler.views import TriangleViews


class TriddlerFamily(CluedFamily):
    """Reads, encodes, decodes, checks, and draws triddlers; a board is a tuple of rows, each from left to right."""

    name = "triddler"
    summary = "triddlers: nonograms on hexagons of triangles"
    puzzle = Triddler
    formats = FORMATS
    encodings = {  # noqa: RUF012
        **ENCODINGS,
        "direct": ENCODINGS["direct"]._replace(summary="a variable for each position of each block"),
    }
    examples = ("sample:star", "--generate blobs --sides 6 --seed 7")

    capabilities: ClassVar = {
        "generators": "cnfgen_puzzles.families.triddler.generators:GENERATORS",
    }

    def describe(self, puzzle: Triddler) -> str:
        return f"triddler of sides {'-'.join(map(str, puzzle.sides))}{quoted_title(puzzle)}"

    def size(self, puzzle: Triddler) -> dict[str, int]:
        return {"cells": puzzle.hexagon.cells}

    # -- boards ---------------------------------------------------------------------------------------------------------

    def blank(self, puzzle: Triddler) -> Any:
        return tuple((None,) * length for length in puzzle.hexagon.row_lengths)

    def misshapen(self, puzzle: Triddler, board: Any) -> list[str]:
        found, wanted = [len(row) for row in board], puzzle.hexagon.row_lengths
        if found == wanted:
            return []
        shape = f"{len(wanted)} rows of {sum(wanted)} cells"
        return [f"the board has {len(found)} rows of {sum(found)} cells, expected {shape} as in the puzzle"]

    def board_to_json(self, puzzle: Triddler, board: Board) -> dict[str, Any]:
        """The hexagon's sides, and the board's rows in signs."""
        return {"sides": list(puzzle.sides), "rows": self.rows_to_json(puzzle, board)}

    def board_from_json(self, puzzle: Triddler, entry: Any) -> Board:
        sides, board = entry["sides"], self.cells_from_json(puzzle, entry["rows"])
        if sides != list(puzzle.sides):
            raise ValueError(f"found the sides {sides!r:.60}, the puzzle has {list(puzzle.sides)}")
        if wrong := self.misshapen(puzzle, board):
            raise ValueError(wrong[0])
        return board

    # -- views and the rest -----------------------------------------------------------------------------------------------

    def viewer(self) -> TriangleViews:
        from cnfgen_puzzles.families.triddler.views import TriangleViews  # encoding a puzzle does not need to import it

        return TriangleViews(self)


FAMILY = TriddlerFamily()
