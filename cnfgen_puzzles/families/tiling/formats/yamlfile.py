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
from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from math import prod

from cnfgen_puzzles.common.inputlimits import checked_amount, shortened
from cnfgen_puzzles.common.suggestions import unknown_name
from cnfgen_puzzles.families.tiling.formats import celllabels, shorttexts
from cnfgen_puzzles.families.tiling.formats.pins import check_pins
from cnfgen_puzzles.families.tiling.formats.yamldocument import ABOUT, SCHEMA, row_of
from cnfgen_puzzles.families.tiling.formats.yamlpieces import PieceEntries
from cnfgen_puzzles.families.tiling.model.claimedcounts import Claims
from cnfgen_puzzles.families.tiling.model.lattice import CUBIC, Cell, Lattice
from cnfgen_puzzles.families.tiling.model.puzzle import COVERED, OPTIONAL, Tiling

KINDS = {"covered": COVERED, "optional": OPTIONAL}
LEGEND = {"X": "covered", "#": "covered", "o": "optional"}
"""Characters of a board that need no legend; `.` and a blank are no cell."""


def recognise(text: str) -> bool:
    """Whether some line begins with a key of this format."""
    return not text.lstrip().startswith("<") and bool(re.search(rf"^({'|'.join(SCHEMA)})\s*:", text, re.MULTILINE))


def read(text: str, source_name: str) -> Tiling:
    """The puzzle; raises InputError."""
    return _Reader(text, source_name).puzzle()


class _Reader(PieceEntries):
    """Reads the board, the labels of its cells, and what is said about the puzzle."""

    def puzzle(self) -> Tiling:
        self.check_drawings()
        self.lattice = self.find_lattice()
        board, self.colours, wrap = self.board()
        self.known_colours = set(self.colours.values())
        turning = (self.value.get("reflections", self.lattice is not CUBIC), self.value.get("rotations", True))
        self.empty = Tiling(self.lattice, board, (), *turning, self.colours, wrap)
        pieces, numbers = self.pieces()
        pieces, groups = self.groups(pieces, numbers)
        labels = self.labels()
        puzzle = replace(self.empty, pieces=tuple(pieces), groups=tuple(groups), labels=labels)
        if "empty" in self.value:
            with self.at("empty"):
                puzzle = celllabels.with_empty(puzzle, self.value["empty"])
        puzzle = replace(puzzle, about=self.about())
        check_pins(puzzle, lambda piece, message: self.error(message, "pieces", str(numbers[piece]), "pinned"))
        return puzzle

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
                    f"found {sign!r} in the board, expected one of {signs_known} or .", "board", row=row_of(place, size)
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

    def labels(self) -> dict[Cell, str]:
        """The words that stand on cells: drawn, a word a place, or by their places."""
        if "labels" not in self.value:
            return {}
        found: dict[Cell, str] = {}
        if isinstance(self.value["labels"], str):
            with self.at("labels"):
                drawn = celllabels.read_drawing(self.empty, self.value["labels"])
            for place, label, row in drawn:
                self.label(found, self.cell(place, "labels"), label, "labels", row=row)
        else:
            for text, label in self.value["labels"].items():
                with self.at("labels", text):
                    cells = shorttexts.places_cells(self.lattice, text)
                for cell in cells:
                    self.label(found, cell, label, "labels", text)
        return found

    def label(self, found: dict[Cell, str], cell: Cell, label: str, *path: str, row: int = 0) -> None:
        """Put the label on the cell."""
        place, cell = shorttexts.places_text(self.lattice, [cell]), self.empty.canonical(cell)
        if cell not in self.empty.board:
            raise self.error(f"found the label {shortened(label)} on {place}, which is no cell of the board", *path, row=row)
        if cell in found:
            raise self.error(f"found a second label, {shortened(label)}, on {place}, expected one a cell", *path, row=row)
        with self.at(*path):
            found[cell] = celllabels.checked(label)

    # -- about ----------------------------------------------------------------------------------------------------------

    def about(self) -> dict[str, str]:
        found = {key: self.value[key] for key in ABOUT if key in self.value}
        claims = Claims(**self.value.get("claims", {}))
        if fault := claims.fault():
            raise self.error(fault, "claims")
        return found | claims.about()


def _renamed(puzzle: Tiling, values: Mapping[Cell, str]) -> dict[Cell, str]:
    return {puzzle.canonical(cell): value for cell, value in values.items()}
