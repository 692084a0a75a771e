"""The given numbers of a puzzle of numbers, for finding those that contradict."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from cnfgen_puzzles.families.capabilities import Given, Givens
from cnfgen_puzzles.families.grid.genre import at
from cnfgen_puzzles.families.grid.pzpr import NONE
from cnfgen_puzzles.formula import Block


class GivenNumbers(Givens):
    """The given numbers, row by row. The literals of a number that its cell cannot have contradict each other."""

    name = "given number"
    rest = "rules"

    def count(self, puzzle: Any) -> int:
        return sum(1 for _ in puzzle.clues())

    def entries(self, puzzle: Any, blocks: Mapping[str, Block]) -> Sequence[Given]:
        number = blocks["number"]
        found, variables = dict(puzzle.clues()), dict(zip(map(tuple, number.keys()), number.variables, strict=True))
        never = (number.variables[0], -number.variables[0])
        return [
            Given(
                f"{at((r, c))} is {value}",
                {"row": r + 1, "column": c + 1, "number": value},
                (variables[r, c, value],) if (r, c, value) in variables else never,
            )
            for (r, c), value in found.items()
        ]

    def only(self, puzzle: Any, numbers: Collection[int]) -> Any:
        left_out = {cell for number, (cell, _) in enumerate(puzzle.clues()) if number not in numbers}
        rows = enumerate(puzzle.numbers)
        kept = (tuple(NONE if (r, c) in left_out else value for c, value in enumerate(row)) for r, row in rows)
        return replace(puzzle, numbers=tuple(kept))


GIVENS = GivenNumbers()
