"""Tiled boards as text: letters for people and for scripts, and coloured cells for a terminal.

The characters lie where `model/celldrawing.py` says, so that a board reads like the drawing of its puzzle; layers stand side by
side. `.` is no cell of the board, `_` one that stays empty. A piece that lies elsewhere in a second board is marked by `*` behind
its letters. Where labels of cells are shown, places are as wide as the longest needs, and a covered cell has its label behind
its letter: `F:Mar`. Not here: outlines drawn with characters (`lines.py`), and which letter a piece gets (`palette.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cnfgen_puzzles.families import contactsheet as sheets
from cnfgen_puzzles.families.looks import ansi_colour
from cnfgen_puzzles.families.tiling.model.board import Board
from cnfgen_puzzles.families.tiling.model.celldrawing import BLANK, Place, place_of
from cnfgen_puzzles.families.tiling.model.lattice import HEXAGONAL, Cell
from cnfgen_puzzles.families.tiling.model.puzzle import Tiling
from cnfgen_puzzles.families.tiling.pictures.labels import UNCOVERED, shown_labels
from cnfgen_puzzles.families.tiling.pictures.palette import colours, elsewhere, legend, letters, owners

EMPTY, MARK = "_", "*"
STAYS_EMPTY, ELSEWHERE = "stays empty", "lies elsewhere in the other board"

Signs = dict[Place, str]
"""What stands at each place of a layer."""


def render_plain(puzzle: Tiling, board: Board, other: Board | None = None, *, letters: bool = True) -> str:
    """One line a row and nothing else, layers one below the other: for scripts."""
    return "\n".join(_rows(puzzle, signs) for _, signs in layers(puzzle, _letters(puzzle, board, other, {})))


def render_text(
    puzzle: Tiling, board: Board, other: Board | None = None, *, labels: str = UNCOVERED, letters: bool = True
) -> str:
    """The board and what its signs mean: for people. Without `letters` it is the same: they are what it is drawn with."""
    return _drawn(puzzle, board, other, labels) + notes(puzzle, board, other, labels=labels)


def sheet_text(puzzle: Tiling, boards: Sequence[Board], *, labels: str = UNCOVERED, letters: bool = True) -> str:
    """Many boards side by side, and once what the signs mean."""
    drawn = [_drawn(puzzle, board, None, labels) for board in boards]
    return sheets.side_by_side(drawn) + notes(puzzle, boards[0], None, labels=labels) if boards else ""


def _drawn(puzzle: Tiling, board: Board, other: Board | None, labels: str) -> str:
    words = shown_labels(puzzle, board, labels)
    wide = 1 + max(map(len, _letters(puzzle, board, other, words).values())) if words else 1
    signs = layers(puzzle, _letters(puzzle, board, other, words))
    return joined((heading, _rows(puzzle, layer, wide)) for heading, layer in signs)


def _letters(puzzle: Tiling, board: Board, other: Board | None, words: Mapping[Cell, str]) -> dict[Cell, str]:
    """A sign for each cell, a letter or a label; with another board a mark behind it."""
    names, moved = letters(puzzle, board), elsewhere(board, other)
    signs = {cell: words.get(cell, EMPTY) for cell in puzzle.cells}
    for cell, number in owners(board).items():
        signs[cell] = names[number] + MARK * (number in moved) + (f":{words[cell]}" if cell in words else "")
    return signs


def _rows(puzzle: Tiling, signs: Signs, wide: int = 1) -> str:
    """The characters of a layer, at least so many a place; two where a mark needs room, and hexagons have it already."""
    height, width = (max(axis) + 1 for axis in zip(*signs, strict=True))
    hexagons = puzzle.lattice is HEXAGONAL
    wide = max(2, wide) if max(map(len, signs.values())) > 1 and not hexagons else (wide + 1) // 2 if hexagons else wide
    span = 2 * wide if hexagons else wide
    lines = []
    for r in range(height):
        line, begun = "", False
        for c in range(width):
            begun = begun or (r, c) in signs
            if (r, c) in signs:
                line += signs[r, c].ljust(span)
            elif len(line) == c * wide:  # else the right half of a hexagon stands here
                line += (" " if hexagons and begun and (r + c) % 2 else BLANK).ljust(wide)
        lines.append((line.rstrip(BLANK + " ") if hexagons else line.rstrip()) + "\n")
    return "".join(lines)


def layers(puzzle: Tiling, signs: Mapping[Cell, str]) -> Iterator[tuple[str, Signs]]:
    """What is drawn as a whole, from the bottom up: its heading, and the signs by their places from (0, 0)."""
    places = {place_of(puzzle.lattice, cell): sign for cell, sign in signs.items()}
    top, left = (min(axis) for axis in list(zip(*places, strict=True))[-2:])
    left -= puzzle.lattice.dimension == 2 and puzzle.lattice.name != "square" and (top + left) % 2
    for z in sorted({place[:-2] for place in places}):
        heading = f"layer {z[0] + 1}" if z else ""
        yield heading, {(p[-2] - top, p[-1] - left): sign for p, sign in places.items() if p[:-2] == z}


def joined(blocks: Iterator[tuple[str, str]]) -> str:
    """Layers side by side under their headings."""
    captions, drawn = zip(*blocks, strict=True)
    return sheets.side_by_side(drawn, captions) if any(captions) else drawn[0]


def notes(puzzle: Tiling, board: Board, other: Board | None, empty: str = EMPTY, labels: str = UNCOVERED) -> str:
    """What the signs mean, as far as they occur and need it."""
    found = [f"{letter} {name}" for letter, name in legend(puzzle).items()] if len(puzzle.pieces) > 1 else []
    lines = [", ".join(found)] if found else []
    told = owners(board).keys() | shown_labels(puzzle, board, labels).keys()
    lines += [f"{empty} {STAYS_EMPTY}"] if len(told) < len(puzzle.board) else []
    lines += [f"{MARK} {ELSEWHERE}"] if elsewhere(board, other) else []
    return "".join(f"{line}\n" for line in lines)


# -- terminal -----------------------------------------------------------------------------------------------------------

RESET, BOLD = "\x1b[0m", "\x1b[1m"


def render_ansi(
    puzzle: Tiling, board: Board, other: Board | None = None, *, labels: str = UNCOVERED, letters: bool = True
) -> str:
    """Coloured cells with letters for a terminal of 256 colours; a cell is two characters wide, so it looks square, or as wide
    as the labels need."""
    return _coloured(puzzle, board, other, labels) + notes(puzzle, board, other, labels=labels)


def sheet_ansi(puzzle: Tiling, boards: Sequence[Board], *, labels: str = UNCOVERED, letters: bool = True) -> str:
    """Many boards side by side."""
    drawn = [_coloured(puzzle, board, None, labels) for board in boards]
    return sheets.side_by_side(drawn) + notes(puzzle, boards[0], None, labels=labels) if boards else ""


def _coloured(puzzle: Tiling, board: Board, other: Board | None, labels: str) -> str:
    owner, looks, moved = owners(board), colours(puzzle, board), elsewhere(board, other)
    words = shown_labels(puzzle, board, labels)
    signs = _letters(puzzle, board, other, words)
    wide = 1 + max(map(len, signs.values())) if words else 2
    wide += wide % 2  # half of it leads to a hexagon
    cells = {}
    for cell in puzzle.cells:
        number = owner.get(cell)
        if number is None:
            ink = 16 if cell in words else 244
            cells[cell] = f"\x1b[38;5;{ink};48;5;255m{signs[cell].ljust(wide)}"
            continue
        bold = BOLD if number in moved else ""
        cells[cell] = f"{bold}{ansi_colour(looks[number])}{signs[cell].ljust(wide)}"
    return joined((heading, _ansi_rows(puzzle, layer, wide)) for heading, layer in layers(puzzle, cells))


def _ansi_rows(puzzle: Tiling, signs: Signs, wide: int) -> str:
    height, width = (max(axis) + 1 for axis in zip(*signs, strict=True))
    hexagons = puzzle.lattice is HEXAGONAL
    lines = []
    for r in range(height):
        line, column = "", 0
        while column < width:
            sign = signs.get((r, column))
            line += sign + RESET if sign else " " * (wide // 2 if hexagons else wide)
            column += 2 if sign and hexagons else 1
        lines.append(line.rstrip() + "\n")
    return "".join(lines)
