"""How the values of cells look, and what a family of such boards says of itself to whoever draws them (`cellviews.py`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

INK = "#23232b"
"""The colour of filled cells and of frames."""

Cells = tuple[tuple[Any, ...], ...]
"""`board[r][c]` is the value of the cell in row r, column c; both count from 0 at the top left."""


@dataclass(frozen=True)
class Look:
    """How a value looks: `sign`, one character, in text and JSON; in pictures its cell is filled (None: paper) or has the sign
    written in it."""

    sign: str
    fill: str | None = None
    written: bool = False

    @property
    def blank(self) -> bool:
        """Whether a picture shows an empty cell."""
        return self.fill is None and not self.written


def written_signs(signs: str, first: int = 0) -> dict[int, Look]:
    """The looks of numbers from `first` on, each written as a sign."""
    return {value: Look(sign, written=True) for value, sign in enumerate(signs, start=first)}


class Celled(Protocol):
    """What the views ask of a family; `CellFamily` says what each is."""

    guides: int

    @property
    def looks(self) -> Mapping[Any, Look]: ...
    def shape(self, puzzle: Any) -> tuple[int, int]: ...
    def boxes(self, puzzle: Any) -> tuple[int, int] | None: ...
    def row_clues(self, puzzle: Any) -> Sequence[Sequence[str]]: ...
    def column_clues(self, puzzle: Any) -> Sequence[Sequence[str]]: ...
    def given(self, puzzle: Any, row: int, column: int) -> bool: ...
