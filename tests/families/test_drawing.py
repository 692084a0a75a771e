"""Sheets contain every picture once, numbered; SVG and PNG show the same drawing; every view writes its format."""

from __future__ import annotations

import io
import xml.etree.ElementTree as ET
from dataclasses import replace
from xml.dom import minidom

import pytest
from families.tiling.drawnboards import open_png
from PIL import Image
from smallpuzzles import small_puzzles

import cnfgen_puzzles
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.families import drawing as sheet
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.drawing import Area, Drawing, Rect, ShapeGroup, Stroke, Text
from cnfgen_puzzles.families.nonogram import FAMILY as NONOGRAM
from cnfgen_puzzles.families.options import read_size

SPACE = "{http://www.w3.org/2000/svg}"
WHITE, RED, BLUE = "#ffffff", "#ff0000", "#0000ff"


# -- pages --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 2, 3, 5, 12, 100, 2339])
@pytest.mark.parametrize(("width", "height"), [(10, 6), (8, 8), (3, 30), (40, 4)])
def test_pages_are_near_their_shape_and_mostly_full(count, width, height):
    columns = sheet.columns_for(count, width, height)
    rows = -(-count // columns)
    assert columns * (rows - 1) < count <= columns * rows
    if count >= 100:
        assert 0.7 < columns * width / (rows * height) / sheet.PAGE_SHAPE < 1.4
        assert columns * rows < 1.1 * count


def test_cells_shrink_as_pictures_get_more():
    sizes = [sheet.cell_size(count, 11, 7, most=32) for count in (1, 10, 100, 1000, 2339, 10_000, 1_000_000)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] == 32 and sizes[4] >= 6 and sizes[-1] == 2


def test_tiles_stand_apart_inside_the_page_with_their_numbers():
    tiles = [Drawing(40, 30, WHITE, [Rect(0, 0, 40, 30, color)]) for color in (RED, BLUE, RED, BLUE, RED)]
    page = sheet.page(tiles, "five")
    boxes = [shape for shape in page.shapes if isinstance(shape, ShapeGroup)]
    assert [box.shapes for box in boxes] == [tile.shapes for tile in tiles]
    for one in boxes:
        assert one.dx >= 0 and one.dx + 40 <= page.width and one.dy >= 0 and one.dy + 30 <= page.height
        for other in boxes:
            assert abs(one.dx - other.dx) >= 40 or abs(one.dy - other.dy) >= 30 or one == other
    assert [shape.text for shape in page.shapes if isinstance(shape, Text)] == ["1", "2", "3", "4", "5"]
    assert ET.fromstring(page.svg()).find(f"{SPACE}title").text == "five"


def test_neighbors_of_the_same_style_become_one_element_and_groups_are_moved():
    shapes = [Rect(0, 0, 9, 9, RED), Rect(1, 12, 5, 5, RED), Rect(1, 1, 5, 5, BLUE), Rect(2, 2, 3, 3, RED)]
    drawing = Drawing(40, 20, WHITE, [*shapes, ShapeGroup(20, 1, shapes)])
    fills = [element.get("fill") for element in ET.fromstring(drawing.svg()).iter(f"{SPACE}path")]
    assert fills == [RED, BLUE, RED] * 2
    image = open_png(drawing.png())
    assert image.crop((0, 0, 10, 18)).tobytes() == image.crop((20, 1, 30, 19)).tobytes()
    assert image.getpixel((3, 3)) == (255, 0, 0) and image.getpixel((5, 5)) == (0, 0, 255)


def test_text_blocks_fill_the_width_and_colors_have_no_width():
    assert sheet.side_by_side(["ab\ncd\n", "\x1b[1mef\x1b[0m\n", "g\n"], width=7, gap=3) == (
        "1    2\n"
        "ab   \x1b[1mef\x1b[0m\n"
        "cd\n"
        "\n"
        "3\n"
        "g\n"
    )  # fmt: skip


# -- drawings -----------------------------------------------------------------------------------------------------------


def test_areas_have_holes_and_smooth_edges():
    square, inner = ((2, 2), (18, 2), (18, 18), (2, 18)), ((8, 8), (12, 8), (12, 12), (8, 12))
    image = open_png(Drawing(20, 20, WHITE, [Area((square, inner), RED)]).png())
    assert image.getpixel((5, 5)) == image.getpixel((15, 10)) == (255, 0, 0)
    assert image.getpixel((10, 10)) == image.getpixel((0, 0)) == (255, 255, 255)
    slanted = open_png(Drawing(20, 20, WHITE, [Area((((0, 0), (20, 7), (0, 20)),), RED)]).png())
    assert len(slanted.getcolors()) > 4


def test_strokes_are_as_wide_as_they_say_and_dots_are_round():
    shapes = [Stroke(((2, 10), (18, 10)), 4, RED), Stroke(((40, 10), (40, 10)), 10, BLUE)]
    image = open_png(Drawing(60, 20, WHITE, shapes).png())
    assert [image.getpixel((10, y))[1] for y in (7, 8, 11, 12)] == [255, 0, 0, 255]
    assert image.getpixel((40, 10)) == (0, 0, 255) and image.getpixel((36, 6)) != (0, 0, 255)


def test_svg_paths_do_not_drift():
    points = tuple((n / 3, n / 7) for n in range(300))
    path = ET.fromstring(Drawing(100, 50, WHITE, [Stroke(points, 1, RED)]).svg()).find(f"{SPACE}path").get("d")
    x = y = 0.0
    for step in path[1:].split("l"):
        dx, dy = map(float, step.replace("-", " -").split())
        x, y = x + dx, y + dy
    assert abs(x - points[-1][0]) < 0.01 and abs(y - points[-1][1]) < 0.01


# -- views of every family ----------------------------------------------------------------------------------------------

TITLE = 'a\x1b[31m "<&>"\0\ud800\n\ufffe'
PUZZLES = {"nonogram": 0, "tiling": 3, "maze": 0, "triddler": 1}
VIEWS = [(name, view) for name in PUZZLES for view in find_family(name).views]


@pytest.mark.parametrize("name, view", VIEWS)
def test_views_open(name, view):
    family = find_family(name)
    puzzle = small_puzzles(family)[PUZZLES[name]]
    if name != "maze":
        puzzle = replace(puzzle, about={"title": TITLE})
    boards = [*cnfgen_puzzles.solve(puzzle).boards] * 3
    shown = family.view(view)
    assert boards and (shown.sheet is not None or shown.suffix == ".txt")
    drawn = [shown.draw(puzzle, boards[0], None), shown.draw(puzzle, boards[0], boards[1])]
    for content in [*drawn, *([shown.sheet(puzzle, boards), shown.sheet(puzzle, boards[:1])] if shown.sheet else [])]:
        if shown.suffix == ".png":
            Image.open(io.BytesIO(content)).load()
        else:
            assert isinstance(content, str) and content.encode()
        if shown.suffix == ".svg":
            minidom.parseString(content.encode())


# -- puzzles without a solution -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["nonogram", "triddler", "tiling", "maze"])
def test_every_family_draws_an_unsolved_puzzle(name):
    family = find_family(name)
    puzzle = next(iter(small_puzzles(family)))
    assert family.draw_puzzle(puzzle) == puzzle._repr_svg_()
    assert ET.fromstring(family.draw_puzzle(puzzle)).tag == f"{SPACE}svg"
    assert isinstance(family.draw_puzzle(puzzle, "text"), str)
    assert open_png(family.draw_puzzle(puzzle, "png")).width > 9


def test_a_family_that_draws_no_unsolved_puzzle_says_so(monkeypatch):
    monkeypatch.setattr(type(NONOGRAM), "blank", lambda self, puzzle: None)
    with pytest.raises(InputError, match="the family nonogram draws no unsolved puzzles"):
        NONOGRAM.draw_puzzle(small_puzzles(NONOGRAM)[0])


# -- sizes --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, size",
    [("30x20", (30, 20)), (" 3 X 4 ", (3, 4)), ("3×4", (3, 4)), ("20", (20, 20)), ("0x3", None), ("3x", None), ("x", None)],
)
def test_a_size_is_width_x_height(text, size):
    if size:
        assert read_size(text) == size
    else:
        with pytest.raises(InputError, match=r"--size: found the size .*expected width x height \(columns x rows\)"):
            read_size(text)
