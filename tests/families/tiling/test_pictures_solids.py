"""Solids: the visible faces are those that a ray from the viewer meets first; layers show every cell."""

from __future__ import annotations

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
    scene = {solids._place(cell): number for cell, number in look.owner.items()}
    part = solids.SolidPart("", scene, ())
    image = open_png(solids._page(look, [part], CELL, False).png())
    edge = CELL // 2 + 2
    for (x, y), (place, face) in first_met(scene).items():
        spot = (edge + CELL * (solids.ACROSS * x / 3 - part.left), edge + CELL * (solids.DOWN * y / 3 - part.top))
        expected = rgb(mix(look.fill(scene[place]), INK, solids.SHADES[face]))
        found = image.getpixel((int(spot[0]), int(spot[1])))
        assert all(abs(a - b) <= 12 for a, b in zip(found, expected, strict=True)), (place, face)


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
        assert solids.draw_layers(BoardLook(puzzle, board), CELL).svg() == flat.draw(BoardLook(puzzle, board), CELL).svg()


@pytest.mark.parametrize("sides", [(2, 3), (2, 2, 2)])
def test_a_board_without_pieces(sides):
    """All cells stay empty: each is an area of the floor, and nothing else is drawn."""
    lattice = SQUARE if len(sides) == 2 else CUBIC
    puzzle = Tiling(lattice, dict.fromkeys(box(*sides), OPTIONAL), (Piece("one", ((0,) * len(sides),), 0, None),))
    drawing = solids.draw_layers(BoardLook(puzzle, ()), CELL)
    floors = [shape for shape in drawing.shapes if isinstance(shape, Area)]
    assert len(floors) == len(puzzle.board) * (1 if len(sides) == 2 else 2)  # in space once more in its layer
    assert {floor.fill for floor in floors} == {EMPTY_CELL}
