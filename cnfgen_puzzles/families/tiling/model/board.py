"""Tiled boards: the rules, independent of every encoding and of the placements that encodings use; and boards as JSON.

Pictures are in `pictures/`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

from cnfgen_puzzles.families import jsonfields
from cnfgen_puzzles.families.tiling.model.lattice import Cell
from cnfgen_puzzles.families.tiling.model.puzzle import EMPTY, Tiling


class Laid(NamedTuple):
    """A piece that lies on the board: its number in the puzzle and the cells that it covers, in ascending order."""

    piece: int
    cells: tuple[Cell, ...]


Board = tuple[Laid, ...]
"""The pieces on the board, in ascending order; copies of one piece are not told apart."""


def make_board(laid: Iterable[tuple[int, Iterable[Cell]]]) -> Board:
    """A board in normal form."""
    return tuple(sorted(Laid(piece, tuple(sorted(cells))) for piece, cells in laid))


def check_board(puzzle: Tiling, board: Board) -> list[str]:
    """The rules that the board breaks, in words; empty for a solution."""
    return [*_cell_faults(puzzle, board), *_count_faults(puzzle, board), *_shape_faults(puzzle, board)]


def _cell_faults(puzzle: Tiling, board: Board) -> list[str]:
    times = Counter(cell for laid in board for cell in laid.cells)
    faults = [f"cell {cell} is covered {count} times" for cell, count in sorted(times.items()) if count > 1]
    faults += [f"cell {cell} is no cell of the board" for cell in sorted(set(times) - set(puzzle.board))]
    faults += [f"cell {cell} is covered, it must stay empty" for cell in sorted(times) if puzzle.board.get(cell) == EMPTY]
    faults += [f"cell {cell} is not covered" for cell in sorted(puzzle.must_cover - set(times))]
    for laid in board:
        colours = puzzle.pieces[laid.piece].colours
        if colours is not None:
            wrong = [cell for cell in laid.cells if puzzle.colours.get(cell) not in (None, *colours)]
            faults += [f"piece {puzzle.pieces[laid.piece].name} covers cell {cell}, which has another colour" for cell in wrong]
    return faults


def _count_faults(puzzle: Tiling, board: Board) -> list[str]:
    used = Counter(laid.piece for laid in board)
    faults = []
    for number, piece in enumerate(puzzle.pieces):
        if used[number] < piece.least or (piece.most is not None and used[number] > piece.most):
            most = "any number" if piece.most is None else piece.most
            faults.append(f"piece {piece.name} is used {used[number]} times, allowed are {piece.least} to {most}")
    for group in puzzle.groups:
        copies = sum(used[number] for number in group.pieces)
        if copies < group.least or (group.most is not None and copies > group.most):
            most = "any number" if group.most is None else group.most
            faults.append(f"of {puzzle.group_name(group)} {copies} are used, allowed are {group.least} to {most}")
    return faults


def _shape_faults(puzzle: Tiling, board: Board) -> list[str]:
    """Each piece must be its shape, turned as it may be and moved; and lie where it is pinned."""
    faults = []
    for laid in board:
        piece = puzzle.pieces[laid.piece]
        if not _has_shape(laid.cells, puzzle.orientations[laid.piece], puzzle.wrap, puzzle.lattice.period):
            faults.append(f"the cells {', '.join(map(str, laid.cells))} do not have the shape of piece {piece.name}")
        if piece.pinned and frozenset(laid.cells) not in piece.pinned:
            faults.append(f"piece {piece.name} does not lie where it is pinned")
    return faults


@lru_cache(maxsize=1 << 16)  # many boards of one puzzle share their pieces' places
def _has_shape(cells: tuple[Cell, ...], shapes: tuple[tuple[Cell, ...], ...], wrap: tuple[int | None, ...], period: int) -> bool:
    """Whether `cells` are one of `shapes` moved (around the ring, too): the shape's first cell must land on one of them."""
    target = set(cells)
    rings = wrap or (None,) * len(cells[0])
    firsts = cells if any(wrap) else (min(cells),)  # without a ring the order of cells stays when a shape is moved
    for shape, cell in product(shapes, firsts):
        offset = tuple(a - b for a, b in zip(cell, shape[0], strict=True))
        if any(step % period for step in offset):
            continue
        moved = (tuple(a + b for a, b in zip(each, offset, strict=True)) for each in shape)
        if {tuple(x % ring if ring else x for x, ring in zip(each, rings, strict=True)) for each in moved} == target:
            return True
    return False


def to_json(puzzle: Tiling, board: Board) -> list[dict[str, Any]]:
    """`[{"piece": "F", "cells": [[0, 1], ...]}, ...]`.

    Where the puzzle labels cells, each entry has the labels of its cells, null for a cell without; and a last one, of the piece
    null, has the cells that stay empty.
    """
    found: list[dict[str, Any]] = [
        {"piece": puzzle.pieces[laid.piece].name, "cells": [list(cell) for cell in laid.cells]} for laid in board
    ]
    if puzzle.labels:
        empty = set(puzzle.cells).difference(*(laid.cells for laid in board))
        found += [{"piece": None, "cells": [list(cell) for cell in sorted(empty)]}] if empty else []
        found = [entry | {"labels": [puzzle.labels.get(tuple(cell)) for cell in entry["cells"]]} for entry in found]
    return found


def from_json(puzzle: Tiling, entry: Any) -> Board:
    """The board that `to_json` described; KeyError, TypeError or ValueError if it does not describe one."""
    if not isinstance(entry, list):
        raise TypeError(f"found {type(entry).__name__}, expected a list of pieces")
    named: dict[str, list[int]] = defaultdict(list)
    for number, piece in enumerate(puzzle.pieces):
        named[piece.name].append(number)
    laid = []
    for each in entry:
        if each["piece"] is None and puzzle.labels:  # the cells that stay empty
            continue
        cells = sorted(jsonfields.from_json(list[tuple[int, ...]], each["cells"]))
        laid.append((_number_of(puzzle, named[each["piece"]], tuple(cells)), cells))
    return make_board(laid)


def _number_of(puzzle: Tiling, numbers: list[int], cells: tuple[Cell, ...]) -> int:
    """Which of the pieces of one name has the shape of these cells: names are unique in most puzzles, but need not be."""
    if not numbers:
        raise ValueError("found a piece that is none of the puzzle's")
    fitting = (n for n in numbers if _has_shape(cells, puzzle.orientations[n], puzzle.wrap, puzzle.lattice.period))
    return numbers[0] if len(numbers) == 1 else next(fitting, numbers[0])


def differences(puzzle: Tiling, board: Board, other: Board) -> list[str]:
    """The pieces that lie elsewhere."""
    gone, come = Counter(board) - Counter(other), Counter(other) - Counter(board)
    return [f"piece {puzzle.pieces[laid.piece].name} on {_cells(laid)}" for laid in sorted(gone)] + [
        f"or piece {puzzle.pieces[laid.piece].name} on {_cells(laid)}" for laid in sorted(come)
    ]


def _cells(laid: Laid) -> str:
    return " ".join(",".join(map(str, cell)) for cell in laid.cells)
