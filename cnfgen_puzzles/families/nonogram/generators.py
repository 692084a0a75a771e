"""Random nonograms: the clues of a random picture, so each puzzle has a solution.

`random` fills each cell with the same probability. `blobs` fills the cells of a random landscape above a level: filled and empty
cells form regions, as in drawn pictures, and lines have few long blocks. `texture` and `ndom` make hard puzzles for solver
benchmarks (docs/results/hardest.md): pictures with clues that determine little, in the style of five puzzles of the survey that
are hard for their size (webpbn 10088, 10810, 12548, 18297, and 22336; this package contains none of them).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import product

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.inputlimits import checked_amount, shortened, whole_number
from cnfgen_puzzles.common.seededchoice import SeededChoice
from cnfgen_puzzles.families.clued.palette import INKS, WHITE
from cnfgen_puzzles.families.clued.puzzle import Board, Clue, Color
from cnfgen_puzzles.families.family import Generator, by_name
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram, clues_of
from cnfgen_puzzles.families.options import SIZE_HELP, Option, read_size

# -- common -------------------------------------------------------------------------------------------------------------

MOST_CELLS = 1_000_000
DENSITY = Option("density", "percentage of filled cells", 50, int, least=0, most=100)
COLORS = Option("colors", "number of colors of filled cells; 1 means black", 1, int, least=1, most=len(INKS))
SMOOTH = Option("smooth", "number of smoothing passes; more passes make larger blobs", 3, int, least=0, most=100)


def landscape(choice: SeededChoice, width: int, height: int, smooth: int) -> list[list[int]]:
    """Random heights after `smooth` smoothing passes; whole numbers, equal on every machine."""
    land = [[choice.below(1 << 20) for _ in range(width)] for _ in range(height)]
    for _ in range(smooth):
        land = _smoothed(land)
    return land


def _smoothed(land: list[list[int]]) -> list[list[int]]:
    """The mean of the heights in the 3 x 3 square around each cell."""
    height, width = len(land), len(land[0])
    made = []
    for y in range(height):
        rows = land[max(y - 1, 0) : y + 2]
        sums = [sum(column) for column in zip(*rows, strict=True)]
        made.append([sum(sums[max(x - 1, 0) : x + 2]) // (len(rows) * len(sums[max(x - 1, 0) : x + 2])) for x in range(width)])
    return made


def sides(size: str = "20", smooth: int = 0, **_: int) -> tuple[int, int]:
    """Width and height; InputError for too many cells, and for more smoothing than the limit allows."""
    width, height = read_size(size, source=None)
    if width * height > MOST_CELLS:
        raise InputError(f"found the size {shortened(size)}, expected at most {MOST_CELLS:,} cells")
    steps = width * height * (1 + smooth)
    checked_amount("steps", steps, found=f"{width * height} cells with {smooth} smoothing passes, which take {steps} steps")
    return width, height


def make_of_picture(board: Board, title: str, colors: int = 1) -> Nonogram:
    """The puzzle with its picture, in the first `colors` default colors. Random puzzles do not contain the picture."""
    return replace(clues_of(board, palette_of(colors)), about={"title": title})


def palette_of(colors: int) -> tuple[Color, ...]:
    """White and the first `colors` inks; empty for black and white."""
    return (WHITE, *INKS[:colors]) if colors > 1 else ()


def describe_colors(colors: int) -> str:
    """The number of colors for titles, if there are several."""
    return f" {colors} colors," if colors > 1 else ""


Place = tuple[int, int]
"""Row of a cell, and its index in the row."""


def blob_inks(
    cells: Iterable[Place], landscape: Callable[[], Callable[[Place], int]], density: int, colors: int
) -> dict[Place, int]:
    """The inks of the highest cells of a landscape, `density` percent of the cells. The heights of a second landscape divide them
    equally among the colors."""
    height = landscape()
    ranked = sorted(cells, key=lambda cell: (-height(cell), cell))
    filled = ranked[: len(ranked) * density // 100]
    if colors > 1:
        height = landscape()
        filled.sort(key=lambda cell: (height(cell), cell))
    return {cell: 1 + rank * colors // len(filled) for rank, cell in enumerate(filled)}


# -- textures -----------------------------------------------------------------------------------------------------------

Clues = tuple[Clue, ...]
Cell = Callable[[int, int], bool]
"""Whether the cell in column x and row y is filled."""

FONT = (
    0x69F99, 0xE9E9E, 0x78887, 0xE999E, 0xF8E8F, 0xF8E88, 0x78B97, 0x99F99, 0x72227, 0x11196, 0x9ACA9, 0x8888F, 0x9FF99,
    0x9DB99, 0x69996, 0xE9E88, 0x699B7, 0xE9EA9, 0x7861E, 0xF4444, 0x99996, 0x99966, 0x99FF9, 0x96669, 0x99722, 0xF124F,
)  # fmt: skip
"""The letters from A to Z, with five rows of four columns: one hexadecimal digit per row."""


def texture_sides(size: str = "60", **_: str) -> tuple[int, int]:
    """Width and height; InputError for too large values."""
    return sides(size, smooth=SMOOTHED)


def texture(seed: int, size: str = "60", style: str = "halftone") -> Nonogram:
    """The clues of a picture in that style."""
    width, height = texture_sides(size)
    cell = STYLES[style](SeededChoice(f"nonogram {style}", seed), width, height)
    board = tuple(tuple(cell(x, y) for x in range(width)) for y in range(height))
    return make_of_picture(board, f"{style} {width}x{height}, seed {seed}")


# -- styles -------------------------------------------------------------------------------------------------------------

SMOOTHED = 10
"""The number of smoothing passes of landscapes."""


def halftone(choice: SeededChoice, width: int, height: int) -> Cell:
    """Dark regions, gray regions of single cells, and a few dots in light regions (10088)."""
    dark, grey = _levels(choice, width, height, (30, 65))
    dots = [[choice.random() * 100 for _ in range(width)] for _ in range(height)]
    return lambda x, y: dots[y][x] < (97 if dark(x, y) else 22 if grey(x, y) else 2)


def ornament(choice: SeededChoice, width: int, height: int) -> Cell:
    """Nested frames, each filled with a repeated pattern, symmetric (10810)."""
    period = 5
    patterns = [[[choice.random() < 0.45 for _ in range(period)] for _ in range(period)] for _ in range(4)]
    widths = [choice.below(6) + 2 for _ in range(width + height)]
    frame = [number for number, wide in enumerate(widths) for _ in range(wide)]

    def filled(x: int, y: int) -> bool:
        right, down = min(x, width - 1 - x), min(y, height - 1 - y)
        number = frame[min(right, down)]
        a, b = sorted((right % period, down % period))
        return number % 4 == 3 or patterns[number % 4][a][b]

    return filled


def fractal(choice: SeededChoice, width: int, height: int) -> Cell:
    """Pascal's triangle modulo two with a small tree for each odd number, from a corner or from the middle (12548)."""
    tree = ("#.#", ".#.", "###") if choice.below(2) else (".#.", "#.#", "###")
    shift, across, upwards = choice.below(4), choice.below(2), choice.below(2)

    def filled(x: int, y: int) -> bool:
        y = height - 1 - y if upwards else y
        row = y // 3 + shift
        place = x // 3 if across else x // 3 - width // 6 + row
        odd = place >= 0 and (place % 2 == 0 or bool(across)) and (place if across else place // 2) & ~row == 0
        return odd and tree[y % 3][x % 3] == "#"

    return filled


def outlines(choice: SeededChoice, width: int, height: int) -> Cell:
    """The borders between the levels of a smooth landscape (18297)."""
    levels = _levels(choice, width, height, (20, 40, 60, 80))

    def level(x: int, y: int) -> int:
        return sum(within(min(x, width - 1), min(y, height - 1)) for within in levels)

    return lambda x, y: level(x, y) != level(x + 1, y) or level(x, y) != level(x, y + 1)


def letters(choice: SeededChoice, width: int, height: int) -> Cell:
    """Lines of small letters (22336)."""
    text = [[choice.chosen([*FONT, *FONT, 0]) for _ in range(width // 5 + 1)] for _ in range(height // 6 + 1)]

    def filled(x: int, y: int) -> bool:
        within = x % 5 < 4 and y % 6 < 5
        return within and bool(text[y // 6][x // 5] >> (19 - 4 * (y % 6) - x % 5) & 1)

    return filled


def _levels(choice: SeededChoice, width: int, height: int, percents: tuple[int, ...]) -> list[Cell]:
    """For each number: whether a cell belongs to that percentage of the highest cells of a smooth landscape."""
    land = landscape(choice, width, height, SMOOTHED)
    order = sorted((-land[y][x], y, x) for y in range(height) for x in range(width))
    rank = {(x, y): number * 100 // len(order) for number, (_, y, x) in enumerate(order)}
    return [lambda x, y, percent=percent: rank[x, y] < percent for percent in percents]  # type: ignore[misc]


STYLES: Mapping[str, Callable[[SeededChoice, int, int], Cell]] = {
    "halftone": halftone,
    "ornament": ornament,
    "fractal": fractal,
    "outlines": outlines,
    "letters": letters,
}

TEXTURE = (
    Option("size", SIZE_HELP, "60"),
    Option("style", "style of the picture", "halftone", choices=tuple(STYLES)),
)
DOMINOES = (Option("size", "number of dominoes", "9"),)
MOST_DOMINOES = 499
"""The number of dominoes for about a million cells."""


# -- dominoes -----------------------------------------------------------------------------------------------------------


def dominoes(seed: int, size: str = "9") -> Nonogram:
    """The puzzle n-Dom of webpbn's survey for n = `size`, with 2n+1 rows and columns; seeds other than 1 rotate it.

    Line logic finds no cell. The only solution is a row of falling dominoes: the threes of the columns need every row, so the
    three of the last column is at the top, and so on. After J. Greifer's "Domino Logic III" (webpbn 8098, n = 9) and
    https://webpbn.com/survey/dom.html.

    >>> puzzle = dominoes(1, "2")
    >>> puzzle.rows, puzzle.columns
    (((3,), (1,), (3, 1), (1,), (1,)), ((1,), (1,), (1, 3), (1,), (3,)))
    """
    number = how_many(size)
    rows: Clues = ((3,), *[(1,), (3, 1)] * (number - 1), (1,), (1,))
    columns: Clues = ((1,), (1,), *[(1, 3), (1,)] * (number - 1), (3,))
    quarters = (seed - 1) % 4
    for _ in range(quarters):
        rows, columns = columns[::-1], tuple(clue[::-1] for clue in rows)
    turned = f", turned by {90 * quarters} degrees" if quarters else ""
    return Nonogram(rows, columns, {"title": f"{number}-Dom{turned}"})


def how_many(size: str = "9") -> int:
    """The number of dominoes; InputError if it is out of range."""
    return whole_number(size, "size", least=1, most=MOST_DOMINOES)


# -- generators ---------------------------------------------------------------------------------------------------------

OPTIONS = (Option("size", SIZE_HELP, "20"), DENSITY, COLORS)


def noise(seed: int, size: str = "20", density: int = 50, colors: int = 1) -> Nonogram:
    """Every cell is filled with the same probability, and each color is equally likely."""
    width, height = sides(size)
    choice = SeededChoice("nonogram random", seed)
    board: Board = tuple(tuple(choice.random() * 100 < density for _ in range(width)) for _ in range(height))
    if colors > 1:
        board = tuple(tuple(1 + choice.below(colors) if cell else 0 for cell in row) for row in board)
    return make_of_picture(board, f"random {width}x{height}, {density} %,{describe_colors(colors)} seed {seed}", colors)


def blobs(seed: int, size: str = "20", density: int = 50, colors: int = 1, smooth: int = 3) -> Nonogram:
    """The highest cells of a random smoothed landscape."""
    width, height = sides(size, smooth=smooth)
    choice = SeededChoice("nonogram blobs", seed)

    def heights() -> Callable[[Place], int]:
        land = landscape(choice, width, height, smooth)
        return lambda cell: land[cell[0]][cell[1]]

    inks = blob_inks(product(range(height), range(width)), heights, density, colors)
    board = tuple(tuple(inks.get((y, x), 0) for x in range(width)) for y in range(height))
    return make_of_picture(
        board, f"blobs {width}x{height}, {density} %,{describe_colors(colors)} smooth {smooth}, seed {seed}", colors
    )


DOTS = "clues of a picture of dots, lines, or small letters: mostly hard, with many solutions"
DRAWN = by_name(
    Generator("random", "clues of random noise", noise, OPTIONS, sides, "SATISFIABLE"),
    Generator("blobs", "clues of random blobs", blobs, (*OPTIONS, SMOOTH), sides, "SATISFIABLE"),
    Generator("texture", DOTS, texture, TEXTURE, texture_sides, "SATISFIABLE"),
)
"""Generators whose puzzles have their picture as the goal."""


def _without_picture(generator: Generator) -> Generator:
    return generator._replace(make=lambda seed, **options: replace(generator.make(seed, **options), goal=None))


NDOM = "the n-Dom puzzle of webpbn's survey, n = --size: one solution, and no cell that line logic finds"
GENERATORS = by_name(*map(_without_picture, DRAWN.values()), Generator("ndom", NDOM, dominoes, DOMINOES, how_many, "SATISFIABLE"))
