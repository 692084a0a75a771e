"""`.mk`, the black and white format of Mirek and Petr Olšák's `grid`: height and width, rows, `#`, columns.

    2 3
    1 1
    2
    #
    2
    1
    1

Source: the description of input formats that comes with Jan Wolter's pbnsolve, and that program's examples. An empty
clue is written `0`; a blank line among the clues is read as one too, as pbnsolve does. Text after the `#` is ignored.
"""

from __future__ import annotations

from cnfgen_puzzles.families.nonogram.formats.clues import Lines, clue_lines, clue_text, shown
from cnfgen_puzzles.families.nonogram.formats.nin import SEPARATOR, TWO_NUMBERS
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram


def recognise(text: str) -> bool:
    """Whether the first line holds two numbers and some line begins with `#`."""
    return TWO_NUMBERS.match(text) is not None and SEPARATOR.search(text) is not None


def read(text: str, source_name: str) -> Nonogram:
    """The puzzle; raises InputError."""
    lines = Lines(text, source_name, "a .mk puzzle that begins with height and width")
    start = lines.skip_blank()
    height, width = lines.sides(start, "height", "width")
    end = lines.end_of_text()
    separators = [index for index in range(start + 1, end) if lines[index].lstrip().startswith("#")]
    if not separators:
        raise lines.error(end - 1, "found the end of the file, expected a line '#' between row and column clues")
    if len(separators) > 1:
        first, second = separators[:2]
        raise lines.error(
            second, f"found {shown(lines[second].strip())} again (first on line {first + 1}), expected one '#' line"
        )
    middle = separators[0]
    rows = clue_lines(lines, start + 1, middle, height, f"{height} row clues before the '#'")
    columns = clue_lines(lines, middle + 1, end, width, f"{width} column clues after the '#'")
    return Nonogram(lines.clues(rows, "row"), lines.clues(columns, "column"))


def write(puzzle: Nonogram) -> str:
    """The puzzle as `.mk`, which has no place for its title or goal."""
    rows, columns = (list(map(clue_text, clues)) for clues in (puzzle.rows, puzzle.columns))
    return "\n".join([f"{puzzle.height} {puzzle.width}", *rows, "#", *columns, ""])
