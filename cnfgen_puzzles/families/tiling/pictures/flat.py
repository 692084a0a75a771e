"""Tiled boards as flat pictures: coloured areas with outlines.

Cells of one piece are parted by faint lines. Where the board ends the outline is thick, a hole inside it is black, a cell that
stays empty is pale and has its label or a ring. Space is shown layer by layer, from the bottom up. On a board that closes to a
ring, an outline that is open at the rim is dashed there: the piece goes on at the other side.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise, product
from math import hypot, sqrt
from typing import NamedTuple

from cnfgen_puzzles.families import drawing as sheets
from cnfgen_puzzles.families.drawing import Area, Drawing, Point, Shape, Stroke, Text
from cnfgen_puzzles.families.looks import INK, PAPER, ink_on
from cnfgen_puzzles.families.tiling.lattice import CUBIC, HEXAGONAL, LATTICES, SQUARE, TRIANGULAR, Cell, Lattice, place_of
from cnfgen_puzzles.families.tiling.pictures.palette import (
    ELSEWHERE,
    UNCOVERED,
    colours,
    elsewhere,
    letters,
    mixed,
    owners,
    shown_labels,
)
from cnfgen_puzzles.families.tiling.puzzle import Board, Tiling

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
    """A side of a cell, its corners clockwise around the cell, and the cell beyond (which need not be on the board).

    On a seam, where the board closes to a ring, the cell beyond is drawn elsewhere.
    """

    start: Corner
    end: Corner
    beyond: Cell
    seam: bool


class Sides:
    """The edges of the cells of a board, as they lie in its picture; made once and used for many boards."""

    def __init__(self, puzzle: Tiling):
        self.of: dict[Cell, tuple[Edge, ...]] = {cell: tuple(_edges(puzzle, cell)) for cell in puzzle.cells}


def _edges(puzzle: Tiling, cell: Cell) -> Iterator[Edge]:
    around = corners(puzzle.lattice, cell)
    steps = _steps_across(puzzle.lattice, cell[0] % 3 if puzzle.lattice is TRIANGULAR else 0)
    for start, end, step in zip(around, (*around[1:], around[0]), steps, strict=True):
        near = tuple(a + b for a, b in zip(cell, step, strict=True))
        beyond = puzzle.canonical(near)
        yield Edge(start, end, beyond, beyond != near)


@cache
def _steps_across(lattice: Lattice, kind: int) -> tuple[Cell, ...]:
    """The step across each side of a cell, in the order of `corners`; triangles are of two kinds."""
    cell = (kind, kind) if lattice is TRIANGULAR else (0,) * lattice.dimension
    around = corners(lattice, cell)
    found = {}
    for step in lattice.steps:
        near = tuple(a + b for a, b in zip(cell, step, strict=True))
        if lattice.has(near) and (lattice.dimension == 2 or step[0] == 0):
            found[frozenset(around) & frozenset(corners(lattice, near))] = step
    return tuple(found[frozenset(side)] for side in zip(around, (*around[1:], around[0]), strict=True))


def holes(puzzle: Tiling) -> frozenset[Cell]:
    """Cells that are not on the board but inside it: within their layer no way leads from them around the board.

    On a torus nothing is outside; on a cylinder the two open rims are.
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


# -- outlines -----------------------------------------------------------------------------------------------------------


def rings(edges: Iterable[tuple[Corner, Corner]]) -> list[tuple[Corner, ...]]:
    """Directed edges, as many into a corner as out of it, joined to closed rings without corners on straight lines."""
    leaving: dict[Corner, list[Corner]] = defaultdict(list)
    for start, end in edges:
        leaving[start].append(end)
    found = []
    for start in sorted(leaving):
        while leaving[start]:
            ring = [start]
            while not (len(ring) > 1 and ring[-1] == start):
                ring.append(leaving[ring[-1]].pop())
            found.append(_without_straight(ring[:-1]))
    return found


def _without_straight(ring: list[Corner]) -> tuple[Corner, ...]:
    around = zip([ring[-1], *ring[:-1]], ring, [*ring[1:], ring[0]], strict=True)
    return tuple(here for before, here, after in around if not _straight(before, here, after))


def _straight(a: Corner, b: Corner, c: Corner) -> bool:
    return (b[0] - a[0]) * (c[1] - b[1]) == (b[1] - a[1]) * (c[0] - b[0])


def trails(edges: Iterable[tuple[Corner, Corner]]) -> list[tuple[Corner, ...]]:
    """Undirected edges joined to as few lines as a short look finds, straight on where that is possible."""
    at: dict[Corner, set[Corner]] = defaultdict(set)
    for start, end in edges:
        at[start].add(end)
        at[end].add(start)
    found = []
    for start in sorted(at, key=lambda corner: (len(at[corner]) % 2 == 0, corner)):
        while at[start]:
            trail = [start]
            while at[trail[-1]]:
                here = trail[-1]
                onward = [near for near in at[here] if len(trail) > 1 and _straight(trail[-2], here, near)]
                near = onward[0] if onward else min(at[here])
                at[here].remove(near)
                at[near].remove(here)
                trail.append(near)
            found.append(_shortened(trail))
    return found


def _shortened(trail: list[Corner]) -> tuple[Corner, ...]:
    inner = (here for (before, here), (_, after) in pairwise(pairwise(trail)) if not _straight(before, here, after))
    return (trail[0], *inner, trail[-1])


assert set(UNIT) == set(LATTICES.values())


# -- pictures -----------------------------------------------------------------------------------------------------------


EMPTY, RING, NOTES = "#efece4", "#8f8b84", "#55555f"

SHEET_CELL = 32
PNG_SIDE, PNG_CELL, PNG_LEAST_CELL = 1280, 64, 4
"""A PNG has a longer side of about 1280 pixels, with cells of 4 to 64."""

DETAILED = 10
"""Cells smaller than this have no faint lines and no letters."""


def draw(
    puzzle: Tiling, board: Board, other: Board | None, cell: int | None = None, letters: bool = False, labels: str = UNCOVERED
) -> Drawing:
    """The picture of a board, with cells of this size (None: as a PNG has them)."""
    flat = Flat(puzzle)
    return flat.draw(board, other, cell or png_cell(flat.extent), letters, labels)


def png_cell(extent: tuple[float, float]) -> int:
    """The cells of a PNG of so many cells."""
    return max(PNG_LEAST_CELL, min(PNG_CELL, int(PNG_SIDE / max(extent))))


def draw_sheet(puzzle: Tiling, boards: Sequence[Board], letters: bool = False, labels: str = UNCOVERED) -> Drawing:
    """Boards in rows, smaller the more there are; a piece has the same colour on all of them as far as that is possible."""
    flat = Flat(puzzle)
    width, height = flat.extent
    cell = sheets.cell_size(len(boards), width + 1, height + 1, most=SHEET_CELL)
    drawn = [flat.draw(board, None, cell, letters, labels) for board in boards]
    return sheets.page(drawn, PAPER, puzzle.about.get("title", ""))


# -- one board ----------------------------------------------------------------------------------------------------------


@dataclass
class Panel:
    """A part of the board that is drawn in one piece: all of it, or one layer. Its place is (x, y), in cells."""

    cells: list[Cell]
    x: float
    y: float
    heading: str = ""


NOBODY, HOLE = -1, -2
DOT = 0.22
LETTER_WIDTH = 0.6
"""About how wide a letter is, in font sizes."""


class BoardColours:
    """The colours of the pieces on one board, and which of them another board has elsewhere."""

    def __init__(self, puzzle: Tiling, board: Board, other: Board | None):
        self.owner = owners(board)
        self.colours = colours(puzzle, board)
        self.elsewhere = elsewhere(board, other)

    def fill(self, number: int) -> str:
        """The colour of a piece; those that lie in the other board too are paler."""
        if number < 0:
            return EMPTY if number == NOBODY else INK
        pale = self.elsewhere and number not in self.elsewhere
        return mixed(self.colours[number], PAPER, 0.65) if pale else self.colours[number]

    def ink(self, number: int) -> str:
        """The colour of signs on a piece."""
        return ink_on(self.fill(number))


class Flat:
    """How a puzzle's board lies in a picture; made once for all of its boards."""

    def __init__(self, puzzle: Tiling):
        self.puzzle = puzzle
        self.sides = Sides(puzzle).of
        self.holes = holes(puzzle)
        around = [corner for cell in puzzle.cells for corner in corners(puzzle.lattice, cell)]
        self.unit = UNIT[puzzle.lattice]
        self.least = tuple(map(min, zip(*around, strict=True)))
        most = map(max, zip(*around, strict=True))
        self.size = tuple((b - a) * unit for a, b, unit in zip(self.least, most, self.unit, strict=True))
        self.panels = list(self._panels())
        self.extent = tuple(
            max(at) + size for at, size in zip(zip(*((p.x, p.y) for p in self.panels), strict=True), self.size, strict=True)
        )

    def _panels(self) -> Iterator[Panel]:
        if self.puzzle.lattice.dimension == 2:
            yield Panel(list(self.puzzle.cells), 0, 0)
            return
        layers: dict[int, list[Cell]] = defaultdict(list)
        for cell in self.puzzle.cells:
            layers[cell[0]].append(cell)
        across, down = self.size[0] + 1, self.size[1] + 1.5
        columns = sheets.columns_for(len(layers), across, down)
        for number, (z, cells) in enumerate(sorted(layers.items())):
            yield Panel(cells, number % columns * across, number // columns * down + 0.7, f"layer {z + 1}")

    def draw(self, board: Board, other: Board | None, cell: int, with_letters: bool = False, labels: str = UNCOVERED) -> Drawing:
        """The picture of a board, with cells of this size."""
        look = BoardColours(self.puzzle, board, other)
        names = letters(self.puzzle, board) if with_letters and cell >= DETAILED else []
        words = shown_labels(self.puzzle, board, labels) if cell >= DETAILED else {}
        edge = max(2, cell // 2)
        width, height = (round(size * cell) + 2 * edge for size in self.extent)
        drawing = Drawing(width, height, PAPER, title=self.puzzle.about.get("title", ""))
        for panel in self.panels:
            corner = (edge + panel.x * cell, edge + panel.y * cell)
            drawing.add(Painter(self, panel, look, cell, corner).shapes(names, words))
            if panel.heading and cell >= DETAILED:
                drawing.shapes.append(Text(corner[0], corner[1] - 0.35 * cell, panel.heading, 0.4 * cell, NOTES, "start"))
        if look.elsewhere and cell >= DETAILED:
            add_legend(drawing, edge, cell)
        return drawing


class Painter:
    """Draws one panel with its top left corner at `corner`."""

    def __init__(self, flat: Flat, panel: Panel, look: BoardColours, cell: int, corner: Point):
        self.flat, self.look, self.cell = flat, look, cell
        self.cells, self.lattice = panel.cells, flat.puzzle.lattice
        self.ux, self.uy = (unit * cell for unit in flat.unit)
        self.thin, self.medium = max(1, round(0.03 * cell)), max(1, round(0.07 * cell))
        self.thick = self.medium + 2 * round(0.02 * cell)
        sharp = self.medium % 2 / 2  # lines of odd width have their middle in the middle of a pixel
        self.left, self.top = corner[0] + sharp - flat.least[0] * self.ux, corner[1] + sharp - flat.least[1] * self.uy

    def at(self, corner: Iterable[float]) -> Point:
        x, y = corner
        return (self.left + x * self.ux, self.top + y * self.uy)

    def middle(self, cell: Cell) -> Point:
        xs, ys = zip(*corners(self.lattice, cell), strict=True)
        return self.at((sum(xs) / len(xs), sum(ys) / len(ys)))

    def shapes(self, names: Sequence[str], words: Mapping[Cell, str]) -> list[Shape]:
        """Fills first, then lines from faint to thick, then signs; letters too, if there are `names`, and these labels."""
        fills = [
            Area(tuple(tuple(map(self.at, ring)) for ring in _outline(self.lattice, cells)), self.look.fill(number))
            for number, cells in self._by_owner()
        ]
        strokes = [
            Stroke(tuple(map(self.at, trail)), width, colour)
            for (width, colour), edges in sorted(self._lines().items())
            for trail in trails(edges)
        ]
        dashes = [dash for edge in self._open_seams() for dash in self._dashes(edge)]
        lettered = dict(self._lettered()) if names else {}
        return [
            *sorted(fills, key=lambda area: area.fill),
            *strokes,
            *dashes,
            *self._signs(lettered, words),
            *self._letters(lettered, names, words),
            *self._words(words, lettered),
        ]

    def _by_owner(self) -> list[tuple[int, list[Cell]]]:
        """The cells of each piece, those that stay empty, and the holes."""
        found: dict[int, list[Cell]] = defaultdict(list)
        for cell in self.cells:
            found[self.look.owner.get(cell, NOBODY)].append(cell)
        layer = self.cells[0][:-2]
        holes = [cell for cell in self.flat.holes if cell[:-2] == layer]
        return [*found.items(), *([(HOLE, holes)] if holes else [])]

    # -- lines ----------------------------------------------------------------------------------------------------------

    def _lines(self) -> dict[tuple[float, str], list[tuple[Corner, Corner]]]:
        """All edges, sorted by width and colour of their line."""
        found: dict[tuple[float, str], set[tuple[Corner, Corner]]] = defaultdict(set)
        for cell in self.cells:
            mine = self.look.owner.get(cell, NOBODY)
            for edge in self.flat.sides[cell]:
                look = self._line(edge, mine)
                if look:
                    found[look].add((min(edge.start, edge.end), max(edge.start, edge.end)))
        return {look: sorted(edges) for look, edges in found.items()}

    def _line(self, edge: Edge, mine: int) -> tuple[float, str] | None:
        """Width and colour of the line between a cell and the one beyond."""
        if edge.beyond not in self.flat.puzzle.board:
            return (self.thick, INK)
        if self.look.owner.get(edge.beyond, NOBODY) != mine:
            return (self.medium, INK)
        if self.cell < DETAILED and mine != NOBODY:
            return None
        return (self.thin, mixed(self.look.fill(mine), INK, 0.2))

    def _open_seams(self) -> Iterator[Edge]:
        """Edges where a piece goes on at the other side of the board."""
        owner = self.look.owner
        for cell in self.cells:
            yield from (edge for edge in self.flat.sides[cell] if edge.seam and owner.get(edge.beyond) == owner.get(cell))

    def _dashes(self, edge: Edge) -> Iterator[Stroke]:
        (x1, y1), (x2, y2) = self.at(edge.start), self.at(edge.end)
        for start, end in ((1 / 8, 3 / 8), (5 / 8, 7 / 8)):
            points = tuple((x1 + (x2 - x1) * share, y1 + (y2 - y1) * share) for share in (start, end))
            yield Stroke(points, max(1, self.medium / 2), INK)

    # -- signs ----------------------------------------------------------------------------------------------------------

    def _lettered(self) -> Iterator[tuple[Cell, int]]:
        """For each part of a piece the cell nearest to its middle, where its letter stands, and the piece's number."""
        for number, cells in self._by_owner():
            for part in self.lattice.parts(cells) if number >= 0 else ():
                middles = {cell: self.middle(cell) for cell in sorted(part)}
                x, y = (sum(axis) / len(middles) for axis in zip(*middles.values(), strict=True))
                far = {cell: round(hypot(here[0] - x, here[1] - y), 3) for cell, here in middles.items()}
                yield min(far, key=far.__getitem__), number

    def _signs(self, lettered: Mapping[Cell, int], words: Mapping[Cell, str]) -> Iterator[Stroke]:
        """Rings in cells that stay empty, dots in those where another board differs: below the letter, if there is one."""
        for cell in self.cells:
            number, (x, y) = self.look.owner.get(cell), self.middle(cell)
            if number is None and cell in words:
                continue
            if number is None:
                yield from (Stroke(((x, y), (x, y)), size * self.cell, fill) for size, fill in ((0.3, RING), (0.18, EMPTY)))
            elif number in self.look.elsewhere:
                written = cell in lettered or cell in words
                y += 0.34 * self.cell * written
                size = DOT * self.cell * (0.6 if written else 1)
                yield Stroke(((x, y), (x, y)), size, self.look.ink(number))

    def _letters(self, lettered: Mapping[Cell, int], names: Sequence[str], words: Mapping[Cell, str]) -> Iterator[Text]:
        size = self.cell * (0.4 if self.lattice is TRIANGULAR else 0.5)
        for cell, number in lettered.items():
            x, y = self.middle(cell)
            both = cell in words
            yield Text(x, y - 0.17 * self.cell * both, names[number], size * (0.8 if both else 1), self.look.ink(number))

    def _words(self, words: Mapping[Cell, str], lettered: Mapping[Cell, int]) -> Iterator[Text]:
        """Labels: larger on cells that stay empty, where they matter most; below the letter, if there is one."""
        room = 0.6 if self.lattice is TRIANGULAR else 0.9
        for cell in self.cells:
            if cell in words:
                number, (x, y) = self.look.owner.get(cell), self.middle(cell)
                wanted = 0.42 if number is None else 0.3
                size = self.cell * min(wanted, room / (LETTER_WIDTH * len(words[cell])))
                ink = INK if number is None else self.look.ink(number)
                yield Text(x, y + 0.2 * self.cell * (cell in lettered), words[cell], size, ink)


def _outline(lattice: Lattice, cells: Iterable[Cell]) -> list[tuple[Corner, ...]]:
    """The rings around cells: their sides but those that two of them share."""
    around = (corners(lattice, cell) for cell in cells)
    sides = {side for ring in around for side in zip(ring, (*ring[1:], ring[0]), strict=True)}
    return rings(sorted(side for side in sides if side[::-1] not in sides))


def add_legend(drawing: Drawing, x: float, cell: int) -> None:
    """What a dot means, below the picture, which gets as wide as the words need."""
    size, y = 0.4 * cell, drawing.height + 0.1 * cell
    drawing.height += cell
    drawing.width = max(drawing.width, round(x + 0.5 * cell + LETTER_WIDTH * size * len(ELSEWHERE) + cell / 2))
    dot = (x + DOT * cell / 2, y)
    drawing.add([Stroke((dot, dot), DOT * cell, INK), Text(x + 0.5 * cell, y, ELSEWHERE, size, NOTES, "start")])
