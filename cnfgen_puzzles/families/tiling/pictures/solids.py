"""Tilings of space as solids in isometric projection: the whole and its layers.

The layers are next to the whole, from the bottom up, so that every cell is visible. A cube hides only cubes with a smaller sum of
the coordinates toward the viewer. Flat boards of squares are solids with one layer; other flat boards are drawn flat.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from math import ceil
from typing import Any

from cnfgen_puzzles.families import drawing as sheets
from cnfgen_puzzles.families.drawing import Area, Drawing, Point, Shape, Stroke, Text
from cnfgen_puzzles.families.lattice import CUBIC, SQUARE, Cell
from cnfgen_puzzles.families.looks import INK, PAPER, ink_on
from cnfgen_puzzles.families.tiling.pictures import flat
from cnfgen_puzzles.families.tiling.pictures.palette import EMPTY_CELL, BoardLook, mix

ACROSS, DOWN = 0.866, 0.5
"""The effect of a step toward the viewer on the page: to the right (a column) or left (a row), and half a unit down."""

SHADES = {"top": 0.0, "left": 0.16, "right": 0.34}
"""The share of ink in the color of each face: the light comes from above and from the left."""

FACES = {"top": (1, 0, 0), "left": (0, 1, 0), "right": (0, 0, 1)}
"""The step (up, toward the viewer left, toward the viewer right) to the cell that would hide the face."""

SHEET_CELL = 24
"""The largest cell size on a page with several boards."""

Place = tuple[int, int, int]

Scene = Mapping[Place, int]
"""The number of the piece at each place (up, to the viewer's left, to the viewer's right)."""


def draw_layers(look: BoardLook, cell: int | None = None, letters: bool = False) -> Drawing:
    """The whole solid, with its layers next to it."""
    if look.puzzle.lattice not in (SQUARE, CUBIC):
        return flat.draw(look, cell, letters)
    scene = {_place(each): number for each, number in look.owner.items()}
    bare = [_place(each) for each in look.puzzle.cells if each not in look.owner]
    levels = sorted({z for z, _, _ in (*scene, *bare)})
    parts = [SolidPart("", scene, bare if len(levels) == 1 or not scene else ())]
    for z in levels if len(levels) > 1 else ():
        layer = {(0, *place[1:]): number for place, number in scene.items() if place[0] == z}
        floor = [(0, *place[1:]) for place in bare if place[0] == z]
        parts.append(SolidPart(f"layer {z + 1}", layer, floor))
    return _page(look, parts, cell, letters)


def _place(cell: Cell) -> Place:
    r, c = cell[-2:]
    return (cell[0] if len(cell) == 3 else 0, r, c)


SIXTHS = ((1, -3), (2, 0), (1, 3), (-1, 3), (-2, 0), (-1, -3))
"""A cube looks like a hexagon of six triangles: three times the vectors from its center to theirs, in steps on the page."""


def _centre(places: Sequence[Sequence[int]]) -> list[float]:
    return [sum(axis) / len(places) for axis in zip(*places, strict=True)]


def _sixths(scene: Scene) -> Iterator[tuple[tuple[int, int], Place]]:
    """Each triangle of `SIXTHS`, around the points of the page, with its cube; from back to front."""
    for place in sorted(scene, key=sum):
        x, y = seen(place)
        yield from (((3 * x + dx, 3 * y + dy), place) for dx, dy in SIXTHS)


# -- pages --------------------------------------------------------------------------------------------------------------


class SolidPart:
    """Cubes under one heading, with the empty places of their layer."""

    def __init__(self, heading: str, scene: Scene, bare: Sequence[Place]):
        self.heading, self.scene, self.bare = heading, scene, bare
        ends = [seen(_next(place, step)) for place in (*scene, *bare) for step in product((0, 1), repeat=3)]
        xs, ys = zip(*ends, strict=True)
        self.left, self.top = ACROSS * min(xs), DOWN * min(ys)
        self.width, self.height = ACROSS * max(xs) - self.left, DOWN * max(ys) - self.top


def seen(place: Sequence[Any]) -> tuple[Any, Any]:
    """The position of a point of space on the page, in steps `ACROSS` and `DOWN`."""
    z, r, c = place
    return (c - r, c + r - 2 * z)


GAP, HEADING = 0.8, 0.7
"""The distance between parts, and above each part with a heading, in units."""


def _page(look: BoardLook, parts: Sequence[SolidPart], cell: int | None, letters: bool) -> Drawing:
    """The first part on the left, vertically centered, the others next to it in rows; with letters if there are names."""
    first, rest = parts[0], parts[1:]
    across = max((part.width for part in rest), default=0) + GAP
    down = max((part.height for part in rest), default=0) + GAP + HEADING
    columns = sheets.columns_for(len(rest), across, down) if rest else 0
    height = max(first.height, ceil(len(rest) / columns) * down - GAP if rest else 0)
    width = first.width + columns * across + (GAP if rest else 0)
    cell = cell or flat.png_cell((width, height))
    edge = cell // 2 + 2
    drawing = Drawing(round(width * cell) + 2 * edge, round(height * cell) + 2 * edge, PAPER)
    drawing.title = look.puzzle.about.get("title", "")
    drawing.add(_part(first, look, cell, (edge, edge + cell * (height - first.height) / 2), letters))
    for number, part in enumerate(rest):
        x = edge + cell * (first.width + 2 * GAP + number % columns * across)
        y = edge + cell * (number // columns * down + HEADING)
        drawing.shapes.append(Text(x, y - 0.35 * cell, part.heading, 0.4 * cell, flat.NOTES, "start"))
        drawing.add(_part(part, look, cell, (x, y), letters))
    if look.elsewhere:
        flat.add_legend(drawing, edge, cell)
    return drawing


def _part(part: SolidPart, look: BoardLook, cell: int, corner: Point, letters: bool) -> Iterator[Shape]:
    """Draws from back to front: the visible floor, then each cube with its lines, then letters."""

    def at(place: Sequence[float]) -> Point:
        x, y = seen(place)
        return (corner[0] + cell * (ACROSS * x - part.left), corner[1] + cell * (DOWN * y - part.top))

    medium, thin = max(1, 0.06 * cell), max(0.5, 0.03 * cell)
    for z, r, c in part.bare:
        ring = tuple(at((z, r + left, c + right)) for left, right in ((0, 0), (0, 1), (1, 1), (1, 0)))
        yield Area((ring,), EMPTY_CELL)
        yield Stroke((*ring, ring[0]), thin, flat.RING)
    for place in sorted(part.scene, key=lambda place: (sum(place), place)):
        number = part.scene[place]
        faces = [face for face, step in FACES.items() if _next(place, step) not in part.scene]
        fills = {face: mix(look.fill(number), INK, SHADES[face]) for face in faces}
        yield from (Area((tuple(map(at, _corners(place, face))),), fill) for face, fill in fills.items())
        lines: set[tuple[Point, Point]] = set()
        for face, fill in fills.items():
            for start, end, inner in _edges(place, face, part.scene):
                if inner:
                    yield Stroke((at(start), at(end)), thin, mix(fill, INK, 0.2))
                else:
                    lines.add((at(start), at(end)))
        yield from (Stroke(line, medium, INK) for line in sorted(lines))
        if number in look.elsewhere:
            dots = (at(_centre(_corners(place, face))) for face in faces)
            yield from (Stroke((dot, dot), 0.2 * cell, look.ink(number)) for dot in dots)
    if letters and cell >= flat.DETAILED:
        yield from _write_letters(part.scene, look, cell, at)


def _write_letters(scene: Scene, look: BoardLook, cell: int, at: Callable[[Sequence[float]], Point]) -> Iterator[Text]:
    """The letter of each piece on the completely visible face that is nearest to its center, preferably on top."""
    faces: dict[int, list[tuple[Place, str]]] = defaultdict(list)
    for place, face in _seen_faces(scene):
        faces[scene[place]].append((place, face))
    for number, shown in faces.items():
        middle = _centre([place for place, _ in shown])
        far = {each: (each[1] != "top", sum((a - b) ** 2 for a, b in zip(each[0], middle, strict=True)), each) for each in shown}
        place, face = min(shown, key=far.__getitem__)
        x, y = at(_centre(_corners(place, face)))
        yield Text(x, y, look.letters[number], 0.5 * cell, ink_on(mix(look.fill(number), INK, SHADES[face])))


HALVES = {"top": ((1, -3), (-1, -3)), "left": ((-2, 0), (-1, 3)), "right": ((2, 0), (1, 3))}
"""The two triangles of `SIXTHS` of each face."""


def _seen_faces(scene: Scene) -> Iterator[tuple[Place, str]]:
    """The faces that no cube hides."""
    front = dict(_sixths(scene))
    for place in sorted(scene):
        x, y = seen(place)
        yield from ((place, face) for face, half in HALVES.items() if all(front[3 * x + a, 3 * y + b] == place for a, b in half))


def _next(place: Place, step: Sequence[int]) -> Place:
    return (place[0] + step[0], place[1] + step[1], place[2] + step[2])


def _corners(place: Place, face: str) -> list[Place]:
    """The four corners of a face, in order."""
    normal = FACES[face]
    one, two = (step for step in FACES.values() if step != normal)
    start = _next(place, normal)
    return [start, _next(start, one), _next(_next(start, one), two), _next(start, two)]


def _edges(place: Place, face: str, scene: Scene) -> Iterator[tuple[Place, Place, bool]]:
    """The sides of a face; True if the same piece continues across it in the same plane."""
    normal = FACES[face]
    around = _corners(place, face)
    one, two = (step for step in FACES.values() if step != normal)
    back_one, back_two = (tuple(-x for x in step) for step in (one, two))
    for start, end, step in zip(around, [*around[1:], around[0]], (back_two, one, two, back_one), strict=True):
        beside = _next(place, step)
        yield min(start, end), max(start, end), scene.get(beside) == scene[place] and _next(beside, normal) not in scene
