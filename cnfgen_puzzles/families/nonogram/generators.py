"""Nonograms made at random: the clues of a random picture, so that each has a solution.

`random` fills each cell with the same probability. `blobs` fills what a random landscape has above a level: filled and empty
cells stick together, as in pictures that people draw, and lines have few long blocks. With several colours, `random` gives each
filled cell any of them, `blobs` each a band of heights of a second landscape, so that colours stick together too. The hard ones
are in `textures.py`.
"""

from __future__ import annotations

from dataclasses import replace

from cnfgen_puzzles.common.seededchoice import SeededChoice
from cnfgen_puzzles.families.family import Generator, by_name
from cnfgen_puzzles.families.nonogram.landscapes import COLOURS, DENSITY, SMOOTH, colours_told, landscape, sides, titled
from cnfgen_puzzles.families.nonogram.puzzle import Board, Nonogram
from cnfgen_puzzles.families.nonogram.textures import DOMINOES, TEXTURE, dominoes, how_many, texture, textured
from cnfgen_puzzles.families.options import Option

OPTIONS = (Option("size", "width x height, or the side of a square", "20"), DENSITY, COLOURS)


def noise(seed: int, size: str = "20", density: int = 50, colours: int = 1) -> Nonogram:
    """Every cell is filled with the same probability, by each colour with the same."""
    width, height = sides(size)
    choice = SeededChoice("nonogram random", seed)
    board: Board = tuple(tuple(choice.random() * 100 < density for _ in range(width)) for _ in range(height))
    if colours > 1:
        board = tuple(tuple(1 + choice.below(colours) if cell else 0 for cell in row) for row in board)
    return titled(board, f"random {width}x{height}, {density} %,{colours_told(colours)} seed {seed}", colours)


def blobs(seed: int, size: str = "20", density: int = 50, colours: int = 1, smooth: int = 3) -> Nonogram:
    """The highest cells of a random landscape, `density` percent of them; heights are smoothed by their neighbours'. Colours are
    the heights of a second one: as many cells of each."""
    width, height = sides(size, smooth=smooth)
    choice = SeededChoice("nonogram blobs", seed)
    land = landscape(choice, width, height, smooth)
    cells = sorted((-land[y][x], y, x) for y in range(height) for x in range(width))
    filled = {(y, x) for _, y, x in cells[: len(cells) * density // 100]}
    board: Board = tuple(tuple((y, x) in filled for x in range(width)) for y in range(height))
    if colours > 1:
        land = landscape(choice, width, height, smooth)
        ranked = sorted(filled, key=lambda cell: (land[cell[0]][cell[1]], cell))
        ink = {cell: 1 + place * colours // len(ranked) for place, cell in enumerate(ranked)}
        board = tuple(tuple(ink.get((y, x), 0) for x in range(width)) for y in range(height))
    return titled(board, f"blobs {width}x{height}, {density} %,{colours_told(colours)} smooth {smooth}, seed {seed}", colours)


DRAWN = by_name(
    Generator("random", "the clues of a picture of noise", noise, OPTIONS, sides, "SATISFIABLE"),
    Generator("blobs", "the clues of a picture of blobs", blobs, (*OPTIONS, SMOOTH), sides, "SATISFIABLE"),
    Generator(
        "texture",
        "the clues of dots, lines, small letters: mostly hard, with very many solutions",
        texture,
        TEXTURE,
        textured,
        "SATISFIABLE",
    ),
)
"""Generators whose puzzles have their picture as the goal."""


def _without_picture(generator: Generator) -> Generator:
    return replace(generator, make=lambda seed, **options: replace(generator.make(seed, **options), goal=None))


GENERATORS = by_name(
    *map(_without_picture, DRAWN.values()),
    Generator(
        "ndom",
        "the survey's n-Dom, n = --size: one solution, and nothing for line logic",
        dominoes,
        DOMINOES,
        how_many,
        "SATISFIABLE",
    ),
)
