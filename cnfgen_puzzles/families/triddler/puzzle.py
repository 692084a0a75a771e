"""The triddler itself: a hexagon with a clue for every line in three directions, and what makes a puzzle contradict itself.

Not here: the hexagon (`hexagon.py`), file formats (`formats/`), clauses (`encodings.py`). Clues and colours are those of
nonograms (`families/nonogram/puzzle.py`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from cnfgen_puzzles.families.family import Puzzle
from cnfgen_puzzles.families.nonogram.puzzle import BLACK_AND_WHITE, Board, Clue, Colour, runs, shortest_line
from cnfgen_puzzles.families.triddler.hexagon import DIRECTIONS, Hexagon

Clues = tuple[tuple[Clue, ...], ...]
"""For each direction (rows, rising lines, falling lines) the clues of its lines, or the colours of the blocks of these."""


@dataclass(frozen=True, repr=False)
class Triddler(Puzzle):
    """A triddler, black and white or coloured.

    `sides` are those of the hexagon, A to F, and `clues` has a clue for every line of each direction, in the order of
    `Hexagon.lines`. `colours` is the palette, the background first; where it is empty, the puzzle is black on white.
    `clue_colours` says for each block which colour it has, from 1; where it is empty, all have colour 1. `about` carries what a
    file says of the puzzle, `goal` is the picture, if given: a tuple of rows, each from left to right. A well-formed puzzle may
    still have no solution: see `contradictions`.
    """

    sides: tuple[int, ...]
    clues: Clues
    about: Mapping[str, str] = field(default_factory=dict, hash=False)
    goal: Board | None = field(default=None, compare=False)
    colours: tuple[Colour, ...] = ()
    clue_colours: Clues = ()

    def __post_init__(self) -> None:
        counts = self.hexagon.counts
        if tuple(map(len, self.clues)) != counts:
            wanted = " and ".join(f"{count} of {direction}s" for count, direction in zip(counts, DIRECTIONS, strict=True))
            raise ValueError(f"found clues of {tuple(map(len, self.clues))!r:.60} lines, expected {wanted}")
        if not all(number > 0 for clues in self.clues for clue in clues for number in clue):
            raise ValueError("found a block of no cells, expected only positive numbers in clues")
        if self.clue_colours and _blocks(self.clue_colours) != _blocks(self.clues):
            raise ValueError("found another number of colours than of blocks")
        if any(not 1 <= colour <= self.inks for lines in self.clue_colours for line in lines for colour in line):
            raise ValueError(f"found a block whose colour is none of 1 to {self.inks}")
        if len(self.palette) < 2:
            raise ValueError("found a palette of one colour, expected a background and at least one more")
        for what, told in (("names", [each.name for each in self.palette]), ("signs", [each.sign for each in self.palette])):
            if len(set(told)) < len(told):
                raise ValueError(f"found two colours with one of the {what} {', '.join(told)}")
        if self.colours == BLACK_AND_WHITE:
            object.__setattr__(self, "colours", ())
        if all(colour == 1 for lines in self.clue_colours for line in lines for colour in line):
            object.__setattr__(self, "clue_colours", ())

    @cached_property
    def hexagon(self) -> Hexagon:
        return Hexagon(self.sides)

    @property
    def palette(self) -> tuple[Colour, ...]:
        """The colours by their numbers, the background first."""
        return self.colours or BLACK_AND_WHITE

    @property
    def inks(self) -> int:
        """The number of colours besides the background: 1 for a puzzle in black and white."""
        return len(self.palette) - 1

    def lines(self, direction: int) -> Iterator[tuple[Clue, tuple[int, ...]]]:
        """The clue and the colours of the blocks of every line of a direction."""
        for number, clue in enumerate(self.clues[direction]):
            yield clue, self.clue_colours[direction][number] if self.clue_colours else (1,) * len(clue)

    def sums(self, direction: int, ink: int) -> list[int]:
        """The number of cells of a colour in every line of a direction."""
        return [sum(b for b, colour in zip(*line, strict=True) if colour == ink) for line in self.lines(direction)]

    def clue_text(self, clue: Clue, colours: Sequence[int]) -> str:
        """A clue in words: `2 1`, with colours `2r 1b`, or `0` for an empty line."""
        signs = [self.palette[colour].sign if self.inks > 1 else "" for colour in colours]
        return " ".join(f"{block}{sign}" for block, sign in zip(clue, signs, strict=True)) or "0"

    def contradictions(self) -> list[str]:
        """Why no board can satisfy the clues, as far as counting shows; empty if counting shows nothing."""
        found = []
        for direction, name in enumerate(DIRECTIONS):
            lengths = self.hexagon.lengths(direction)
            for number, ((clue, colours), length) in enumerate(zip(self.lines(direction), lengths, strict=True), start=1):
                if (shortest := shortest_line(clue, colours)) > length:
                    text = self.clue_text(clue, colours)
                    found.append(f"{name} {number}: clue {text} needs {shortest} cells, the line has {length}")
        for ink, colour in enumerate(self.palette[1:], start=1):
            needed = [sum(self.sums(direction, ink)) for direction in range(3)]
            if len(set(needed)) > 1:
                told = " and ".join(map(str, needed))
                found.append(f"rows, rising and falling lines need {told} {colour.name} cells")
        return found


def _blocks(clues: Clues) -> list[list[int]]:
    """How many blocks the lines of each direction have."""
    return [[len(line) for line in lines] for lines in clues]


def seen(hexagon: Hexagon, board: Board) -> list[list[list[int]]]:
    """For each direction the cells of every line of a board, as they are read: cell by cell, by the strip in which its middle
    lies. (`Hexagon.lines` walks along the lines; this has to bear witness against it.)"""
    found: list[defaultdict[int, list[tuple[int, int]]]] = [defaultdict(list) for _ in DIRECTIONS]
    for r, row in enumerate(board):
        for place, colour in enumerate(row):
            down = 3 * r + (2 if hexagon.points_up(r, place) else 1)  # the middle, in thirds of a row and of a half cell
            right = 3 * (hexagon.start(r) + place + 1)
            for direction, (across, along) in enumerate(
                ((2 * down, right), (right + down, down - right), (right - down, down + right))
            ):
                found[direction][across // 6].append((along, colour))
    return [[[colour for _, colour in sorted(lines[strip])] for strip in sorted(lines)] for lines in found]


def clues_of(hexagon: Hexagon, board: Board, colours: tuple[Colour, ...] = ()) -> Triddler:
    """The puzzle that a picture makes, with the picture as its goal; `colours` is its palette."""
    drawn = [list(map(runs, lines)) for lines in seen(hexagon, board)]
    lengths, inks = (tuple(tuple(tuple(run[k] for run in line) for line in lines) for lines in drawn) for k in (0, 1))
    return Triddler(hexagon.sides, lengths, goal=board, colours=colours, clue_colours=inks)
