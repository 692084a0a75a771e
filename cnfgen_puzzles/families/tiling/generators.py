"""Random tilings: pieces and a region with as many cells.

`cut` places the pieces next to each other; the cells that they cover are the board, so a solution exists. `region` grows the
board cell by cell, so a solution can be missing. To keep boards compact, both try several random ways at each step and choose the
one with the most neighbors on the board.
"""

from __future__ import annotations

from dataclasses import replace

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.inputlimits import checked_amount
from cnfgen_puzzles.common.seededchoice import SeededChoice
from cnfgen_puzzles.families.family import Generator, by_name
from cnfgen_puzzles.families.lattice import CUBIC, Cell, Lattice
from cnfgen_puzzles.families.options import Option
from cnfgen_puzzles.families.tiling import options
from cnfgen_puzzles.families.tiling.pieces import Piece
from cnfgen_puzzles.families.tiling.puzzle import COVERED, Tiling

MOST_COPIES = 1000
MOST_TRIES = 1000
MISSES = 50
"""Random places for each way that is wanted, because most places overlap with the board."""

OPTIONS = (
    Option("pieces", "pieces with counts, such as pentominoes or '3*L tromino, domino'", "pentominoes"),
    Option("copies", "multiply the count of each piece by this number", 1, int, least=1, most=MOST_COPIES),
    Option("compact", "number of random ways tried for each piece; more give compact boards", 6, int, least=1, most=MOST_TRIES),
)


def cut(seed: int, pieces: str = "pentominoes", copies: int = 1, compact: int = 6) -> Tiling:
    """The board that the pieces cover when each is placed next to earlier ones."""
    lattice, kinds = check_pieces(pieces, copies, compact)
    choice = SeededChoice("tiling cut", seed)
    turning = Tiling(lattice, {}, kinds, reflections=lattice is not CUBIC)
    orientations = turning.orientations
    order = choice.shuffled([number for number, piece in enumerate(kinds) for _ in range(piece.least)])
    region: dict[Cell, None] = {}
    for number in order:
        region |= dict.fromkeys(_lay_piece(lattice, region, orientations[number], choice, compact))
    return _puzzle(lattice, list(region), kinds, f"cut, seed {seed}")


def _lay_piece(
    lattice: Lattice, region: dict[Cell, None], turned: tuple[tuple[Cell, ...], ...], choice: SeededChoice, tries: int
) -> list[Cell]:
    """The cells of a piece next to the region."""
    if not region:
        return list(choice.chosen(turned))
    border = list(dict.fromkeys(near for cell in region for near in lattice.neighbours(cell) if near not in region))
    found: list[tuple[int, list[Cell]]] = []
    for _ in range(tries * MISSES):
        if len(found) == tries:
            break
        shape = choice.chosen(turned)
        cells = _move(lattice, shape, choice.chosen(shape), choice.chosen(border))
        if cells and not any(cell in region for cell in cells):
            found.append((_count_touching(lattice, region, cells), cells))
    if not found:  # at the border, there is always a place
        far = sorted(border, reverse=True)
        places = (_move(lattice, shape, anchor, goal) for goal in far for shape in turned for anchor in shape)
        return next(cells for cells in places if cells and not any(cell in region for cell in cells))
    return max(found, key=lambda entry: entry[0])[1]  # the first of the best


def _move(lattice: Lattice, shape: tuple[Cell, ...], anchor: Cell, goal: Cell) -> list[Cell]:
    """The shape moved such that `anchor` lies on `goal`; empty if the lattice has no such translation."""
    offset = tuple(a - b for a, b in zip(goal, anchor, strict=True))
    if any(step % lattice.period for step in offset):
        return []
    return [tuple(a + b for a, b in zip(cell, offset, strict=True)) for cell in shape]


def _count_touching(lattice: Lattice, region: dict[Cell, None], cells: list[Cell]) -> int:
    """The number of neighbors of the cells in the region."""
    return sum(near in region for cell in cells for near in lattice.neighbours(cell))


def region(seed: int, pieces: str = "pentominoes", copies: int = 1, compact: int = 6) -> Tiling:
    """A board with as many cells as the pieces, grown cell by cell."""
    lattice, kinds = check_pieces(pieces, copies, compact)
    choice = SeededChoice("tiling region", seed)
    size = sum(piece.size * piece.least for piece in kinds)
    start = next(cell for cell in ((0,) * lattice.dimension, (1,) * lattice.dimension) if lattice.has(cell))
    cells, border = {start: None}, list(lattice.neighbours(start))
    while len(cells) < size:
        several = [choice.chosen(border) for _ in range(compact)]
        grown = max(several, key=lambda cell: _count_touching(lattice, cells, [cell]))
        cells[grown] = None
        border = [cell for cell in border if cell != grown]
        border += [near for near in lattice.neighbours(grown) if near not in cells and near not in border]
    return _puzzle(lattice, list(cells), kinds, f"region, seed {seed}")


def check_pieces(pieces: str = "pentominoes", copies: int = 1, compact: int = 6) -> tuple[Lattice, tuple[Piece, ...]]:
    """The lattice and the pieces with their counts; InputError for invalid options."""
    lattice, kinds = options.pieces_of(pieces)
    for piece in kinds:
        if piece.least != piece.most or not piece.least:
            raise InputError(f"found no fixed count for the piece {piece.name}, expected one such as 3*{piece.name}")
    total = copies * sum(piece.least for piece in kinds)
    cells = copies * sum(piece.size * piece.least for piece in kinds)
    checked_amount("cells", cells, found=f"pieces with {cells} cells in total")
    steps = total * (cells // 2 + compact * cells // total) + cells * (round(4 * cells**0.5) + compact)
    checked_amount("steps", steps, found=f"{total} pieces with {cells} cells in total, which take about {steps} steps to place")
    return lattice, tuple(replace(piece, least=piece.least * copies, most=piece.least * copies) for piece in kinds)


def _puzzle(lattice: Lattice, cells: list[Cell], pieces: tuple[Piece, ...], title: str) -> Tiling:
    board = dict.fromkeys(sorted(lattice.normal(cells)), COVERED)
    return Tiling(lattice, board, pieces, reflections=lattice is not CUBIC, about={"title": title})


GENERATORS = by_name(
    Generator(
        "cut",
        "a board made by placing the pieces next to each other; it has a solution",
        cut,
        OPTIONS,
        check_pieces,
        "SATISFIABLE",
    ),
    Generator("region", "a random board with as many cells as the pieces", region, OPTIONS, check_pieces),
)
