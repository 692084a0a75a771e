"""All views of a tiling: which there are, and which picture each of them shows.

Not here: how they are drawn (`flat.py`, `solids.py`, `text.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from cnfgen_puzzles.families.drawing import Drawing
from cnfgen_puzzles.families.family import View
from cnfgen_puzzles.families.tiling.pictures import flat, solids, text
from cnfgen_puzzles.families.tiling.pictures.palette import WITH_LABELS, WITH_LETTERS
from cnfgen_puzzles.families.tiling.puzzle import Board, Tiling

SVG_CELL = 32


Draw = Callable[..., Drawing]
HOW = (WITH_LETTERS, WITH_LABELS)


def _svg(name: str, summary: str, draw: Draw, sheet: Draw, **fixed: bool) -> View:
    """A view that scales; `draw` takes the puzzle, the board, the other board and the size of a cell."""

    def one(puzzle: Tiling, board: Board, other: Board | None = None, **how: Any) -> str:
        return draw(puzzle, board, other, SVG_CELL, **(how | fixed)).svg()

    def many(puzzle: Tiling, boards: Sequence[Board], **how: Any) -> str:
        return sheet(puzzle, boards, **(how | fixed)).svg()

    return View(name, summary, one, ".svg", many, HOW)


def _png(name: str, summary: str, draw: Draw, sheet: Draw, **fixed: bool) -> View:
    """A view in pixels, with cells as large as it allows."""

    def one(puzzle: Tiling, board: Board, other: Board | None = None, **how: Any) -> bytes:
        return draw(puzzle, board, other, **(how | fixed)).png()

    def many(puzzle: Tiling, boards: Sequence[Board], **how: Any) -> bytes:
        return sheet(puzzle, boards, **(how | fixed)).png()

    return View(name, summary, one, ".png", many, HOW)


VIEWS = {
    view.name: view
    for view in (
        View("text", "a letter a cell", text.render_text, ".txt", text.sheet_text, HOW),
        View("plain", "a letter a cell and nothing else, for scripts", text.render_plain, ".txt", options=(WITH_LETTERS,)),
        View("lines", "outlines drawn with characters", text.render_lines, ".txt", text.sheet_lines, HOW),
        View("ansi", "coloured cells for a terminal", text.render_ansi, ".txt", text.sheet_ansi, HOW),
        _svg("svg", "a picture that scales", flat.draw, flat.draw_sheet),
        _svg("svg-letters", "the same with the pieces' letters", flat.draw, flat.draw_sheet, letters=True),
        _png("png", "a picture (needs the extra `pictures`)", flat.draw, flat.draw_sheet),
        _png("png-letters", "the same with the pieces' letters", flat.draw, flat.draw_sheet, letters=True),
        _svg("isometric", "a solid and its layers, a picture that scales", solids.draw_layers, solids.layers_sheet),
        _png("isometric-png", "a solid and its layers, a picture", solids.draw_layers, solids.layers_sheet),
        _svg("exploded", "a solid's pieces moved apart, a picture that scales", solids.draw_exploded, solids.exploded_sheet),
        _png("exploded-png", "a solid's pieces moved apart, a picture", solids.draw_exploded, solids.exploded_sheet),
    )
}
"""The views of a tiling, in the order in which they are listed."""
