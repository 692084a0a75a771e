"""Nonograms as URLs of puzz.link and files of pzpr: the numbers of a line are next to the board, flush with it.

A URL has those of the columns, then those of the rows, the nearest to the board first. There are places for the most blocks that
fit into a line. This module has the members of a `Genre` that `links/formats.py` needs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

from cnfgen_puzzles.families.clued.puzzle import Clue
from cnfgen_puzzles.families.links.pzpr import HEX, NONE, Codec, Reader, Size
from cnfgen_puzzles.families.links.pzprfile import SHADES, STATES, Answer, Section, Tokens
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram

Lines = tuple[Clue, ...]


def places(size: Size) -> tuple[int, int]:
    """The most blocks of a column, and of a row."""
    return (size.height + 1) // 2, (size.width + 1) // 2


def beside(known: Mapping[str, Any], size: Size) -> tuple[list[list[int]], list[list[int]]]:
    """The numbers in the places beside columns and rows, the nearest to the board last."""
    if known.get("row_colors") or known.get("column_colors"):
        raise ValueError(f"found blocks of {len(known['colors']) - 1} colors, expected black ones; use webpbn, non, or g")
    found: list[list[list[int]]] = []
    for name, most in zip(("columns", "rows"), places(size), strict=True):
        for number, clue in enumerate(known[name], start=1):
            if len(clue) > most:
                raise ValueError(f"found {len(clue)} blocks in number {number} of the {name}, expected at most {most}")
        found.append([[NONE] * (most - len(clue)) + [*clue] for clue in known[name]])
    return found[0], found[1]


def _read_body(reader: Reader, size: Size, known: dict[str, Any]) -> Lines:
    of_column, of_row = places(size)
    numbers = iter(HEX.take(reader, size.width * of_column + size.height * of_row))
    lines = [list(islice(numbers, most)) for most in [of_column] * size.width + [of_row] * size.height]
    clues = [tuple(number for number in reversed(line) if number != NONE) for line in lines]
    known["columns"] = tuple(clues[: size.width])
    return tuple(clues[size.width :])


def _read_section(rows: Tokens, size: Size, found: dict[str, Any]) -> None:
    of_column, of_row = places(size)
    sides = zip(*(row[of_row:] for row in rows[:of_column]), strict=True), (row[:of_row] for row in rows[of_column:])
    found["columns"], found["rows"] = (
        tuple(tuple(_number(token) for token in line if token != ".") for line in lines) for lines in sides
    )
    found["board"] = tuple(tuple(STATES.get(token) for token in row[of_row:]) for row in rows[of_column:])


def _number(token: str) -> int:
    """A number; a `c` before it says that the player is done with it."""
    digits = token.removeprefix("c")
    if not (digits.isascii() and digits.isdecimal()):
        raise ValueError(f"found {token!r} beside the board, expected a number")
    return int(digits)


def _write_section(found: dict[str, Any], size: Size) -> Tokens:
    columns, rows = beside(found, size)
    above = [[NONE] * places(size)[1] + [*line] for line in zip(*columns, strict=True)]
    beyond, beside_rows = (
        [["." if number == NONE else str(number) for number in line] for line in lines] for lines in (above, rows)
    )
    return beyond + [[*left, *shades] for left, shades in zip(beside_rows, SHADES.write(found, size), strict=True)]


def _widths(size: Size) -> list[int]:
    of_column, of_row = places(size)
    return [of_row + size.width] * (of_column + size.height)


def puzzle(height: int, width: int, rows: Lines, columns: Lines) -> Nonogram:
    return Nonogram(rows, columns)


def answer_of(puzzle: Nonogram) -> Answer:
    """The known cells, or else the first half-filled grid of the file that the puzzle comes from."""
    cells = puzzle.known or (*puzzle.saved, ())[0]
    return tuple((r, c, value) for r, row in enumerate(cells) for c, value in enumerate(row) if value is not None)


def with_saved(puzzle: Nonogram, answer: Answer) -> Nonogram:
    cells = {(r, c): value for r, c, value in answer}
    grid = tuple(tuple(cells.get((r, c)) for c in range(puzzle.width)) for r in range(puzzle.height))
    return replace(puzzle, saved=(grid,)) if answer else puzzle


name = "nonogram"
url = (
    Codec(
        "rows",
        _read_body,
        lambda rows, size, known: HEX.give([n for lines in beside(known, size) for line in lines for n in reversed(line)]),
        ("columns",),
    ),
)
file = (Section(_widths, _read_section, _write_section),)
styles, older, variants = ("",), (), dict[str, str]()
