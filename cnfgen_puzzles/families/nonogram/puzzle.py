"""The nonogram itself: clues for every row and column, and what makes a puzzle contradict itself.

Not here: file formats (`formats/`), clauses (`encodings.py`), pictures (`board.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby

from cnfgen_puzzles.families.shown import ShownPuzzle

Clue = tuple[int, ...]
"""Lengths of a line's blocks of filled cells, in order, all positive; `()` for an empty line."""

Board = tuple[tuple[int, ...], ...]
"""`board[r][c]` is the colour of the cell in row r, column c, both from 0 at the top left: 0 (or False) is the background, n the
colour n. Boards of black and white puzzles hold bools."""

Known = tuple[tuple[int | None, ...], ...]
"""`known[r][c]` is the colour of that cell as on a `Board`, None where it is not known."""


@dataclass(frozen=True)
class Colour:
    """A colour of a puzzle: its name, its value as `#rrggbb`, and the one character by which texts show it."""

    name: str
    value: str
    sign: str


BLACK_AND_WHITE = (Colour("white", "#ffffff", "."), Colour("black", "#000000", "#"))


@dataclass(frozen=True, repr=False)
class Nonogram(ShownPuzzle):
    """A nonogram, black and white or coloured.

    `rows` and `columns` hold one clue a line, top to bottom and left to right. `about` carries what a file says of the puzzle
    (keys `title`, `author`, `copyright`, `catalogue`, `description`, and what else it names); `goal` is the picture, if given.

    `colours` is the palette, the background first; where it is empty, the puzzle is black on white. `row_colours` and
    `column_colours` say for each block which colour it has, from 1; where they are empty, all have colour 1. Blocks of one colour
    are at least a cell apart, those of two need no gap. `known` is what is known of the cells beforehand; empty: nothing. `saved`
    are half-filled grids that a file has and that mean nothing until one is chosen as `known`.
    A well-formed puzzle may still have no solution: see `contradictions`.
    """

    rows: tuple[Clue, ...]
    columns: tuple[Clue, ...]
    about: Mapping[str, str] = field(default_factory=dict, hash=False)
    goal: Board | None = field(default=None, compare=False)
    colours: tuple[Colour, ...] = ()
    row_colours: tuple[tuple[int, ...], ...] = ()
    column_colours: tuple[tuple[int, ...], ...] = ()
    known: Known = ()
    saved: tuple[Known, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        if not all(number > 0 for clue in (*self.rows, *self.columns) for number in clue):
            raise ValueError("found a block of no cells, expected only positive numbers in clues")
        for kind, clues, colours in (("row", self.rows, self.row_colours), ("column", self.columns, self.column_colours)):
            if colours and [len(clue) for clue in clues] != [len(line) for line in colours]:
                raise ValueError(f"found another number of colours than of blocks in a {kind}")
            if any(not 1 <= colour <= self.inks for line in colours for colour in line):
                raise ValueError(f"found a block in a {kind} whose colour is none of 1 to {self.inks}")
        if self.known and (len(self.known) != self.height or any(len(line) != self.width for line in self.known)):
            raise ValueError(f"found known cells of another shape than {self.height} rows of {self.width}")
        if any(value is not None and not 0 <= value <= self.inks for line in self.known for value in line):
            raise ValueError(f"found a known cell whose colour is none of 0 to {self.inks}")
        object.__setattr__(self, "known", plain_known(self.known))

    @property
    def palette(self) -> tuple[Colour, ...]:
        """The colours by their numbers, the background first."""
        return self.colours or BLACK_AND_WHITE

    @property
    def inks(self) -> int:
        """The number of colours besides the background: 1 for a puzzle in black and white."""
        return len(self.palette) - 1

    def line_colours(self, kind: str, number: int) -> tuple[int, ...]:
        """The colours of the blocks of one line: `kind` is `row` or `column`, `number` counts from 0."""
        clues, colours = (self.rows, self.row_colours) if kind == "row" else (self.columns, self.column_colours)
        return colours[number] if colours else (1,) * len(clues[number])

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
        return found + [told for told, holds in self.known_sums() if not holds]

    def known_sums(self) -> Iterator[tuple[str, bool]]:
        """For every line and colour of which cells are known: how many, and how many the clue has; whether that can be."""
        lines = (("row", self.rows, self.known), ("column", self.columns, tuple(zip(*self.known, strict=True))))
        for kind, clues, known in lines if self.known else ():
            for number, (clue, cells) in enumerate(zip(clues, known, strict=True)):
                wanted = Counter(dict.fromkeys(range(self.inks + 1), 0))
                for length, colour in zip(clue, self.line_colours(kind, number), strict=True):
                    wanted[colour] += length
                wanted[0] = len(cells) - sum(clue)
                for colour, count in sorted(Counter(cell for cell in cells if cell is not None).items()):
                    cells_known = f"{count} known {self.palette[colour].name} cell{'s' if count > 1 else ''}"
                    most = max(wanted[colour], 0)
                    yield f"{kind} {number + 1}: {cells_known}, the clue has room for {most}", count <= most


def plain_known(known: Known) -> Known:
    """The same with colours as whole numbers and not as bools; empty if nothing is known."""
    if all(value is None for line in known for value in line):
        return ()
    return tuple(tuple(None if value is None else int(value) for value in line) for line in known)


def known_cells(puzzle: Nonogram) -> Iterator[tuple[str, int, int, int]]:
    """Every known cell: its place in words (rows and columns count from 1), row, column and colour."""
    for r, line in enumerate(puzzle.known):
        for c, colour in enumerate(line):
            if colour is not None:
                yield f"row {r + 1}, column {c + 1}", r, c, colour


def shortest_line(clue: Clue) -> int:
    """The number of cells that the blocks of `clue` need with single gaps."""
    return sum(clue) + max(len(clue) - 1, 0)


def clue_of_line(cells: Iterable[int]) -> Clue:
    """The lengths of the blocks of filled cells in a line."""
    return tuple(sum(1 for _ in block) for filled, block in groupby(cells) if filled)


def clues_of(board: Board) -> Nonogram:
    """The puzzle that a picture makes, with the picture as its goal."""
    return Nonogram(tuple(map(clue_of_line, board)), tuple(map(clue_of_line, zip(*board, strict=True))), goal=board)
