"""Scrambled formulas: renamed variables, flipped polarities, shuffled literals and clauses, all determined by a seed.

The behavior of a solver depends on these details; an average over several scramblings does not. A model of the scrambled formula
is a model of the original formula after `Renaming.undo`, and vice versa. The order of random choices is part of the format,
because a variable map has only the seed of a renaming: `SeededChoice` guarantees that the choices stay the same.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from cnfgen_puzzles.common.inputlimits import checked_amount
from cnfgen_puzzles.common.readers.strictjson import member
from cnfgen_puzzles.common.seededchoice import SeededChoice
from cnfgen_puzzles.formula.cnf import Cnf


@dataclass(frozen=True)
class Renaming:
    """The mapping of literals, determined by the seed, the number of variables, and the kinds of changes."""

    seed: int
    count: int
    variables: bool = True
    signs: bool = True

    @cached_property
    def images(self) -> array[int]:
        """`images[v]` is the new literal of variable v >= 1; `images[-v]` is its negation; `images[0]` is 0."""
        names = _choice(self.seed, "variables").shuffled(range(self.count)) if self.variables else range(self.count)
        if self.signs:
            random = _choice(self.seed, "signs").random
            positive = array("i", (name + 1 if random() < 0.5 else -name - 1 for name in names))
        else:
            positive = array("i", (name + 1 for name in names))
        return array("i", [0]) + positive + array("i", (-image for image in reversed(positive)))

    @cached_property
    def originals(self) -> array[int]:
        """The inverse of `images`."""
        inverse = array("i", bytes(4 * (2 * self.count + 1)))
        for variable, image in enumerate(self.images[1 : self.count + 1], start=1):
            inverse[image] = variable
            inverse[-image] = -variable
        return inverse

    def apply(self, literals: Iterable[int]) -> array[int]:
        """The new literals of these literals (0 for 0)."""
        return array("i", map(self.images.__getitem__, literals))

    def undo(self, model: Iterable[int]) -> list[int]:
        """The model of the original formula for a model of the scrambled one, with a value for each variable."""
        given = {abs(literal): literal for literal in model}
        full = (given.get(variable, -variable) for variable in range(1, self.count + 1))
        return sorted(map(self.originals.__getitem__, full), key=abs)

    def to_json(self) -> dict[str, Any]:
        return {"seed": self.seed, "variables": self.variables, "signs": self.signs}

    @classmethod
    def from_json(cls, entry: Mapping[str, Any], count: int) -> Renaming:
        """The renaming that `to_json` wrote, for a formula with `count` variables; KeyError or TypeError for another entry.

        InputError above the limit: a renaming has a few bytes and needs memory for each variable.
        """
        checked_amount("renamed", count)
        return cls(member(entry, "seed", int), count, member(entry, "variables", bool), member(entry, "signs", bool))


def scramble(
    cnf: Cnf, seed: int, *, variables: bool = True, signs: bool = True, literals: bool = True, clauses: bool = True
) -> tuple[Cnf, Renaming]:
    """`cnf` with renamed variables, flipped polarities, and shuffled literals and clauses; and the renaming."""
    checked_amount("renamed", cnf.num_variables)
    renaming = Renaming(seed, cnf.num_variables, variables, signs)
    renamed = renaming.apply(cnf.literals) if variables or signs else cnf.literals[:]
    if literals or clauses:
        parts = _clauses(renamed)
        if literals:
            _shuffle_each(parts, _choice(seed, "literals"))
        if clauses:
            parts = _choice(seed, "clauses").shuffled(parts)
        renamed = array("i")
        renamed.frombytes(b"".join(parts))
    return Cnf(cnf.num_variables, cnf.num_clauses, renamed), renaming


def _choice(seed: int, part: str) -> SeededChoice:
    """A separate sequence for each part, so that omitting a part does not change the others."""
    return SeededChoice(f"scramble {part}", seed)


def _clauses(literals: array[int]) -> list[array[int]]:
    """The clauses, each with its 0."""
    parts = []
    start = 0
    for _ in range(literals.count(0)):
        end = literals.index(0, start) + 1
        parts.append(literals[start:end])
        start = end
    return parts


def _shuffle_each(parts: list[array[int]], choice: SeededChoice) -> None:
    """Shuffle the literals of each clause (Fisher and Yates)."""
    random = choice.random
    for part in parts:
        for last in range(len(part) - 2, 0, -1):  # the last is the 0
            other = int(random() * (last + 1))
            part[last], part[other] = part[other], part[last]
