"""Nonograms: pictures given by the lengths of the runs of filled cells in every row and column."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import product
from typing import Any, ClassVar

from cnfgen_puzzles.families.capabilities import EqualCounting
from cnfgen_puzzles.families.cells import CellFamily, Look
from cnfgen_puzzles.families.explaining import Explaining
from cnfgen_puzzles.families.looks import INK
from cnfgen_puzzles.families.nonogram.encodings import ENCODINGS
from cnfgen_puzzles.families.nonogram.formats import FORMATS
from cnfgen_puzzles.families.nonogram.formats.clues import clue_text
from cnfgen_puzzles.families.nonogram.puzzle import Board, Nonogram, clues_of
from cnfgen_puzzles.formula import Block


class NonogramFamily(CellFamily):
    """Reads, encodes, decodes, checks and draws nonograms."""

    name = "nonogram"
    summary = "black and white nonograms (paint by numbers, griddlers, hanjie)"
    puzzle = Nonogram
    formats = FORMATS
    encodings = ENCODINGS
    counting = EqualCounting()  # as many black cells as the clues add up to
    looks: ClassVar = {True: Look("#", INK), False: Look(".")}
    guides = 5
    examples = ("cat.nin", "--generate blobs --size 15 --seed 7")

    @property
    def generators(self) -> Mapping[str, Any]:
        from cnfgen_puzzles.families.nonogram.generators import GENERATORS  # seldom needed

        return GENERATORS

    def row_clues(self, puzzle: Nonogram) -> Sequence[Sequence[str]]:
        return [clue_text(clue).split() for clue in puzzle.rows]

    def column_clues(self, puzzle: Nonogram) -> Sequence[Sequence[str]]:
        return [clue_text(clue).split() for clue in puzzle.columns]

    def decode(self, puzzle: Nonogram, blocks: Mapping[str, Block], true: Collection[int]) -> Board:
        cell = blocks["cell"]
        return tuple(tuple(variable in true for variable in cell.below(r)) for r in range(puzzle.height))

    def check(self, puzzle: Nonogram, board: Board) -> list[str]:
        """The clues are read off the board, so that this can bear witness against an encoding."""
        if wrong := self.misshapen(puzzle, board):
            return wrong
        drawn = clues_of(board)
        return [
            f"{kind} {number}: clue {clue_text(clue)}, board has {clue_text(found)}"
            for kind, clues, founds in (("row", puzzle.rows, drawn.rows), ("column", puzzle.columns, drawn.columns))
            for number, (clue, found) in enumerate(zip(clues, founds, strict=True), start=1)
            if clue != found
        ]

    def rules_in_awk(self, puzzle: Nonogram, board: Board) -> tuple[str, str]:
        from cnfgen_puzzles.families.nonogram.awkrules import rules  # only for certificates

        return rules(puzzle, board)

    def working(self, puzzle: Nonogram) -> list[str]:
        """The sums of all clues."""
        return [
            f"{kind}: {' + '.join(str(sum(clue)) for clue in clues)} = {sum(map(sum, clues))} black cells"
            for kind, clues in (("rows", puzzle.rows), ("columns", puzzle.columns))
        ]

    @property
    def explaining(self) -> Explaining:
        from cnfgen_puzzles.families.nonogram.logic.explaining import NonogramExplaining  # seldom needed

        return NonogramExplaining()

    def small_puzzles(self) -> list[Nonogram]:
        clues: list[tuple[int, ...]] = [(), (1,), (2,), (1, 1), (3,)]
        every = product(product(clues, repeat=2), product(clues[:3], repeat=3))
        return [Nonogram(rows, columns) for rows, columns in list(every)[::9]]


FAMILY = NonogramFamily()
