"""The views of tilings."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cnfgen_puzzles.families import drawing as sheets
from cnfgen_puzzles.families.drawing import Drawing, picture_views
from cnfgen_puzzles.families.family import View, by_name
from cnfgen_puzzles.families.options import Option
from cnfgen_puzzles.families.tiling.pictures import flat, solids, text
from cnfgen_puzzles.families.tiling.pictures.palette import UNCOVERED, WITH_LABELS, WITH_LETTERS, BoardLook
from cnfgen_puzzles.families.tiling.puzzle import Board, Tiling

SVG_CELL = 32

VIEW_OPTIONS = (WITH_LETTERS, WITH_LABELS)


def _text(name: str, summary: str, draw: Callable[[BoardLook], str], empty: str = text.EMPTY) -> View:
    """A view for people: the board and a legend, always with the letters of the pieces."""

    def one(puzzle: Tiling, board: Board, other: Board | None = None, *, labels: str = UNCOVERED, letters: bool = True) -> str:
        look = BoardLook(puzzle, board, other, labels)
        return draw(look) + text.notes(look, empty)

    def many(puzzle: Tiling, boards: Sequence[Board], *, labels: str = UNCOVERED, letters: bool = True) -> str:
        looks = [BoardLook(puzzle, board, None, labels) for board in boards]
        return sheets.side_by_side(list(map(draw, looks))) + text.notes(looks[0], empty) if looks else ""

    return View(name, summary, one, ".txt", many, VIEW_OPTIONS)


def _pictures(
    names: tuple[str, str],
    summary: str,
    draw: Callable[..., Drawing],
    sheet_cell: int,
    options: tuple[Option, ...] = (WITH_LETTERS,),
) -> tuple[View, View]:
    """The views of a kind of picture, by default without the letters of the pieces."""

    def one(
        puzzle: Tiling, board: Board, other: Board | None, cell: int | None, letters: bool = False, labels: str = UNCOVERED
    ) -> Drawing:
        return draw(BoardLook(puzzle, board, other, labels), cell, letters)

    return picture_views(one, sheet_cell, names=names, summary=summary, svg_cell=SVG_CELL, options=options)


VIEWS = by_name(
    _text("text", "a letter for each cell", text.draw_text),
    View("plain", "a letter for each cell without a legend, for scripts", text.render_plain, ".txt", options=(WITH_LETTERS,)),
    _text("lines", "outlines drawn with characters", text.draw_lines, text.EMPTY_DOT),
    _text("ansi", "colored cells for a terminal", text.draw_ansi),
    *_pictures(("svg", "png"), "a picture", flat.draw, flat.SHEET_CELL, VIEW_OPTIONS),
    *_pictures(("isometric", "isometric-png"), "a solid and its layers", solids.draw_layers, solids.SHEET_CELL),
)
"""The views of tilings, in the order of lists."""
