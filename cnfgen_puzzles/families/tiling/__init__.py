"""Tilings: cover a board with pieces, in the plane and in space."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar

from cnfgen_puzzles.families.capabilities import Counting, Symmetry
from cnfgen_puzzles.families.family import Family, quoted_title
from cnfgen_puzzles.families.tiling import puzzle as boards
from cnfgen_puzzles.families.tiling.encodings import ENCODINGS, TilingSymmetry, cover_of, cubes_of
from cnfgen_puzzles.families.tiling.formats import FORMATS, puzzle_from_json, puzzle_to_json
from cnfgen_puzzles.families.tiling.options import OPTIONS, read
from cnfgen_puzzles.families.tiling.puzzle import Board, Tiling, uneven
from cnfgen_puzzles.formula import Block
from cnfgen_puzzles.formula.exactcover import ExactCover


class TilingCounting(Counting):
    """A tiling is an exact cover; its symmetries are those of the board that map the pieces to themselves."""

    options: ClassVar = {"symmetry": "representatives"}
    searching_options: ClassVar = {"starving": True}
    proving_encoding = "pairwise"

    def symmetry(self, puzzle: Tiling, blocks: Mapping[str, Block]) -> Symmetry:
        return TilingSymmetry(puzzle, blocks["place"])

    def rotations(self, puzzle: Tiling, blocks: Mapping[str, Block]) -> Symmetry:
        return TilingSymmetry(puzzle, blocks["place"], reflections=False)

    def exact_cover(self, puzzle: Tiling, blocks: Mapping[str, Block]) -> ExactCover:
        return cover_of(puzzle, blocks["place"])

    def cubes(self, puzzle: Tiling, blocks: Mapping[str, Block]) -> Sequence[tuple[int, ...]] | None:
        return cubes_of(puzzle, blocks["place"])


MOST_WORK = 5_000_000
"""The most cells that the program of the rules moves; it usually moves far fewer."""

ENCODED_IN_AWK = ("pairwise", "product", "sequential")
"""The encodings that `tiling-encode.awk` supports, without options, for puzzles without groups."""


def rules_in_awk(puzzle: Tiling, board: Board) -> tuple[str, str] | None:
    """The program `families/awk/tiling-rules.awk`, and its input: a line for each piece, with its number (from 1) and its cells;
    None if it would take too long."""
    if sum(len(laid.cells) ** 2 * len(puzzle.matrices(puzzle.pieces[laid.piece])) for laid in board) > MOST_WORK:
        return None
    cells = (" ".join(",".join(map(str, cell)) for cell in laid.cells) for laid in board)
    return "tiling-rules", "".join(f"{laid.piece + 1} {each}\n" for laid, each in zip(board, cells, strict=True))


def encoder_in_awk(puzzle: Tiling, encoding: str, options: Mapping[str, Any]) -> str | None:
    """The program `families/awk/tiling-encode.awk`; None if it does not support the puzzle."""
    chosen = options.items() - {("symmetry", "all"), ("regions", False), ("starving", False)}
    return "tiling-encode" if encoding in ENCODED_IN_AWK and not chosen and not puzzle.groups else None


class TilingFamily(Family):
    """Reads, encodes, decodes, checks, draws, and counts tilings."""

    name = "tiling"
    summary = "tilings of boards by pieces (pentominoes, polycubes, polyiamonds, polyhexes)"
    puzzle = Tiling
    formats = FORMATS
    encodings = ENCODINGS
    options = OPTIONS
    reads_file = False
    examples = ("--board 6x10 --pieces pentominoes", "sample:calendar", "--generate cut --pieces pentominoes --seed 7")
    capabilities: ClassVar = {
        "generators": "cnfgen_puzzles.families.tiling.generators:GENERATORS",
        "views": "cnfgen_puzzles.families.tiling.pictures:VIEWS",
        "cutting": "cnfgen_puzzles.families.tiling.cutting:CUTTING",
        "rules_in_awk": rules_in_awk,
        "encoder_in_awk": encoder_in_awk,
        "counting": TilingCounting(),
    }

    parse = staticmethod(read)
    puzzle_to_json = staticmethod(puzzle_to_json)
    puzzle_from_json = staticmethod(puzzle_from_json)
    check = staticmethod(boards.check_board)
    board_to_json = staticmethod(boards.board_to_json)
    board_from_json = staticmethod(boards.board_from_json)
    differences = staticmethod(boards.differences)

    def impossible(self, puzzle: Tiling) -> str | None:
        return super().impossible(puzzle) or uneven(puzzle)

    def describe(self, puzzle: Tiling) -> str:
        pieces = max(sum(piece.least for piece in puzzle.pieces), *(group.least for group in puzzle.groups), 0)
        amount = f"{len(puzzle.board)} cells, {pieces} pieces" if pieces else f"{len(puzzle.board)} cells"
        return f"{puzzle.lattice.name} tiling ({amount}){quoted_title(puzzle)}"

    def size(self, puzzle: Tiling) -> dict[str, int]:
        return {"cells": len(puzzle.board), "placements": len(puzzle.placements)}

    def blank(self, puzzle: Tiling) -> Board:
        """The board without pieces."""
        return ()

    def small_puzzles(self) -> list[Tiling]:
        boards = (
            ("2x3", "domino: any"),
            ("2x3", "L tromino: any"),
            ("1x4", "2*domino"),
            ("2x2x2", "4*domino"),
            ("1x3", "domino"),
        )
        return [self.read(None, board=board, pieces=pieces) for board, pieces in boards]

    def decode(self, puzzle: Tiling, blocks: Mapping[str, Block], true: Collection[int]) -> Board:
        return tuple(sorted(puzzle.laid(key) for key, variable in blocks["place"].items() if variable in true))


FAMILY = TilingFamily()
