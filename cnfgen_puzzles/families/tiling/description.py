"""The reader of descriptions of tilings: mappings with the keys of the YAML format (docs/reference/formats-tiling.md).

The YAML format and the options of the command line are such mappings. Errors name the origin of the value: the file and the line,
or the option. A well-formed puzzle without a solution (volumes that do not match, a piece that fits nowhere) is read; malformed
input is an error.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from itertools import product
from typing import Any

from cnfgen_puzzles.common.errors import InputError, unknown_name
from cnfgen_puzzles.common.inputlimits import checked_amount, shortened
from cnfgen_puzzles.families.lattice import (
    CUBIC,
    LATTICES,
    SQUARE,
    TRIANGULAR,
    ArtError,
    Cell,
    Lattice,
    Place,
    cell_at,
    read_art,
)
from cnfgen_puzzles.families.tiling import texts
from cnfgen_puzzles.families.tiling.pieces import (
    Piece,
    PieceGroup,
    PieceSet,
    Shape,
    distinct,
    find,
    lift,
    without,
)
from cnfgen_puzzles.families.tiling.puzzle import CLAIMS, COVERED, OPTIONAL, Tiling

ABOUT = ("title", "author", "source", "description")
UP_TO_SYMMETRY = "up to symmetry"
"""The default convention of published numbers of solutions, which is not stored."""
CLAIM = {
    "solutions": int,
    "convention": (UP_TO_SYMMETRY, "up to rotations"),
    "raw": int,
    "verdict": ("satisfiable", "unsatisfiable"),
    "source": str,
}
"""The keys of published results with the kinds of their values."""

KINDS = {"covered": COVERED, "optional": OPTIONAL}
LEGEND = {"X": "covered", "#": "covered", "o": "optional"}
"""Characters of a board that need no legend; `.` and a blank are not cells."""

Where = Callable[[tuple[str, ...], int | None], tuple[str, int | None]]
"""The file (or the option) and the line of the value of these keys, or of this row of a drawing."""


class Description:
    """A puzzle: `value` has the keys of the YAML format, `where` their origins.

    `sets` are the pieces that the entries of `pieces` name, None for an entry with a drawing or a pinned place.
    """

    def __init__(self, value: Mapping[str, Any], where: Where):
        self.value, self.where = value, where
        self.sets = [self.named(number, entry) for number, entry in enumerate(value["pieces"])]
        self.lattice = self.find_lattice()

    def puzzle(self) -> Tiling:
        """The puzzle that the value describes."""
        empty = self.empty
        pieces, numbers = self.pieces()
        pieces, groups = self.groups(pieces, numbers)
        puzzle = replace(empty, pieces=tuple(pieces), groups=tuple(groups), labels=self.labels())
        if "empty" in self.value:
            with self.at("empty"):
                puzzle = texts.with_empty(puzzle, self.value["empty"])
        puzzle = replace(puzzle, about=self.about())
        self.check_pins(puzzle, numbers)
        return puzzle

    def error(self, message: str, *path: str, row: int = 0) -> InputError:
        """An error at the value of these keys; `row` counts the lines of a drawing."""
        source, line = self.where(path, row)
        return InputError(f"{message} (row {row + 1})" if row and line is None else message, source=source, line=line)

    @contextmanager
    def at(self, *path: str) -> Iterator[None]:
        """Adds the position of the value of these keys to errors inside without a line."""
        try:
            yield
        except ArtError as error:
            raise self.error(error.message, *path, row=error.row) from None
        except InputError as error:
            if error.line or error.source:
                raise
            source, line = self.where(path, None)
            raise InputError(error.message, source=source, line=line) from None

    def drawing(self, text: str, *path: str) -> tuple[dict[Place, str], Place]:
        """The characters of a drawing by their places, and its size."""
        with self.at(*path):
            found = read_art(self.lattice, text)
        if not found[0]:
            raise self.error("found a drawing without cells, expected at least one", *path)
        return found

    def cell(self, place: Place, *path: str) -> Cell:
        """The cell at a place of a drawing."""
        try:
            return cell_at(self.lattice, place)
        except ValueError as error:
            raise self.error(str(error), *path, row=place[0]) from None

    def find_lattice(self) -> Lattice:
        """The given lattice; otherwise that of the named pieces, or cubic if the board has three dimensions (pieces of squares
        then become pieces of cubes)."""
        named, size, drawn = self.value.get("lattice"), self.value.get("size", ""), self.value.get("board", "")
        solid = bool(re.search(r"\n\s*\n", drawn.strip("\n"))) or any(
            part.count("x") + part.count("×") == 2 for part in size.split("+")
        )
        with self.at("lattice" if "lattice" in self.value else "pieces"):
            if named is not None and named not in LATTICES:
                raise InputError(unknown_name("lattice", named, LATTICES))
            found = LATTICES[named] if named else CUBIC if solid else None
            for each in filter(None, self.sets):
                lattice = each.lattice
                if found is None or (found is SQUARE and lattice is CUBIC and named is None):
                    found = lattice
                if lattice is not found and (lattice, found) != (SQUARE, CUBIC):
                    expected = f"expected pieces of the {found.name} lattice"
                    raise InputError(f"found {each.name}, which lie on the {lattice.name} lattice, {expected}")
        return found or SQUARE

    # -- board ----------------------------------------------------------------------------------------------------------

    @cached_property
    def empty(self) -> Tiling:
        """The puzzle without pieces."""
        if ("board" in self.value) == ("size" in self.value):
            both = "both 'board' and 'size'" if "board" in self.value else "neither 'board' nor 'size'"
            raise self.error(f"found {both}, expected one of them", *(("size",) if "board" in self.value else ()))
        colors: dict[Cell, str] = {}
        if "size" in self.value:
            with self.at("size"):
                cells = texts.board_cells(self.lattice, self.value["size"])
            board = dict.fromkeys(cells, COVERED)
            if "legend" in self.value:
                raise self.error("found both 'legend' and 'size'; a legend needs 'board'", "legend")
        else:
            board, colors, cells = self._drawn_board()
        wrap = self._wrap(cells)
        for cell in self._places("holes", board):
            del board[cell]
            colors.pop(cell, None)
        optional = board if self.value.get("optional") == "all" else self._places("optional", board)
        board |= dict.fromkeys(optional, OPTIONAL)
        if not board:
            raise self.error("found no cell, expected a board", "size" if "size" in self.value else "board")
        turning = (self.value.get("reflections", self.lattice is not CUBIC), self.value.get("rotations", True))
        puzzle = Tiling(self.lattice, board, (), *turning, colors, wrap)
        # a drawing can begin anywhere on a ring
        board, colors = ({puzzle.canonical(cell): each for cell, each in values.items()} for values in (board, colors))
        return replace(puzzle, board=board, colors=colors)

    def _drawn_board(self) -> tuple[dict[Cell, str], dict[Cell, str], list[Cell]]:
        """The board of a drawing, its colors, and its cells with the holes of a rectangular drawing."""
        legend = self.value.get("legend", {})
        meanings = {sign: self._meaning(sign, text) for sign, text in (LEGEND | legend).items()}
        signs, size = self.drawing(self.value["board"], "board")
        board, colors = {}, {}
        for place, sign in signs.items():
            if sign not in meanings:
                expected = f"expected one of {', '.join(sorted(meanings))} or ."
                raise self.error(f"found {sign!r} in the board, {expected}", "board", row=row_of(place, size))
            cell = self.cell(place, "board")
            board[cell], color = meanings[sign]
            if color:
                colors[cell] = color
        if unused := next((sign for sign in legend if sign not in signs.values()), None):
            raise self.error(f"found {unused!r} in the legend, expected a character of the board", "legend", unused)
        with self.at("board"):
            checked_amount("steps", math.prod(size), found=f"a drawing of {math.prod(size)} places")
        return board, colors, list(product(*map(range, size))) if self.lattice in (SQUARE, CUBIC) else list(board)

    def _meaning(self, sign: str, text: str) -> tuple[str, str | None]:
        """The kind of a cell and its color."""
        if len(sign) != 1 or sign in ". ":
            raise self.error(f"found {sign!r} in the legend, expected a single character other than . and blank", "legend", sign)
        kind, color = COVERED, None
        for word in text.split():
            if word in KINDS:
                kind = KINDS[word]
            elif color is None and word != "none":
                color = word
            else:
                expected = "expected 'covered' or 'optional', and optionally a color (one word)"
                raise self.error(f"found {text!r}, {expected}", "legend", sign)
        return kind, color

    def _places(self, key: str, board: Collection[Cell]) -> list[Cell]:
        """The cells of the board in `holes` or `optional`, each once."""
        with self.at(key):
            cells = texts.places_cells(self.lattice, self.value.get(key, ""))
            for cell in cells:
                if cell not in board:
                    raise InputError(f"found {texts.places_text(self.lattice, [cell])}, which is not a cell of the board")
        return list(dict.fromkeys(cells))

    def _wrap(self, cells: Collection[Cell]) -> tuple[int | None, ...]:
        """The periods of the coordinates along which the board closes: the last one for `cylinder`, all for `torus`, those of
        `wrap`.

        A board that is not given by sides needs `wrap`.
        """
        keys = [key for key in ("torus", "cylinder", "wrap") if self.value.get(key)]
        if len(keys) > 1:
            raise self.error(f"found {keys[0]!r} and {keys[1]!r}, expected one of them", keys[1])
        if not keys:
            return ()
        steps, period = texts.extents(self.lattice, cells), self.lattice.period
        if keys == ["wrap"]:
            axes, wanted = texts.AXES[self.lattice.name], self.value["wrap"]
            for name, each in wanted.items():
                if name not in axes:
                    raise self.error(unknown_name(f"coordinate of the {self.lattice.name} lattice", name, axes), "wrap", name)
                if each < (least := steps[axes.index(name)]):
                    raise self.error(f"found {each} {name}, expected at least {least}, the extent of the board", "wrap", name)
            return tuple(wanted[axis] * period if axis in wanted else None for axis in axes)
        if len(set(cells)) != math.prod(steps) * (2 if self.lattice is TRIANGULAR else 1):
            found = "found a board that is not given by sides such as 6x10"
            raise self.error(f"{found}, expected a file with `wrap` and its periods", keys[0])
        periods = [each * period for each in steps]
        return tuple(periods) if keys == ["torus"] else (*(None for _ in periods[1:]), periods[-1])

    # -- pieces ---------------------------------------------------------------------------------------------------------

    def pieces(self) -> tuple[list[Piece], list[int]]:
        """The pieces, and for each piece the number of its entry."""
        found: list[Piece] = []
        numbers: list[int] = []
        known: set[tuple[str, Shape]] = set()
        copies = 0
        for number, entry in enumerate(self.value["pieces"]):
            new = self.entry_pieces(number, entry)
            copies += sum(max(piece.least, 1) for piece in new)
            with self.at("pieces", str(number)):
                checked_amount("pieces", copies)
            for piece in new:
                if (piece.name, piece.shape) in known:
                    message = f"found the piece {piece.name} a second time; write it once, with a count"
                    raise self.error(message, "pieces", str(number))
            found += new
            known |= {(piece.name, piece.shape) for piece in new}
            numbers += [number] * len(new)
        return distinct(found), numbers

    def groups(self, pieces: list[Piece], numbers: list[int]) -> tuple[list[Piece], list[PieceGroup]]:
        """The groups, and the pieces; those of a group without a separate count may be left out."""
        entries: dict[str, list[int]] = {}
        found = []
        for piece, number in enumerate(numbers):
            entry, named = self.value["pieces"][number], self.sets[number]
            for name in {entry.get("set", entry.get("piece", "")), named.name if named else ""}:
                entries.setdefault(name, []).append(piece)
        for number, entry in enumerate(self.value.get("groups", ())):
            with self.at("groups", str(number), "count"):
                bounds = texts.count_bounds(entry["count"])
            words = entry["pieces"] if isinstance(entry["pieces"], list) else entry["pieces"].split(",")
            with self.at("groups", str(number), "pieces"):
                found.append(PieceGroup(texts.group_members(words, pieces, entries), *bounds))
        grouped = {piece for group in found for piece in group.pieces}
        uncounted = {piece for piece, number in enumerate(numbers) if "count" not in self.value["pieces"][number]}
        left_out = grouped & uncounted
        return [replace(each, least=0, most=1) if piece in left_out else each for piece, each in enumerate(pieces)], found

    def named(self, number: int, entry: Mapping[str, Any]) -> PieceSet | None:
        """The pieces that `set` or `piece` names."""
        given = [key for key in entry if key in ("set", "piece", "art")]
        if len(given) > 1:
            raise self.error(f"found {given[0]!r} and {given[1]!r}, expected one of them", "pieces", str(number), given[1])
        if not given and not ("pinned" in entry and "name" in entry):
            raise self.error("found none of 'set', 'piece', and 'art', expected one of them", "pieces", str(number))
        if not given or given == ["art"]:
            return None
        with self.at("pieces", str(number), given[0]):
            found = find(entry[given[0]])
            if given == ["piece"] and len(found.pieces) > 1:
                raise InputError(f"found {found.name}, expected one piece; `set` names a set of pieces")
        if "set" in entry and "without" in entry:
            with self.at("pieces", str(number), "without"):
                return without(found, entry["without"].replace(",", " ").split())
        return found

    def entry_pieces(self, number: int, entry: Mapping[str, Any]) -> list[Piece]:
        """The pieces of one entry with its settings."""
        path = ("pieces", str(number))
        pins = self.pins(entry["pinned"], *path, "pinned") if "pinned" in entry else ()
        named = self.sets[number]
        if named is not None:
            pieces = list(lift(named, self.lattice).pieces)
            if "name" in entry and "set" not in entry:
                pieces = [replace(pieces[0], name=entry["name"])]
        else:
            pieces = [self.drawn_piece(entry, path, pins)]
        for key in ("name", "pinned") if "set" in entry else ("without",):
            if key in entry:
                raise self.error(f"found {key!r}, which does not apply to an entry of this kind", *path, key)
        changes: dict[str, Any] = {"pinned": pins}
        if "count" in entry:
            with self.at(*path, "count"):
                changes["least"], changes["most"] = texts.count_bounds(entry["count"])
        changes |= {key: entry[key] for key in ("reflect", "rotate") if key in entry}
        if "colors" in entry:
            changes["colors"] = self.piece_colors(entry["colors"], *path, "colors")
        return [replace(piece, **changes) for piece in pieces]

    def drawn_piece(self, entry: Mapping[str, Any], path: tuple[str, ...], pins: tuple[frozenset[Cell], ...]) -> Piece:
        """The piece of a drawing, or of the place where it is pinned; its default name is its number."""
        name = entry.get("name") or f"piece {int(path[1]) + 1}"
        if "art" in entry:
            signs, size = self.drawing(entry["art"], *path, "art")
            for place, sign in signs.items():
                if sign not in "X#":
                    raise self.error(
                        f"found {sign!r} in the drawing of {name}, expected X, #, or .",
                        *path,
                        "art",
                        row=row_of(place, size),
                    )
            cells = [self.cell(place, *path, "art") for place in signs]
        else:
            cells = list(pins[0])
        if not self.lattice.connected(cells) and not entry.get("disconnected"):
            parts = len(self.lattice.parts(cells))
            message = f"found {name} in {parts} parts, expected a connected piece (or `disconnected: true` in a file)"
            raise self.error(message, *path, "art" if "art" in entry else "pinned")
        return Piece(name, self.lattice.normal(cells))

    def pins(self, value: str, *path: str) -> tuple[frozenset[Cell], ...]:
        """The places of a piece, separated by `or`: each drawn as on the board, or a list of cells."""
        found = []
        for text in re.split(r"\bor\b", value):
            with self.at(*path):
                if "," in text:
                    cells = texts.places_cells(self.lattice, text)
                else:
                    signs, _ = read_art(self.lattice, text.strip("\n"))
                    if set(signs.values()) - set("X#"):
                        raise self.error("found an invalid place, expected a drawing with X and . or cells such as 3,4", *path)
                    cells = [self.cell(place, *path) for place in signs]
            if not cells:
                raise self.error("found a place without cells, expected a drawing or cells such as 3,4", *path)
            found.append(frozenset(map(self.empty.canonical, cells)))
        return tuple(dict.fromkeys(found))

    def piece_colors(self, text: str, *path: str) -> frozenset[str]:
        """The colors of an entry, all of which must be on the board."""
        colors = frozenset() if text == "none" else frozenset(text.replace(",", " ").split())
        known = set(self.empty.colors.values())
        if unknown := sorted(colors - known):
            raise self.error(unknown_name("color", unknown[0], known), *path)
        return colors

    def check_pins(self, puzzle: Tiling, numbers: Sequence[int]) -> None:
        """InputError for a pinned place that the piece cannot take."""
        for piece, number in zip(puzzle.pieces, numbers, strict=True):
            places = {placement.cells for placement in replace(puzzle, pieces=(piece,)).placements} if piece.pinned else set()
            for place in piece.pinned:
                if place not in places:
                    found = f"found {piece.name} on {texts.places_text(puzzle.lattice, place)}"
                    expected = "expected cells of the board and of its colors, in its shape and an allowed orientation"
                    raise self.error(f"{found}, {expected}", "pieces", str(number), "pinned")

    def labels(self) -> dict[Cell, str]:
        """The labels of cells: drawn, one word for each place, or by their places."""
        given: list[tuple[Cell, str, tuple[str, ...], int]] = []
        if isinstance(self.value.get("labels", {}), str):
            with self.at("labels"):
                drawn = texts.read_labels(self.empty, self.value["labels"])
            given = [(self.cell(place, "labels"), label, ("labels",), row) for place, label, row in drawn]
        else:
            for text, label in self.value.get("labels", {}).items():
                with self.at("labels", text):
                    given += [(cell, label, ("labels", text), 0) for cell in texts.places_cells(self.lattice, text)]
        found: dict[Cell, str] = {}
        for each, label, path, row in given:
            place, cell = texts.places_text(self.lattice, [each]), self.empty.canonical(each)
            what = f"found the label {shortened(label)} on {place}"
            if cell not in self.empty.board:
                raise self.error(f"{what}, which is not a cell of the board", *path, row=row)
            if cell in found:
                raise self.error(f"{what}, which has another one, expected one for each cell", *path, row=row)
            if not label.strip() or not label.isprintable() or len(label) > texts.LONGEST:
                raise self.error(f"{what}, expected 1 to {texts.LONGEST} printable characters", *path, row=row)
            found[cell] = label
        return found

    def about(self) -> dict[str, str]:
        """The title and other texts, and the claims about solutions."""
        found = {key: self.value[key] for key in ABOUT if key in self.value}
        claims = self.value.get("claims", {})
        return found | {CLAIMS + key: str(claims[key]) for key in CLAIM if claims.get(key, UP_TO_SYMMETRY) != UP_TO_SYMMETRY}


def row_of(place: Place, size: Place) -> int:
    """The line of a drawing with this place."""
    return place[0] if len(place) == 2 else place[0] * (size[1] + 1) + place[1]
