"""All views of a tiling: which there are, and which picture each of them shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from cnfgen_puzzles.families import drawing as sheets
from cnfgen_puzzles.families.drawing import Drawing
from cnfgen_puzzles.families.family import View
from cnfgen_puzzles.families.tiling.pictures import flat, solids, text
from cnfgen_puzzles.families.tiling.pictures.palette import UNCOVERED, WITH_LABELS, WITH_LETTERS
from cnfgen_puzzles.families.tiling.puzzle import Board, Tiling

SVG_CELL = 32


HOW = (WITH_LETTERS, WITH_LABELS)


def _text(name: str, summary: str, draw: Callable[..., str], empty: str = text.EMPTY) -> View:
    """A view for people: the board, and what its signs mean. Letters are always there, they say which piece is which."""

    def one(puzzle: Tiling, board: Board, other: Board | None = None, *, labels: str = UNCOVERED, letters: bool = True) -> str:
        return draw(puzzle, board, other, labels) + text.notes(puzzle, board, other, empty, labels)

    def many(puzzle: Tiling, boards: Sequence[Board], *, labels: str = UNCOVERED, letters: bool = True) -> str:
        drawn = [draw(puzzle, board, None, labels) for board in boards]
        return sheets.side_by_side(drawn) + text.notes(puzzle, boards[0], None, empty, labels) if boards else ""

    return View(name, summary, one, ".txt", many, HOW)


def _picture(name: str, summary: str, draw: Callable[..., Drawing], **fixed: bool) -> View:
    """A view that scales; with `png` in its name one in pixels, with cells as large as it allows."""
    suffix, cell = (".png", None) if "png" in name else (".svg", SVG_CELL)
    sheet: Callable[..., Drawing] = flat.draw_sheet if draw is flat.draw else partial(solids.draw_sheet, draw)
    return sheets.picture_view(name, summary, suffix, partial(draw, **fixed), partial(sheet, **fixed), cell, HOW)


VIEWS = {
    view.name: view
    for view in (
        _text("text", "a letter a cell", text.draw_text),
        View("plain", "a letter a cell and nothing else, for scripts", text.render_plain, ".txt", options=(WITH_LETTERS,)),
        _text("lines", "outlines drawn with characters", text.draw_lines, text.EMPTY_DOT),
        _text("ansi", "coloured cells for a terminal", text.draw_ansi),
        _picture("svg", "a picture that scales", flat.draw),
        _picture("svg-letters", "the same with the pieces' letters", flat.draw, letters=True),
        _picture("png", "a picture (needs the extra `pictures`)", flat.draw),
        _picture("png-letters", "the same with the pieces' letters", flat.draw, letters=True),
        _picture("isometric", "a solid and its layers, a picture that scales", solids.draw_layers),
        _picture("isometric-png", "a solid and its layers, a picture", solids.draw_layers),
        _picture("exploded", "a solid's pieces moved apart, a picture that scales", solids.draw_exploded),
        _picture("exploded-png", "a solid's pieces moved apart, a picture", solids.draw_exploded),
    )
}
"""The views of a tiling, in the order in which they are listed."""
