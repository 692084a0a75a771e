"""All views of a tiling: which there are, and which picture each of them shows.

Not here: how they are drawn (`flat.py`, `solids.py`, `text.py`, `lines.py`).
"""

from __future__ import annotations

from collections.abc import Callable

from cnfgen_puzzles.families.drawing import Drawing
from cnfgen_puzzles.families.family import View
from cnfgen_puzzles.families.tiling.model.board import Board
from cnfgen_puzzles.families.tiling.model.puzzle import Tiling
from cnfgen_puzzles.families.tiling.pictures import flat, lines, solids, text

SVG_CELL = 32


def _svg(name: str, summary: str, draw: Callable[..., Drawing], sheet: Callable[..., Drawing] | None = None, **how: bool) -> View:
    """A view that scales; `draw` takes the puzzle, the board, the other board and the size of a cell."""

    def one(puzzle: Tiling, board: Board, other: Board | None = None) -> str:
        return draw(puzzle, board, other, SVG_CELL, **how).svg()

    many = None if sheet is None else lambda puzzle, boards: sheet(puzzle, boards, **how).svg()
    return View(name, summary, one, ".svg", many)


def _png(name: str, summary: str, draw: Callable[..., Drawing], sheet: Callable[..., Drawing] | None = None, **how: bool) -> View:
    """A view in pixels, with cells as large as it allows."""

    def one(puzzle: Tiling, board: Board, other: Board | None = None) -> bytes:
        return draw(puzzle, board, other, **how).png()

    many = None if sheet is None else lambda puzzle, boards: sheet(puzzle, boards, **how).png()
    return View(name, summary, one, ".png", many)


VIEWS = {
    view.name: view
    for view in (
        View("text", "a letter a cell", text.render_text, ".txt", text.sheet_text),
        View("plain", "a letter a cell and nothing else, for scripts", text.render_plain, ".txt"),
        View("lines", "outlines drawn with characters", lines.render_lines, ".txt", lines.sheet_lines),
        View("ansi", "coloured cells for a terminal", text.render_ansi, ".txt", text.sheet_ansi),
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
