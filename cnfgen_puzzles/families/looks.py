"""How the values of cells look, and colours that all pictures share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

PAPER, INK = "#fdfcf9", "#23232b"
"""The ground of pictures; the colour of filled cells and of frames."""

Cells = tuple[tuple[Any, ...], ...]
"""`board[r][c]` is the value of the cell in row r, column c; both count from 0 at the top left."""


@dataclass(frozen=True)
class Look:
    """How a value looks: `sign`, one character, in text and JSON; in pictures its cell is filled (None: paper) or has the sign
    written in it. `ground`: a cell filled so counts as an empty one, on a board that is not of paper."""

    sign: str
    fill: str | None = None
    written: bool = False
    ground: bool = False

    @property
    def blank(self) -> bool:
        """Whether a picture shows an empty cell."""
        return self.ground or (self.fill is None and not self.written)


def written_signs(signs: str, first: int = 0) -> dict[int, Look]:
    """The looks of numbers from `first` on, each written as a sign."""
    return {value: Look(sign, written=True) for value, sign in enumerate(signs, start=first)}


def ink_on(colour: str) -> str:
    """Dark ink on light colours, paper on dark ones."""
    red, green, blue = (int(colour[n : n + 2], 16) for n in (1, 3, 5))
    return INK if 0.299 * red + 0.587 * green + 0.114 * blue > 120 else PAPER


def ansi_colour(colour: str) -> str:
    """The nearest of a terminal's 6 x 6 x 6 colours as a background, with ink or paper on it."""
    levels = (0, 95, 135, 175, 215, 255)
    parts = [min(range(6), key=lambda n: abs(levels[n] - int(colour[k : k + 2], 16))) for k in (1, 3, 5)]
    background = 16 + 36 * parts[0] + 6 * parts[1] + parts[2]
    return f"\x1b[38;5;{16 if ink_on(colour) == INK else 231};48;5;{background}m"


class CellAppearance:
    """What the views of a grid of cells ask about its puzzles: the looks of values, clues, boxes, and the shape."""

    looks: ClassVar[Mapping[Any, Look]]
    """How each value of a cell looks, on every board; a family whose puzzles have colours of their own overrides `looks_of`."""
    lettered: bool = False
    """Whether pictures have colours that have letters: then views take the option `letters`, which writes them into the cells."""
    guides: int = 0
    """In pictures the line after so many cells is a thicker one, which makes cells easy to count; 0: none is."""

    def looks_of(self, puzzle: Any) -> Mapping[Any, Look]:
        """How each value of a cell looks on the boards of this puzzle."""
        return self.looks

    def boxes(self, puzzle: Any) -> tuple[int, int] | None:
        """Rows and columns of the boxes into which the rules divide the board, if they do: set apart in text and pictures."""
        return None

    def row_clues(self, puzzle: Any) -> Sequence[Sequence[str]]:
        """What stands beside each row, from left to right; empty where nothing does."""
        return ()

    def column_clues(self, puzzle: Any) -> Sequence[Sequence[str]]:
        """What stands above each column, from top to bottom."""
        return ()

    def clue_values(self, puzzle: Any) -> tuple[Sequence[Sequence[Any]], Sequence[Sequence[Any]]]:
        """For `row_clues` and for `column_clues`, of which value of a cell each speaks (None: of none), if that is not plain: in
        text its sign follows the clue, in pictures the clue stands on its colour."""
        return (), ()

    def given(self, puzzle: Any, row: int, column: int) -> bool:
        """Whether the puzzle says what this cell is: such cells have a ground of their own in pictures."""
        return False

    def known(self, puzzle: Any, row: int, column: int) -> Any:
        """The value of a cell that the puzzle itself says, where it does: what `blank` shows there."""
        return None

    def shape(self, puzzle: Any) -> tuple[int, int]:
        """Rows and columns of the board: by default the puzzle's `height` and `width`."""
        return puzzle.height, puzzle.width
