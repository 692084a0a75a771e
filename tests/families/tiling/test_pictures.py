"""Pictures of tilings: every piece is drawn with an outline and in a different color than its neighbors; marks are correct."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter
from itertools import combinations

import pytest
from families.tiling.drawnboards import PUZZLES, SIX_BY_TEN, SIX_BY_TEN_TOO, drawn, open_png, rgb

from cnfgen_puzzles.families.drawing import Area, ShapeGroup, Stroke, Text
from cnfgen_puzzles.families.lattice import SQUARE
from cnfgen_puzzles.families.looks import INK, PAPER
from cnfgen_puzzles.families.tiling.pictures import VIEWS, flat
from cnfgen_puzzles.families.tiling.pictures.flat import corners, edges_of, holes
from cnfgen_puzzles.families.tiling.pictures.palette import EMPTY_CELL, PALETTE, BoardLook, colors, mix, owners, touching_pieces
from cnfgen_puzzles.families.tiling.puzzle import make_board

SPACE = "{http://www.w3.org/2000/svg}"
CELL = 40


def near(pixel, color: str, tolerance: int = 12) -> bool:
    return all(abs(a - b) <= tolerance for a, b in zip(pixel, rgb(color), strict=True))


class Placed(flat.Flat):
    """The positions of the only panel of a flat board in its picture."""

    def __init__(self, puzzle, board):
        super().__init__(BoardLook(puzzle, board), CELL)
        self.left, self.top = self.left + CELL // 2, self.top + CELL // 2


def shapes_of(drawing):
    """The shapes of a drawing, with those of its groups where they are in their group."""
    return [each for shape in drawing.shapes for each in (shape.shapes if isinstance(shape, ShapeGroup) else [shape])]


FLAT = [name for name, (puzzle, _) in PUZZLES.items() if puzzle.lattice.dimension == 2]

# -- every view ---------------------------------------------------------------------------------------------------------


PNG_BOARDS = ("soma", "hexagons")  # a PNG is its SVG, drawn by resvg


@pytest.mark.sample(7)
@pytest.mark.parametrize(("name", "view"), [(n, v) for n in PUZZLES for v in VIEWS if "png" not in v or n in PNG_BOARDS])
def test_every_view_shows_every_board(name, view):
    puzzle, board = PUZZLES[name]
    turned = make_board((len(puzzle.pieces) - 1 - laid.piece, laid.cells) for laid in board)
    alone, same, marked = (VIEWS[view].draw(puzzle, board, other) for other in (None, board, turned))
    assert alone == same and alone != marked
    if VIEWS[view].suffix == ".svg":
        ET.fromstring(alone)
        ET.fromstring(marked)
    assert isinstance(alone, bytes if VIEWS[view].suffix == ".png" else str)
    if VIEWS[view].sheet:
        assert VIEWS[view].sheet(puzzle, [board, board, board]) != alone


# -- colors -------------------------------------------------------------------------------------------------------------

SIGHT = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB."""


def times(matrix, vector):
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def seen_as(color: str, sight: str) -> list[float]:
    """The color in Ottosson's OKLab, times 100, as seen with this type of color vision."""
    linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in (part / 255 for part in rgb(color))]
    red_green_blue = [min(1, max(0, x)) for x in times(SIGHT[sight], linear)]
    cones = times(
        ((0.4122215, 0.5363325, 0.0514460), (0.2119035, 0.6806995, 0.1073970), (0.0883025, 0.2817188, 0.6299787)), red_green_blue
    )
    lab = ((0.2104543, 0.7936178, -0.0040720), (1.9779985, -2.4285922, 0.4505937), (0.0259040, 0.7827718, -0.8086758))
    return [100 * x for x in times(lab, [x ** (1 / 3) for x in cones])]


def distance(one: str, other: str) -> float:
    """The distance of two colors for the type of color vision that distinguishes them least."""
    pairs = [(seen_as(one, sight), seen_as(other, sight)) for sight in SIGHT]
    return min(sum((a - b) ** 2 for a, b in zip(*pair, strict=True)) ** 0.5 for pair in pairs)


def test_colors_differ_with_every_color_vision():
    assert distance("#9a8f00", "#c97b00") < 10 < distance("#ff0000", "#00ff00") < 30 < distance("#ffffff", "#000000")
    assert min(distance(one, other) for one, other in combinations(PALETTE, 2)) > 10
    assert min(distance(color, other) for color in PALETTE for other in (PAPER, INK)) > 5


@pytest.mark.parametrize("name", PUZZLES)
def test_pieces_that_touch_have_different_colors(name):
    puzzle, board = PUZZLES[name]
    found = colors(puzzle, board)
    assert all(found[one] != found[other] for one, others in enumerate(touching_pieces(puzzle, board)) for other in others)


def test_a_piece_used_once_keeps_its_color_on_every_board():
    puzzle, board = drawn(SQUARE, SIX_BY_TEN)
    _, other = drawn(SQUARE, SIX_BY_TEN_TOO)
    one, two = ({laid.piece: color for laid, color in zip(b, colors(puzzle, b), strict=True)} for b in (board, other))
    assert one == two and len(set(one.values())) == 12


# -- outlines -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PUZZLES)
def test_cells_share_a_side_exactly_with_their_neighbours(name):
    puzzle, _ = PUZZLES[name]
    for cell, edges in edges_of(puzzle).items():
        assert {edge.start for edge in edges} == set(corners(puzzle.lattice, cell))
        beyond = {edge.beyond for edge in edges} & set(puzzle.board)
        assert beyond == {each for each in puzzle.neighbours(cell) if each[:-2] == cell[:-2]}


def test_holes_are_inside():
    puzzle, _ = PUZZLES["holes"]
    assert holes(puzzle) == {(1, 1), (1, 10), (1, 11), (2, 4), (3, 3), (3, 4)}
    assert holes(PUZZLES["hexagons"][0]) == {(2, 1)}
    torus, _ = drawn(SQUARE, "A.A\nAAA", (2, 3))
    assert holes(torus) == {(0, 1)}
    cylinder, _ = drawn(SQUARE, "A.AA\nAAAA\nA.AA\nAAAA", (None, 4))
    assert holes(cylinder) == {(2, 1)}


# -- flat pictures ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FLAT)
def test_lines_are_where_pieces_end_and_nowhere_else(name):
    puzzle, board = PUZZLES[name]
    image, place, owner = open_png(flat.draw(BoardLook(puzzle, board), CELL).png()), Placed(puzzle, board), owners(board)
    for cell, edges in edges_of(puzzle).items():
        for edge in edges:
            (x1, y1), (x2, y2) = place.at(edge.start), place.at(edge.end)
            pixel = image.getpixel((int((x1 + x2) / 2), int((y1 + y2) / 2)))
            ends = edge.beyond not in puzzle.board or owner.get(edge.beyond) != owner.get(cell)
            assert near(pixel, INK) == ends, (cell, edge)


@pytest.mark.parametrize("name", FLAT)
def test_cells_have_their_colors_holes_are_black_and_empty_cells_pale(name):
    puzzle, board = PUZZLES[name]
    image, place, owner = open_png(flat.draw(BoardLook(puzzle, board), CELL).png()), Placed(puzzle, board), owners(board)
    found = colors(puzzle, board)
    for cell in puzzle.cells:
        x, y = place.middle(cell)
        assert near(image.getpixel((int(x), int(y))), found[owner[cell]] if cell in owner else EMPTY_CELL)
    for cell in holes(puzzle):
        assert near(image.getpixel(tuple(map(int, place.middle(cell)))), INK)
    assert near(image.getpixel((1, 1)), PAPER)


@pytest.mark.parametrize("letters", [False, True])
def test_pieces_that_lie_elsewhere_have_dots_and_the_others_are_pale(letters):
    puzzle, board = drawn(SQUARE, "AAB\nACB\nCCB")
    _, other = drawn(SQUARE, "BAA\nBCA\nBCC")
    swapped = make_board([*other[:1], *board[1:]])
    shapes = shapes_of(flat.draw(BoardLook(puzzle, board, swapped), CELL, letters))
    dots = [shape for shape in shapes if isinstance(shape, Stroke) and shape.points[0] == shape.points[1]]
    assert len(dots) == 3 + 1  # and one in the legend
    assert [shape.text for shape in shapes if isinstance(shape, Text)][-1] == "differs in the other board"
    found = colors(puzzle, board)
    fills = {shape.fill for shape in shapes if isinstance(shape, Area)}
    assert fills == {found[0], *(mix(color, PAPER, 0.65) for color in found[1:])}


@pytest.mark.parametrize("name", PUZZLES)
def test_letters_on_request_are_one_a_piece_and_layer(name):
    puzzle, board = PUZZLES[name]
    root = ET.fromstring(VIEWS["svg"].draw(puzzle, board, None, letters=True))
    shown = Counter(element.text.upper() for element in root.iter(f"{SPACE}text") if not element.text.startswith("layer"))
    parts = Counter()
    for laid in board:
        layers = {cell[:-2] for cell in laid.cells}
        parts[puzzle.pieces[laid.piece].name] += sum(
            len(list(puzzle.lattice.parts(cell for cell in laid.cells if cell[:-2] == layer))) for layer in layers
        )
    if name == "holes":  # copies that touch have different letters
        assert sum(shown.values()) == sum(parts.values())
    else:
        assert shown == parts
    without = ET.fromstring(VIEWS["svg"].draw(puzzle, board, None))
    assert all(element.text.startswith("layer") for element in without.iter(f"{SPACE}text"))


# -- sheets -------------------------------------------------------------------------------------------------------------


def test_a_piece_across_the_seam_has_an_open_dashed_outline():
    puzzle, board = drawn(SQUARE, "AAB\nBBB\nAAB", (3, None))
    shapes = shapes_of(flat.draw(BoardLook(puzzle, board), CELL))
    rim = [s for s in shapes if isinstance(s, Stroke) and s.stroke == INK and {y for _, y in s.points} == {0.5}]
    assert len(rim) == 6 and all(abs(stroke.points[0][0] - stroke.points[1][0]) == CELL / 4 for stroke in rim)
