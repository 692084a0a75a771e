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
    """The mapping of literals, determined by the seed and the number of variables."""

    seed: int
    count: int

    @cached_property
    def images(self) -> array[int]:
        """`images[v]` is the new literal of variable v >= 1; `images[-v]` is its negation; `images[0]` is 0."""
        names = _choice(self.seed, "variables").shuffled(range(self.count))
        random = _choice(self.seed, "signs").random
        positive = array("i", (name + 1 if random() < 0.5 else -name - 1 for name in names))
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
        return {"seed": self.seed, "variables": True, "signs": True}

    @classmethod
    def from_json(cls, entry: Mapping[str, Any], count: int) -> Renaming:
        """The renaming that `to_json` wrote, for a formula with `count` variables; KeyError, TypeError, or ValueError for another
        entry.

        InputError above the limit: a renaming has a few bytes and needs memory for each variable.
        """
        checked_amount("renamed", count)
        if not (member(entry, "variables", bool) and member(entry, "signs", bool)):
            raise ValueError("found a renaming that keeps variables or signs, expected one that changes both")
        return cls(member(entry, "seed", int), count)


def scramble(cnf: Cnf, seed: int) -> tuple[Cnf, Renaming]:
    """`cnf` with renamed variables, flipped polarities, and shuffled literals and clauses; and the renaming."""
    checked_amount("renamed", cnf.num_variables)
    renaming = Renaming(seed, cnf.num_variables)
    parts = [array("i", map(renaming.images.__getitem__, clause)) for clause in cnf.clauses()]
    random = _choice(seed, "literals").random
    for part in parts:  # Fisher and Yates
        for last in range(len(part) - 1, 0, -1):
            other = int(random() * (last + 1))
            part[last], part[other] = part[other], part[last]
    scrambled = Cnf(cnf.num_variables, cnf.num_clauses)
    for part in _choice(seed, "clauses").shuffled(parts):
        scrambled.literals.extend(part)
        scrambled.literals.append(0)
    return scrambled, renaming


def _choice(seed: int, part: str) -> SeededChoice:
    """A separate sequence for each part."""
    return SeededChoice(f"scramble {part}", seed)
