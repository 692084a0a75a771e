"""`.g`, the coloured format of Mirek and Petr Olšák's `grid`: the colours, the rows, the columns, each under a line of its own.

    A corner
    #d
       0:.  #ffffff  white      the background
       r:r  #ff0000  red        a letter in clues, a sign for printing, a value or a name, and a remark: the name of a value
       1:*  black               the colour of numbers without a letter
    : rows
    1r 1
    2r
    : columns
    2r
    1r
    1
    : end

What stands before the first line that begins with `#` or `:` is a remark. Without `#d` the puzzle is black on white, and where no
line begins with `0` the background is white. How many rows and columns there are is not said, so a blank line is an empty clue,
as is a `0`; that blank line is what is written. Triddlers (`#t`, which `families/triddler` reads) and blocks with triangular ends
are refused.
Source: the remarks in the examples that come with `grid` and with Jan Wolter's pbnsolve, and that program's manual.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from itertools import islice

from cnfgen_puzzles.common.errors import InputError, InputWarning
from cnfgen_puzzles.families.cells import MOST_SIDE
from cnfgen_puzzles.families.nonogram.formats.clues import ClueLines, ColouredClue, lettered_clues
from cnfgen_puzzles.families.nonogram.palette import BLACK, WHITE, Palette, letters_of, told_alike, value_of
from cnfgen_puzzles.families.nonogram.puzzle import Colour, Nonogram
from cnfgen_puzzles.families.textlines import shown

ROWS, COLUMNS = (re.compile(rf"^:[ \t]*{word}\b", re.MULTILINE | re.IGNORECASE) for word in ("rows", "columns"))
HEAD, DIGIT = re.compile("^:.*", re.MULTILINE), re.compile("[0-9]")
DECLARED = re.compile(r"\s*(\S)\s*:(.)\s*(\S+)(.*)", re.DOTALL)


def recognise(text: str) -> bool:
    """Whether two lines begin with a colon, with clues between them: what follows a colon is a remark, in any language."""
    heads = [head.span() for head in islice(HEAD.finditer(text), 2)]
    clues = text[heads[0][1] : heads[1][0]].split() if len(heads) == 2 else []
    return claims(text) or (bool(clues) and all(DIGIT.search(word) for word in clues))


def claims(text: str) -> bool:
    """Whether a line begins with `: rows` and another with `: columns`."""
    return ROWS.search(text) is not None and COLUMNS.search(text) is not None


def read(text: str, source: str) -> Nonogram:
    """The puzzle; raises InputError."""
    lines = ClueLines(text, source, "a .g puzzle with the lines ': rows' and ': columns'")
    heads = [index for index, line in enumerate(lines.lines) if line.startswith((":", "#"))]
    colours = next((index for index in heads if lines[index][:2].lower() == "#d"), None)
    for index in heads:
        if lines[index][:2].lower() == "#t":
            raise lines.error(index, "found a triddler, expected a puzzle of rows and columns (the family triddler has those)")
    starts = [index for index in heads if lines[index][0] == ":"]
    if len(starts) < 2:
        raise lines.error(len(lines) - 1, f"found {len(starts)} lines that begin with a colon, expected ': rows' and ': columns'")
    palette, background = read_palette(lines, colours, starts[0])
    ends = (starts[1], starts[2] if len(starts) > 2 else lines.end_of_text())
    swapped = bool(COLUMNS.match(lines[starts[0]]) and ROWS.match(lines[starts[1]]))
    kinds = ("column", "row") if swapped else ("row", "column")
    found = {kind: _clues(lines, start + 1, end, kind, palette) for kind, start, end in zip(kinds, starts, ends, strict=False)}
    rows, columns = found["row"], found["column"]
    told = palette.colours(*background)
    puzzle = Nonogram(
        tuple(clue for clue, _ in rows), tuple(clue for clue, _ in columns), colours=told,
        row_colours=tuple(inks for _, inks in rows), column_colours=tuple(inks for _, inks in columns),
    )  # fmt: skip
    return told_alike(puzzle, source)


def read_palette(lines: ClueLines, start: int | None, end: int, unused: str = "") -> tuple[Palette, tuple[str, str]]:
    """The colours that are declared after the line `start` (None: black on white), and value and name of the background. The
    keys `unused` are of colours that nothing of the puzzle has."""
    palette, background = Palette(), (WHITE.value, WHITE.name)
    if start is None or start > end:
        palette.add("", BLACK.name, BLACK.value, BLACK.sign)
        return palette, background
    seen: dict[str, int] = {}
    for index in lines.filled(start + 1, end):
        found = DECLARED.match(lines[index])
        if found is None or (found[1].isdigit() and found[1] not in "01" + unused) or found[1] == ",":
            raise lines.error(index, f"found {lines.shown(index)}, expected a colour such as 'r:r  #ff0000'")
        key, value, remark = found[1], found[3], " ".join(found[4].split())
        if key in unused:
            continue
        if key in seen:
            raise lines.error(index, f"found the colour {key!r} again (first on line {seen[key] + 1}), expected it once")
        seen[key] = index
        if "/" in value or "\\" in value:
            raise lines.error(index, f"found a triangle ({shown(value)}), expected colours of whole cells")
        name = remark if value.startswith("#") else value
        try:
            told = value_of(value, lambda message, index=index: lines.error(index, message))  # type: ignore[misc]
        except InputError as error:
            if value.startswith("#") or not value.isalnum():
                raise
            warnings.warn(InputWarning(f"{error.message}; it gets another", source=lines.source, line=index + 1), stacklevel=2)
            told = None
        if key == "0":
            background = (told or WHITE.value, name)
        else:
            palette.add("" if key == "1" else key, name, told, key if key.isalpha() else "")
    if not palette.entries:
        raise lines.error(start, "found no colours after '#d', expected one beside the background")
    return palette, background


def _clues(lines: ClueLines, start: int, end: int, kind: str, palette: Palette) -> tuple[ColouredClue, ...]:
    found = lines.coloured_clues(range(start, end), kind, palette.number)
    if not 1 <= len(found) <= MOST_SIDE:
        raise lines.error(
            start - 1, f"found {len(found)} clues of {kind}s after {lines.shown(start - 1)}, expected 1 to {MOST_SIDE}"
        )
    return found


def write(puzzle: Nonogram) -> str:
    """The puzzle without its title and goal."""
    lines = palette_lines(puzzle.colours)
    for kind in ("row", "column"):
        lines += [f": {kind}s", *(clue.removeprefix("0") for clue in lettered_clues(puzzle, kind, " "))]
    return "\n".join([*lines, ": end", ""])


def palette_lines(colours: Sequence[Colour]) -> list[str]:
    """The lines that declare the colours, the background first; none for black on white."""
    if not colours:
        return []
    paper, *inks = colours
    told = [f"   {key}:{key}  {ink.value}  {ink.name}" for key, ink in zip(letters_of(inks), inks, strict=True)]
    return ["#d", f"   0:{WHITE.sign}  {paper.value}  {paper.name}", *told]
