"""The appearance of a board in all views: the color and the letter of each piece, and the labels of cells.

A piece that is used once has the same color and letter on every board of its puzzle while the palette has enough colors; copies
that touch have different ones.
"""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property
from heapq import heapify, heappop, heappush
from typing import TypeVar

from cnfgen_puzzles.families.lattice import Cell
from cnfgen_puzzles.families.looks import INK, PAPER, ink_on
from cnfgen_puzzles.families.options import Option
from cnfgen_puzzles.families.tiling.puzzle import Board, Tiling

Choice = TypeVar("Choice", int, str)

PALETTE = (
    "#efaf3f", "#2fbfff", "#dfef8f", "#6f7fdf", "#df7f3f", "#afcfaf",
    "#bf8faf", "#1f5faf", "#9fefff", "#af4f0f", "#9f6f7f", "#7f4f5f",
)  # fmt: skip
"""Any two of these colors look different with normal color vision and with each type of dichromacy (see the tests)."""

LETTERS = (
    string.ascii_uppercase
    + string.ascii_lowercase
    + string.digits
    + "ΓΔΘΛΞΠΣΦΨΩαβγδεζηθλμξπρστφχψω"
    + "БГДЖИЛЦЧШЩЭЮЯбвгджилцчшщэюя"
)


STAYS_EMPTY, ELSEWHERE = "stays empty", "differs in the other board"
EMPTY_CELL = "#efece4"
"""The color of cells that stay empty."""

UNCOVERED, ALL, NONE = "uncovered", "all", "none"

WITH_LETTERS = Option("letters", "show the letters of pieces in pictures (text views always do)", False, bool)
WITH_LABELS = Option("labels", "cells on which labels are shown", UNCOVERED, choices=(UNCOVERED, ALL, NONE))


class BoardLook:
    """A board with its appearance: `owner` is the number of the piece on each covered cell, `elsewhere` are the numbers of the
    pieces that another board has in a different place, and `labels` are the shown labels by cells."""

    def __init__(self, puzzle: Tiling, board: Board, other: Board | None = None, labels: str = UNCOVERED):
        self.puzzle, self.board = puzzle, board
        self.owner = owners(board)
        gone = Counter() if other is None else Counter(board) - Counter(other)
        self.elsewhere = {number for number, laid in enumerate(board) if laid in gone}
        covered = {NONE: puzzle.board, ALL: {}}.get(labels, self.owner)
        self.labels = {cell: label for cell, label in puzzle.labels.items() if cell not in covered}

    @cached_property
    def colors(self) -> list[str]:
        """The color of each piece on the board."""
        return colors(self.puzzle, self.board)

    @cached_property
    def letters(self) -> list[str]:
        """The letter of each piece on the board."""
        return letters(self.puzzle, self.board)

    def fill(self, number: int | None) -> str:
        """The color of a piece, paler if the other board has it in the same place; None: a cell that stays empty."""
        if number is None:
            return EMPTY_CELL
        pale = self.elsewhere and number not in self.elsewhere
        return mix(self.colors[number], PAPER, 0.65) if pale else self.colors[number]

    def ink(self, number: int | None) -> str:
        """The color of text on a piece, or on a cell that stays empty."""
        return INK if number is None else ink_on(self.fill(number))


# -- colors -------------------------------------------------------------------------------------------------------------


def colors(puzzle: Tiling, board: Board) -> list[str]:
    """A color for each piece on the board: its default color, or the first that no neighbor has."""
    kinds, size = len(puzzle.pieces), len(PALETTE)
    if kinds <= size and len({laid.piece for laid in board}) == len(board):
        return [PALETTE[laid.piece] for laid in board]  # as the search below, which takes a third of the time of a picture

    def preferred(number: int) -> list[int]:
        own = board[number].piece % size
        return [own, *range(min(kinds, size), size), *(n for n in range(min(kinds, size)) if n != own)]

    return [PALETTE[n] for n in _greedy(touching_pieces(puzzle, board), preferred)]


def touching_pieces(puzzle: Tiling, board: Board) -> list[set[int]]:
    """For each piece on the board, the numbers of the pieces that share an edge or a face with it."""
    owner = owners(board)
    near: list[set[int]] = [set() for _ in board]
    for number, laid in enumerate(board):
        for cell in laid.cells:
            near[number].update(owner[each] for each in puzzle.neighbours(cell) if owner.get(each, number) != number)
    return near


def owners(board: Board) -> dict[Cell, int]:
    """For each covered cell, the number of the piece on it."""
    return {cell: number for number, laid in enumerate(board) for cell in laid.cells}


def _greedy(near: Sequence[set[int]], preferred: Callable[[int], Sequence[Choice]]) -> list[Choice]:
    """A choice for each number: its first preference that no neighbor has, or its first.

    The next number is always the one with the fewest remaining choices (DSATUR by Brélaz), which rarely needs more than four.
    """
    found: dict[int, Choice] = {}
    taken: list[set[Choice]] = [set() for _ in near]
    queue = [(0, -len(others), number) for number, others in enumerate(near)]
    heapify(queue)
    while queue:
        number = heappop(queue)[2]
        if number in found:
            continue
        wanted = preferred(number)
        found[number] = next((each for each in wanted if each not in taken[number]), wanted[0])
        for other in near[number]:
            if other not in found:
                taken[other].add(found[number])
                heappush(queue, (-len(taken[other]), -len(near[other]), other))
    return [found[number] for number in range(len(near))]


def mix(color: str, other: str, share: float) -> str:
    """A color mixed with a share of another color."""
    pairs = ((int(color[n : n + 2], 16), int(other[n : n + 2], 16)) for n in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


# -- letters ------------------------------------------------------------------------------------------------------------


def letters(puzzle: Tiling, board: Board) -> list[str]:
    """A letter for each piece on the board: its default letter; copies that touch get letters that no other piece has."""
    own = piece_letters(puzzle) if len(puzzle.pieces) > 1 else [LETTERS[0]]
    spare = [sign for sign in LETTERS if sign not in own]

    def preferred(number: int) -> list[str]:
        letter = own[board[number].piece]
        swapped = letter.swapcase()
        return [letter, *([swapped] if swapped in spare and len(own) > 1 else []), *spare]

    return _greedy(touching_pieces(puzzle, board), preferred)


def piece_letters(puzzle: Tiling) -> list[str]:
    """A letter for each kind of piece: its name if that is a letter, otherwise a letter of its name, otherwise any; all are
    different up to 120 pieces."""
    found: dict[int, str] = {number: piece.name for number, piece in enumerate(puzzle.pieces) if len(piece.name) == 1}
    used = set(found.values())
    for number, piece in enumerate(puzzle.pieces):
        if number not in found:
            own = "".join(sign for sign in piece.name if sign in LETTERS and not piece.name.isdigit())
            mirrored = own[:1].swapcase() if piece.name.endswith("'") else ""
            found[number] = next((sign for sign in mirrored + own.upper() + own + LETTERS if sign not in used), "?")
            used.add(found[number])
    return [found[number] for number in range(len(puzzle.pieces))]
