"""The lattices of boards and pieces: square, cubic, hexagonal, and triangular.

A cell is an integer vector, a symmetry is an integer matrix, and a translation adds a multiple of `period` to each coordinate.
Pieces, boards, and symmetry groups need nothing else of a lattice.

* square: (row, column). 4 rotations, 8 symmetries.
* cubic: (layer, row, column). 24 rotations, 48 symmetries.
* hexagonal: axial (row, diagonal); a rotation by 60 degrees is (r, d) -> (r + d, -r). 6 rotations, 12 symmetries.
* triangular: three times the center of the triangle in a basis of two sides, (down to the right, right): (3a+1, 3b+1) points
  down, (3a+2, 3b+2) up, and translations are multiples of 3. Rotations and symmetries are those of the hexagonal lattice.

A *place* is a position in a drawing: (row, column), in space (layer, row, column), counted from 0 at the top left; rows count
downward on every lattice.

* square, cubic: the place is the cell. Blank lines separate layers.
* hexagonal: doubled-width coordinates, so that a drawing looks like a honeycomb: row + column is even, and the six neighbors of
  (r, c) are (r, c +- 2) and (r +- 1, c +- 1). The cell is (r, (c - r) / 2).
* triangular: the triangle at (r, c) points up if r + c is even and down if it is odd; its neighbors are (r, c +- 1) and the one
  at its base, (r + 1, c) or (r - 1, c). The cell is (3 r + 2, 3 (c - r) / 2 - 1) or (3 r + 1, 3 (c - r - 1) / 2 + 1).

In a drawing, `.` and a space are not cells; spaces separate hexagons.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from operator import add, mul, sub

from cnfgen_puzzles.common.inputlimits import checked_amount
from cnfgen_puzzles.families.squares import components

Cell = tuple[int, ...]
Matrix = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Lattice:
    """A lattice. `steps` lead from a cell to its neighbors."""

    name: str
    dimension: int
    period: int
    rotation_generators: tuple[Matrix, ...]
    reflection: Matrix
    steps: tuple[Cell, ...]

    def __reduce__(self) -> tuple[Callable[[str], Lattice], tuple[str]]:
        return _find_lattice, (self.name,)  # lattices are singletons in every process, compared by `is`

    @cached_property
    def rotations(self) -> tuple[Matrix, ...]:
        """The proper symmetries, the identity first."""
        return _generate_group(self.dimension, self.rotation_generators)

    @cached_property
    def symmetries(self) -> tuple[Matrix, ...]:
        """All symmetries: the rotations, then the reflections."""
        return (*self.rotations, *(_product(self.reflection, matrix) for matrix in self.rotations))

    def has(self, cell: Cell) -> bool:
        """True if the vector is a cell. Only the triangular lattice has vectors that are not cells."""
        return self.period == 1 or cell[0] % 3 == cell[1] % 3 != 0

    def neighbours(self, cell: Cell) -> Iterator[Cell]:
        """The cells that share an edge (or a face) with `cell`."""
        for step in self.steps:
            neighbour = tuple(map(add, cell, step))
            if self.has(neighbour):
                yield neighbour

    def normal(self, cells: Iterable[Cell]) -> tuple[Cell, ...]:
        """The shape moved to the origin, sorted: equal for two shapes exactly if a translation maps one to the other."""
        cells = list(cells)
        shift = [min(axis) // self.period * self.period for axis in zip(*cells, strict=True)]
        return tuple(sorted([tuple(map(sub, cell, shift)) for cell in cells]))

    def orientations(self, cells: Iterable[Cell], matrices: Iterable[Matrix]) -> tuple[tuple[Cell, ...], ...]:
        """The different images of `cells` under `matrices`, each in normal form, in the order of the matrices."""
        cells = list(cells)
        return tuple(dict.fromkeys(self.normal(turn_cell(matrix, cell) for cell in cells) for matrix in matrices))

    def connected(self, cells: Iterable[Cell]) -> bool:
        """True if every cell can be reached from every other through neighbors."""
        return len(self.parts(cells)) <= 1

    def parts(self, cells: Iterable[Cell]) -> list[set[Cell]]:
        """The connected parts of a set of cells."""
        return components(cells, self.neighbours)


def turn_cell(matrix: Matrix, cell: Cell) -> Cell:
    """The image of a cell under a matrix."""
    return tuple([sum(map(mul, row, cell)) for row in matrix])


def _product(a: Matrix, b: Matrix) -> Matrix:
    columns = list(zip(*b, strict=True))
    return tuple(tuple(sum(x * y for x, y in zip(row, column, strict=True)) for column in columns) for row in a)


def _generate_group(dimension: int, generators: Iterable[Matrix]) -> tuple[Matrix, ...]:
    """The group that the matrices generate, in breadth-first order from the identity."""
    identity = tuple(tuple(int(i == j) for j in range(dimension)) for i in range(dimension))
    found = [identity]
    for matrix in found:
        found += [image for generator in generators if (image := _product(generator, matrix)) not in found]
    return tuple(dict.fromkeys(found))


TURN_60 = ((1, 1), (-1, 0))

SQUARE = Lattice("square", 2, 1, (((0, 1), (-1, 0)),), ((1, 0), (0, -1)), ((0, 1), (1, 0), (0, -1), (-1, 0)))
CUBIC = Lattice(
    "cubic",
    3,
    1,
    (((1, 0, 0), (0, 0, 1), (0, -1, 0)), ((0, 1, 0), (-1, 0, 0), (0, 0, 1))),
    ((1, 0, 0), (0, 1, 0), (0, 0, -1)),
    ((0, 0, 1), (0, 1, 0), (1, 0, 0), (0, 0, -1), (0, -1, 0), (-1, 0, 0)),
)
HEXAGONAL = Lattice("hexagonal", 2, 1, (TURN_60,), ((0, 1), (1, 0)), ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)))
TRIANGULAR = Lattice("triangular", 2, 3, (TURN_60,), ((0, 1), (1, 0)), ((1, 1), (-2, 1), (1, -2), (-1, -1), (2, -1), (-1, 2)))

LATTICES = {lattice.name: lattice for lattice in (SQUARE, CUBIC, HEXAGONAL, TRIANGULAR)}


def _find_lattice(name: str) -> Lattice:
    return LATTICES[name]


# -- drawings -----------------------------------------------------------------------------------------------------------


Place = tuple[int, ...]

BLANK = "."
"""The character for 'no cell'."""


class ArtError(ValueError):
    """An error in a drawing; `row` counts the lines from 0."""

    def __init__(self, message: str, row: int):
        super().__init__(message)
        self.message = message
        self.row = row


def cell_at(lattice: Lattice, place: Place) -> Cell:
    """The cell at a place; ValueError if the lattice has none."""
    if len(place) != lattice.dimension:
        names = "layer,row,column" if lattice.dimension == 3 else "row,column"
        raise ValueError(f"found the place {place_text(place)}, expected {names}")
    if lattice is HEXAGONAL:
        row, column = place
        if (row + column) % 2:
            raise ValueError(f"found the place {place_text(place)}, expected row and column both even or both odd (hexagons)")
        return (row, (column - row) // 2)
    if lattice is TRIANGULAR:
        row, column = place
        half, odd = divmod(column - row, 2)
        return (3 * row + 1, 3 * half + 1) if odd else (3 * row + 2, 3 * half - 1)
    return place


def place_of(lattice: Lattice, cell: Cell) -> Place:
    """The place of a cell: the inverse of `cell_at`."""
    if lattice is HEXAGONAL:
        row, diagonal = cell
        return (row, row + 2 * diagonal)
    if lattice is TRIANGULAR:
        row, down = cell[0] // 3, cell[0] % 3 == 1
        return (row, row + 2 * (cell[1] // 3) + (1 if down else 2))
    return cell


def place_text(place: Iterable[int]) -> str:
    """A place as text, such as `3,4`."""
    return ",".join(map(str, place))


# -- reading ------------------------------------------------------------------------------------------------------------


def read_art(lattice: Lattice, text: str) -> tuple[dict[Place, str], Place]:
    """The characters by their places, and the size of the drawing (rows, columns or layers, rows, columns).

    InputError for more cells than the limit. ArtError for rows or layers of different sizes and for misplaced blank lines.
    """
    signs = len(text) - sum(map(text.count, (BLANK, " ", "\n")))
    checked_amount("cells", signs, found=f"a drawing of {signs} cells")
    lines = [line.rstrip() for line in text.split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    layers: list[list[str]] = [[]]
    starts = [0]
    for row, line in enumerate(lines):
        if line:
            layers[-1].append(line)
        elif lattice.dimension == 2:
            raise ArtError(f"found a blank line in the drawing, expected a row; write {BLANK!r} for no cell", row)
        elif layers[-1]:
            layers.append([])
            starts.append(row + 1)
        else:
            starts[-1] = row + 1
    for start, layer in zip(starts, layers, strict=True):
        if len(layer) != len(layers[0]):
            raise ArtError(f"found a layer of {len(layer)} rows, expected {len(layers[0])} as in the first layer", start)
        for row, line in enumerate(layer if lattice is not HEXAGONAL else ()):
            if len(line) != (width := len(layers[0][0])):
                found = f"found a row of {len(line)} characters, expected {width} as in the first row"
                raise ArtError(f"{found}; write {BLANK!r} for no cell", start + row)
    places = {
        (z, r, c)[3 - lattice.dimension :]: sign
        for z, layer in enumerate(layers)
        for r, line in enumerate(layer)
        for c, sign in enumerate(line)
        if sign not in (BLANK, " ")
    }
    return places, (len(layers), len(layers[0]), max(map(len, layers[0]), default=0))[3 - lattice.dimension :]


# -- drawing ------------------------------------------------------------------------------------------------------------


def draw(lattice: Lattice, signs: Mapping[Place, str]) -> str:
    """The drawing, for `read_art`, with these characters at these places (no coordinate is negative).

    Spaces separate hexagons; dots fill a row up to its first hexagon because editors and YAML change leading spaces.
    """
    hexagons = lattice is HEXAGONAL
    *layers, rows, columns = (max(axis) + 1 for axis in zip(*signs, strict=True))
    drawn = []
    for layer in product(*map(range, layers)):
        lines = []
        for r in range(rows):
            line, begun = "", False
            for c in range(columns):
                begun = begun or (*layer, r, c) in signs
                line += signs.get((*layer, r, c), " " if hexagons and begun and (r + c) % 2 else BLANK)
            lines.append(line.rstrip(BLANK + " ") or BLANK if hexagons else line)
        drawn.append("\n".join(lines))
    return "\n\n".join(drawn)


def to_corner(lattice: Lattice, cells: Iterable[Cell]) -> Cell:
    """The translation that moves cells to the top left of a drawing."""
    places = [place_of(lattice, cell) for cell in cells]
    least = [min(axis) for axis in zip(*places, strict=True)]
    if lattice in (HEXAGONAL, TRIANGULAR) and sum(least) % 2:
        least[1] -= 1
    origin = tuple(0 for _ in least)
    zero, corner = cell_at(lattice, origin), cell_at(lattice, tuple(least))
    return tuple(a - b for a, b in zip(zero, corner, strict=True))
