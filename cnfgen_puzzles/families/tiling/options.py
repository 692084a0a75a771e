"""Puzzles without a file: a board and pieces as options of the command line and the library (docs/reference/formats-tiling.md).

`--pieces` is a list, separated by commas, of sets, pieces, and drawings (`pieces.py`), each with an optional `: COUNT` after it
or `COUNT*` before it (`texts.py`); by default each is used once. A drawing can have a name: `L: X./XX`. Names of pieces after
`without` can continue over commas. `COUNT of` before a set, like `--groups`, bounds how many of its pieces are used together
(`texts.py`); each of them is then used at most once, unless it has a count. Files support more (`yamlformat.py`).

On the command line, `--pieces` and `--board` also take files (`pieces_in`, `board_in`). A file of pieces has one entry of such a
list on each line, and drawings as rows. A blank line ends a drawing, and a line directly above it is its name:

    F: .##/##./.#.
    2*domino

    L
    #..
    ###
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from textwrap import dedent
from typing import Any

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.inputlimits import checked_amount, shortened
from cnfgen_puzzles.common.sources import Source, open_source
from cnfgen_puzzles.families.lattice import LATTICES, Lattice
from cnfgen_puzzles.families.options import Option, group_options
from cnfgen_puzzles.families.tiling import texts
from cnfgen_puzzles.families.tiling.description import Description
from cnfgen_puzzles.families.tiling.formats import FORMATS
from cnfgen_puzzles.families.tiling.pieces import Piece, PieceSet, find, find_set
from cnfgen_puzzles.families.tiling.puzzle import Tiling

FILE_OPTIONS = (
    *FORMATS.options,
    Option("empty", "cells that stay empty, by labels or places, instead of those of the file: 'Mar 14' or '0,2 2,1'"),
)
PUZZLE_OPTIONS = (
    Option(
        "board",
        "rows x columns such as 6x10, 2x3x10, triangle 7, 5x6 + 5x6; a drawing such as '###/#.#/###'; or a file with a drawing",
        file=lambda given: board_value(given),
    ),
    Option(
        "pieces",
        "sets, pieces, and drawings, such as 'pentominoes without X, 12*domino, ##/#.'; or a file with one entry per line",
        file=lambda given: pieces_value(given),
    ),
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
OF = re.compile(r"(?P<count>.*?\S)\s+of\s+(?P<rest>\S.*)", re.DOTALL)
"""A count before a set or before the pieces of a group."""
COPIES = re.compile(r"^([0-9]+) ?[x×] (?=[^0-9])")
"""`2 x L` for `2*L`."""
DISTRIBUTED = re.compile(r"(?P<count>[^*:]+)\*(?P<name>[^*:]+)|(?P<name2>[^*:]+):(?P<count2>[^*:]+)")


def read(source: Source | None, **options: Any) -> Tiling:
    """The puzzle in a file, or the puzzle that the options describe; InputError for both together."""
    given = {name: value for name, value in options.items() if value is not None}
    if source is None:
        puzzle = puzzle_from_options(**given)
    elif option := next((option for option in PUZZLE_OPTIONS if option.name in given), None):
        message = f"--{option.name} describes a puzzle without a file, expected the file or the option"
        raise InputError(message, source=source.name)
    else:
        puzzle = FORMATS.read_puzzle(source, given.get("format"), given.get("number"))
    with _errors_of("--empty"):
        return texts.with_empty(puzzle, given["empty"]) if "empty" in given else puzzle


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
        with _errors_of("--groups"):
            value["groups"] = _groups(groups)
    return _description(value).puzzle()


def pieces_of(text: str) -> tuple[Lattice, tuple[Piece, ...]]:
    """The lattice and the pieces of `--pieces` alone, without a board."""
    description = _description({"pieces": text})
    for number, entry in enumerate(description.value["pieces"]):
        if "together" in entry:
            raise description.error("expected a count for each piece, without `of`", "pieces", str(number))
    return description.lattice, tuple(description.pieces()[0])


def _description(value: dict[str, Any]) -> Description:
    """The description with the entries of `--pieces`."""
    items = list(_entries(value["pieces"]))

    def where(path: tuple[str, ...], row: int | None) -> tuple[str, int | None]:
        if path[:1] == ("pieces",) and len(path) > 1:
            return f"--pieces: {shortened(items[int(path[1])][0])}", None
        return f"--{'board' if path[:1] == ('size',) else path[0]}", None

    return Description(value | {"pieces": [entry for _, entry in items]}, where)


@contextmanager
def _errors_of(option: str) -> Iterator[None]:
    """Adds this option to errors inside that name no file and no option."""
    try:
        yield
    except InputError as error:
        raise InputError(error.message, source=error.source or option, line=error.line) from None


# -- lists of pieces and groups -------------------------------------------------------------------------------------------


def _entries(text: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The items of `--pieces`, each with its entry of the YAML format."""
    checked_amount("pieces", text.count(",") + 1, source="--pieces")
    items = [item.strip() for item in text.split(",")][::-1]
    while items:
        item = items.pop()
        if not item:
            raise InputError(f"found nothing between two commas in {shortened(text)}, expected a piece", source="--pieces")
        with _errors_of("--pieces"):
            title, name, left_out, count = _parts(item)
            entry: dict[str, str] = {}
            if match := OF.fullmatch(name):
                entry["together"], name = match["count"], match["rest"]
            if re.search("[#/]", name) and not DRAWING.fullmatch(name):
                raise InputError(
                    f"found the drawing {shortened(name)}, expected # or X for a cell, . for no cell, / between rows"
                )
            named: PieceSet | None = None
            if DRAWING.fullmatch(name):
                entry |= {"name": title or name.replace("#", "X"), "art": name.replace("/", "\n")}
            else:
                key, named = _named(name)
                entry[key] = name
            if "together" in entry and (named is None or len(named.pieces) == 1):
                raise InputError(f"found {shortened(item)}, expected `of` before a set; 3*{name} is three copies")
            if left_out:
                words = left_out.split()
                while items and count is None and (more := _more_left_out(items[-1], named)):
                    item += f", {items.pop()}"
                    words += more[0]
                    count = more[1]
                if named is None:
                    raise InputError(f"found the drawing {shortened(name)} before `without`, expected a set of pieces")
                entry["without"] = " ".join(words)
            if count is not None:
                entry["count"] = count
            yield item, entry


@lru_cache(maxsize=1024)
def _named(name: str) -> tuple[str, PieceSet]:
    """The key of an entry for this name, and its pieces."""
    with suppress(InputError):
        return "set", find_set(name)
    return "piece", find(name)


def _parts(item: str) -> tuple[str, str, str, str | None]:
    """The title of a drawing, the pieces, the names that are left out, and the count."""
    item, title, count = COPIES.sub(r"\1*", item), "", None
    head, _, rest = item.partition(":")
    if DRAWING.fullmatch(rest.partition(":")[0].strip()):
        title, item = head.strip(), rest
        if (match := DISTRIBUTED.fullmatch(title)) and match["count"]:
            title, item = match["name"].strip(), f"{match['count']}*{rest}"
    if match := DISTRIBUTED.fullmatch(item):
        item, count = (match["name"] or match["name2"]).strip(), (match["count"] or match["count2"]).strip()
    name, behind, left_out = item.partition(" without ")
    if item.endswith(" without") or (behind and not left_out.strip()):
        raise InputError(f"found {shortened(item)}, expected names of pieces after `without`")
    return title, name.strip(), left_out.strip(), count


def _more_left_out(item: str, named: PieceSet | None) -> tuple[list[str], str | None] | None:
    """The names in an item that continues the list after `without`, and its count; None for a separate entry."""
    known = {piece.name for piece in named.pieces} if named else set()
    text, colon, count = item.partition(":")
    words = text.split()
    return (words, count.strip() if colon else None) if words and known.issuperset(words) else None


def _groups(text: str) -> list[dict[str, str]]:
    """The entries of `--groups`, separated by `;`."""
    checked_amount("pieces", text.count(";") + 1)
    found = []
    for part in text.split(";"):
        match = OF.fullmatch(part.strip())
        if match is None:
            raise InputError(f"found {shortened(part)}, expected a group such as '9 of all' or 'at most 2 of F, I'")
        found.append({"pieces": match["rest"], "count": match["count"]})
    return found


# -- files ----------------------------------------------------------------------------------------------------------------

ROW = re.compile(r"[ ._-]*([A-Za-z#@])(?:\1|[ ._-])*")
"""A row of a drawing in a file of pieces: one character for the cells; blanks, dots, and dashes for no cell."""
PLAIN = "Xxo#@"
"""Characters of cells that are not the name of the piece."""
BOARD_TEXT = re.compile(r"[#Xo./\s]*|[0-9x×+\s]*|.*(triangle|hexagon)\s.*")
MISSING = re.compile(r"[^,:*]*[^,:*.]\.[a-z]{2,8}")


def pieces_value(given: Any) -> Any:
    """The value of `--pieces`: a list as it is, or the list in the file of this name."""
    with suppress(InputError):
        list(_entries(given))
        return given
    return pieces_in(open_source(given)) if _names_file(given) else given


def board_value(given: Any) -> Any:
    """The value of `--board`: a size or a drawing as it is, or the drawing in the file of this name."""
    return given if BOARD_TEXT.fullmatch(given) or not _names_file(given) else board_in(open_source(given))


def _names_file(text: str) -> bool:
    """True for the name of a file. InputError if the text has the suffix of a file that does not exist."""
    with suppress(OSError, ValueError):
        if Path(text).is_file():
            return True
    if MISSING.fullmatch(text):
        raise InputError("found no file with this name", source=text)
    return False


def pieces_in(source: Source) -> str:
    """The pieces in a file as a list for `--pieces`; InputError names the line."""
    lines = [line.expandtabs().rstrip() for line in source.text().split("\n")]
    checked_amount("pieces", len(lines), source=source.name)
    items: list[str] = []
    title, line = "", 1
    try:
        for drawn, block in groupby(enumerate(lines, start=1), key=lambda each: bool(ROW.fullmatch(each[1]))):
            entries = [(number, text) for number, text in block if not text.startswith("# ") or drawn]
            if drawn:
                line = entries[0][0]
                items.append(_drawn_item(title, [text for _, text in entries]))
            last = entries[-1][1] if entries and entries[-1][0] < len(lines) else ""
            above = not drawn and ("/" not in last or last.endswith(":"))
            title = entries.pop()[1].strip() if above and last else ""
            for number, text in () if drawn else entries:
                line = number
                items += [_checked_entry(text.strip())] if text else []
    except InputError as error:
        example = "a minimal file of pieces has the rows `##` and `#.`, or the line `##/#.`"
        raise InputError(f"{error.message}; {example}", source=source.name, line=line) from None
    if not items:
        raise InputError("found no piece, expected a drawing such as `##/#.` on a line", source=source.name, line=1)
    return ", ".join(items)


def _checked_entry(text: str) -> str:
    """The text of a line that is not a row."""
    if text.endswith(":"):
        raise InputError(f"found the name {shortened(text)} without a drawing on the next lines")
    if re.fullmatch(r"[A-Z#@.]+", text) and not DRAWING.fullmatch(text):
        raise InputError(f"found the row {shortened(text)}, expected one character for all cells and . for no cell")
    _description({"pieces": text}).pieces()
    return text


def _drawn_item(title: str, rows: list[str]) -> str:
    """A drawing of these rows as an item of the list; the first row can be the title."""
    rows = dedent("\n".join(rows)).split("\n")
    signs = [row.strip(" ._-")[0] for row in rows]
    if not title and len(rows) > 1 and signs[0] not in signs[1:]:
        title, rows, signs = rows[0].strip(), rows[1:], signs[1:]
    if len(set(signs)) > 1:
        found = " and ".join(sorted(set(signs))[:2])
        raise InputError(f"found {found} in one drawing, expected one character; a blank line separates pieces")
    width = max(map(len, rows))
    drawing = "/".join(re.sub(r"[^X]", ".", row.replace(signs[0], "X").ljust(width)) for row in rows)
    title = title.removesuffix(":").strip() or (signs[0] if signs[0] not in PLAIN else "")
    if re.search("[,/]", title):
        raise InputError(f"found {shortened(title)} above a drawing, expected a name, with a count or without")
    name, _, count = title.partition(":")
    item = f"{name}: {drawing}" + (f": {count.strip()}" if count else "") if name else drawing
    return _checked_entry(item)


def board_in(source: Source) -> str:
    """The board that a file draws, or the size in it; InputError names the line."""
    lines = [line.expandtabs().rstrip() for line in source.text().rstrip().split("\n")]
    if len(lines) == 1 and BOARD_TEXT.fullmatch(lines[0]):
        return lines[0].strip()
    for number, line in enumerate(lines, start=1):
        if wrong := line.strip("#Xo. "):
            expected = "expected # or X (must be covered), o (may stay empty), or . (no cell)"
            example = "a minimal file of a board has the rows `###` and `#.#`"
            raise InputError(f"found {wrong[0]!r}, {expected}; {example}", source=source.name, line=number)
    width = max(map(len, lines))
    return "\n".join(line and line.ljust(width, ".") for line in lines)
