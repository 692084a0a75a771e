"""Tiled boards as text: letters for people and for scripts, and coloured cells for a terminal.

The characters lie where `model/celldrawing.py` says, so that a board reads like the drawing of its puzzle; layers stand side by
side. `.` is no cell of the board, `_` one that stays empty. A piece that lies elsewhere in a second board is marked by `*` behind
its letters. Not here: outlines drawn with characters (`lines.py`), and which letter a piece gets (`palette.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from cnfgen_puzzles.families import contactsheet as sheets
from cnfgen_puzzles.families.tiling.model.board import Board
from cnfgen_puzzles.families.tiling.model.celldrawing import BLANK, Place, place_of
from cnfgen_puzzles.families.tiling.model.lattice import HEXAGONAL, Cell
from cnfgen_puzzles.families.tiling.model.puzzle import Tiling
from cnfgen_puzzles.families.tiling.pictures.palette import INK, colours, elsewhere, ink_on, legend, letters, owners

EMPTY, MARK = "_", "*"
STAYS_EMPTY, ELSEWHERE = "stays empty", "lies elsewhere in the other board"

Signs = dict[Place, str]
"""What stands at each place of a layer."""


def render_plain(puzzle: Tiling, board: Board, other: Board | None = None) -> str:
    """One line a row and nothing else, layers one below the other: for scripts."""
    return "\n".join(_rows(puzzle, signs) for _, signs in layers(puzzle, _letters(puzzle, board, other)))


def render_text(puzzle: Tiling, board: Board, other: Board | None = None) -> str:
    """The board and what its signs mean: for people."""
    return _drawn(puzzle, board, other) + notes(puzzle, board, other)


def sheet_text(puzzle: Tiling, boards: Sequence[Board]) -> str:
    """Many boards side by side, and once what the signs mean."""
    drawn = [_drawn(puzzle, board, None) for board in boards]
    return sheets.side_by_side(drawn) + notes(puzzle, boards[0], None) if boards else ""


def _drawn(puzzle: Tiling, board: Board, other: Board | None) -> str:
    return joined((heading, _rows(puzzle, signs)) for heading, signs in layers(puzzle, _letters(puzzle, board, other)))


def _letters(puzzle: Tiling, board: Board, other: Board | None) -> dict[Cell, str]:
    """A sign for each cell; with another board two characters, the second for the mark."""
    names, moved = letters(puzzle, board), elsewhere(board, other)
    signs = dict.fromkeys(puzzle.cells, EMPTY)
    for cell, number in owners(board).items():
        signs[cell] = names[number] + MARK * (number in moved)
    return signs


def _rows(puzzle: Tiling, signs: Signs) -> str:
    """The characters of a layer; two a place where a mark needs room, and hexagons have it already."""
    height, width = (max(axis) + 1 for axis in zip(*signs, strict=True))
    hexagons = puzzle.lattice is HEXAGONAL
    wide = 2 if max(map(len, signs.values())) > 1 and not hexagons else 1
    lines = []
    for r in range(height):
        line, begun = "", False
        for c in range(width):
            begun = begun or (r, c) in signs
            if len(line) == c * wide:  # else a hexagon's mark stands here
                line += signs.get((r, c), " " if hexagons and begun and (r + c) % 2 else BLANK).ljust(wide)
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


def notes(puzzle: Tiling, board: Board, other: Board | None, empty: str = EMPTY) -> str:
    """What the signs mean, as far as they occur and need it."""
    found = [f"{letter} {name}" for letter, name in legend(puzzle).items()] if len(puzzle.pieces) > 1 else []
    lines = [", ".join(found)] if found else []
    lines += [f"{empty} {STAYS_EMPTY}"] if len(owners(board)) < len(puzzle.board) else []
    lines += [f"{MARK} {ELSEWHERE}"] if elsewhere(board, other) else []
    return "".join(f"{line}\n" for line in lines)


# -- terminal -----------------------------------------------------------------------------------------------------------

RESET, BOLD = "\x1b[0m", "\x1b[1m"


def render_ansi(puzzle: Tiling, board: Board, other: Board | None = None) -> str:
    """Coloured cells with letters for a terminal of 256 colours; a cell is two characters wide, so it looks square."""
    return _coloured(puzzle, board, other) + notes(puzzle, board, other)


def sheet_ansi(puzzle: Tiling, boards: Sequence[Board]) -> str:
    """Many boards side by side."""
    drawn = [_coloured(puzzle, board, None) for board in boards]
    return sheets.side_by_side(drawn) + notes(puzzle, boards[0], None) if boards else ""


def _coloured(puzzle: Tiling, board: Board, other: Board | None) -> str:
    owner, names, looks, moved = owners(board), letters(puzzle, board), colours(puzzle, board), elsewhere(board, other)
    cells = {}
    for cell in puzzle.cells:
        number = owner.get(cell)
        if number is None:
            cells[cell] = f"\x1b[38;5;244;48;5;255m{EMPTY} "
            continue
        bold = BOLD if number in moved else ""
        cells[cell] = f"{bold}{ansi_colour(looks[number])}{names[number]}{MARK if number in moved else ' '}"
    return joined((heading, _ansi_rows(puzzle, signs)) for heading, signs in layers(puzzle, cells))


def _ansi_rows(puzzle: Tiling, signs: Signs) -> str:
    height, width = (max(axis) + 1 for axis in zip(*signs, strict=True))
    hexagons = puzzle.lattice is HEXAGONAL
    lines = []
    for r in range(height):
        line, column = "", 0
        while column < width:
            sign = signs.get((r, column))
            line += sign + RESET if sign else (" " if hexagons else "  ")
            column += 2 if sign and hexagons else 1
        lines.append(line.rstrip() + "\n")
    return "".join(lines)


def ansi_colour(colour: str) -> str:
    """The nearest of a terminal's 6 x 6 x 6 colours as a background, with ink or paper on it."""
    levels = (0, 95, 135, 175, 215, 255)
    parts = [min(range(6), key=lambda n: abs(levels[n] - int(colour[k : k + 2], 16))) for k in (1, 3, 5)]
    background = 16 + 36 * parts[0] + 6 * parts[1] + parts[2]
    return f"\x1b[38;5;{16 if ink_on(colour) == INK else 231};48;5;{background}m"
