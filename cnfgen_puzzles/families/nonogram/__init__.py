"""Nonograms: pictures given by the lengths of the runs of filled cells in every row and column, in one colour or several."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from itertools import product
from typing import Any, ClassVar

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.sources import STDIN, Source
from cnfgen_puzzles.families.nonogram.clued import CluedFamily
from cnfgen_puzzles.families.nonogram.encodings import ENCODINGS
from cnfgen_puzzles.families.nonogram.formats import FORMATS
from cnfgen_puzzles.families.nonogram.knowncells import OPTION, KnownCells, with_known
from cnfgen_puzzles.families.nonogram.palette import INKS, WHITE
from cnfgen_puzzles.families.nonogram.puzzle import Board, Nonogram, known_cells
from cnfgen_puzzles.families.options import Option
from cnfgen_puzzles.formula import Block


def guesses_of(puzzle: Nonogram) -> Callable[[Mapping[str, Block]], Iterator[Sequence[int]]] | None:
    """Guesses for puzzles in black and white by belief propagation; None without numpy."""
    if puzzle.inks > 1 or find_spec("numpy") is None:
        return None

    def guesses(blocks: Mapping[str, Block]) -> Iterator[Sequence[int]]:
        from cnfgen_puzzles.families.nonogram.guessing import guesses  # loads numpy

        return guesses(puzzle, blocks)

    return guesses


class NonogramFamily(CluedFamily):
    """Reads, encodes, decodes, checks and draws nonograms."""

    name = "nonogram"
    summary = "nonograms in black or in colours (paint by numbers, griddlers, hanjie)"
    puzzle = Nonogram
    formats = FORMATS
    encodings = ENCODINGS
    kinds: ClassVar = {"row": "row", "column": "column"}
    capabilities: ClassVar = {
        "generators": "cnfgen_puzzles.families.nonogram.generators:GENERATORS",
        "making": "cnfgen_puzzles.families.nonogram.making:MAKING",
        "explaining": "cnfgen_puzzles.families.nonogram.explaining:EXPLAINING",
        "plain_model": "cnfgen_puzzles.families.nonogram.lines:plain_model",
        "rules_in_awk": "cnfgen_puzzles.families.nonogram.awkrules:rules",
        "guesses": guesses_of,
        "givens": KnownCells(),
    }
    examples = ("cat.nin", "--generate blobs --size 15 --seed 7")

    @property
    def options(self) -> tuple[Option, ...]:
        return (*super().options, OPTION)

    def parse(self, source: Source | None, **options: Any) -> Nonogram:
        known = options.get("known")
        if source is not None and source.name == STDIN == getattr(known, "source", None):
            raise InputError("found - for the puzzle and for its known cells, expected one of them: it can be read once")
        puzzle: Nonogram = super().parse(source, **options)
        return puzzle if known is None or source is None else with_known(puzzle, known, source.name)

    def describe(self, puzzle: Nonogram) -> str:
        known = sum(cell is not None for line in puzzle.known for cell in line)
        return super().describe(puzzle) + (f", {known} of {puzzle.width * puzzle.height} cells known" if known else "")

    def given(self, puzzle: Nonogram, row: int, column: int) -> bool:
        return self.known(puzzle, row, column) is not None

    def known(self, puzzle: Nonogram, row: int, column: int) -> int | None:
        return puzzle.known[row][column] if puzzle.known else None

    def row_clues(self, puzzle: Nonogram) -> Sequence[Sequence[str]]:
        return [list(map(str, clue)) or ["0"] for clue in puzzle.rows]

    def column_clues(self, puzzle: Nonogram) -> Sequence[Sequence[str]]:
        return [list(map(str, clue)) or ["0"] for clue in puzzle.columns]

    def clue_values(self, puzzle: Nonogram) -> tuple[Sequence[Sequence[int | None]], Sequence[Sequence[int | None]]]:
        if puzzle.inks == 1:
            return (), ()
        rows, columns = ([colours or (None,) for _, colours in puzzle.lines(kind)] for kind in ("row", "column"))
        return rows, columns

    def row_lengths(self, puzzle: Nonogram) -> Sequence[int]:
        return (puzzle.width,) * puzzle.height

    def lines_of(self, puzzle: Nonogram, board: Board) -> Iterable[Sequence[Sequence[int]]]:
        return board, tuple(zip(*board, strict=True))

    def wrongly_known(self, puzzle: Nonogram, board: Board) -> list[str]:
        return [
            f"{place} is known to be {puzzle.palette[colour].name}, the board has {puzzle.palette[int(board[r][c])].name}"
            for place, r, c, colour in known_cells(puzzle)
            if board[r][c] != colour
        ]

    def small_puzzles(self) -> list[Nonogram]:
        clues: list[tuple[int, ...]] = [(), (1,), (2,), (1, 1), (3,)]
        every = product(product(clues, repeat=2), product(clues[:3], repeat=3))
        black = [Nonogram(rows, columns) for rows, columns in list(every)[::9]]
        return [*black, *(_coloured(*lines) for lines in COLOURED)]


COLOURED = (
    (["1r 1b", "1b"], ["1r 1b", "1b"]),  # blocks of two colours side by side
    (["1r", "1b"], ["1r", "1b"]),
    (["1r 1b", "0"], ["1b", "1r"]),
    (["1r 1r", "1b"], ["1r", "1b", "1r"]),  # of one colour apart
    (["1r 1b 1r", "0"], ["1r", "1b", "1r"]),
    (["1r", "1r"], ["1r", "1b"]),  # as many cells, not of each colour
    (["1b", "1r"], ["1r", "1b", "0"]),
)
"""Clues of small puzzles in red and blue."""


def _coloured(rows: Sequence[str], columns: Sequence[str]) -> Nonogram:
    def lengths(clues: Sequence[str]) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(int(block[:-1]) for block in clue.split() if block != "0") for clue in clues)

    def inks(clues: Sequence[str]) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple("rb".index(block[-1]) + 1 for block in clue.split() if block != "0") for clue in clues)

    return Nonogram(
        lengths(rows), lengths(columns), colours=(WHITE, *INKS[:2]), row_colours=inks(rows), column_colours=inks(columns)
    )


FAMILY = NonogramFamily()
