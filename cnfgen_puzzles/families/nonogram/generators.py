"""Nonograms made at random: the clues of a random picture, so that each has a solution.

`random` fills each cell with the same probability. `blobs` fills what a random landscape has above a level: filled and empty
cells stick together, as in pictures that people draw, and lines have few long blocks. The hard ones are in `textures.py`.
"""

from __future__ import annotations

from cnfgen_puzzles.families.family import Generator, by_name
from cnfgen_puzzles.families.nonogram.landscapes import landscape, sides, titled
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram
from cnfgen_puzzles.families.nonogram.textures import DOMINOES, TEXTURE, dominoes, how_many, texture, textured
from cnfgen_puzzles.families.options import Option
from cnfgen_puzzles.ground.seededchoice import SeededChoice

OPTIONS = (
    Option("size", "width x height, or the side of a square", "20"),
    Option("density", "filled cells in percent", 50, int, least=0, most=100),
)
SMOOTH = Option("smooth", "how often the landscape is smoothed: more make larger blobs", 3, int, least=0, most=100)


def noise(seed: int, size: str = "20", density: int = 50) -> Nonogram:
    """Every cell is filled with the same probability."""
    width, height = sides(size)
    choice = SeededChoice("nonogram random", seed)
    board = tuple(tuple(choice.random() * 100 < density for _ in range(width)) for _ in range(height))
    return titled(board, f"random {width}x{height}, {density} %, seed {seed}")


def blobs(seed: int, size: str = "20", density: int = 50, smooth: int = 3) -> Nonogram:
    """The highest cells of a random landscape, `density` percent of them; heights are smoothed by their neighbours'."""
    width, height = sides(size, smooth=smooth)
    choice = SeededChoice("nonogram blobs", seed)
    land = landscape(choice, width, height, smooth)
    cells = sorted((-land[y][x], y, x) for y in range(height) for x in range(width))
    filled = {(y, x) for _, y, x in cells[: len(cells) * density // 100]}
    board = tuple(tuple((y, x) in filled for x in range(width)) for y in range(height))
    return titled(board, f"blobs {width}x{height}, {density} %, smooth {smooth}, seed {seed}")


GENERATORS = by_name(
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
    Generator(
        "ndom",
        "the survey's n-Dom, n = --size: one solution, and nothing for line logic",
        dominoes,
        DOMINOES,
        how_many,
        "SATISFIABLE",
    ),
)
