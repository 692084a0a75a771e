"""Known cells as what a nonogram gives besides its clues: which of them contradict is found by this (`capabilities.Givens`)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from cnfgen_puzzles.families.capabilities import Given, Givens
from cnfgen_puzzles.families.nonogram.encodings import known_literals
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram, known_cells
from cnfgen_puzzles.formula import Block


class KnownCells(Givens):
    """The known cells, row by row."""

    name = "known cell"
    rest = "clues"

    def count(self, puzzle: Nonogram) -> int:
        return sum(1 for _ in known_cells(puzzle))

    def told(self, puzzle: Nonogram, blocks: Mapping[str, Block]) -> Sequence[Given]:
        names = [colour.name for colour in puzzle.palette]
        return [
            Given(f"{place} is {names[colour]}", {"row": r + 1, "column": c + 1, "colour": names[colour]}, tuple(literals))
            for (place, r, c, colour), literals in zip(known_cells(puzzle), known_literals(puzzle, blocks["cell"]), strict=True)
        ]

    def only(self, puzzle: Nonogram, numbers: Collection[int]) -> Nonogram:
        kept = {(r, c) for number, (_, r, c, _) in enumerate(known_cells(puzzle)) if number in numbers}
        grid = (tuple(v if (r, c) in kept else None for c, v in enumerate(line)) for r, line in enumerate(puzzle.known))
        return replace(puzzle, known=tuple(grid))
