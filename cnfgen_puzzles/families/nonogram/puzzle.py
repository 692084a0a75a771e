"""Nonograms: clues for every row and column, and a count that shows simple contradictions.

See `formats.py` for file formats and `encodings.py` for formulas.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
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
        """Raise ValueError for invalid lines or an invalid palette. By kind: the clues, and the colors of their blocks or ()."""
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


@dataclass(frozen=True, repr=False)
class Nonogram(CluedPuzzle):
    """A nonogram, black and white or colored.

    `rows` and `columns` hold one clue per line, top to bottom and left to right. `about` contains the properties in the file
    (keys `title`, `author`, `copyright`, `catalogue`, `description`, and other keywords); `goal` is the picture, if given.

    `colors` is the palette, the background first; an empty palette means black on white. `row_colors` and `column_colors`
    are the colors of the blocks, from 1; if they are empty, all blocks have color 1. Blocks of the same color are at least one
    cell apart; blocks of two colors need no gap. `known` are the cells that are known beforehand. `saved` are the half-filled
    grids of a file; they have no effect until one is chosen as `known`.
    A well-formed puzzle may still have no solution: see `contradictions`. A black and white palette, and the colors of blocks
    that all have color 1, are stored as the empty tuple, so equal puzzles compare equal.
    """

    kinds: ClassVar = {"row": "row", "column": "column"}
    directions: ClassVar = "rows and columns"
    rows: tuple[Clue, ...]
    columns: tuple[Clue, ...]
    about: Mapping[str, str] = field(default_factory=dict, hash=False)
    goal: Board | None = field(default=None, compare=False)
    colors: tuple[Color, ...] = ()
    row_colors: tuple[tuple[int, ...], ...] = ()
    column_colors: tuple[tuple[int, ...], ...] = ()
    known: Known = ()
    saved: tuple[Known, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        self.check_lines({"row": self.rows, "column": self.columns}, {"row": self.row_colors, "column": self.column_colors})
        if self.known and (len(self.known) != self.height or any(len(line) != self.width for line in self.known)):
            raise ValueError(f"found known cells whose shape is not {self.height} rows of {self.width}")
        if any(value is not None and not 0 <= value <= self.inks for line in self.known for value in line):
            raise ValueError(f"found a known cell whose color is not 0 to {self.inks}")
        for which in ("row_colors", "column_colors"):
            if all(color == 1 for line in getattr(self, which) for color in line):
                object.__setattr__(self, which, ())
        known = tuple(tuple(None if value is None else int(value) for value in line) for line in self.known)
        object.__setattr__(self, "known", known if any(value is not None for line in known for value in line) else ())

    @property
    def height(self) -> int:
        return len(self.rows)

    @property
    def width(self) -> int:
        return len(self.columns)

    @property
    def row_lengths(self) -> Sequence[int]:
        return (self.width,) * self.height

    def lines(self, kind: str) -> Iterator[ColoredClue]:
        """For every line of a kind, `row` or `column`: the clue and the colors of its blocks."""
        clues, colors = (self.rows, self.row_colors) if kind == "row" else (self.columns, self.column_colors)
        return zip(clues, colors or ((1,) * len(clue) for clue in clues), strict=True)

    def line_cells(self, kind: str) -> Iterable[range]:
        width, height = self.width, self.height
        if kind == "row":
            return (range(r * width, (r + 1) * width) for r in range(height))
        return (range(c, height * width, width) for c in range(width))

    def board_lines(self, board: Board) -> Iterable[Sequence[Sequence[int]]]:
        return board, tuple(zip(*board, strict=True))

    def contradictions(self) -> list[str]:
        """Also the lines in which more cells are known to have a color than the clue allows."""
        found = super().contradictions()
        for kind, known in (("row", self.known), ("column", tuple(zip(*self.known, strict=True)))):
            for number, (cells, (clue, colors)) in enumerate(zip(known, self.lines(kind), strict=True), start=1) if known else ():
                wanted = Counter({0: len(cells) - sum(clue)})
                for length, color in zip(clue, colors, strict=True):
                    wanted[color] += length
                for color, count in sorted(Counter(cell for cell in cells if cell is not None).items()):
                    if count > wanted[color]:
                        which = f"{count} known {named(self.palette[color].name)} cell{'s' if count > 1 else ''}"
                        found.append(f"{kind} {number}: {which}, the clue has room for {max(wanted[color], 0)}")
        return found


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


def puzzle_of(
    rows: Iterable[ColoredClue],
    columns: Iterable[ColoredClue],
    colors: tuple[Color, ...],
    *,
    about: Mapping[str, str] | None = None,
    goal: Board | None = None,
    saved: tuple[Known, ...] = (),
) -> Nonogram:
    """The puzzle with these clues and this palette."""
    (across, across_inks), (down, down_inks) = unzipped(rows), unzipped(columns)
    return Nonogram(across, down, about or {}, goal, colors, across_inks, down_inks, saved=saved)


def clues_of(board: Board, colors: tuple[Color, ...] = ()) -> Nonogram:
    """The puzzle whose solution is the picture, with the picture as its goal; `colors` is its palette."""
    return puzzle_of(map(clue_of_runs, board), map(clue_of_runs, zip(*board, strict=True)), colors, goal=board)
