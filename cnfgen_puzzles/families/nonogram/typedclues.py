"""Nonogram clues as people type them: one clue per line, without a header.

    3,1        rows:
    2          3 1
    1          2
               1
    2          columns:
    2          2
    1          2
    1          ...

The rows come first, then one blank line, then the columns. Headings such as `rows` and `Columns:` may replace the blank line.
Then blank lines beside headings have no effect, and the columns may come first. Blanks, commas, semicolons, or hyphens separate
the numbers of a clue; `0`, `-`, or `empty` is the clue of an empty line. A blank line is never a clue; a file in which it could
be one is refused.

A file that begins with one or two numbers can also be a `.nin`, `.mk`, or `.cwd` file with a header. It is read as clues only if
they do not contradict each other by their sums or lengths. At most one reading has no such contradiction: a header `W H` of W + H
clues is too long for a row, and the numbers of a `.cwd` header change the sum of the rows. A suffix `.cwd` decides against that.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from itertools import groupby, pairwise

from cnfgen_puzzles.common.errors import InputError, InputWarning
from cnfgen_puzzles.common.lazy import regex
from cnfgen_puzzles.families.cells import MOST_SIDE
from cnfgen_puzzles.families.clued.clues import MAX_CLUE_TEXT, MAX_LINES, Lines
from cnfgen_puzzles.families.clued.palette import clue_texts
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram, puzzle_of

HEADING = regex(r"[#\[(*=_\s-]*(row|col|column)s?(?:\s+clues?)?\s*[\])*=_:.\s-]*", re.IGNORECASE)
HEADED_LINE = regex(r"\s*(?:row|col|column)s?\s*(?:clues?\s*)?:\s*[0-9\[(].*", re.IGNORECASE)
BETWEEN = r"\s*[,;]\s*|\s+[-–]\s+|(?<=[0-9])[-–](?=[0-9])|\s+"
CLUE = regex(rf"\s*(?:empty|[-–—]|[0-9]+(?:(?:{BETWEEN})[0-9]+)*)\s*", re.IGNORECASE)
SIZED = regex(r"\s*[0-9]+\s+[0-9]+[ \t]*(?:\n|\Z)")
"""The header of `.nin`, `.mk`, and `.cwd`: two numbers on one line, or on a line each."""
LAYOUT = "expected the row clues, one blank line, and the column clues, or the headings 'rows' and 'columns' above them"
ZERO = "write 0 for an empty line"


def is_clues(text: str) -> bool:
    """Whether the text consists of clues without a header, and nothing else."""
    if text.count("\n") > MAX_LINES:
        return False
    lines = text.strip("\n").split("\n")
    first = next((line for line in lines if line.strip()), "")[:MAX_CLUE_TEXT]
    if HEADED_LINE.fullmatch(first):
        return True  # `read` says how to write it
    if HEADING.fullmatch(first):
        found = {_kind(line) for line in lines} - {""}
        return len(found) == 2 and not re.search(r"^\s*(?:width|height)\b", text, re.MULTILINE | re.IGNORECASE)
    if not CLUE.fullmatch(first) or len(blocks := _blocks(lines)) != 2:
        return False
    if not all(len(lines[index]) <= MAX_CLUE_TEXT and CLUE.fullmatch(lines[index]) for block in blocks for index in block):
        return False
    if not SIZED.match(text):
        return True
    try:
        return not _puzzle(_lines(text, "", ""), *blocks).contradictions()
    except InputError:
        return False


def fits_cwd(text: str) -> bool:
    """Whether a text of clues has as many lines as a `.cwd` header at its start says."""
    lines = text.strip("\n").split("\n")
    blocks = _blocks(lines)
    if len(blocks) != 2 or blocks[0][-1] + 2 != blocks[1][0]:
        return False
    height, width = (lines[index].strip() for index in (0, 1))
    return height.isdigit() and width.isdigit() and [int(height) + 2, int(width)] == [*map(len, blocks)]


def read(text: str, source: str) -> Nonogram:
    """The puzzle; raises InputError."""
    lines = _lines(text, source, "the clues of a nonogram")
    if (index := next((n for n, line in enumerate(lines) if HEADED_LINE.fullmatch(line[:MAX_CLUE_TEXT])), None)) is not None:
        raise lines.error(
            index, f"found {lines.quote(index)}, expected the heading on its own line and one clue per line below it"
        )
    rows, columns = _headed(lines) if any(map(_kind, lines)) else _unheaded(lines)
    puzzle = _puzzle(lines, rows, columns)
    if found := puzzle.contradictions():
        message = f"{found[0]}: check the clues (rows come first)"
        warnings.warn(InputWarning(message, source=source, line=rows[0] + 1), stacklevel=2)
    return puzzle


def write(puzzle: Nonogram) -> str:
    """The clues with headings; InputError for a puzzle in several colors."""
    rows, columns = black_texts(puzzle, "clues have")
    return "\n".join(["rows", *rows, "", "columns", *columns, ""])


def black_texts(puzzle: Nonogram, files_have: str) -> tuple[list[str], list[str]]:
    """The clues of the rows and of the columns for files without colors; InputError for a puzzle in several colors."""
    if puzzle.row_colors or puzzle.column_colors:
        found = f"found blocks of {puzzle.inks} colors, expected black ones"
        raise InputError(f"{found}: {files_have} no colors; use webpbn, non, or g")
    return clue_texts(puzzle.lines("row"), ()), clue_texts(puzzle.lines("column"), ())


def _lines(text: str, source: str, expected: str) -> Lines:
    """The lines, with 0 for a line that says that it is empty."""
    lines = Lines(text, source, expected)
    for index in lines.filled:
        if lines[index].strip().lower() in ("-", "–", "—", "empty"):
            lines[index] = "0"
    return lines


def _kind(line: str) -> str:
    """The kind of lines that a heading announces; empty for other lines."""
    found = HEADING.fullmatch(line) if len(line) < 100 else None
    return "" if found is None else "row" if found[1].lower() == "row" else "column"


def _blocks(lines: Sequence[str]) -> list[list[int]]:
    """The indices of the lines between blank lines."""
    runs = groupby(enumerate(lines), lambda each: bool(each[1].strip()))
    return [[index for index, _ in run] for filled, run in runs if filled]


def _headed(lines: Lines) -> tuple[list[int], list[int]]:
    """The indices of row and column clues below headings."""
    heads = {index: kind for index, line in enumerate(lines) if (kind := _kind(line))}
    first = min(heads)
    if (start := lines.filled[0]) != first:
        raise lines.error(start, f"found {lines.quote(start)} above the first heading, {LAYOUT}")
    if sorted(heads.values()) != ["column", "row"]:
        listed = ", ".join(f"{kind}s" for kind in heads.values())
        raise lines.error(max(heads), f"found the headings {listed}, expected 'rows' and 'columns', each once")
    found = {}
    for start, end in pairwise([*heads, len(lines)]):
        filled = lines.find_filled(start + 1, end)
        if not filled:
            raise lines.error(start, f"found no clues below {lines.quote(start)}, expected one per line ({ZERO})")
        for one, other in pairwise(filled):
            if other > one + 1:
                raise lines.error(
                    one + 1, f"found a blank line among the {heads[start]} clues, expected none: {ZERO}, or delete it"
                )
        found[heads[start]] = filled
    return found["row"], found["column"]


def _unheaded(lines: Lines) -> tuple[list[int], list[int]]:
    """The indices of row and column clues around a blank line."""
    lines.clues(lines.filled, "line", between=BETWEEN)  # first the lines that are no clues
    blocks = _blocks(lines)
    if len(blocks) == 1:
        raise lines.error(blocks[0][-1], f"found {len(blocks[0])} clues without a blank line between them, {LAYOUT}")
    if len(blocks) > 2:
        raise lines.error(
            blocks[2][0] - 1, f"found {len(blocks)} groups of clues with blank lines between them, {LAYOUT} ({ZERO})"
        )
    rows, columns = blocks
    if columns[0] > rows[-1] + 2:
        raise lines.error(rows[-1] + 2, f"found {columns[0] - rows[-1] - 1} blank lines, expected one: {ZERO}, or delete one")
    return rows, columns


def _puzzle(lines: Lines, rows: Sequence[int], columns: Sequence[int]) -> Nonogram:
    for kind, indices in (("rows", rows), ("columns", columns)):
        if len(indices) > MOST_SIDE:
            raise lines.error(indices[0], f"found {len(indices)} {kind}, expected at most {MOST_SIDE}")
    return puzzle_of(lines.clues(rows, "row", between=BETWEEN), lines.clues(columns, "column", between=BETWEEN), ())
