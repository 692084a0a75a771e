"""The views of tilings."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cnfgen_puzzles.families import drawing as sheets
from cnfgen_puzzles.families.drawing import Drawing
from cnfgen_puzzles.families.family import View, by_name
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


def _picture(name: str, summary: str, draw: Callable[..., Drawing], lettered: bool = False) -> View:
    """A vector picture, or a picture in pixels if the name contains `png`, with the largest cells that fit."""
    suffix, size = (".png", None) if "png" in name else (".svg", SVG_CELL)

    def one(
        puzzle: Tiling, board: Board, other: Board | None, cell: int | None, letters: bool = lettered, labels: str = UNCOVERED
    ) -> Drawing:
        return draw(BoardLook(puzzle, board, other, labels), cell, letters)

    def many(puzzle: Tiling, boards: Sequence[Board], letters: bool = lettered, labels: str = UNCOVERED) -> Drawing:
        if draw is flat.draw:
            return flat.draw_sheet(puzzle, boards, letters, labels)
        return solids.draw_sheet(draw, puzzle, boards, letters, labels)

    return sheets.picture_view(name, summary, suffix, one, many, size, VIEW_OPTIONS)


VIEWS = by_name(
    _text("text", "a letter for each cell", text.draw_text),
    View("plain", "a letter for each cell without a legend, for scripts", text.render_plain, ".txt", options=(WITH_LETTERS,)),
    _text("lines", "outlines drawn with characters", text.draw_lines, text.EMPTY_DOT),
    _text("ansi", "colored cells for a terminal", text.draw_ansi),
    _picture("svg", "a vector picture", flat.draw),
    _picture("svg-letters", "the same with the pieces' letters", flat.draw, True),
    _picture("png", "a PNG picture (needs the extra `pictures`)", flat.draw),
    _picture("png-letters", "the same with the pieces' letters", flat.draw, True),
    _picture("isometric", "a solid and its layers as a vector picture", solids.draw_layers),
    _picture("isometric-png", "a solid and its layers as a picture (needs the extra `pictures`)", solids.draw_layers),
    _picture("exploded", "a solid with its pieces moved apart as a vector picture", solids.draw_exploded),
    _picture(
        "exploded-png", "a solid with its pieces moved apart as a picture (needs the extra `pictures`)", solids.draw_exploded
    ),
)
"""The views of tilings, in the order of lists."""
