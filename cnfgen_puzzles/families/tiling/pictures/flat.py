"""Tiled boards as flat pictures: coloured areas with outlines.

Cells of one piece are parted by faint lines. Where the board ends the outline is thick, a hole inside it is black, a cell that
stays empty is pale and has its label or a ring. Space is shown layer by layer, from the bottom up. On a board that closes to a
ring, an outline that is open at the rim is dashed there: the piece goes on at the other side.
Not here: solids (`solids.py`), which views there are (`__init__.py`), which colour a piece gets (`palette.py`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import hypot

from cnfgen_puzzles.families import contactsheet as sheets
from cnfgen_puzzles.families.drawing import Area, Drawing, Point, Shape, Stroke, Text
from cnfgen_puzzles.families.looks import INK, PAPER, ink_on
from cnfgen_puzzles.families.tiling.model.board import Board
from cnfgen_puzzles.families.tiling.model.lattice import TRIANGULAR, Cell, Lattice
from cnfgen_puzzles.families.tiling.model.puzzle import Tiling
from cnfgen_puzzles.families.tiling.pictures.labels import UNCOVERED, shown_labels
from cnfgen_puzzles.families.tiling.pictures.outlines import UNIT, Corner, Edge, Sides, corners, holes, rings, trails
from cnfgen_puzzles.families.tiling.pictures.palette import colours, elsewhere, letters, mixed, owners
from cnfgen_puzzles.families.tiling.pictures.text import ELSEWHERE

EMPTY, RING, NOTES = "#efece4", "#8f8b84", "#55555f"

SHEET_CELL = 32
PNG_SIDE, PNG_CELL, PNG_LEAST_CELL = 1280, 64, 4
"""A PNG has a longer side of about 1280 pixels, with cells of 4 to 64."""

DETAILED = 10
"""Cells smaller than this have no faint lines and no letters."""


def draw(
    puzzle: Tiling,
    board: Board,
    other: Board | None,
    cell: int | None = None,
    letters: bool = False,
    labels: str = UNCOVERED,
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


class Look:
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
        look = Look(self.puzzle, board, other)
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

    def __init__(self, flat: Flat, panel: Panel, look: Look, cell: int, corner: Point):
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
