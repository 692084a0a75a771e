"""The nonogram itself: clues for every row and column, and what makes a puzzle contradict itself.

Not here: file formats (`formats/`), clauses (`encodings.py`), pictures (`board.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import groupby

from cnfgen_puzzles.families.shown import ShownPuzzle

Clue = tuple[int, ...]
"""Lengths of a line's blocks of filled cells, in order, all positive; `()` for an empty line."""

Board = tuple[tuple[bool, ...], ...]
"""`board[r][c]` is True where the cell in row r, column c is filled; both count from 0 at the top left."""


@dataclass(frozen=True, repr=False)
class Nonogram(ShownPuzzle):
    """A black and white nonogram.

    `rows` and `columns` hold one clue a line, top to bottom and left to right. `about` carries what a file says of the puzzle
    (keys `title`, `author`, `copyright`, `catalogue`, `description`, and what else it names); `goal` is the picture, if given.
    A well-formed puzzle may still have no solution: see `contradictions`.
    """

    rows: tuple[Clue, ...]
    columns: tuple[Clue, ...]
    about: Mapping[str, str] = field(default_factory=dict, hash=False)
    goal: Board | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if not all(number > 0 for clue in (*self.rows, *self.columns) for number in clue):
            raise ValueError("found a block of no cells, expected only positive numbers in clues")

    @property
    def height(self) -> int:
        return len(self.rows)

    @property
    def width(self) -> int:
        return len(self.columns)

    def contradictions(self) -> list[str]:
        """Why no board can satisfy the clues, as far as counting shows; empty if counting shows nothing."""
        found = []
        for kind, clues, length in (("row", self.rows, self.width), ("column", self.columns, self.height)):
            for number, clue in enumerate(clues, start=1):
                if shortest_line(clue) > length:
                    text = " ".join(map(str, clue))
                    found.append(f"{kind} {number}: clue {text} needs {shortest_line(clue)} cells, the {kind} has {length}")
        in_rows, in_columns = (sum(map(sum, clues)) for clues in (self.rows, self.columns))
        if in_rows != in_columns:
            found.append(f"rows and columns need {in_rows} and {in_columns} black cells")
        return found


def shortest_line(clue: Clue) -> int:
    """The number of cells that the blocks of `clue` need with single gaps."""
    return sum(clue) + max(len(clue) - 1, 0)


def clue_of_line(cells: Iterable[bool]) -> Clue:
    """The lengths of the blocks of filled cells in a line."""
    return tuple(sum(1 for _ in block) for filled, block in groupby(cells) if filled)


def clues_of(board: Board) -> Nonogram:
    """The puzzle that a picture makes, with the picture as its goal."""
    return Nonogram(tuple(map(clue_of_line, board)), tuple(map(clue_of_line, zip(*board, strict=True))), goal=board)
