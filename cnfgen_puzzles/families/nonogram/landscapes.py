"""What generators of nonograms, and of triddlers, share: options, sides within limits, random heights, a picture's puzzle."""

from __future__ import annotations

from dataclasses import replace

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.inputlimits import checked_amount, shortened
from cnfgen_puzzles.common.seededchoice import SeededChoice
from cnfgen_puzzles.families.nonogram.palette import INKS, WHITE
from cnfgen_puzzles.families.nonogram.puzzle import Board, Colour, Nonogram, clues_of
from cnfgen_puzzles.families.options import Option, two_sides

MOST_CELLS = 1_000_000
DENSITY = Option("density", "filled cells in percent", 50, int, least=0, most=100)
COLOURS = Option("colours", "colours of filled cells; 1: black", 1, int, least=1, most=len(INKS))
SMOOTH = Option("smooth", "how often the landscape is smoothed: more make larger blobs", 3, int, least=0, most=100)


def landscape(choice: SeededChoice, width: int, height: int, smooth: int) -> list[list[int]]:
    """Random heights, smoothed so often; whole numbers, equal on every machine."""
    land = [[choice.below(1 << 20) for _ in range(width)] for _ in range(height)]
    for _ in range(smooth):
        land = _smoothed(land)
    return land


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


def titled(board: Board, title: str, colours: int = 1) -> Nonogram:
    """The puzzle with its picture, in so many colours, which nobody chose: for who makes puzzles of pictures. As a random puzzle
    it goes without the picture."""
    return replace(clues_of(board, palette_of(colours)), about={"title": title})


def palette_of(colours: int) -> tuple[Colour, ...]:
    """White and so many colours; none for black and white."""
    return (WHITE, *INKS[:colours]) if colours > 1 else ()


def colours_told(colours: int) -> str:
    """Of several colours, how many: for titles."""
    return f" {colours} colours," if colours > 1 else ""
