"""Which labels of cells a picture shows, and the options by which its views are asked for labels and letters."""

from __future__ import annotations

from cnfgen_puzzles.families.options import Option
from cnfgen_puzzles.families.tiling.model.board import Board
from cnfgen_puzzles.families.tiling.model.lattice import Cell
from cnfgen_puzzles.families.tiling.model.puzzle import Tiling
from cnfgen_puzzles.families.tiling.pictures.palette import owners

UNCOVERED, ALL, NONE = "uncovered", "all", "none"

LETTERS = Option("letters", "the pieces' letters in pictures (text has them always)", False, bool)
LABELS = Option("labels", "on which cells the puzzle's labels are shown", UNCOVERED, choices=(UNCOVERED, ALL, NONE))


def shown_labels(puzzle: Tiling, board: Board, which: str = UNCOVERED) -> dict[Cell, str]:
    """The labels to show by their cells."""
    if which == NONE or not puzzle.labels:
        return {}
    owner = owners(board) if which == UNCOVERED else {}
    return {cell: label for cell, label in puzzle.labels.items() if cell not in owner}
