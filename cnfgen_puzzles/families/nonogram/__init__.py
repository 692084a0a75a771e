"""Nonograms: pictures defined by the lengths of the runs of filled cells in every row and column, in one color or several."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from typing import Any, ClassVar

from cnfgen_puzzles.common.lazy import module
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.families.cells import Clue
from cnfgen_puzzles.families.clued.encodings import ENCODINGS
from cnfgen_puzzles.families.clued.family import CluedFamily
from cnfgen_puzzles.families.clued.halffilled import read_once
from cnfgen_puzzles.families.nonogram.formats import FORMATS
from cnfgen_puzzles.families.nonogram.knowncells import OPTION, KnownCells, with_known
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram
from cnfgen_puzzles.formula import Block

guessing = module(f"{__package__}.guessing")  # imports numpy


def guesses_of(puzzle: Nonogram) -> Callable[[Mapping[str, Block]], Iterator[Sequence[int]]] | None:
    """Guesses for black and white puzzles by belief propagation; None without numpy."""
    return None if puzzle.inks > 1 or find_spec("numpy") is None else lambda blocks: guessing.guesses(puzzle, blocks)


class NonogramFamily(CluedFamily):
    """Reads, encodes, decodes, checks, and draws nonograms."""

    name = "nonogram"
    summary = "nonograms in black or in colors (paint by numbers, griddlers, hanjie)"
    puzzle = Nonogram
    formats = FORMATS
    encodings = ENCODINGS
    capabilities: ClassVar = {
        "generators": "cnfgen_puzzles.families.nonogram.generators:GENERATORS",
        "making": "cnfgen_puzzles.families.nonogram.making:MAKING",
        "explaining": "cnfgen_puzzles.families.nonogram.explaining:explain",
        "plain_model": "cnfgen_puzzles.families.nonogram.lines:plain_model",
        "guesses": guesses_of,
        "givens": KnownCells(),
    }
    options = (*FORMATS.options, OPTION)
    examples = ("sample:cat", "--generate blobs --size 15 --seed 8")

    def solved(self, puzzle: Any, board: Any) -> Any:
        return replace(puzzle, known=tuple(map(tuple, board)))

    def parse(self, source: Source | None, **options: Any) -> Nonogram:
        known = options.get("known")
        read_once(known, source)
        puzzle: Nonogram = super().parse(source, **options)
        return puzzle if known is None or source is None else with_known(puzzle, known, source.name)

    def describe(self, puzzle: Nonogram) -> str:
        known = sum(cell is not None for line in puzzle.known for cell in line)
        return super().describe(puzzle) + (f", {known} of {puzzle.width * puzzle.height} cells known" if known else "")

    def known(self, puzzle: Nonogram, row: int, column: int) -> int | None:
        return puzzle.known[row][column] if puzzle.known else None

    def row_clues(self, puzzle: Nonogram) -> list[list[Clue]]:
        return self.line_clues(puzzle, "row")

    def column_clues(self, puzzle: Nonogram) -> list[list[Clue]]:
        return self.line_clues(puzzle, "column")


FAMILY = NonogramFamily()
