"""Nonograms: pictures given by the lengths of the runs of filled cells in every row and column."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import product
from typing import Any, ClassVar

from cnfgen_puzzles.families.capabilities import EqualCounting
from cnfgen_puzzles.families.cells import CellFamily, Look
from cnfgen_puzzles.families.looks import INK
from cnfgen_puzzles.families.nonogram.encodings import ENCODINGS
from cnfgen_puzzles.families.nonogram.formats import FORMATS, halffilled
from cnfgen_puzzles.families.nonogram.formats.clues import clue_text
from cnfgen_puzzles.families.nonogram.knowncells import KnownCells
from cnfgen_puzzles.families.nonogram.puzzle import Board, Nonogram, clues_of, known_cells
from cnfgen_puzzles.families.options import Option
from cnfgen_puzzles.formula import Block
from cnfgen_puzzles.ground.sources import Source


class NonogramFamily(CellFamily):
    """Reads, encodes, decodes, checks and draws nonograms."""

    name = "nonogram"
    summary = "black and white nonograms (paint by numbers, griddlers, hanjie)"
    puzzle = Nonogram
    formats = FORMATS
    encodings = ENCODINGS
    counting = EqualCounting()  # as many black cells as the clues add up to
    givens = KnownCells()
    looks: ClassVar = {True: Look("#", INK), False: Look(".")}
    guides = 5
    examples = ("cat.nin", "--generate blobs --size 15 --seed 7")

    @property
    def options(self) -> tuple[Option, ...]:
        return (*super().options, halffilled.OPTION)

    def parse(self, source: Source | None, **options: Any) -> Nonogram:
        puzzle: Nonogram = super().parse(source, **options)
        known = options.get("known")
        return puzzle if known is None or source is None else halffilled.with_known(puzzle, known, source.name)

    def describe(self, puzzle: Nonogram) -> str:
        known = sum(cell is not None for line in puzzle.known for cell in line)
        return super().describe(puzzle) + (f", {known} of {puzzle.width * puzzle.height} cells known" if known else "")

    def given(self, puzzle: Nonogram, row: int, column: int) -> bool:
        return self.known(puzzle, row, column) is not None

    def known(self, puzzle: Nonogram, row: int, column: int) -> int | None:
        return puzzle.known[row][column] if puzzle.known else None

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
        wrong = [
            f"{place} is known to be {puzzle.palette[colour].name}, the board has {puzzle.palette[int(board[r][c])].name}"
            for place, r, c, colour in known_cells(puzzle)
            if board[r][c] != colour
        ]
        return wrong + [
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

    def small_puzzles(self) -> list[Nonogram]:
        clues: list[tuple[int, ...]] = [(), (1,), (2,), (1, 1), (3,)]
        every = product(product(clues, repeat=2), product(clues[:3], repeat=3))
        return [Nonogram(rows, columns) for rows, columns in list(every)[::9]]


FAMILY = NonogramFamily()
