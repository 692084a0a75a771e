"""Nonograms made at random: the clues of a random picture, so that each has a solution.

`random` fills each cell with the same probability. `blobs` fills what a random landscape has above a level: filled and empty
cells stick together, as in pictures that people draw, and lines have few long blocks.
"""

from __future__ import annotations

from cnfgen_puzzles.families.family import Generator, by_name
from cnfgen_puzzles.families.nonogram.puzzle import Board, Nonogram, clues_of
from cnfgen_puzzles.families.options import Option, two_sides
from cnfgen_puzzles.ground.errors import InputError
from cnfgen_puzzles.ground.inputlimits import checked_amount, shortened
from cnfgen_puzzles.ground.seededchoice import SeededChoice

MOST_CELLS = 1_000_000

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
    return _puzzle(board, f"random {width}x{height}, {density} %, seed {seed}")


def blobs(seed: int, size: str = "20", density: int = 50, smooth: int = 3) -> Nonogram:
    """The highest cells of a random landscape, `density` percent of them; heights are smoothed by their neighbours'."""
    width, height = sides(size, smooth=smooth)
    choice = SeededChoice("nonogram blobs", seed)
    land = [[choice.below(1 << 20) for _ in range(width)] for _ in range(height)]  # whole numbers: equal on every machine
    for _ in range(smooth):
        land = _smoothed(land)
    cells = sorted((-land[y][x], y, x) for y in range(height) for x in range(width))
    filled = {(y, x) for _, y, x in cells[: len(cells) * density // 100]}
    board = tuple(tuple((y, x) in filled for x in range(width)) for y in range(height))
    return _puzzle(board, f"blobs {width}x{height}, {density} %, smooth {smooth}, seed {seed}")


def _smoothed(land: list[list[int]]) -> list[list[int]]:
    """Each height becomes the mean of the 3 x 3 heights around it (of those that there are)."""
    height, width = len(land), len(land[0])
    made = []
    for y in range(height):
        rows = land[max(y - 1, 0) : y + 2]
        sums = [sum(column) for column in zip(*rows, strict=True)]
        made.append([sum(sums[max(x - 1, 0) : x + 2]) // (len(rows) * len(sums[max(x - 1, 0) : x + 2])) for x in range(width)])
    return made


def sides(size: str = "20", smooth: int = 0, **_: int) -> tuple[int, int]:
    """Width and height; InputError for too many cells, or none, and for more smoothing than the limit allows."""
    width, height = two_sides(size) or (0, 0)
    if not 0 < width * height <= MOST_CELLS:
        raise InputError(f"found the size {shortened(size)}, expected width x height such as 30x20, at most {MOST_CELLS} cells")
    steps = width * height * (1 + smooth)
    checked_amount("steps", steps, found=f"{width * height} cells, which {smooth} times smoothed take {steps} steps")
    return width, height


def _puzzle(board: Board, title: str) -> Nonogram:
    drawn = clues_of(board)
    return Nonogram(drawn.rows, drawn.columns, {"title": title})


GENERATORS = by_name(
    Generator("random", "the clues of a picture of noise", noise, OPTIONS, sides, "SATISFIABLE"),
    Generator("blobs", "the clues of a picture of blobs", blobs, (*OPTIONS, SMOOTH), sides, "SATISFIABLE"),
)
