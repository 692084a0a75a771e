"""Reading the project's own format: a puzzle as a person writes it, in YAML, every mistake with its line.

    title: two L trominoes
    size: 2x3
    pieces:
      - piece: L tromino
        count: 2

docs/formats-tiling.md describes all of it. The same is written by `yamlwriter.py`. A puzzle that contradicts itself (volumes that
do not match, a piece that fits nowhere) is read; what is malformed is an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import product
from math import prod
from typing import Any

from cnfgen_puzzles.families.tiling.formats import shorttexts
from cnfgen_puzzles.families.tiling.formats.foldedrows import folded_rows
from cnfgen_puzzles.families.tiling.formats.pins import check_pins
from cnfgen_puzzles.families.tiling.model import piecesets
from cnfgen_puzzles.families.tiling.model.celldrawing import ArtError, Place, cell_at, read_art
from cnfgen_puzzles.families.tiling.model.claimedcounts import CONVENTIONS, SATISFIABLE, UNSATISFIABLE, Claims
from cnfgen_puzzles.families.tiling.model.lattice import CUBIC, Cell, Lattice
from cnfgen_puzzles.families.tiling.model.pieces import Piece, Shape
from cnfgen_puzzles.families.tiling.model.puzzle import COVERED, OPTIONAL, Tiling
from cnfgen_puzzles.ground.errors import InputError
from cnfgen_puzzles.ground.inputlimits import checked_amount
from cnfgen_puzzles.ground.strictyaml import Required, check_yaml, lines_of
from cnfgen_puzzles.ground.suggestions import unknown_name

PIECE = {
    "set": str,
    "piece": str,
    "name": str,
    "art": str,
    "count": str,
    "without": str,
    "reflect": bool,
    "rotate": bool,
    "colours": str,
    "pinned": str,
    "disconnected": bool,
}
CLAIMS = {"solutions": int, "convention": CONVENTIONS, "raw": int, "verdict": (SATISFIABLE, UNSATISFIABLE), "source": str}
ABOUT = ("title", "author", "source", "description")
SCHEMA = {
    **dict.fromkeys(ABOUT, str),
    "lattice": str,
    "board": str,
    "legend": {str: str},
    "size": str,
    "holes": str,
    "optional": str,
    "torus": bool,
    "cylinder": bool,
    "wrap": {str: int},
    "reflections": bool,
    "rotations": bool,
    "pieces": Required([PIECE]),
    "claims": CLAIMS,
}

KINDS = {"covered": COVERED, "optional": OPTIONAL}
LEGEND = {"X": "covered", "#": "covered", "o": "optional"}
"""Characters of a board that need no legend; `.` and a blank are no cell."""
BLOCK = re.compile(r"[|>][-+0-9]*\s*(#.*)?$")


def recognise(text: str) -> bool:
    """Whether some line begins with a key of this format."""
    return not text.lstrip().startswith("<") and bool(re.search(rf"^({'|'.join(SCHEMA)})\s*:", text, re.MULTILINE))


def read(text: str, source_name: str) -> Tiling:
    """The puzzle; raises InputError."""
    return _Reader(text, source_name).puzzle()


class _Reader:
    """One document: its checked value and the lines on which things stand."""

    def __init__(self, text: str, source: str):
        document = check_yaml(text, SCHEMA, source=source)
        self.value, self.lines, self.nodes = document.value, document.lines, document.nodes
        self.source = source
        self.text_lines = lines_of(text)

    def puzzle(self) -> Tiling:
        self.check_drawings()
        self.lattice = self.find_lattice()
        board, self.colours, wrap = self.board()
        self.known_colours = set(self.colours.values())
        turning = (self.value.get("reflections", self.lattice is not CUBIC), self.value.get("rotations", True))
        self.empty = Tiling(self.lattice, board, (), *turning, self.colours, wrap)
        pieces, numbers = self.pieces()
        puzzle = replace(self.empty, pieces=tuple(pieces), about=self.about())
        check_pins(puzzle, lambda piece, message: self.error(message, "pieces", str(numbers[piece]), "pinned"))
        return puzzle

    # -- errors ---------------------------------------------------------------------------------------------------------

    def error(self, message: str, *path: str, row: int = 0) -> InputError:
        """An error at the value of these keys; `row` counts the lines of a drawing."""
        line = self.lines[path]
        if isinstance(self.entry(path), str) and BLOCK.search(self.text_lines[line - 1]):
            line += 1 + row
        return InputError(message, source=self.source, line=line)

    @contextmanager
    def at(self, *path: str) -> Iterator[None]:
        """Errors inside, which know no line, are errors at the value of these keys."""
        try:
            yield
        except ArtError as error:
            raise self.error(error.message, *path, row=error.row) from None
        except InputError as error:
            raise error if error.line else InputError(error.message, source=self.source, line=self.lines[path]) from None

    def check_drawings(self) -> None:
        """InputError for a drawing whose rows YAML joined to one, as it does where the key has no `|` behind it."""
        for path, node in self.nodes.items():
            drawn = path == ("board",) or path[2:] in (("art",), ("pinned",))
            if drawn and (rows := folded_rows(path[-1], node, self.text_lines)):
                key = path[-1]
                found = f"found {rows} rows after '{key}:', which YAML folds into fewer"
                raise self.error(f"{found}; expected '{key}: |' and the rows below it", *path)

    # -- board ----------------------------------------------------------------------------------------------------------

    def find_lattice(self) -> Lattice:
        """The one that is named; else that of the pieces, and cubic where the board has three dimensions."""
        named = []
        for number, entry in enumerate(self.value["pieces"]):
            if (found := self.named(number, entry)) is not None:
                named.append((found.lattice, found.name))
        drawn = self.value.get("board", "").strip("\n")
        solid = shorttexts.is_solid(self.value.get("size", "")) or bool(re.search(r"\n\s*\n", drawn))
        with self.at("lattice" if "lattice" in self.value else "pieces"):
            return shorttexts.common_lattice(self.value.get("lattice"), solid, named)

    def board(self) -> tuple[dict[Cell, str], dict[Cell, str], tuple[int | None, ...]]:
        """The cells, the colours and the periods."""
        if ("board" in self.value) == ("size" in self.value):
            both = "both 'board' and 'size'" if "board" in self.value else "neither 'board' nor 'size'"
            raise self.error(f"found {both}, expected one of them", *(("size",) if "board" in self.value else ()))
        colours: dict[Cell, str] = {}
        if "size" in self.value:
            with self.at("size"):
                cells = shorttexts.board_cells(self.lattice, self.value["size"])
            board = dict.fromkeys(cells, COVERED)
            if "legend" in self.value:
                raise self.error("found a legend beside 'size', expected one beside 'board' alone", "legend")
        else:
            board, colours, cells = self.drawn_board()
        wrap = self.wrap(cells)
        for cell in self.places("holes", board):
            del board[cell]
            colours.pop(cell, None)
        every = self.value.get("optional") == "all"
        board |= dict.fromkeys(board if every else self.places("optional", board), OPTIONAL)
        if not board:
            raise self.error("found no cell, expected a board", "size" if "size" in self.value else "board")
        ring = Tiling(self.lattice, board, (), wrap=wrap)  # a drawing may begin anywhere on a ring
        return _renamed(ring, board), _renamed(ring, colours), wrap

    def drawn_board(self) -> tuple[dict[Cell, str], dict[Cell, str], list[Cell]]:
        """The board of a drawing, its colours, and its cells, with the holes of a drawing that has sides."""
        legend = LEGEND | self.value.get("legend", {})
        meanings = {sign: self.meaning(sign, text) for sign, text in legend.items()}
        signs, size = self.drawing("board")
        board, colours = {}, {}
        for place, sign in signs.items():
            if sign not in meanings:
                signs_known = ", ".join(sorted(meanings))
                raise self.error(
                    f"found {sign!r} in the board, expected one of {signs_known} or .", "board", row=_row(place, size)
                )
            cell = self.cell(place, "board")
            board[cell], colour = meanings[sign]
            if colour:
                colours[cell] = colour
        for sign in self.value.get("legend", {}):
            if sign not in signs.values():
                raise self.error(f"found {sign!r} in the legend, expected a character of the board", "legend", sign)
        with self.at("board"):
            checked_amount("steps", prod(size), found=f"a drawing of {prod(size)} places")
        flat = self.lattice.period == 1 and self.lattice.name != "hexagonal"
        return board, colours, list(product(*map(range, size))) if flat else list(board)

    def meaning(self, sign: str, text: str) -> tuple[str, str | None]:
        """The kind of a cell and its colour."""
        if len(sign) != 1 or sign in ". ":
            raise self.error(f"found {sign!r} in the legend, expected a single character other than . and blank", "legend", sign)
        kind, colour = COVERED, None
        for word in text.split():
            if word in KINDS:
                kind = KINDS[word]
            elif colour is None and word != "none":
                colour = word
            else:
                expected = "expected 'covered' or 'optional' and perhaps a colour of one word"
                raise self.error(f"found {text!r}, {expected}", "legend", sign)
        return kind, colour

    def drawing(self, *path: str) -> tuple[dict[Place, str], Place]:
        with self.at(*path):
            found = read_art(self.lattice, self.entry(path))
        if not found[0]:
            raise self.error("found a drawing without cells, expected at least one", *path)
        return found

    def entry(self, path: tuple[str, ...]) -> Any:
        value = self.value
        for key in path:
            value = value[int(key)] if isinstance(value, list) else value[key]
        return value

    def cell(self, place: Place, *path: str) -> Cell:
        try:
            return cell_at(self.lattice, place)
        except ValueError as error:
            raise self.error(str(error), *path, row=place[0]) from None

    def places(self, key: str, board: Mapping[Cell, str]) -> list[Cell]:
        """The cells of the board that `holes` or `optional` lists."""
        if key not in self.value:
            return []
        with self.at(key):
            cells = shorttexts.places_cells(self.lattice, self.value[key])
        for cell in cells:
            if cell not in board:
                raise self.error(f"found {shorttexts.places_text(self.lattice, [cell])}, which is no cell of the board", key)
        return list(dict.fromkeys(cells))

    def wrap(self, cells: list[Cell]) -> tuple[int | None, ...]:
        """The periods along which the board closes, from `torus`, `cylinder` or `wrap`."""
        keys = [key for key in ("torus", "cylinder", "wrap") if self.value.get(key)]
        if len(keys) > 1:
            raise self.error(f"found {keys[0]!r} and {keys[1]!r}, expected one of them", keys[1])
        if not keys:
            return ()
        if keys != ["wrap"]:
            with self.at(keys[0]):
                return shorttexts.wrapping(self.lattice, cells, torus=keys == ["torus"])
        axes, asked = shorttexts.AXES[self.lattice.name], self.value["wrap"]
        extents = shorttexts.extents(self.lattice, cells)
        for name, steps in asked.items():
            if name not in axes:
                raise self.error(unknown_name(f"coordinate of the {self.lattice.name} lattice", name, axes), "wrap", name)
            if steps < extents[axes.index(name)]:
                least = extents[axes.index(name)]
                raise self.error(f"found {steps} {name}, expected at least the {least} of the board", "wrap", name)
        return tuple(asked[axis] * self.lattice.period if axis in asked else None for axis in axes)

    # -- pieces ---------------------------------------------------------------------------------------------------------

    def pieces(self) -> tuple[list[Piece], list[int]]:
        """The pieces, and for each the number of its entry."""
        found: list[Piece] = []
        numbers: list[int] = []
        own_names: dict[str, int] = {}
        known: set[tuple[str, Shape]] = set()
        copies = 0
        for number, entry in enumerate(self.value["pieces"]):
            new = self.entry_pieces(number, entry)
            if "name" in entry:
                if entry["name"] in own_names:
                    raise self.error(f"found the name {entry['name']!r} a second time", "pieces", str(number), "name")
                own_names[entry["name"]] = number
            copies += sum(max(piece.least, 1) for piece in new)
            with self.at("pieces", str(number)):
                checked_amount("pieces", copies)
            for piece in new:
                if (piece.name, piece.shape) in known:
                    message = f"found the piece {piece.name} a second time, expected it once, with a count"
                    raise self.error(message, "pieces", str(number))
            found += new
            known |= {(piece.name, piece.shape) for piece in new}
            numbers += [number] * len(new)
        return piecesets.distinct(found), numbers

    def named(self, number: int, entry: Mapping[str, Any]) -> piecesets.PieceSet | None:
        """What `set` or `piece` names."""
        given = [key for key in entry if key in ("set", "piece", "art")]
        if len(given) > 1:
            raise self.error(f"found {given[0]!r} and {given[1]!r}, expected one of them", "pieces", str(number), given[1])
        if not given and not ("pinned" in entry and "name" in entry):
            raise self.error("found none of 'set', 'piece' and 'art', expected one of them", "pieces", str(number))
        if not given or given == ["art"]:
            return None
        with self.at("pieces", str(number), given[0]):
            if given == ["set"]:
                return piecesets.find_set(entry["set"])
            lattice, piece = piecesets.find_piece(entry["piece"])
            return piecesets.PieceSet(entry["piece"], lattice, (piece,))

    def entry_pieces(self, number: int, entry: Mapping[str, Any]) -> list[Piece]:
        """The pieces of one entry with what it says of them."""
        path = ("pieces", str(number))
        pins = self.pins(*path, "pinned") if "pinned" in entry else ()
        named = self.named(number, entry)
        if named is not None:
            pieces = list((piecesets.lifted(named) if self.lattice is CUBIC else named).pieces)
            if "set" in entry:
                pieces = self.without(pieces, entry, path)
            elif "name" in entry:
                pieces = [replace(pieces[0], name=entry["name"])]
        else:
            pieces = [self.drawn_piece(entry, path, pins)]
        for key in ("name", "pinned") if "set" in entry else ("without",):
            if key in entry:
                raise self.error(f"found {key!r} in an entry of this kind, expected none", *path, key)
        changes: dict[str, Any] = {"pinned": pins}
        if "count" in entry:
            with self.at(*path, "count"):
                changes["least"], changes["most"] = shorttexts.count_bounds(entry["count"])
        changes |= {key: entry[key] for key in ("reflect", "rotate") if key in entry}
        if "colours" in entry:
            changes["colours"] = self.piece_colours(entry["colours"], *path, "colours")
        return [replace(piece, **changes) for piece in pieces]

    def without(self, pieces: list[Piece], entry: Mapping[str, Any], path: tuple[str, ...]) -> list[Piece]:
        """The pieces of a set but for those that `without` names."""
        names = entry.get("without", "").replace(",", " ").split()
        known = {piece.name for piece in pieces}
        for name in names:
            if name not in known:
                raise self.error(unknown_name(f"piece of {entry['set']}", name, known), *path, "without")
        return [piece for piece in pieces if piece.name not in names]

    def drawn_piece(self, entry: Mapping[str, Any], path: tuple[str, ...], pins: tuple[frozenset[Cell], ...]) -> Piece:
        """The piece of a drawing, or of the place where it is pinned; named by its number if it has no name."""
        name = entry.get("name") or f"piece {int(path[1]) + 1}"
        if "art" in entry:
            signs, size = self.drawing(*path, "art")
            for place, sign in signs.items():
                if sign not in "X#":
                    raise self.error(
                        f"found {sign!r} in the drawing of {name}, expected X, # or .", *path, "art", row=_row(place, size)
                    )
            cells = [self.cell(place, *path, "art") for place in signs]
        else:
            cells = list(pins[0])
        if not self.lattice.connected(cells) and not entry.get("disconnected"):
            parts = len(list(self.lattice.parts(cells)))
            message = f"found {name} in {parts} parts, expected a connected piece (or `disconnected: true`)"
            raise self.error(message, *path, "art" if "art" in entry else "pinned")
        return Piece(name, self.lattice.normal(cells))

    def pins(self, *path: str) -> tuple[frozenset[Cell], ...]:
        """The places of a piece, apart by `or`: each drawn as on the board, or its cells."""
        found = []
        for text in re.split(r"\bor\b", self.entry(path)):
            if "," in text:
                with self.at(*path):
                    cells = shorttexts.places_cells(self.lattice, text)
            else:
                with self.at(*path):
                    signs, _ = read_art(self.lattice, text.strip("\n"))
                if set(signs.values()) - set("X#"):
                    raise self.error("found a place that is neither drawn with X and . nor cells such as 3,4", *path)
                cells = [self.cell(place, *path) for place in signs]
            if not cells:
                raise self.error("found a place without cells, expected a drawing or cells such as 3,4", *path)
            found.append(frozenset(map(self.empty.canonical, cells)))
        return tuple(dict.fromkeys(found))

    def piece_colours(self, text: str, *path: str) -> frozenset[str]:
        colours = frozenset() if text == "none" else frozenset(text.replace(",", " ").split())
        for colour in sorted(colours - self.known_colours):
            raise self.error(unknown_name("colour", colour, self.known_colours), *path)
        return colours

    # -- about ----------------------------------------------------------------------------------------------------------

    def about(self) -> dict[str, str]:
        found = {key: self.value[key] for key in ABOUT if key in self.value}
        claims = Claims(**self.value.get("claims", {}))
        if fault := claims.fault():
            raise self.error(fault, "claims")
        return found | claims.about()


def _renamed(puzzle: Tiling, values: Mapping[Cell, str]) -> dict[Cell, str]:
    return {puzzle.canonical(cell): value for cell, value in values.items()}


def _row(place: Place, size: Place) -> int:
    """The line of a drawing on which a place lies."""
    return place[0] if len(place) == 2 else place[0] * (size[1] + 1) + place[1]
