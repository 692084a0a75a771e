"""How the values of cells look, and colors that all pictures share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

PAPER, INK = "#fdfcf9", "#23232b"
"""The ground of pictures; the color of filled cells and of frames."""

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


@dataclass(frozen=True)
class Clue:
    """What stands beside a row or above a column. If it speaks of a `value` of cells, its sign follows in text, and in pictures
    the clue stands on its color."""

    text: str
    value: Any = None


def written_signs(signs: str, first: int = 0) -> dict[int, Look]:
    """The looks of numbers from `first` on, each written as a sign."""
    return {value: Look(sign, written=True) for value, sign in enumerate(signs, start=first)}


def ink_on(colour: str) -> str:
    """Dark ink on light colors, paper on dark ones."""
    red, green, blue = (int(colour[n : n + 2], 16) for n in (1, 3, 5))
    return INK if 0.299 * red + 0.587 * green + 0.114 * blue > 120 else PAPER


def ansi_colour(colour: str) -> str:
    """The nearest of a terminal's 6 x 6 x 6 colors as a background, with ink or paper on it."""
    levels = (0, 95, 135, 175, 215, 255)
    parts = [min(range(6), key=lambda n: abs(levels[n] - int(colour[k : k + 2], 16))) for k in (1, 3, 5)]
    background = 16 + 36 * parts[0] + 6 * parts[1] + parts[2]
    return f"\x1b[38;5;{16 if ink_on(colour) == INK else 231};48;5;{background}m"
