"""Grid puzzles by CEGAR: connected sets and cycles are cut only where a model violates them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from cnfgen_puzzles.families.capabilities import Counting, Refinement
from cnfgen_puzzles.families.grid.layer.connectivity import LAZY, RANK
from cnfgen_puzzles.families.grid.layer.constraints import Cut, GridFormula
from cnfgen_puzzles.formula.formula import FALSE, TRUE

CONSTANTS = {TRUE: "always", FALSE: "never"}
MOST_NUMBERS = 100_000
"""The most numbers of a cut that is read."""


class GridCounting(Counting):
    """Boards are counted as they are."""

    convention = "symmetric solutions counted separately"


class ConnectedCounting(GridCounting):
    """ganak counts rank formulas faster, enumerations and tididi those of the default. Lists are proved complete with rank
    formulas: a board has many trees, all of which a proof would have to refute."""

    encodings: ClassVar = {"ganak": RANK}
    proving_encoding = RANK


DIRECT, CONNECTED = GridCounting(), ConnectedCounting()


class GridRefinement(Refinement):
    """The constraints are cuts (see `constraints.Cut`)."""

    noun = "cuts"
    encodings = (LAZY,)
    total = None
    keeps_all = True

    def __init__(self, puzzle: Any, encoding: Any, **options: Any):
        self.puzzle, self.added = puzzle, list[Cut]()
        self.formula: GridFormula = encoding.build(replace(puzzle, cuts=()), **options)

    def add(self, constraints: Iterable[Cut]) -> None:
        for cut in constraints:
            self.formula.add_clause(self.formula.clause_of(cut))
            self.added.append(cut)

    def constraint(self, entry: Any) -> Cut:
        if not isinstance(entry, list) or len(entry) > MOST_NUMBERS or not all(type(number) is int for number in entry):
            raise ValueError(f"found {entry!r:.60}, expected a list of numbers")
        self.formula.clause_of(tuple(entry))
        return tuple(entry)

    def decode(self, true: Collection[int]) -> Any:
        return self.puzzle.family.decode(self.puzzle, self.formula.blocks, true)

    def cuts_text(self) -> str:
        """The sets with the literal of each cell, then the cuts."""
        lines = []
        for number, each in enumerate(self.formula.lazy if self.added else ()):
            lines.append(f"set {number} {each.kind}")
            lines += [f"cell {r} {c} {CONSTANTS.get(literal, literal)}" for (r, c), literal in sorted(each.cells.items())]
        return "".join(f"{line}\n" for line in [*lines, *(f"cut {' '.join(map(str, cut))}" for cut in self.added)])

    def inspect(self, true: Collection[int]) -> tuple[Any, list[Cut]]:
        cuts = self.formula.cuts(true)
        return None if cuts else self.decode(true), cuts

    def choose(self, broken: Sequence[Cut], count: int) -> list[Cut]:
        return list(broken)

    def part(self) -> Any:
        return replace(self.puzzle, cuts=tuple(self.added))
