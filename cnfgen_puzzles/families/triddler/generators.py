"""Random triddlers: the clues of a random picture, so each puzzle has a solution. As for nonograms, `random` fills each cell with
the same probability, and `blobs` fills the cells of a smooth random landscape above a level."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.inputlimits import checked_amount, shortened
from cnfgen_puzzles.common.seededchoice import SeededChoice
from cnfgen_puzzles.families.family import Generator, by_name
from cnfgen_puzzles.families.nonogram.generators import (
    COLORS,
    DENSITY,
    MOST_CELLS,
    SMOOTH,
    blob_inks,
    describe_colors,
    palette_of,
)
from cnfgen_puzzles.families.options import Option
from cnfgen_puzzles.families.triddler.puzzle import Cell, Hexagon, Triddler, clues_of

NUMBERS = re.compile(r"[0-9]{1,6}(?:[-,][0-9]{1,6}){0,5}")

OPTIONS = (Option("sides", "sides of the hexagon: one number, A-B-C-D (E = A+B-D, F = C+D-A), or all six", "6"), DENSITY, COLORS)


def hexagon_of(sides: str = "6", smooth: int = 0, **_: int) -> Hexagon:
    """The hexagon with these sides; InputError if there is none, for too many cells, and for more smoothing than the limit
    allows."""
    numbers = [int(number) for number in re.split("[-,]", sides.strip())] if NUMBERS.fullmatch(sides.strip()) else []
    if len(numbers) == 1:
        numbers *= 6
    elif len(numbers) == 4:
        a, b, c, d = numbers
        numbers += [a + b - d, c + d - a]
    if len(numbers) != 6:
        raise InputError(f"found the sides {shortened(sides)}, expected one number, four (A-B-C-D), or six, such as 5-4-6-3-6-4")
    try:
        hexagon = Hexagon(tuple(numbers))
    except ValueError as error:
        raise InputError(str(error)) from None
    if sum(hexagon.counts) > MOST_CELLS or hexagon.cells > MOST_CELLS:
        raise InputError(f"found the sides {shortened(sides)}, expected at most {MOST_CELLS} cells")
    checked_amount("steps", hexagon.cells * (1 + smooth), found=f"{hexagon.cells} cells with {smooth} smoothing passes")
    return hexagon


def noise(seed: int, sides: str = "6", density: int = 50, colors: int = 1) -> Triddler:
    """Every cell is filled with the same probability, and each color is equally likely."""
    hexagon, choice = hexagon_of(sides), SeededChoice("triddler random", seed)

    def ink(_: Cell) -> int:
        return 1 + choice.below(colors) if choice.random() * 100 < density else 0

    return _puzzle(hexagon, ink, f"random {sides}, {density} %,{describe_colors(colors)} seed {seed}", colors)


def blobs(seed: int, sides: str = "6", density: int = 50, colors: int = 1, smooth: int = 3) -> Triddler:
    """The highest cells of a random smoothed landscape."""
    hexagon, choice = hexagon_of(sides, smooth=smooth), SeededChoice("triddler blobs", seed)
    cells = [cell for line in hexagon.lines(0) for cell in line]
    inks = blob_inks(cells, lambda: _landscape(hexagon, choice, smooth).__getitem__, density, colors)
    title = f"blobs {sides}, {density} %,{describe_colors(colors)} smooth {smooth}, seed {seed}"
    return _puzzle(hexagon, lambda cell: inks.get(cell, 0), title, colors)


def _landscape(hexagon: Hexagon, choice: SeededChoice, smooth: int) -> dict[Cell, int]:
    """Random heights by cell; each smoothing pass replaces a height by the mean of the cell and its neighbors."""
    beside: defaultdict[Cell, set[Cell]] = defaultdict(set)
    for direction in range(3):
        for line in hexagon.lines(direction):
            for one, other in pairwise(line):
                beside[one].add(other)
                beside[other].add(one)
    land = {cell: choice.below(1 << 20) for line in hexagon.lines(0) for cell in line}
    for _ in range(smooth):
        land = {
            cell: (height + sum(land[near] for near in beside[cell])) // (1 + len(beside[cell])) for cell, height in land.items()
        }
    return land


def _puzzle(hexagon: Hexagon, ink: Callable[[Cell], int], title: str, colors: int) -> Triddler:
    """The puzzle of the picture with these inks, without the picture."""
    board = tuple(tuple(map(ink, line)) for line in hexagon.lines(0))
    puzzle = clues_of(hexagon, board, palette_of(colors))
    return replace(puzzle, about={"title": title}, goal=None)


GENERATORS = by_name(
    Generator("random", "clues of random noise", noise, OPTIONS, hexagon_of, "SATISFIABLE"),
    Generator("blobs", "clues of random blobs", blobs, (*OPTIONS, SMOOTH), hexagon_of, "SATISFIABLE"),
)
