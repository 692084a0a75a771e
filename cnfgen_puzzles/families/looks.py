"""The appearance of cell values, and colors that all pictures share."""

from __future__ import annotations

from typing import Any, NamedTuple

PAPER, INK = "#fdfcf9", "#23232b"
"""The background of pictures; the color of filled cells and frames."""

Cells = tuple[tuple[Any, ...], ...]
"""`board[r][c]` is the value of the cell in row r, column c; both count from 0 at the top left."""


class Look(NamedTuple):
    """The appearance of a value. `sign`: one character, in text and JSON. In pictures, the cell is filled with `fill` (None:
    paper) or has the sign written in it. `ground`: a cell with this fill counts as empty, on a board with a colored background.
    """

    sign: str
    fill: str | None = None
    written: bool = False
    ground: bool = False

    @property
    def blank(self) -> bool:
        """Whether pictures show the cell as empty."""
        return self.ground or (self.fill is None and not self.written)


class Clue(NamedTuple):
    """A clue beside a row or above a column. In pictures it may have a color as its background; text also has its `sign`."""

    text: str
    fill: str | None = None
    sign: str = ""


def written_signs(signs: str, first: int = 0) -> dict[int, Look]:
    """The appearance of numbers from `first` on, each written as a sign."""
    return {value: Look(sign, written=True) for value, sign in enumerate(signs, start=first)}


def ink_on(color: str) -> str:
    """Dark ink on light colors, light ink on dark colors."""
    red, green, blue = (int(color[n : n + 2], 16) for n in (1, 3, 5))
    return INK if 0.299 * red + 0.587 * green + 0.114 * blue > 120 else PAPER


def ansi_color(color: str) -> str:
    """The closest of the 6 x 6 x 6 terminal colors as a background, with a readable foreground."""
    levels = (0, 95, 135, 175, 215, 255)
    parts = [min(range(6), key=lambda n: abs(levels[n] - int(color[k : k + 2], 16))) for k in (1, 3, 5)]
    background = 16 + 36 * parts[0] + 6 * parts[1] + parts[2]
    return f"\x1b[38;5;{16 if ink_on(color) == INK else 231};48;5;{background}m"
