"""Texts that puzzle files and the command line share: boards, places, counts of pieces, groups of pieces, labels of cells.

    6x10          a rectangle, on other lattices the parallelogram of that many steps; 2x3x10 a box
    triangle 7    of hexagons (28 cells) or triangles (49 cells) with that side; `hexagon 4` likewise
    5x6 + 5x6     separate boards
    3,3 3,4       places: row,column or layer,row,column from 0, as in a drawing of the board (`lattice.py`)
    12   1..4   at least 2   at most 3   any   (exactly 12 is 12)

Functions raise InputError without a file and a line, which the reader (`description.py`) adds.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product

from cnfgen_puzzles.common.errors import InputError, unknown_name
from cnfgen_puzzles.common.inputlimits import checked_amount, shortened, whole_number
from cnfgen_puzzles.families.lattice import (
    BLANK,
    CUBIC,
    HEXAGONAL,
    TRIANGULAR,
    Cell,
    Lattice,
    Place,
    cell_at,
    place_of,
    place_text,
)
from cnfgen_puzzles.families.tiling.pieces import Piece
from cnfgen_puzzles.families.tiling.puzzle import CLAIMS, COVERED, EMPTY, Tiling

AXES = {
    "square": ("rows", "columns"),
    "cubic": ("layers", "rows", "columns"),
    "hexagonal": ("rows", "diagonals"),
    "triangular": ("rows", "diagonals"),
}
"""The names of the coordinates of each lattice."""

SIDES = re.compile(r"[0-9]{1,30}(\s*[x×]\s*[0-9]{1,30}){1,2}")
NAMED_BOARD = re.compile(r"(triangle|hexagon)\s+([0-9]{1,30})")
NUMBER = re.compile(r"[0-9]{1,30}")

# -- sizes and places ---------------------------------------------------------------------------------------------------


def board_cells(lattice: Lattice, text: str) -> list[Cell]:
    """The cells of a board given by its size, or of several separate boards."""
    checked_amount("parts", text.count("+") + 1)
    cells: list[Cell] = []
    last = None
    for part in text.split("+"):
        new = _part_cells(lattice, part.strip())
        steps = 0 if last is None else (last - min(cell[-1] for cell in new)) // lattice.period + 2
        cells += [(*cell[:-1], cell[-1] + steps * lattice.period) for cell in new]
        last = max(cell[-1] for cell in cells[-len(new) :])
        checked_amount("cells", len(cells))
    return cells


def _part_cells(lattice: Lattice, text: str) -> list[Cell]:
    figures = lattice in (HEXAGONAL, TRIANGULAR)
    named = NAMED_BOARD.fullmatch(text)
    if named and not figures:
        raise InputError(f"found the board {text!r} on the {lattice.name} lattice, expected sides such as 6x10")
    if not named and not SIDES.fullmatch(text):
        also = ", triangle 7 or hexagon 4" if figures else ""
        sides_of = "2x3x10" if lattice is CUBIC else "6x10"
        raise InputError(f"found the size {shortened(text)}, expected sides such as {sides_of}{also}")
    sides = [int(side) for side in NUMBER.findall(text)]
    if min(sides) < 1:
        raise InputError(f"found the size {text!r}, expected sides of at least 1")
    if not named and len(sides) != lattice.dimension:
        raise InputError(f"found {len(sides)} sides ({text}), expected {lattice.dimension} on the {lattice.name} lattice")
    volume = 6 * sides[0] ** 2 if named else math.prod(sides)
    checked_amount("cells", volume, found=f"a board of {volume} cells")
    if named:
        return _figure(lattice, named[1], sides[0])
    cells = product(*map(range, sides))
    return [(3 * a + k, 3 * b + k) for a, b in cells for k in (1, 2)] if lattice is TRIANGULAR else list(cells)


def _figure(lattice: Lattice, name: str, side: int) -> list[Cell]:
    """A triangle (pointing up) or a hexagon of this side, in the top left corner of its drawing."""
    odd = (side - 1) % 2
    if lattice is HEXAGONAL and name == "triangle":  # row r has r + 1 hexagons
        places = [(r, side - 1 - r + 2 * i) for r in range(side) for i in range(r + 1)]
    elif lattice is HEXAGONAL:
        shifts = [abs(r - side + 1) for r in range(2 * side - 1)]
        places = [(r, shift + 2 * i) for r, shift in enumerate(shifts) for i in range(2 * side - 1 - shift)]
    elif name == "triangle":  # row r has 2 r + 1 triangles, the first and the last pointing up
        places = [(r, side - 1 - r + i) for r in range(side) for i in range(2 * r + 1)]
    else:  # widest in the middle; the first triangle of the upper half points up
        upper = [(r, side - 1 - r + i) for r in range(side) for i in range(2 * (side + r) + 1)]
        places = upper + [(2 * side - 1 - r, c) for r, c in upper]
    return [cell_at(lattice, (r, c + odd)) for r, c in places]


def places_cells(lattice: Lattice, text: str) -> list[Cell]:
    """The cells at places such as `3,3 3,4`."""
    cells = []
    for word in text.split():
        numbers = word.split(",")
        if not all(NUMBER.fullmatch(number) for number in numbers):
            example = "0,3,4" if lattice is CUBIC else "3,4"
            raise InputError(f"found {shortened(word)}, expected places such as {example}, separated by blanks")
        try:
            cells.append(cell_at(lattice, tuple(map(int, numbers))))
        except ValueError as error:
            raise InputError(str(error)) from None
    return cells


def places_text(lattice: Lattice, cells: Iterable[Cell]) -> str:
    """Cells as places, in ascending order."""
    return " ".join(place_text(place_of(lattice, cell)) for cell in sorted(cells))


def extents(lattice: Lattice, cells: Iterable[Cell]) -> tuple[int, ...]:
    """The extent of the cells along each coordinate, in steps of the lattice."""
    return tuple((max(axis) // lattice.period) - (min(axis) // lattice.period) + 1 for axis in zip(*cells, strict=True))


# -- counts and groups of pieces ----------------------------------------------------------------------------------------


COUNT = re.compile(r"(exactly |at least |at most )?([0-9]+)|([0-9]+) ?\.\.(?: ?([0-9]+))?")


def count_bounds(text: str) -> tuple[int, int | None]:
    """The lower and the upper bound of a count; None for no upper bound."""
    words = " ".join(text.lower().split(maxsplit=4))  # a count has three words at most
    if words == "any":
        return 0, None
    if match := COUNT.fullmatch(words):
        how, *numbers = match.groups()
        one, least, most = (None if each is None else checked_amount("pieces", whole_number(each, "a count")) for each in numbers)
        if one is not None:
            return (0, one) if how == "at most " else (one, None) if how == "at least " else (one, one)
        if least is not None and (most is None or least <= most):
            return least, most
    raise InputError(f"found the count {shortened(text)}, expected a count such as 3, 1..4, at least 2, at most 3, or any")


ALL = "all"


def group_members(items: Iterable[str], pieces: Sequence[Piece], entries: Mapping[str, Sequence[int]]) -> tuple[int, ...]:
    """The numbers of the named pieces; an item that is not a name can be several names, separated by blanks.

    `entries` are the numbers of the pieces of each entry, by its name.
    """
    known = {ALL: range(len(pieces)), **{name: found for name, found in entries.items() if name}}
    known |= {piece.name: [number] for number, piece in enumerate(pieces)}
    found: list[int] = []
    for item in items:
        words = [item] if item in known else [item.strip()] if item.strip() in known else item.split()
        if not words:
            raise InputError("found no name, expected the name of a piece or `all`")
        for word in words:
            if word not in known:
                raise InputError(unknown_name("piece of the puzzle", word, known))
            checked_amount("pieces", len(found) + len(known[word]))
            found += known[word]
    if len(found) > len(set(found)):
        twice = min(number for number in found if found.count(number) > 1)
        raise InputError(f"found {pieces[twice].name} twice in a group, expected each piece once")
    if not found:
        raise InputError("found a group without pieces, expected at least one")
    return tuple(sorted(found))


# -- labels of cells ----------------------------------------------------------------------------------------------------


LONGEST = 20
"""The most characters of a label."""


def read_labels(puzzle: Tiling, text: str) -> list[tuple[Place, str, int]]:
    """Each label with its place and its line in the drawing, from 0."""
    checked_amount("cells", len(text.split()), found=f"a drawing of {len(text.split())} labels")
    layered, hexagons = puzzle.lattice.dimension == 3, puzzle.lattice is HEXAGONAL
    firsts: dict[int, int] = {}  # for each row of hexagons, the column of its first cell
    for r, c in (place_of(puzzle.lattice, cell) for cell in puzzle.cells if hexagons):
        firsts[r] = min(c, firsts.get(r, c))
    found: list[tuple[Place, str, int]] = []
    layer, row = 0, 0
    for line, content in enumerate(text.split("\n")):
        words = content.split()
        if words:
            above = (layer, row) if layered else (row,)
            first, step = (firsts.get(row, row % 2), 2) if hexagons else (0, 1)
            found += [((*above, first + step * n), word, line) for n, word in enumerate(words) if word != BLANK]
            row += 1
        elif layered and row:
            layer, row = layer + 1, 0
    return found


def with_empty(puzzle: Tiling, text: str) -> Tiling:
    """The puzzle with exactly these cells empty, given by labels or places, separated by blanks or by commas with blanks.

    Cells that were empty before must then be covered. Claims about the solutions are removed.
    """
    board = {cell: COVERED if kind == EMPTY else kind for cell, kind in puzzle.board.items()}
    for word in [text] if text in puzzle.labels.values() else [word.strip(",") for word in text.split()]:
        board[_labelled_cell(puzzle, word)] = EMPTY
    about = {key: value for key, value in puzzle.about.items() if not key.startswith(CLAIMS)}
    return replace(puzzle, board=board, about=about)


def _labelled_cell(puzzle: Tiling, word: str) -> Cell:
    """The cell with this label, or at this place."""
    cells = [cell for cell, label in puzzle.labels.items() if label == word]
    if len(cells) > 1:
        raise InputError(f"found {shortened(word)}, the label of {len(cells)} cells, expected one or a place such as 3,4")
    if not cells and "," not in word:
        raise InputError(unknown_name("label", word, puzzle.labels.values()) + "; a place is 3,4")
    cells = cells or [puzzle.canonical(cell) for cell in places_cells(puzzle.lattice, word)]
    if cells[0] not in puzzle.board:
        raise InputError(f"found {shortened(word)}, which is not a cell of the board")
    return cells[0]
