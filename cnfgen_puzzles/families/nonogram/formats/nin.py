"""`.nin`, the format of Jakub Wilk's nonogram solver: width and height, then the row clues, then the column clues.

    3 2
    1 1
    2
    2
    1
    1

Source: https://jwilk.net/software/nonogram and the description of input formats that comes with Jan Wolter's pbnsolve.
An empty clue is written `0`; a blank line among the clues is read as one too, as pbnsolve does. There are no comments.
"""

from __future__ import annotations

import re

from cnfgen_puzzles.families.nonogram.formats.clues import Lines, clue_lines, clue_text
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram

TWO_NUMBERS = re.compile(r"\s*[0-9]+[ \t]+[0-9]+[ \t]*(?:\n|\Z)")
"""The first line that `.nin` and `.mk` have in common (in the opposite order)."""

SEPARATOR = re.compile(r"^[ \t]*#", re.MULTILINE)
"""The line that only `.mk` has."""


def recognise(text: str) -> bool:
    """Whether the first line holds two numbers and no line is the `#` of `.mk`."""
    return TWO_NUMBERS.match(text) is not None and SEPARATOR.search(text) is None


def read(text: str, source_name: str) -> Nonogram:
    """The puzzle; raises InputError."""
    lines = Lines(text, source_name, "a .nin puzzle that begins with width and height")
    start = lines.skip_blank()
    width, height = lines.sides(start, "width", "height")
    indices = clue_lines(lines, start + 1, lines.end_of_text(), height + width, f"{height} row and {width} column clues")
    return Nonogram(
        lines.clues(indices[:height], "row"),
        lines.clues(indices[height:], "column"),
    )


def write(puzzle: Nonogram) -> str:
    """The puzzle as `.nin`, which has no place for its title or goal."""
    return "\n".join([f"{puzzle.width} {puzzle.height}", *map(clue_text, puzzle.rows + puzzle.columns), ""])
