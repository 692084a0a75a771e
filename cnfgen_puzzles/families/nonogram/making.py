"""Nonograms of pictures: what makes a picture's nonogram ambiguous, in parts, and which cells decide that.

A flaw is made of what two lines with the same clue differ in: `windows.py` has the argument, `stuck.py` what it says of line
logic.

>>> sorted(*(flaw.decisive for flaw in MAKING.flaws(((1, 0), (0, 1)), ((0, 1), (1, 0)))))
[(0, 0), (0, 1), (1, 0), (1, 1)]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from cnfgen_puzzles.families.capabilities import Flaw, Making, Place
from cnfgen_puzzles.families.family import Generator
from cnfgen_puzzles.families.nonogram.encodings import ink_literals
from cnfgen_puzzles.families.nonogram.generators import DRAWN
from cnfgen_puzzles.families.nonogram.logic.propagation import propagate
from cnfgen_puzzles.families.nonogram.palette import Palette
from cnfgen_puzzles.families.nonogram.puzzle import Board, Nonogram, clues_of
from cnfgen_puzzles.families.nonogram.stuck import left_after, stuck_parts
from cnfgen_puzzles.families.nonogram.windows import Cells, windows
from cnfgen_puzzles.formula import Block


class NonogramMaking(Making):
    """Nonograms of pictures."""

    def puzzle(self, picture: Board, values: Sequence[str] = (), about: Mapping[str, str] | None = None) -> Nonogram:
        palette = Palette()
        for number, value in enumerate(values[1:]):
            palette.add(str(number), "", value)
        colours = palette.colours(values[0]) if values else ()
        return replace(clues_of(picture, colours), about=dict(about or {}))

    @property
    def generators(self) -> Mapping[str, Generator]:
        return DRAWN

    def picture(self, puzzle: Nonogram) -> tuple[Board, tuple[str, ...]] | None:
        return None if puzzle.goal is None else (puzzle.goal, tuple(colour.value for colour in puzzle.colours))

    def literals(self, puzzle: Nonogram, blocks: Mapping[str, Block], place: Place, value: int) -> list[int]:
        return ink_literals(blocks["cell"], *place, value)

    def flaws(self, picture: Board, other: Board) -> list[Flaw]:
        parts = _Parts()
        for line, (cells, others) in _lines(picture, other):
            for window in windows(cells, others):
                places = [line[q] for q in window]
                parts.join([line[q] for q in window if cells[q] != others[q]], places)
        return parts.flaws()

    def open_cells(self, puzzle: Nonogram) -> frozenset[Place]:
        return frozenset(propagate(puzzle, ()).grid.open_cells())

    def stuck(self, picture: Board, puzzle: Nonogram) -> list[Flaw]:
        return list(stuck_parts(puzzle, picture))

    def left_after(self, picture: Board, puzzle: Nonogram) -> Callable[[Place, int], int]:
        return left_after(puzzle, picture)


MAKING = NonogramMaking()


def _lines(picture: Board, other: Board) -> Iterator[tuple[list[Place], tuple[Cells, Cells]]]:
    """The rows and the columns of both, each with the places of its cells."""
    height, width = len(picture), len(picture[0])
    for r, pair in enumerate(zip(picture, other, strict=True)):
        yield [(r, c) for c in range(width)], pair
    for c, columns in enumerate(zip(zip(*picture, strict=True), zip(*other, strict=True), strict=True)):
        yield [(r, c) for r in range(height)], columns


class _Parts:
    """Differing cells in the parts that windows join, with the cells of the windows."""

    def __init__(self) -> None:
        self._leader: dict[Place, Place] = {}
        self._windows: list[tuple[Place, list[Place]]] = []

    def _lead(self, place: Place) -> Place:
        while (leader := self._leader.setdefault(place, place)) != place:
            place = leader
        return place

    def join(self, differing: Sequence[Place], window: list[Place]) -> None:
        for place in differing:
            self._leader[self._lead(place)] = self._lead(differing[0])
        self._windows.append((differing[0], window))

    def flaws(self) -> list[Flaw]:
        parts: dict[Place, tuple[set[Place], set[Place]]] = {}
        for place in self._leader:
            parts.setdefault(self._lead(place), (set(), set()))[0].add(place)
        for place, window in self._windows:
            parts[self._lead(place)][1].update(window)
        return [Flaw(frozenset(differing), frozenset(decisive)) for differing, decisive in parts.values()]
