"""`.nin`, `.mk` and `.cwd`: the puzzle's sides, then a clue a line, the rows before the columns, and nothing else.

    .nin    3 2    width height    .mk    2 3    height width    .cwd    2    height
            1 1                           1 1                            3    width
            2                             2                              1 1
            2                             #                              2
            1                             2
            1                             1                              2
                                          1                              1
                                                                         1

`.nin` is the format of Jakub Wilk's nonogram solver, `.mk` the black and white one of Mirek and Petr Olšák's `grid` (text after
the `#` is ignored), `.cwd` that of QNonograms and Vladimir Sukhoy's solver, whose blank line stands after exactly `height` clues,
which catches sides in the wrong order. An empty clue is written `0`; a blank line among the clues is read as one too, as pbnsolve
does. There are no comments, titles or goals. Source: https://jwilk.net/software/nonogram, and the description of input formats
and the examples that come with Jan Wolter's pbnsolve.
"""

from __future__ import annotations

import re

from cnfgen_puzzles.families.cells import MOST_SIDE
from cnfgen_puzzles.families.nonogram.formats.clues import ClueLines, black_only, clue_text
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram

TWO_NUMBERS = re.compile(r"\s*[0-9]+[ \t]+[0-9]+[ \t]*(?:\n|\Z)")
ONE_NUMBER_TWICE = re.compile(r"\s*[0-9]+[ \t]*\n[ \t]*[0-9]+[ \t]*(?:\n|\Z)")
SEPARATOR = re.compile(r"^[ \t]*#", re.MULTILINE)


def is_nin(text: str) -> bool:
    """Whether the first line holds two numbers and no line is the `#` of `.mk`."""
    return TWO_NUMBERS.match(text) is not None and SEPARATOR.search(text) is None


def is_mk(text: str) -> bool:
    """Whether the first line holds two numbers and some line begins with `#`."""
    return TWO_NUMBERS.match(text) is not None and SEPARATOR.search(text) is not None


def is_cwd(text: str) -> bool:
    """Whether each of the first two lines holds one number."""
    return ONE_NUMBER_TWICE.match(text) is not None


def read_nin(text: str, source: str) -> Nonogram:
    """The puzzle; raises InputError."""
    lines = ClueLines(text, source, "a .nin puzzle that begins with width and height")
    start = lines.skip_blank()
    width, height = lines.sides(start, "width", "height", most=MOST_SIDE)
    found = _clue_lines(lines, start + 1, lines.end_of_text(), height + width, f"{height} row and {width} column clues")
    return Nonogram(lines.clues(found[:height], "row"), lines.clues(found[height:], "column"))


def read_mk(text: str, source: str) -> Nonogram:
    """The puzzle; raises InputError."""
    lines = ClueLines(text, source, "a .mk puzzle that begins with height and width")
    start = lines.skip_blank()
    height, width = lines.sides(start, "height", "width", most=MOST_SIDE)
    end = lines.end_of_text()
    middle, *others = [index for index in lines.filled(start + 1, end) if lines[index].lstrip()[0] == "#"] or [end]
    if middle == end:
        raise lines.error(end - 1, "found the end of the file, expected a line '#' between row and column clues")
    if others:
        found = f"found {lines.shown(others[0])} again (first on line {middle + 1})"
        raise lines.error(others[0], f"{found}, expected one '#' line")
    rows = _clue_lines(lines, start + 1, middle, height, f"{height} row clues before the '#'")
    columns = _clue_lines(lines, middle + 1, end, width, f"{width} column clues after the '#'")
    return Nonogram(lines.clues(rows, "row"), lines.clues(columns, "column"))


def _clue_lines(lines: ClueLines, start: int, end: int, count: int, wanted: str) -> list[int]:
    """The indices of the `count` clue lines between two indices.

    If `count` lines hold something, blank ones are ornament; otherwise a blank line is an empty clue.
    """
    filled = lines.filled(start, end)
    if len(filled) == count:
        return filled
    if end - start == count:
        return list(range(start, end))
    blank = end - start - len(filled)
    found = f"found {len(filled)} lines of clues" + (f" and {blank} blank lines" if blank else "")
    expected = f"expected {wanted} (an empty clue is written 0)"
    if len(filled) > count:
        raise lines.error(filled[count], f"{found}, {expected}: this one is too many")
    raise lines.error(max(end - 1, start - 1), f"{found}, {expected}")


def read_cwd(text: str, source: str) -> Nonogram:
    """The puzzle; raises InputError."""
    lines = ClueLines(text, source, "a .cwd puzzle that begins with its height")
    start = lines.skip_blank()
    (height,) = lines.sides(start, "height", most=MOST_SIDE)
    (width,) = lines.sides(start + 1, "width", most=MOST_SIDE)
    end = lines.end_of_text()
    rows = range(start + 2, start + 2 + height)
    columns = range(rows.stop + 1, rows.stop + 1 + width)
    if end < rows.stop:
        raise lines.error(end - 1, f"found {max(end - rows.start, 0)} row clues, expected {height} and then {width} column clues")
    clues = lines.clues(rows, "row")
    if end == rows.stop:
        raise lines.error(end - 1, f"found the end of the file, expected a blank line and {width} column clues")
    if lines[rows.stop].strip():
        raise lines.error(rows.stop, f"found {lines.shown(rows.stop)}, expected a blank line after the {height} row clues")
    if end < columns.stop:
        raise lines.error(end - 1, f"found {max(end - columns.start, 0)} column clues, expected {width}")
    if end > columns.stop:
        extra = lines.skip_blank(columns.stop)
        raise lines.error(extra, f"found {lines.shown(extra)}, expected nothing after the {width} column clues")
    return Nonogram(clues, lines.clues(columns, "column"))


def write(puzzle: Nonogram, format: str, sides: str, *between: str) -> str:
    """The puzzle without its title and goal: `sides` such as `{width} {height}`, the rows, what is `between`, the columns.
    InputError for one in several colours."""
    black_only(puzzle, format)
    head = sides.format(width=puzzle.width, height=puzzle.height)
    return "\n".join([head, *map(clue_text, puzzle.rows), *between, *map(clue_text, puzzle.columns), ""])
