"""Puzzles without a file: a board and pieces in a few words, for the command line and the library alike.

    gen-cnf tiling --board 6x10 --pieces pentominoes
    gen-cnf tiling --board 8x8 --holes "3,3 3,4 4,3 4,4" --pieces pentominoes
    gen-cnf tiling --board 8x8 --pieces "pentominoes, square tetromino"
    gen-cnf tiling --board 8x8 --pieces "32*domino" --torus          (or domino: any)
    gen-cnf tiling --board 4x6 --pieces "X./XX: any"
    gen-cnf tiling --board "#######/#..#..#/#######" --pieces "pentominoes without X, I: at most 1"
    gen-cnf tiling --board 5x9 --pieces "9 of pentominoes without X"

`--pieces` is a list apart by commas, each a set, a piece or a drawing (`pieces.py`), perhaps with `: COUNT` after it or
`COUNT*` before it (`texts.py`); without, each is used once. The names of pieces behind `without` go on, over commas, as long
as they are those of the set. `COUNT of` before a set, like `--groups`, bounds how many of its pieces are used together
(`texts.py`); each of them is used at most once then, if no count says else. What these options cannot say is said in a file
(`yamlformat.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.inputlimits import checked_amount, shortened
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.families.options import Option, group_options
from cnfgen_puzzles.families.tiling import texts
from cnfgen_puzzles.families.tiling.formats import FORMATS
from cnfgen_puzzles.families.tiling.lattice import LATTICES, ArtError, Lattice
from cnfgen_puzzles.families.tiling.pieces import Piece, PieceGroup, PieceSet, distinct, find, lift, read_shape, without
from cnfgen_puzzles.families.tiling.puzzle import Tiling

FILE_OPTIONS = (
    *FORMATS.options,
    Option("empty", "cells that stay empty, by their labels or places, instead of those of the file: 'Mar 14' or '0,2 2,1'"),
)
PUZZLE_OPTIONS = (
    Option("board", "the board by its sides, such as 6x10 or 2x3x10; also triangle 7, 5x6 + 5x6, or drawn: '###/#.#/###'"),
    Option("pieces", "sets and pieces apart by commas, such as 'pentominoes without X, I, square tetromino' or '12*domino'"),
    Option("groups", "how many of some pieces are used together, such as '9 of all; at most 2 of F, I'"),
    Option("holes", "places that are no cells, such as '3,3 3,4' (row,column from 0; in space layer,row,column)"),
    Option("optional", "places that may stay empty; 'all' for the whole board"),
    Option("lattice", "by default told by the pieces and the board", choices=tuple(LATTICES)),
    Option("torus", "every side of the board meets the opposite one", type=bool),
    Option("cylinder", "the left side of the board meets the right one", type=bool),
    Option("reflections", "pieces may be turned over (by default in the plane alone)", type=bool),
    Option("rotations", "pieces may be rotated (by default they may)", type=bool),
)
OPTIONS: tuple[Option, ...] = (*FILE_OPTIONS, *group_options("Puzzle without a file", PUZZLE_OPTIONS))

DRAWN_BOARD = re.compile(r".*[#/\n].*|[Xo. ]*[Xo][Xo. ]*", re.DOTALL)
"""No size has a `#`, a `/`, an end of a line, or nothing but X, o and dots."""
DRAWING = re.compile(r"[X#.]*[X#][X#.]*(/[X#./]+)?|[X#]{2,}")
DISTRIBUTED = re.compile(r"(?P<count>[^*:]+)\*(?P<name>[^*:]+)|(?P<name2>[^*:]+):(?P<count2>[^*:]+)")


def read(source: Source | None, **options: Any) -> Tiling:
    """The puzzle in a file, or the one that the options describe; both together are a mistake."""
    given = {name: value for name, value in options.items() if value is not None}
    if source is None:
        puzzle = puzzle_from_options(**given)
    elif option := next((option for option in PUZZLE_OPTIONS if option.name in given), None):
        message = f"--{option.name} describes a puzzle without a file, expected either the file or the option"
        raise InputError(message, source=source.name)
    else:
        puzzle = FORMATS.read_puzzle(source, given.get("format"), given.get("number"))
    with _errors_of("--empty"):
        return texts.with_empty(puzzle, given["empty"]) if "empty" in given else puzzle


def puzzle_from_options(**given: Any) -> Tiling:
    """The puzzle that the options describe (checked by the table `OPTIONS`); InputError names the option."""
    for option in FORMATS.options:
        if option.name in given:
            raise InputError(f"--{option.name} is for a puzzle in a file, but no file is given")
    for name in ("board", "pieces"):
        if not given.get(name):
            raise InputError(f"--{name} is missing: expected a file, or --board and --pieces")
    entries = list(_entries(given["pieces"]))
    description = _description(given, entries)
    pieces, groups = _pieces_and_groups(description.lattice, entries, given.get("groups"))
    return replace(description.empty_board(), pieces=tuple(pieces), groups=tuple(groups))


def pieces_of(text: str) -> tuple[Lattice, tuple[Piece, ...]]:
    """The lattice and the pieces of `--pieces` alone, without a board."""
    entries = list(_entries(text))
    if bounded := next((entry for entry in entries if entry.of), None):
        raise InputError(f"found {shortened(bounded.text)}, expected pieces with counts of their own", source="--pieces")
    lattice = _description({}, entries).lattice
    return lattice, tuple(_pieces_and_groups(lattice, entries, None)[0])


def _description(given: Mapping[str, Any], entries: Iterable[PiecesEntry]) -> texts.Description:
    """The board of the options, by the keys of a file. In `--board`, rows of a drawing end with `/` as well."""
    value = {name: each for name, each in given.items() if name != "board"}
    if board := given.get("board", ""):
        rows = [row.rstrip() for row in board.replace("/", "\n").split("\n")]
        drawn = bool(DRAWN_BOARD.fullmatch(board))
        value["board" if drawn else "size"] = "\n".join(rows).strip("\n") if drawn else board

    def where(path: tuple[str, ...], row: int | None) -> tuple[str, int | None]:
        return f"--{'board' if path[:1] == ('size',) else path[0]}", None

    description = texts.Description(value, where)
    description.find_lattice((entry.named.lattice, entry.named.name) for entry in entries if isinstance(entry.named, PieceSet))
    return description


@contextmanager
def _errors_of(option: str) -> Iterator[None]:
    """Errors inside that name no file and no option name this one."""
    try:
        yield
    except InputError as error:
        raise InputError(error.message, source=error.source or option, line=error.line) from None


# -- pieces -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PiecesEntry:
    """An entry of the list: named pieces, or a drawing, which becomes a piece when the lattice is known; how often each is used,
    if that is said, and how often all together."""

    text: str
    named: PieceSet | str
    bounds: texts.Bounds | None
    of: texts.Bounds | None


def _entries(text: str) -> Iterator[PiecesEntry]:
    """The entries of the list."""
    checked_amount("pieces", text.count(",") + 1, source="--pieces")
    items = [item.strip() for item in text.split(",")][::-1]
    while items:
        item = items.pop()
        if not item:
            raise InputError(f"found nothing between two commas in {shortened(text)}, expected a piece", source="--pieces")
        with _errors_of("--pieces"):
            name, left_out, count = _parts(item)
            of = None
            if texts.OF.fullmatch(name):
                of, name = texts.read_group_count(name)
            named: PieceSet | str = name if DRAWING.fullmatch(name) else find(name)
            if of and (isinstance(named, str) or len(named.pieces) == 1):
                raise InputError(f"found {shortened(item)}, expected `of` before a set; 3*{name} is three copies")
            if left_out:
                words = left_out.split()
                while items and count is None and (more := _more_left_out(items[-1], named)):
                    item += f", {items.pop()}"
                    words += more[0]
                    count = more[1]
                named = without(named, words)
            yield PiecesEntry(item, named, None if count is None else texts.count_bounds(count), of)


def _parts(item: str) -> tuple[str, str, str | None]:
    """What is used, what is left out of it, and how often."""
    count = None
    if match := DISTRIBUTED.fullmatch(item):
        item, count = (match["name"] or match["name2"]).strip(), (match["count"] or match["count2"]).strip()
    name, behind, left_out = item.partition(" without ")
    if item.endswith(" without") or (behind and not left_out.strip()):
        raise InputError(f"found {shortened(item)}, expected names of pieces behind `without`")
    return name.strip(), left_out.strip(), count


def _more_left_out(item: str, named: PieceSet | str) -> tuple[list[str], str | None] | None:
    """The names in an item that goes on behind `without`, and its count; None for one that is an entry of its own."""
    known = {piece.name for piece in named.pieces} if isinstance(named, PieceSet) else set()
    text, colon, count = item.partition(":")
    words = text.split()
    return (words, count.strip() if colon else None) if words and known.issuperset(words) else None


def _pieces_and_groups(lattice: Lattice, entries: list[PiecesEntry], groups: str | None) -> tuple[list[Piece], list[PieceGroup]]:
    found: list[Piece] = []
    numbers: dict[str, list[int]] = {}
    bounded: list[PieceGroup] = []
    uncounted: set[int] = set()
    for entry in entries:
        if isinstance(entry.named, str):
            named: tuple[Piece, ...] = (_read_drawing(lattice, entry.named),)
        else:
            named = lift(entry.named, lattice).pieces
        mine = range(len(found), len(found) + len(named))
        least, most = entry.bounds or (1, 1)
        found += [replace(piece, least=least, most=most) for piece in named]
        numbers.setdefault(entry.named if isinstance(entry.named, str) else entry.named.name, []).extend(mine)
        uncounted |= set(mine) if entry.bounds is None else set()
        bounded += [PieceGroup(tuple(mine), *entry.of)] if entry.of else []
    _check_different(found)
    pieces = distinct(found)
    if groups is not None:
        with _errors_of("--groups"):
            bounded += texts.read_groups(groups, pieces, numbers)
    return texts.with_optional(pieces, bounded, uncounted), bounded


def _check_different(pieces: list[Piece]) -> None:
    seen = set()
    for piece in pieces:
        key = (piece.shape, piece.reflect, piece.rotate)
        if key in seen:
            hint = f"2*{piece.name}" if piece.least == 1 else "one count"
            raise InputError(
                f"found the piece {piece.name} a second time, expected each once ({hint} for more)", source="--pieces"
            )
        seen.add(key)


def _read_drawing(lattice: Lattice, drawing: str) -> Piece:
    try:
        shape = read_shape(lattice, drawing)
    except (ArtError, ValueError) as error:
        raise InputError(f"found the drawing {drawing}: {error}", source="--pieces") from None
    if not lattice.connected(shape):
        raise InputError(f"found the drawing {drawing}, which falls apart, expected a connected piece", source="--pieces")
    return Piece(drawing.replace("#", "X"), shape)
