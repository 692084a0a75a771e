"""Tiled boards as flat pictures: colored areas with outlines.

Faint lines separate the cells of a piece. The border of the board is thick, a hole inside it is black, and a cell that stays
empty is pale and has its label or a ring. Boards in space are shown layer by layer, from the bottom up. On a board that closes to
a ring, an outline that continues at the other side is dashed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from math import hypot, sqrt
from typing import NamedTuple

from cnfgen_puzzles.families import drawing as sheets
from cnfgen_puzzles.families.drawing import Area, Drawing, Point, Shape, ShapeGroup, Stroke, Text
from cnfgen_puzzles.families.lattice import CUBIC, HEXAGONAL, SQUARE, TRIANGULAR, Cell, Lattice, place_of
from cnfgen_puzzles.families.looks import INK, PAPER
from cnfgen_puzzles.families.tiling.pictures.palette import ELSEWHERE, EMPTY_CELL, BoardLook, mix
from cnfgen_puzzles.families.tiling.puzzle import COVERED, Tiling

Corner = tuple[int, int]
"""(to the right, down)."""

UNIT = {SQUARE: (1.0, 1.0), CUBIC: (1.0, 1.0), HEXAGONAL: (0.54, 0.54 / sqrt(3)), TRIANGULAR: (0.7, 0.7 * sqrt(3))}
"""The distance of corners that are 1 apart, to the right and down."""


def corners(lattice: Lattice, cell: Cell) -> tuple[Corner, ...]:
    """The corners of a cell, clockwise from the top or the top left."""
    r, c = place_of(lattice, cell)[-2:]
    if lattice is HEXAGONAL:
        return ((c + 1, 3 * r), (c + 2, 3 * r + 1), (c + 2, 3 * r + 3), (c + 1, 3 * r + 4), (c, 3 * r + 3), (c, 3 * r + 1))
    if lattice is TRIANGULAR:
        if (r + c) % 2:
            return ((c, r), (c + 2, r), (c + 1, r + 1))
        return ((c + 1, r), (c + 2, r + 1), (c, r + 1))
    return ((c, r), (c + 1, r), (c + 1, r + 1), (c, r + 1))


class Edge(NamedTuple):
    """A side of a cell: its corners clockwise around the cell, and the adjacent cell, which need not be on the board.

    On a seam, where the board closes to a ring, the adjacent cell is drawn elsewhere.
    """

    start: Corner
    end: Corner
    beyond: Cell
    seam: bool


def edges_of(puzzle: Tiling) -> dict[Cell, tuple[Edge, ...]]:
    """The edges of the cells of a board in its picture."""
    return {cell: tuple(_edges(puzzle, cell)) for cell in puzzle.cells}


def _edges(puzzle: Tiling, cell: Cell) -> Iterator[Edge]:
    around = corners(puzzle.lattice, cell)
    sides = {frozenset(side): side for side in zip(around, (*around[1:], around[0]), strict=True)}
    for near in puzzle.lattice.neighbours(cell):
        if near[:-2] == cell[:-2]:
            beyond = puzzle.canonical(near)
            yield Edge(*sides[frozenset(around) & frozenset(corners(puzzle.lattice, near))], beyond, beyond != near)


def holes(puzzle: Tiling) -> frozenset[Cell]:
    """Cells inside the board that do not belong to it: no path in their layer leads from them around the board.

    A torus has no outside; on a cylinder, the two open rims are outside.
    """
    lattice, layered = puzzle.lattice, puzzle.lattice.dimension - 2
    spans, rims = [], []
    for number, axis in enumerate(zip(*puzzle.cells, strict=True)):
        ring = puzzle.wrap[number] if puzzle.wrap else None
        rim = 0 if ring or number < layered else lattice.period
        spans.append(range(ring) if ring else range(min(axis) - rim, max(axis) + rim + 1))
        rims.append((*spans[-1][:rim], *spans[-1][len(spans[-1]) - rim :]))
    bare = {cell for cell in product(*spans) if lattice.has(cell) and cell not in puzzle.board}
    frontier = {cell for cell in bare if any(x in rim for x, rim in zip(cell, rims, strict=True))}
    inside = bare - frontier
    while frontier:
        near = {puzzle.canonical(near) for cell in frontier for near in lattice.neighbours(cell) if near[:-2] == cell[:-2]}
        frontier = near & inside
        inside -= frontier
    return frozenset(inside)


@lru_cache(maxsize=1)
def _edges_and_holes(
    lattice: Lattice, cells: tuple[Cell, ...], wrap: tuple[int | None, ...]
) -> tuple[dict[Cell, tuple[Edge, ...]], frozenset[Cell]]:
    """The edges and holes of a board, which many boards on one page share."""
    puzzle = Tiling(lattice, dict.fromkeys(cells, COVERED), (), wrap=wrap)
    return edges_of(puzzle), holes(puzzle)


# -- pictures -----------------------------------------------------------------------------------------------------------


RING, NOTES = "#8f8b84", "#55555f"

SHEET_CELL = 32
PNG_SIDE, PNG_CELL, PNG_LEAST_CELL = 1280, 64, 4
"""A PNG has a longer side of about 1280 pixels, and cells of 4 to 64 pixels."""

DETAILED = 10
"""Smaller cells have no faint lines and no letters."""
DOT = 0.22
LETTER_WIDTH = 0.6
"""The approximate width of a letter, in font sizes."""


def draw(look: BoardLook, cell: int | None = None, letters: bool = False) -> Drawing:
    """The picture of a board, with cells of this size (None: as a PNG has them)."""
    flat = Flat(look, cell)
    cell, edge = flat.cell, max(2, flat.cell // 2)
    width, height = (round(size * cell) + 2 * edge for size in flat.extent)
    drawing = Drawing(width, height, PAPER, title=look.puzzle.about.get("title", ""))
    for panel in flat.panels:
        x, y = edge + panel.x * cell, edge + panel.y * cell
        drawing.shapes.append(ShapeGroup(x, y, flat.shapes(panel.cells, letters)))
        if panel.heading and cell >= DETAILED:
            drawing.shapes.append(Text(x, y - 0.35 * cell, panel.heading, 0.4 * cell, NOTES, "start"))
    if look.elsewhere and cell >= DETAILED:
        add_legend(drawing, edge, cell)
    return drawing


def png_cell(extent: tuple[float, float]) -> int:
    """The size of the cells of a PNG."""
    return sheets.png_cell(extent, PNG_CELL, PNG_LEAST_CELL, PNG_SIDE)


# -- one board ----------------------------------------------------------------------------------------------------------


class Panel(NamedTuple):
    """A part of the board: the whole board or one layer. Its position is (x, y), in cells."""

    cells: Sequence[Cell]
    x: float
    y: float
    heading: str = ""


class Flat:
    """The layout of the board in a picture with cells of this size (None: as a PNG has them), and the shapes of its panels."""

    def __init__(self, look: BoardLook, cell: int | None):
        puzzle = look.puzzle
        self.look, self.puzzle, self.lattice = look, puzzle, puzzle.lattice
        self.edges, self.holes = _edges_and_holes(puzzle.lattice, puzzle.cells, puzzle.wrap)
        around = [corner for cell in puzzle.cells for corner in corners(puzzle.lattice, cell)]
        (left, top), (right, bottom) = (tuple(map(limit, zip(*around, strict=True))) for limit in (min, max))
        across, down = UNIT[puzzle.lattice]
        width, height = (right - left) * across, (bottom - top) * down
        one = [Panel(puzzle.cells, 0, 0)]
        self.panels = one if puzzle.lattice.dimension == 2 else list(self._layers(width + 1, height + 1.5))
        self.extent = (max(p.x for p in self.panels) + width, max(p.y for p in self.panels) + height)
        self.cell = cell or png_cell(self.extent)
        self.ux, self.uy = across * self.cell, down * self.cell
        self.thin, self.medium = max(1, round(0.03 * self.cell)), max(1, round(0.07 * self.cell))
        self.thick = self.medium + 2 * round(0.02 * self.cell)
        sharp = self.medium % 2 / 2  # center lines of odd width on pixels
        self.left, self.top = sharp - left * self.ux, sharp - top * self.uy

    def _layers(self, across: float, down: float) -> Iterator[Panel]:
        layers: dict[int, list[Cell]] = defaultdict(list)
        for cell in self.puzzle.cells:
            layers[cell[0]].append(cell)
        columns = sheets.columns_for(len(layers), across, down)
        for number, (z, cells) in enumerate(sorted(layers.items())):
            yield Panel(cells, number % columns * across, number // columns * down + 0.7, f"layer {z + 1}")

    def at(self, corner: Iterable[float]) -> Point:
        """The position of a corner in its panel."""
        x, y = corner
        return (self.left + x * self.ux, self.top + y * self.uy)

    def middle(self, cell: Cell) -> Point:
        """The position of the center of a cell."""
        xs, ys = zip(*corners(self.lattice, cell), strict=True)
        return self.at((sum(xs) / len(xs), sum(ys) / len(ys)))

    def outline(self, cell: Cell) -> tuple[Point, ...]:
        """The positions of the corners of a cell."""
        return tuple(map(self.at, corners(self.lattice, cell)))

    def shapes(self, cells: Sequence[Cell], letters: bool) -> list[Shape]:
        """The shapes of a panel: areas, lines from faint to thick, and then text; small cells have no letters and labels."""
        owned: dict[int | None, list[Cell]] = defaultdict(list)
        for cell in cells:
            owned[self.look.owner.get(cell)].append(cell)
        holes = [cell for cell in self.holes if cell[:-2] == cells[0][:-2]]
        fills = [(self.look.fill(number), mine) for number, mine in owned.items()] + ([(INK, holes)] if holes else [])
        return [
            *(Area(tuple(map(self.outline, mine)), fill) for fill, mine in sorted(fills, key=lambda entry: entry[0])),
            *self._lines(cells),
            *self._dashes(cells),
            *self._signs(cells, dict(self._letter_places(owned)) if letters and self.cell >= DETAILED else {}),
        ]

    # -- lines ----------------------------------------------------------------------------------------------------------

    def _lines(self, cells: Iterable[Cell]) -> Iterator[Stroke]:
        """The lines on all edges, by width and color."""
        found: dict[tuple[float, str], set[tuple[Corner, Corner]]] = defaultdict(set)
        for cell in cells:
            mine = self.look.owner.get(cell)
            for edge in self.edges[cell]:
                if edge.beyond not in self.puzzle.board:
                    kind = (self.thick, INK)
                elif self.look.owner.get(edge.beyond) != mine:
                    kind = (self.medium, INK)
                elif self.cell >= DETAILED or mine is None:
                    kind = (self.thin, mix(self.look.fill(mine), INK, 0.2))
                else:
                    continue
                found[kind].add((min(edge.start, edge.end), max(edge.start, edge.end)))
        for (width, color), edges in sorted(found.items()):
            yield from (Stroke((self.at(start), self.at(end)), width, color) for start, end in sorted(edges))

    def _dashes(self, cells: Iterable[Cell]) -> Iterator[Stroke]:
        """Two dashes on each edge where a piece continues at the other side of the board."""
        owner = self.look.owner
        for cell in cells:
            for edge in self.edges[cell]:
                if edge.seam and owner.get(edge.beyond) == owner.get(cell):
                    (x1, y1), (x2, y2) = self.at(edge.start), self.at(edge.end)
                    for ends in ((1 / 8, 3 / 8), (5 / 8, 7 / 8)):
                        points = tuple((x1 + (x2 - x1) * share, y1 + (y2 - y1) * share) for share in ends)
                        yield Stroke(points, max(1, self.medium / 2), INK)

    # -- signs ----------------------------------------------------------------------------------------------------------

    def _letter_places(self, owned: dict[int | None, list[Cell]]) -> Iterator[tuple[Cell, int]]:
        """For each part of a piece, the cell nearest to its center, for its letter, and the number of the piece."""
        for number, cells in owned.items():
            if number is None:
                continue
            for part in self.lattice.parts(cells):
                middles = {cell: self.middle(cell) for cell in sorted(part)}
                x, y = (sum(axis) / len(middles) for axis in zip(*middles.values(), strict=True))
                far = {cell: round(hypot(here[0] - x, here[1] - y), 3) for cell, here in middles.items()}
                yield min(far, key=far.__getitem__), number

    def _signs(self, cells: Iterable[Cell], lettered: dict[Cell, int]) -> list[Shape]:
        """Rings in cells that stay empty, dots in cells where another board differs, letters, and labels below them; labels on
        cells that stay empty are larger."""
        triangles = self.lattice is TRIANGULAR
        shown = self.look.labels if self.cell >= DETAILED else {}
        dots: list[Shape] = []
        letters: dict[Cell, Shape] = {}
        labels: list[Shape] = []
        for cell in cells:
            number, (x, y) = self.look.owner.get(cell), self.middle(cell)
            label = shown.get(cell)
            if number is None and label is None:
                dots += [Stroke(((x, y), (x, y)), size * self.cell, fill) for size, fill in ((0.3, RING), (0.18, EMPTY_CELL))]
            if number in self.look.elsewhere:
                written = cell in lettered or label is not None
                below = (x, y + 0.34 * self.cell * written)
                dots.append(Stroke((below, below), DOT * self.cell * (0.6 if written else 1), self.look.ink(number)))
            if cell in lettered:
                size = self.cell * (0.4 if triangles else 0.5) * (1 if label is None else 0.8)
                above = y - 0.17 * self.cell * (label is not None)
                letters[cell] = Text(x, above, self.look.letters[lettered[cell]], size, self.look.ink(number))
            if label is not None:
                room = (0.6 if triangles else 0.9) / (LETTER_WIDTH * len(label))
                size = self.cell * min(0.42 if number is None else 0.3, room)
                labels.append(Text(x, y + 0.2 * self.cell * (cell in lettered), label, size, self.look.ink(number)))
        return [*dots, *(letters[cell] for cell in lettered), *labels]


def add_legend(drawing: Drawing, x: float, cell: int) -> None:
    """The meaning of a dot, below the picture, which is widened for this text."""
    size, y = 0.4 * cell, drawing.height + 0.1 * cell
    drawing.height += cell
    drawing.width = max(drawing.width, round(x + 0.5 * cell + LETTER_WIDTH * size * len(ELSEWHERE) + cell / 2))
    dot = (x + DOT * cell / 2, y)
    drawing.add([Stroke((dot, dot), DOT * cell, INK), Text(x + 0.5 * cell, y, ELSEWHERE, size, NOTES, "start")])
