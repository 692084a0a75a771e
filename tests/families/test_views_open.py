"""Every view of every family writes the format of its suffix, for one board or many: parsable XML, a PNG, text."""

from __future__ import annotations

import io
from dataclasses import replace
from xml.dom import minidom

import pytest
from PIL import Image
from smallpuzzles import small_puzzles

import cnfgen_puzzles
from cnfgen_puzzles.families import find_family

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
