"""Nonograms: clues for every row and column, and a count that shows simple contradictions.

See `formats.py` for file formats and `families/clued/encodings.py` for formulas.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from cnfgen_puzzles.common.errors import named
from cnfgen_puzzles.families.clued.puzzle import Board, Clue, CluedPuzzle, Color, ColoredClue, Known, clue_of_runs, unzipped


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
    def shape(self) -> tuple[int, int]:
        return self.height, self.width

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
