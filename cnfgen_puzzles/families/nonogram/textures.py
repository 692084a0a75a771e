"""Pictures whose clues say little: dots, thin lines, repeated patterns, fractals, small letters. Most have very many solutions.

They are in the manner of five of the survey's puzzles that are hard for their size (webpbn 10088, 10810, 12548, 18297 and 22336),
at any size and by a seed; nothing of those puzzles is in here. For measuring solvers: docs/hardest.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cnfgen_puzzles.common.inputlimits import whole_number
from cnfgen_puzzles.common.seededchoice import SeededChoice
from cnfgen_puzzles.families.nonogram.landscapes import landscape, sides, titled
from cnfgen_puzzles.families.nonogram.puzzle import Clue, Nonogram
from cnfgen_puzzles.families.options import Option

Clues = tuple[Clue, ...]
Cell = Callable[[int, int], bool]
"""Whether the cell in column x and row y is filled."""

FONT = (
    0x69F99, 0xE9E9E, 0x78887, 0xE999E, 0xF8E8F, 0xF8E88, 0x78B97, 0x99F99, 0x72227, 0x11196, 0x9ACA9, 0x8888F, 0x9FF99,
    0x9DB99, 0x69996, 0xE9E88, 0x699B7, 0xE9EA9, 0x7861E, 0xF4444, 0x99996, 0x99966, 0x99FF9, 0x96669, 0x99722, 0xF124F,
)  # fmt: skip
"""The letters from A to Z, five rows of four columns: a hexadecimal digit a row."""


def texture(seed: int, size: str = "60", style: str = "halftone") -> Nonogram:
    """The clues of a picture in that style."""
    width, height = textured(size)
    cell = STYLES[style](SeededChoice(f"nonogram {style}", seed), width, height)
    board = tuple(tuple(cell(x, y) for x in range(width)) for y in range(height))
    return titled(board, f"{style} {width}x{height}, seed {seed}")


def textured(size: str = "60", **_: str) -> tuple[int, int]:
    """Width and height; InputError for what is too large."""
    return sides(size, smooth=SMOOTH)


# -- styles -------------------------------------------------------------------------------------------------------------

SMOOTH = 10
"""How often landscapes are smoothed."""


def halftone(choice: SeededChoice, width: int, height: int) -> Cell:
    """Dark regions, grey ones of single cells, and a few dots where it is light (10088)."""
    dark, grey = _levels(choice, width, height, (30, 65))
    dots = [[choice.random() * 100 for _ in range(width)] for _ in range(height)]
    return lambda x, y: dots[y][x] < (97 if dark(x, y) else 22 if grey(x, y) else 2)


def ornament(choice: SeededChoice, width: int, height: int) -> Cell:
    """Frames within frames, each filled by a pattern that repeats itself, alike from all sides (10810)."""
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
    """Pascal's triangle modulo two, each odd number a little tree, from a corner or from the middle (12548)."""
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
    """For each number: whether a cell is among so many percent of the highest of a smooth landscape."""
    land = landscape(choice, width, height, SMOOTH)
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
    Option("size", "width x height, or the side of a square", "60"),
    Option("style", "what the picture looks like", "halftone", choices=tuple(STYLES)),
)
DOMINOES = (Option("size", "number of dominoes", "9"),)
MOST_DOMINOES = 499
"""Of a million cells."""


# -- dominoes -----------------------------------------------------------------------------------------------------------


def dominoes(seed: int, size: str = "9") -> Nonogram:
    """The survey's n-Dom for n = `size`, of 2n+1 rows and columns; seeds turn it, 1 leaves it as it is.

    Line logic finds no cell of it. Its one solution is a row of falling dominoes: the columns' threes need every row, so that the
    last column's is at the top, and so on. After J. Greifer's "Domino Logic III" (webpbn 8098, which is n = 9) and
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
    """The number of dominoes; InputError for none, or too many."""
    return whole_number(size, "size", least=1, most=MOST_DOMINOES)
