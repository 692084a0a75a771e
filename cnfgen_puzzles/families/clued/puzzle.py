"""The common part of puzzles with clues for lines: clues, colors, boards, and a count that shows simple contradictions."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any, ClassVar

from cnfgen_puzzles.common.errors import named
from cnfgen_puzzles.families.family import Puzzle

Clue = tuple[int, ...]
"""Lengths of a line's blocks of filled cells, in order, all positive; `()` for an empty line."""

Board = tuple[tuple[int, ...], ...]
"""`board[r][c]` is the color of the cell in row r, column c, both from 0 at the top left: 0 (or False) is the background, n the
color n. Boards of black and white puzzles hold bools."""

Known = tuple[tuple[int | None, ...], ...]
"""`known[r][c]` is the color of that cell as on a `Board`, None where it is not known."""


NO_SIGNS = "+-*!?|,;:[]"
"""Signs that no color can have: views mark cells with them, and files use them as separators."""


@dataclass(frozen=True)
class Color:
    """A color of a puzzle: its name, its value as `#rrggbb`, and the character that shows it in text."""

    name: str
    value: str
    sign: str

    def __post_init__(self) -> None:
        if not (self.name.strip() and self.name.isprintable() and len(self.name) <= 60):
            raise ValueError(f"found the color name {self.name[:60]!r}, expected a printable one of at most 60 characters")
        if not re.fullmatch("#[0-9a-f]{6}", self.value):
            raise ValueError(f"found the color value {self.value[:60]!r}, expected six digits such as #1f00ff")
        if (
            len(self.sign) != 1
            or not self.sign.isprintable()
            or self.sign.isspace()
            or self.sign.isdigit()
            or self.sign in NO_SIGNS
        ):
            raise ValueError(f"found the sign {self.sign[:60]!r} of a color, expected one character such as a letter")


BLACK_AND_WHITE = (Color("white", "#ffffff", "."), Color("black", "#000000", "#"))


ColoredClue = tuple[Clue, tuple[int, ...]]
"""A clue and the colors of its blocks, from 1."""


class CluedPuzzle(Puzzle, ABC):
    """The common part of nonograms and triddlers: a palette, and lines of each kind whose blocks have colors.

    `colors` is the palette, the background first; an empty palette means black on white.
    """

    kinds: ClassVar[Mapping[str, Any]]
    """The name of the lines of each direction, with the value that the methods below take as `kind`."""
    directions: ClassVar[str]
    """The directions in words, such as `rows and columns`."""
    colors: tuple[Color, ...]
    goal: Board | None
    known: Known = ()
    """The cells that are known beforehand; empty if there are none."""

    @abstractmethod
    def lines(self, kind: Any) -> Iterator[ColoredClue]:
        """For every line of a kind, the clue and the colors of its blocks."""

    @abstractmethod
    def line_cells(self, kind: Any) -> Iterable[Sequence[int]]:
        """The cells of every line of a kind, as indices that count the cells of the board row by row from 0."""

    @abstractmethod
    def board_lines(self, board: Board) -> Iterable[Sequence[Sequence[int]]]:
        """The cells of every line of the board, by kind. `check` uses this method, so it shares no code with the encodings."""

    @property
    def shape(self) -> tuple[int, int] | None:
        """The height and width of a rectangular board, None for another one."""
        return None

    @property
    @abstractmethod
    def row_lengths(self) -> Sequence[int]:
        """The number of cells of each row of the board."""

    @property
    def palette(self) -> tuple[Color, ...]:
        """The colors by their numbers, the background first."""
        return self.colors or BLACK_AND_WHITE

    @property
    def inks(self) -> int:
        """The number of colors besides the background: 1 for a puzzle in black and white."""
        return len(self.palette) - 1

    def sums(self, kind: Any, ink: int) -> list[int]:
        """The number of cells of a color in every line of a kind."""
        return [sum(b for b, color in zip(*line, strict=True) if color == ink) for line in self.lines(kind)]

    def clue_text(self, clue: Clue, colors: Sequence[int]) -> str:
        """A clue as text: `2 1`, with colors `2r 1b`, or `0` for an empty line."""
        signs = [self.palette[color].sign if self.inks > 1 else "" for color in colors]
        return " ".join(f"{block}{sign}" for block, sign in zip(clue, signs, strict=True)) or "0"

    def contradictions(self) -> list[str]:
        """Reasons why no board satisfies the clues that counting cells finds; empty if it finds none."""
        found = []
        for name, kind in self.kinds.items():
            line = name if len(self.kinds) == 2 else "line"
            for number, (cells, (clue, colors)) in enumerate(zip(self.line_cells(kind), self.lines(kind), strict=True), start=1):
                if (shortest := shortest_line(clue, colors)) > len(cells):
                    text = self.clue_text(clue, colors)
                    found.append(f"{name} {number}: clue {text} needs {shortest} cells, the {line} has {len(cells)}")
        for ink, color in enumerate(self.palette[1:], start=1):
            needed = [sum(self.sums(kind, ink)) for kind in self.kinds.values()]
            if len(set(needed)) > 1:
                found.append(f"{self.directions} need {' and '.join(map(str, needed))} {named(color.name)} cells")
        return found

    def check_lines(self, clues: Mapping[str, tuple[Clue, ...]], colors: Mapping[str, tuple[Clue, ...]]) -> None:
        """Raise ValueError for invalid lines or an invalid palette; the goal gets the values of boards. By kind: the clues, and
        the colors of their blocks or ()."""
        if not all(number > 0 for lines in clues.values() for clue in lines for number in clue):
            raise ValueError("found a block of no cells, expected only positive numbers in clues")
        for kind, lines in colors.items():
            if lines and [*map(len, clues[kind])] != [*map(len, lines)]:
                raise ValueError(f"found different numbers of colors and blocks in a {kind}")
            if any(not 1 <= color <= self.inks for line in lines for color in line):
                raise ValueError(f"found a block in a {kind} whose color is not 1 to {self.inks}")
        if len(self.palette) < 2:
            raise ValueError("found a palette of one color, expected a background and at least one more")
        for what, words in (("names", [each.name for each in self.palette]), ("signs", [each.sign for each in self.palette])):
            if len(set(words)) < len(words):
                raise ValueError(f"found two colors with the same one of the {what} {', '.join(words)}")
        if self.colors == BLACK_AND_WHITE:
            object.__setattr__(self, "colors", ())
        if self.goal is not None:
            value = int if self.colors else bool
            object.__setattr__(self, "goal", tuple(tuple(map(value, row)) for row in self.goal))


def known_cells(puzzle: CluedPuzzle) -> Iterator[tuple[str, int, int, int]]:
    """Every known cell: its place in words (rows and columns count from 1), row, column and color."""
    for r, line in enumerate(puzzle.known):
        for c, color in enumerate(line):
            if color is not None:
                yield f"row {r + 1}, column {c + 1}", r, c, color


def gap(left: int, right: int) -> int:
    """The number of empty cells that must lie between neighboring blocks of these colors."""
    return int(left == right)


def shortest_line(clue: Clue, colors: Sequence[int] = ()) -> int:
    """The number of cells that the blocks of `clue` need with the smallest gaps for these colors (none: all equal)."""
    return sum(clue) + (sum(gap(*pair) for pair in pairwise(colors)) if colors else max(len(clue) - 1, 0))


def runs(cells: Iterable[int]) -> list[tuple[int, int]]:
    """The blocks of a line of a board as lengths and colors."""
    return [(sum(1 for _ in block), int(color)) for color, block in groupby(cells) if color]


def clue_of_runs(cells: Iterable[int]) -> ColoredClue:
    """The clue of a line of a board."""
    lengths, colors = list(zip(*runs(cells), strict=True)) or ((), ())
    return lengths, colors


def unzipped(lines: Iterable[ColoredClue]) -> tuple[tuple[Clue, ...], tuple[tuple[int, ...], ...]]:
    """The clues of lines, and the colors of their blocks."""
    clues, colors = tuple(zip(*lines, strict=True)) or ((), ())
    return clues, colors
