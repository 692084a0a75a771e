"""Boards of tilings as the awk program of certificates reads them: a line for each piece, with its number (from 1) and its cells.

The programs are `families/awk/tiling-rules.awk` and `families/awk/tiling-encode.awk`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cnfgen_puzzles.families.tiling.puzzle import Board, Tiling

MOST_WORK = 5_000_000
"""The most cells that the program moves; it usually moves far fewer."""

ENCODED = ("pairwise", "product", "sequential")
"""The encodings that `tiling-encode.awk` supports, without options, for puzzles without groups."""


def rules(puzzle: Tiling, board: Board) -> tuple[str, str] | None:
    """The program of the rules and its input; None if it would take too long."""
    if sum(len(laid.cells) ** 2 * len(puzzle.matrices(puzzle.pieces[laid.piece])) for laid in board) > MOST_WORK:
        return None
    cells = (" ".join(",".join(map(str, cell)) for cell in laid.cells) for laid in board)
    return "tiling-rules", "".join(f"{laid.piece + 1} {each}\n" for laid, each in zip(board, cells, strict=True))


def encoder(puzzle: Tiling, encoding: str, options: Mapping[str, Any]) -> str | None:
    """The program that writes the formula; None if it does not support the puzzle."""
    chosen = options.items() - {("symmetry", "all"), ("regions", False), ("starving", False), ("placed", True)}
    return "tiling-encode" if encoding in ENCODED and not chosen and not puzzle.groups else None
