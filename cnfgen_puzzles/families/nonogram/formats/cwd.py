"""`.cwd`, the format of QNonograms and of Vladimir Sukhoy's solver: height, width, rows, a blank line, columns.

    2
    3
    1 1
    2

    2
    1
    1

Source: the description of input formats that comes with Jan Wolter's pbnsolve. An empty clue is written `0`. The blank
line stands after exactly `height` clues, which catches a height and width in the wrong order. There are no comments.
"""

from __future__ import annotations

import re

from cnfgen_puzzles.families.nonogram.formats.clues import Lines, clue_text, shown
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram

ONE_NUMBER_TWICE = re.compile(r"\s*[0-9]+[ \t]*\n[ \t]*[0-9]+[ \t]*(?:\n|\Z)")


def recognise(text: str) -> bool:
    """Whether each of the first two lines holds one number."""
    return ONE_NUMBER_TWICE.match(text) is not None


def read(text: str, source_name: str) -> Nonogram:
    """The puzzle; raises InputError."""
    lines = Lines(text, source_name, "a .cwd puzzle that begins with its height")
    start = lines.skip_blank()
    (height,) = lines.sides(start, "height")
    (width,) = lines.sides(start + 1, "width")
    end = lines.end_of_text()
    rows = range(start + 2, start + 2 + height)
    columns = range(rows.stop + 1, rows.stop + 1 + width)
    if end < rows.stop:
        raise lines.error(end - 1, f"found {max(end - rows.start, 0)} row clues, expected {height} and then {width} column clues")
    clues = lines.clues(rows, "row")
    if end == rows.stop:
        raise lines.error(end - 1, f"found the end of the file, expected a blank line and {width} column clues")
    if lines[rows.stop].strip():
        found = shown(lines[rows.stop].strip())
        raise lines.error(rows.stop, f"found {found}, expected a blank line after the {height} row clues")
    if end < columns.stop:
        raise lines.error(end - 1, f"found {max(end - columns.start, 0)} column clues, expected {width}")
    if end > columns.stop:
        extra = lines.skip_blank(columns.stop)
        raise lines.error(extra, f"found {shown(lines[extra].strip())}, expected nothing after the {width} column clues")
    return Nonogram(clues, lines.clues(columns, "column"))


def write(puzzle: Nonogram) -> str:
    """The puzzle as `.cwd`, which has no place for its title or goal."""
    rows, columns = (list(map(clue_text, clues)) for clues in (puzzle.rows, puzzle.columns))
    return "\n".join([str(puzzle.height), str(puzzle.width), *rows, "", *columns, ""])
