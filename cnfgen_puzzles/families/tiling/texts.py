"""The short texts that puzzle files and the command line share: sizes of boards, places, how often a piece is used.

    6x10          a rectangle, on other lattices the parallelogram of that many steps; 2x3x10 a box
    triangle 7    of hexagons (28 cells) or triangles (49 cells) with that side; `hexagon 4` likewise
    5x6 + 5x6     boards beside each other, apart
    ###/#.#/###   a drawing: # or X must be covered, o may stay empty, . is no cell; / or a line's end after a row, // a layer
    3,3 3,4       places: row,column or layer,row,column from 0, as in a drawing of the board (`lattice.py`)
    12   1..4   at least 2   at most 3   any   (exactly 12 is 12)

Each function raises InputError without a file or a line, which the caller adds.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product

from cnfgen_puzzles.common.errors import InputError, unknown_name
from cnfgen_puzzles.common.inputlimits import checked_amount, shortened, whole_number
from cnfgen_puzzles.families.tiling.lattice import (
    BLANK,
    CUBIC,
    HEXAGONAL,
    LATTICES,
    SQUARE,
    TRIANGULAR,
    ArtError,
    Cell,
    Lattice,
    Place,
    cell_at,
    place_of,
    read_art,
    shown,
)
from cnfgen_puzzles.families.tiling.pieces import Piece, PieceGroup
from cnfgen_puzzles.families.tiling.puzzle import COVERED, EMPTY, OPTIONAL, PREFIX, Tiling

AXES = {
    "square": ("rows", "columns"),
    "cubic": ("layers", "rows", "columns"),
    "hexagonal": ("rows", "diagonals"),
    "triangular": ("rows", "diagonals"),
}
"""What the coordinates of each lattice count."""

SIDES = re.compile(r"[0-9]{1,30}(\s*[x×]\s*[0-9]{1,30}){1,2}")
NAMED_BOARD = re.compile(r"(triangle|hexagon)\s+([0-9]{1,30})")
NUMBER = re.compile(r"[0-9]{1,30}")


SIGNS = {"X": COVERED, "#": COVERED, "o": OPTIONAL}
"""What the characters of a drawn board mean; `.` and a blank are no cell."""
DRAWN = re.compile(r".*[#/\n].*|[Xo. ]*[Xo][Xo. ]*", re.DOTALL)


def is_drawn(text: str) -> bool:
    """Whether a board is a drawing: no size has a `#`, a `/`, an end of a line, or nothing but X, o and dots."""
    return bool(DRAWN.fullmatch(text))


def drawn_board(lattice: Lattice, text: str) -> tuple[dict[Cell, str], list[Cell]]:
    """The cells of a drawing, and those of the rectangle or box around it, by which it may close to a ring."""
    rows = _drawn_rows(text)
    try:
        signs, size = read_art(lattice, "\n".join(rows))
    except ArtError as error:
        raise InputError(f"{error.message} (row {error.row + 1})") from None
    if not signs:
        raise InputError("found a drawing without cells, expected at least one")
    if wrong := next((sign for sign in signs.values() if sign not in SIGNS), None):
        raise InputError(f"found {wrong!r} in the drawing of the board, expected X, #, o or .")
    try:
        board = {cell_at(lattice, place): SIGNS[sign] for place, sign in signs.items()}
    except ValueError as error:
        raise InputError(str(error)) from None
    checked_amount("steps", math.prod(size), found=f"a drawing of {math.prod(size)} places")
    return board, list(product(*map(range, size))) if lattice in (SQUARE, CUBIC) else list(board)


def _drawn_rows(text: str) -> list[str]:
    """The rows of a drawing, layers apart by an empty one; blank lines around it mean nothing."""
    rows = [row.rstrip() for row in text.replace("/", "\n").split("\n")]
    filled = [number for number, row in enumerate(rows) if row]
    return rows[filled[0] : filled[-1] + 1] if filled else []


def is_solid(text: str) -> bool:
    """Whether a size has three sides, or a drawing several layers."""
    if is_drawn(text):
        return "" in _drawn_rows(text)
    return any(part.count("x") + part.count("×") == 2 for part in text.split("+"))


def board_cells(lattice: Lattice, text: str) -> list[Cell]:
    """The cells of a board given by its size, or of several beside each other."""
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
    if named := NAMED_BOARD.fullmatch(text):
        if lattice not in (HEXAGONAL, TRIANGULAR):
            raise InputError(f"found the board {text!r} on the {lattice.name} lattice, expected sides such as 6x10")
        return _figure(lattice, named[1], _at_least_one(int(named[2]), text))
    if not SIDES.fullmatch(text):
        also = ", triangle 7 or hexagon 4" if lattice in (HEXAGONAL, TRIANGULAR) else ""
        raise InputError(
            f"found the size {shortened(text)}, expected sides such as {'2x3x10' if lattice is CUBIC else '6x10'}{also}"
        )
    sides = [_at_least_one(int(side), text) for side in NUMBER.findall(text)]
    if len(sides) != lattice.dimension:
        raise InputError(f"found {len(sides)} sides ({text}), expected {lattice.dimension} on the {lattice.name} lattice")
    _not_too_many(sides)
    if lattice is TRIANGULAR:
        return [(3 * a + k, 3 * b + k) for a, b in product(*map(range, sides)) for k in (1, 2)]
    return list(product(*map(range, sides)))


def _at_least_one(number: int, text: str) -> int:
    if number < 1:
        raise InputError(f"found the size {text!r}, expected sides of at least 1")
    return number


def _not_too_many(sides: Iterable[int]) -> None:
    volume = math.prod(sides)
    checked_amount("cells", volume, found=f"a board of {volume} cells")


def _figure(lattice: Lattice, name: str, side: int) -> list[Cell]:
    """A triangle (pointing up) or a hexagon of this side, in the top left corner of its drawing."""
    _not_too_many((side, side, 6))
    if lattice is HEXAGONAL:
        if name == "triangle":  # row r has r + 1 hexagons
            places = [(r, side - 1 - r + 2 * i) for r in range(side) for i in range(r + 1)]
        else:
            rows = range(2 * side - 1)
            places = [(r, abs(r - side + 1) + 2 * i) for r in rows for i in range(2 * side - 1 - abs(r - side + 1))]
        odd = sum(places[0]) % 2
    else:
        if name == "triangle":  # row r has 2 r + 1 triangles, the first and the last pointing up
            places = [(r, side - 1 - r + i) for r in range(side) for i in range(2 * r + 1)]
            odd = (side - 1) % 2
        else:  # widest in the middle; the first triangle of the upper half points up
            upper = [(r, side - 1 - r + i) for r in range(side) for i in range(2 * (side + r) + 1)]
            places = upper + [(2 * side - 1 - r, c) for r, c in upper]
            odd = (side - 1) % 2
    return [cell_at(lattice, (r, c + odd)) for r, c in places]


def places_cells(lattice: Lattice, text: str) -> list[Cell]:
    """The cells at places such as `3,3 3,4`."""
    cells = []
    for word in text.split():
        numbers = word.split(",")
        if not all(NUMBER.fullmatch(number) for number in numbers):
            raise InputError(
                f"found {shortened(word)}, expected places such as {'0,3,4' if lattice is CUBIC else '3,4'} apart by blanks"
            )
        try:
            cells.append(cell_at(lattice, tuple(map(int, numbers))))
        except ValueError as error:
            raise InputError(str(error)) from None
    return cells


def board_places(lattice: Lattice, text: str, board: Collection[Cell]) -> list[Cell]:
    """The cells at these places, each once, all of them on the board."""
    cells = places_cells(lattice, text)
    for cell in cells:
        if cell not in board:
            raise InputError(f"found {places_text(lattice, [cell])}, which is no cell of the board")
    return list(dict.fromkeys(cells))


def places_text(lattice: Lattice, cells: Iterable[Cell]) -> str:
    """Cells as places, in ascending order."""
    return " ".join(shown(place_of(lattice, cell)) for cell in sorted(cells))


def count_bounds(text: str) -> tuple[int, int | None]:
    """How often a piece is used: the least and the most, None for no bound."""
    words = " ".join(text.lower().split(maxsplit=4))  # a count has three words at most
    if words == "any":
        return 0, None
    for pattern, bounds in (
        (r"(?:exactly )?([0-9]+)", lambda n: (n, n)),
        (r"at least ([0-9]+)|([0-9]+) ?\.\.", lambda n: (n, None)),
        (r"at most ([0-9]+)", lambda n: (0, n)),
    ):
        if match := re.fullmatch(pattern, words):
            return bounds(_count(next(filter(None, match.groups()))))
    if match := re.fullmatch(r"([0-9]+) ?\.\. ?([0-9]+)", words):
        least, most = map(_count, match.groups())
        if least <= most:
            return least, most
    raise InputError(f"found the count {shortened(text)}, expected 3, 1..4, at least 2, at most 3 or any")


def _count(digits: str) -> int:
    return checked_amount("pieces", whole_number(digits, "a count"))


def count_text(least: int, most: int | None) -> str:
    """The inverse of `count_bounds`."""
    if most is None:
        return f"at least {least}" if least else "any"
    return str(least) if least == most else f"{least}..{most}"


def extents(lattice: Lattice, cells: Iterable[Cell]) -> tuple[int, ...]:
    """How many steps of the lattice lie between the first and the last cell along each coordinate, both counted."""
    return tuple((max(axis) // lattice.period) - (min(axis) // lattice.period) + 1 for axis in zip(*cells, strict=True))


def wrapping(lattice: Lattice, cells: Collection[Cell], *, torus: bool) -> tuple[int | None, ...]:
    """The periods of a board that closes along its last coordinate, or with `torus` along all.

    It must be given by sides, for nothing says where another board ends; `wrap` in a file does.
    """
    steps = extents(lattice, cells)
    if len(set(cells)) != math.prod(steps) * (2 if lattice is TRIANGULAR else 1):
        raise InputError(
            "found a board that is not given by sides such as 6x10, expected its periods, as `wrap` in a file says them"
        )
    periods = [each * lattice.period for each in steps]
    return tuple(periods) if torus else (*(None for _ in periods[1:]), periods[-1])


def common_lattice(asked: str | None, solid: bool, lattices: Iterable[tuple[Lattice, str]]) -> Lattice:
    """The lattice of a puzzle: the one that is asked for, else that of its pieces; pieces of squares may lie in space.

    `lattices` are those of its named pieces with their names; `solid` says that the board has three dimensions.
    """
    if asked is not None and asked not in LATTICES:
        raise InputError(unknown_name("lattice", asked, LATTICES))
    found = LATTICES[asked] if asked else CUBIC if solid else None
    for lattice, name in lattices:
        if found is None or (found is SQUARE and lattice is CUBIC and asked is None):
            found = lattice
        if lattice is not found and (lattice, found) != (SQUARE, CUBIC):
            raise InputError(f"found {name}, which lie on the {lattice.name} lattice, expected pieces of the {found.name} one")
    return found or SQUARE


# -- groups of pieces ---------------------------------------------------------------------------------------------------


ALL = "all"
OF = re.compile(r"(?P<count>.*?\S)\s+of\s+(?P<rest>\S.*)", re.DOTALL)

Entries = Mapping[str, Sequence[int]]
"""The numbers of the pieces of each entry, by its name."""


def group_members(items: Iterable[str], pieces: Sequence[Piece], entries: Entries) -> tuple[int, ...]:
    """The numbers of the pieces that are named; an item that is no name may be several, apart by blanks."""
    names = {piece.name: number for number, piece in enumerate(pieces)}
    known = {ALL: range(len(pieces)), **{name: found for name, found in entries.items() if name}}
    known |= {name: [number] for name, number in names.items()}
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
    if twice := sorted({number for number in found if found.count(number) > 1}) if len(found) > len(set(found)) else []:
        raise InputError(f"found {pieces[twice[0]].name} twice in a group, expected each piece once")
    if not found:
        raise InputError("found a group without pieces, expected at least one")
    return tuple(sorted(found))


def with_optional(pieces: Sequence[Piece], groups: Iterable[PieceGroup], uncounted: Collection[int]) -> list[Piece]:
    """The pieces, where those of a group that have no count of their own may be left out: they are used at most once."""
    grouped = {number for group in groups for number in group.pieces}
    return [
        replace(piece, least=0, most=1) if number in grouped and number in uncounted else piece
        for number, piece in enumerate(pieces)
    ]


def read_group_count(text: str) -> tuple[tuple[int, int | None], str]:
    """The bounds and what is behind `of`."""
    match = OF.fullmatch(text.strip())
    if match is None:
        raise InputError(f"found {shortened(text)}, expected such as '9 of all' or 'at most 2 of F, I'")
    return count_bounds(match["count"]), match["rest"]


def read_groups(text: str, pieces: Sequence[Piece], entries: Entries) -> list[PieceGroup]:
    """The groups of a text in which `;` stands between them."""
    found = []
    checked_amount("pieces", text.count(";") + 1)
    for part in text.split(";"):
        (least, most), rest = read_group_count(part)
        found.append(PieceGroup(group_members(rest.split(","), pieces, entries), least, most))
    return found


# -- labels of cells ----------------------------------------------------------------------------------------------------


LONGEST = 20
"""Characters of a label: more would not be seen on a cell."""


def check_label(label: str) -> str:
    """The label; InputError for one that cannot be shown on a cell."""
    if not label.strip() or not label.isprintable():
        raise InputError(f"found the label {shortened(label)}, expected signs that can be seen")
    if len(label) > LONGEST:
        raise InputError(f"found a label of {len(label)} characters, {shortened(label)}, expected at most {LONGEST}")
    return label


def read_labels(puzzle: Tiling, text: str) -> list[tuple[Place, str, int]]:
    """Each label with its place and the line of the drawing on which it stands, from 0."""
    checked_amount("cells", len(text.split()), found=f"a drawing of {len(text.split())} labels")
    firsts = _first_columns(puzzle)
    return list(_labels(puzzle, text, firsts))


def _labels(puzzle: Tiling, text: str, firsts: Mapping[Place, int]) -> Iterator[tuple[Place, str, int]]:
    layer, row = 0, 0
    step = 2 if puzzle.lattice is HEXAGONAL else 1
    for line, content in enumerate(text.split("\n")):
        words = content.split()
        if not words and puzzle.lattice.dimension == 3 and row:
            layer, row = layer + 1, 0
        if not words:
            continue
        above = (layer, row) if puzzle.lattice.dimension == 3 else (row,)
        first = firsts.get(above, row % 2) if puzzle.lattice is HEXAGONAL else 0
        for number, word in enumerate(words):
            if word != BLANK:
                yield (*above, first + step * number), word, line
        row += 1


def _first_columns(puzzle: Tiling) -> dict[Place, int]:
    """For each row (and layer) the column of its first cell."""
    found: dict[Place, int] = {}
    for cell in puzzle.cells:
        *above, column = place_of(puzzle.lattice, cell)
        found[tuple(above)] = min(column, found.get(tuple(above), column))
    return found


def labels_drawing(puzzle: Tiling) -> str | None:
    """The labels as `read_labels` reads them; None where some cannot be drawn."""
    if any(label == BLANK or len(label.split()) != 1 or label != label.strip() for label in puzzle.labels.values()):
        return None
    hexagons, firsts = puzzle.lattice is HEXAGONAL, _first_columns(puzzle)
    rows: dict[Place, dict[int, str]] = {}
    for cell, label in puzzle.labels.items():
        *above, column = place_of(puzzle.lattice, cell)
        rows.setdefault(tuple(above), {})[(column - firsts[tuple(above)]) // 2 if hexagons else column] = label
    wide = max(map(len, puzzle.labels.values()))
    height = max(above[-1] for above in rows) + 1
    layers = range(max(above[0] for above in rows) + 1) if puzzle.lattice.dimension == 3 else [None]
    return "\n\n".join("\n".join(_row(rows.get((r,) if z is None else (z, r), {}), wide) for r in range(height)) for z in layers)


def _row(labels: Mapping[int, str], wide: int) -> str:
    return " ".join(labels.get(n, BLANK).ljust(wide) for n in range(max(labels, default=0) + 1)).rstrip()


def with_empty(puzzle: Tiling, text: str) -> Tiling:
    """The puzzle with these cells empty and no others: by their labels or their places, apart by blanks or commas with blanks.

    A cell that stayed empty before must be covered then. What is claimed of the solutions is claimed no longer.
    """
    board = {cell: COVERED if kind == EMPTY else kind for cell, kind in puzzle.board.items()}
    known = [text] if text in puzzle.labels.values() else [word.strip(",") for word in text.split()]
    for word in known:
        board[_named(puzzle, word)] = EMPTY
    about = {key: value for key, value in puzzle.about.items() if not key.startswith(PREFIX)}
    return replace(puzzle, board=board, about=about)


def _named(puzzle: Tiling, word: str) -> Cell:
    """The cell with this label, or at this place."""
    cells = [cell for cell, label in puzzle.labels.items() if label == word]
    if len(cells) > 1:
        raise InputError(f"found {shortened(word)}, the label of {len(cells)} cells, expected one or a place such as 3,4")
    if not cells and "," not in word:
        raise InputError(unknown_name("label", word, puzzle.labels.values()) + "; a place is 3,4")
    cells = cells or [puzzle.canonical(cell) for cell in places_cells(puzzle.lattice, word)]
    if cells[0] not in puzzle.board:
        raise InputError(f"found {shortened(word)}, which is no cell of the board")
    return cells[0]
