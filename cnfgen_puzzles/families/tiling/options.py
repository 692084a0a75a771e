"""Puzzles without a file: a board and pieces as options of the command line and the library (docs/reference/formats-tiling.md).

`--pieces` is a list, separated by commas, of sets, pieces, and drawings (`pieces.py`), each with an optional `: COUNT` after it
or `COUNT*` before it (`texts.py`); by default each is used once. A drawing can have a name: `L: X./XX`. `--groups` bounds how
many pieces are used together (`texts.py`); each of them is then used at most once, unless it has a count.
"""

from __future__ import annotations

import re
from typing import Any

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.inputlimits import checked_amount, shortened
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.families.lattice import LATTICES, Lattice
from cnfgen_puzzles.families.options import Option, group_options
from cnfgen_puzzles.families.tiling import texts
from cnfgen_puzzles.families.tiling.description import Description
from cnfgen_puzzles.families.tiling.formats import FORMATS
from cnfgen_puzzles.families.tiling.pieces import Piece
from cnfgen_puzzles.families.tiling.puzzle import Tiling

FILE_OPTIONS = (
    *FORMATS.options,
    Option("empty", "cells that stay empty, by labels or places, instead of those of the file: 'Mar 14' or '0,2 2,1'"),
)
PUZZLE_OPTIONS = (
    Option("board", "rows x columns such as 6x10, 2x3x10, triangle 7, 5x6 + 5x6; or a drawing such as '###/#.#/###'"),
    Option("pieces", "sets, pieces, and drawings, such as 'pentominoes without X, 12*domino, ##/#.'"),
    Option("groups", "number of pieces that are used together, such as '9 of all; at most 2 of F, I'"),
    Option("holes", "places that are not cells, such as '3,3 3,4' (row,column from 0; in space layer,row,column)"),
    Option("optional", "places that may stay empty; 'all' for the whole board"),
    Option("lattice", "by default determined by the pieces and the board", choices=tuple(LATTICES)),
    Option("torus", "join all opposite sides of the board", type=bool),
    Option("cylinder", "join the left and the right side of the board", type=bool),
    Option("reflections", "allow that pieces are turned over (default: only in the plane)", type=bool),
    Option("rotations", "allow that pieces are rotated (default: yes)", type=bool),
)
OPTIONS: tuple[Option, ...] = (*FILE_OPTIONS, *group_options("Puzzle without a file", PUZZLE_OPTIONS))

DRAWN_BOARD = re.compile(r".*[#/\n].*|[Xo. ]*[Xo][Xo. ]*", re.DOTALL)
"""A board that is a drawing and not a size."""
DRAWING = re.compile(r"[X#. ]*[X#][X#. ]*(/[X#./ ]+)?|[X#]{2,}")
GROUP = re.compile(r"(?P<count>.*?\S)\s+of\s+(?P<pieces>\S.*)", re.DOTALL)


def read(source: Source | None, **options: Any) -> Tiling:
    """The puzzle in a file, or the puzzle that the options describe; InputError for both together."""
    given = {name: value for name, value in options.items() if value is not None}
    if source is None:
        return puzzle_from_options(**given)
    if option := next((option for option in PUZZLE_OPTIONS if option.name in given), None):
        message = f"--{option.name} describes a puzzle without a file, expected the file or the option"
        raise InputError(message, source=source.name)
    puzzle = FORMATS.read_puzzle(source, given.get("format"), given.get("number"))
    try:
        return texts.with_empty(puzzle, given["empty"]) if "empty" in given else puzzle
    except InputError as error:
        raise InputError(error.message, source="--empty") from None


def puzzle_from_options(**given: Any) -> Tiling:
    """The puzzle that the options describe; InputError names the option."""
    for option in FORMATS.options:
        if option.name in given:
            raise InputError(f"--{option.name} is for a puzzle in a file, but no file is given")
    for name in ("board", "pieces"):
        if not given.get(name):
            raise InputError(f"--{name} is missing: expected a file, or --board and --pieces")
    value = {name: each for name, each in given.items() if name not in ("board", "groups")}
    if DRAWN_BOARD.fullmatch(board := given["board"]):
        rows = [row.rstrip() for row in board.replace("/", "\n").split("\n")]
        value["board"] = "\n".join(rows).strip("\n")
    else:
        value["size"] = board
    if groups := given.get("groups"):
        value["groups"] = _groups(groups)
    return _description(value).puzzle()


def pieces_of(text: str) -> tuple[Lattice, tuple[Piece, ...]]:
    """The lattice and the pieces of `--pieces` alone, without a board."""
    description = _description({"pieces": text})
    return description.lattice, tuple(description.pieces()[0])


def _description(value: dict[str, Any]) -> Description:
    """The description with the entries of `--pieces`."""
    checked_amount("pieces", value["pieces"].count(",") + 1, source="--pieces")
    items = [item.strip() for item in value["pieces"].split(",")]

    def where(path: tuple[str, ...], row: int | None) -> tuple[str, int | None]:
        if path[:1] == ("pieces",) and len(path) > 1:
            return f"--pieces: {shortened(items[int(path[1])])}", None
        return f"--{'board' if path[:1] == ('size',) else path[0]}", None

    return Description(value | {"pieces": list(map(_entry, items))}, where)


# -- lists of pieces and groups -------------------------------------------------------------------------------------------


def _entry(item: str) -> dict[str, str]:
    """The entry of the YAML format for an item of `--pieces`."""
    count, _, text = item.rpartition("*")
    words = [word.strip() for word in text.split(":")]
    title = words.pop(0) if len(words) > 1 and DRAWING.fullmatch(words[1]) else ""
    name, *counts = [*words, *filter(None, [count.strip()])]
    if not name or len(counts) > 1:
        expected = "expected a piece with at most one count: domino, 2*domino, or L: X./XX: 2"
        raise InputError(f"found {shortened(item)}, {expected}", source="--pieces")
    entry = {"count": counts[0]} if counts else {}
    if DRAWING.fullmatch(name):
        return entry | {"name": title or name.replace("#", "X"), "art": name.replace("/", "\n")}
    if re.search("[#/]", name):
        expected = "expected # or X for a cell, . for no cell, / between rows"
        raise InputError(f"found the drawing {shortened(name)}, {expected}", source="--pieces")
    name, without, left_out = name.partition(" without ")
    return entry | {"set": name.strip()} | ({"without": left_out} if without else {})


def _groups(text: str) -> list[dict[str, str]]:
    """The entries of `--groups`, separated by `;`."""
    checked_amount("pieces", text.count(";") + 1, source="--groups")
    found = []
    for part in text.split(";"):
        match = GROUP.fullmatch(part.strip())
        if match is None:
            message = f"found {shortened(part)}, expected a group such as '9 of all' or 'at most 2 of F, I'"
            raise InputError(message, source="--groups")
        found.append(match.groupdict())
    return found
