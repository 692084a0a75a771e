"""Solids: the visible faces are those that a ray from the viewer meets first; layers show every cell; pieces stay whole."""

from __future__ import annotations

from collections import defaultdict

import pytest
from families.tiling.drawnboards import PUZZLES, open_png, rgb

from cnfgen_puzzles.families.drawing import Area, Text
from cnfgen_puzzles.families.lattice import CUBIC, SQUARE
from cnfgen_puzzles.families.looks import INK
from cnfgen_puzzles.families.tiling.pictures import flat, solids
from cnfgen_puzzles.families.tiling.pictures.palette import EMPTY_CELL, BoardLook, mix
from cnfgen_puzzles.families.tiling.pieces import Piece
from cnfgen_puzzles.families.tiling.puzzle import OPTIONAL, Tiling, box

CELL = 40
SOLID = ["box", "soma", "holes"]


def places(board):
    return [[cell if len(cell) == 3 else (0, *cell) for cell in laid.cells] for laid in board]


def scenes(name):
    """The whole, and the pieces moved apart."""
    _, board = PUZZLES[name]
    yield {place: number for number, piece in enumerate(places(board)) for place in piece}
    yield solids._move_apart(places(board))


FACE_OF_SIXTH = dict(zip(solids.SIXTHS, ("top", "right", "right", "left", "left", "top"), strict=True))
"""A sixth above the middle belongs to the top face, one to the right of the line below it to the right face."""


def first_met(scene):
    """For each sixth of a hexagon on the page, the nearest of all cubes at this place, and its face."""
    found = {}
    for place in scene:
        z, r, c = place
        for dx, dy in solids.SIXTHS:
            at = (3 * (c - r) + dx, 3 * (c + r - 2 * z) + dy)
            found[at] = max(found.get(at, (-1000, None, "")), (sum(place), place, FACE_OF_SIXTH[dx, dy]))
    return {at: entry[1:] for at, entry in found.items()}


@pytest.mark.parametrize("name", SOLID)
def test_the_picture_shows_the_first_cube_on_each_ray(name):
    puzzle, board = PUZZLES[name]
    look = BoardLook(puzzle, board)
    for scene in scenes(name):
        part = solids.SolidPart("", scene, ())
        image = open_png(solids._page(look, [part], CELL, False).png())
        edge = CELL // 2 + 2
        seen = set()
        for (x, y), (place, face) in first_met(scene).items():
            spot = (edge + CELL * (solids.ACROSS * x / 3 - part.left), edge + CELL * (solids.DOWN * y / 3 - part.top))
            expected = rgb(mix(look.fill(scene[place]), INK, solids.SHADES[face]))
            found = image.getpixel((int(spot[0]), int(spot[1])))
            assert all(abs(a - b) <= 12 for a, b in zip(found, expected, strict=True)), (place, face)
            seen.add(scene[place])
        assert name != "holes" or seen == set(range(len(board)))


@pytest.mark.parametrize("name", SOLID)
def test_pieces_moved_apart_stay_whole_and_mostly_visible(name):
    _, board = PUZZLES[name]
    pieces = places(board)
    scene = solids._move_apart(pieces)
    found = defaultdict(list)
    for place, number in sorted(scene.items()):
        found[number].append(place)
    for number, piece in enumerate(pieces):
        ways = {tuple(a - b for a, b in zip(*pair, strict=True)) for pair in zip(found[number], sorted(piece), strict=True)}
        assert len(ways) == 1  # moved as a whole
    assert solids._count_hidden(scene) < len(scene) * 6 * 0.15
    assert {scene[place] for place, _ in first_met(scene).values()} == set(range(len(board)))


def test_pieces_with_the_same_middle_stay_where_they_are():
    ring = [(0, r, c) for r in range(3) for c in range(3) if (r, c) != (1, 1)]
    scene = solids._move_apart([ring, [(0, 1, 1)]])
    assert scene == dict.fromkeys(ring, 0) | {(0, 1, 1): 1}


@pytest.mark.parametrize("name", ["box", "soma"])
def test_layers_show_every_cell_from_above(name):
    puzzle, board = PUZZLES[name]
    drawing = solids.draw_layers(BoardLook(puzzle, board), CELL)
    assert [shape.text for shape in drawing.shapes if isinstance(shape, Text)] == ["layer 1", "layer 2", "layer 3"]
    image = open_png(drawing.png())
    tops = {rgb(look) for look in map(BoardLook(puzzle, board).fill, range(len(board)))}
    assert tops <= {color for _, color in image.getcolors(1 << 24)}


def test_cells_that_stay_empty_have_a_floor():
    puzzle, board = PUZZLES["holes"]
    assert any(getattr(shape, "fill", "") == EMPTY_CELL for shape in solids.draw_layers(BoardLook(puzzle, board), CELL).shapes)


def test_flat_boards_of_other_lattices_are_drawn_flat():
    for name in ("triangles", "hexagons"):
        puzzle, board = PUZZLES[name]
        for draw in (solids.draw_layers, solids.draw_exploded):
            assert draw(BoardLook(puzzle, board), CELL).svg() == flat.draw(BoardLook(puzzle, board), CELL).svg()


@pytest.mark.parametrize("sides", [(2, 3), (2, 2, 2)])
@pytest.mark.parametrize("draw", [solids.draw_layers, solids.draw_exploded])
def test_a_board_without_pieces(draw, sides):
    """All cells stay empty: each is an area of the floor, and nothing else is drawn."""
    lattice = SQUARE if len(sides) == 2 else CUBIC
    puzzle = Tiling(lattice, dict.fromkeys(box(*sides), OPTIONAL), (Piece("one", ((0,) * len(sides),), 0, None),))
    drawing = draw(BoardLook(puzzle, ()), CELL)
    floors = [shape for shape in drawing.shapes if isinstance(shape, Area)]
    assert len(floors) == len(puzzle.board) * (1 if len(sides) == 2 else 2)  # in space once more in its layer
    assert {floor.fill for floor in floors} == {EMPTY_CELL}
