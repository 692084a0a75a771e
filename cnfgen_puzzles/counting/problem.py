"""The problem of an enumeration, and the parts of its search: the solutions of a cube (a set of assumed literals).

At first there is one part, without literals. `splitting` chooses the literals by which parts are divided.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from cnfgen_puzzles.common.digests import digest
from cnfgen_puzzles.formula import Cnf
from cnfgen_puzzles.formula.exactcover import ExactCover

Cube = tuple[int, ...]


@dataclass(frozen=True)
class Problem:
    """A formula and its projection set; a solution is the set of the projection variables that are true in some model.

    `cover` is the same problem as an exact cover problem. `antichain` promises that no solution is a subset of another; then a
    clause over the true variables alone blocks only one solution. `cubes` are the family's suggestion for splitting a proof.
    """

    cnf: Cnf
    projection: Sequence[int]
    cover: ExactCover | None = None
    antichain: bool = False
    cubes: Sequence[Cube] | None = None

    def identity(self) -> str:
        """SHA-256 (hex) of the formula and the projection set, which determine the solutions."""
        return digest(f"{self.cnf.checksum()} {' '.join(map(str, self.projection))}")

    def write(self, path: Path) -> None:
        """Write the problem for a worker of the same version (`read_problem`), without the cubes."""
        cnf = Cnf(self.cnf.num_variables, self.cnf.num_clauses, self.cnf.literals)
        problem = Problem(cnf, list(self.projection), self.cover, self.antichain)
        path.write_bytes(pickle.dumps(problem, pickle.HIGHEST_PROTOCOL))


def read_problem(path: Path) -> Problem:
    """The problem that `Problem.write` wrote. Only for files of this package, because reading other pickles is unsafe."""
    problem = pickle.loads(path.read_bytes())
    assert isinstance(problem, Problem)
    return problem


def satisfies(true: Set[int], cube: Iterable[int]) -> bool:
    """Whether all literals of the cube hold if exactly these variables are true."""
    return all((abs(literal) in true) == (literal > 0) for literal in cube)


class Parts:
    """The parts of a search by number: at first one, number 0, without literals. Dividing a part removes its number; its children
    get new numbers at the end. `on_divide` is called with each division."""

    def __init__(self) -> None:
        self.on_divide: Callable[[int, Sequence[int]], object] = lambda number, literals: None
        self._cubes: list[Cube] = [()]
        self._divided: dict[int, tuple[int, Sequence[int]]] = {}  # from a divided part to its first child, and the literals

    def __len__(self) -> int:
        return len(self._cubes) - len(self._divided)

    def __getitem__(self, number: int) -> Cube:
        return self._cubes[number]

    def numbers(self) -> list[int]:
        """The parts that were not divided, in ascending order."""
        return [number for number in range(len(self._cubes)) if number not in self._divided]

    def divide(self, number: int, literals: Sequence[int]) -> list[int]:
        """Divide a part; returns the numbers of the children. They differ in the first true literal; in the last one, none is
        true. Therefore they cover the part and do not overlap, for any literals."""
        if number not in range(len(self._cubes)) or number in self._divided or not literals or 0 in literals:
            raise ValueError(f"part {number} cannot be divided by {literals}")
        part, first = self._cubes[number], len(self._cubes)
        false = [-literal for literal in literals]
        self._cubes += [(*part, *false[:place], literal) for place, literal in enumerate(literals)]
        self._cubes.append((*part, *false))
        self._divided[number] = first, literals
        self.on_divide(number, literals)
        return list(range(first, len(self._cubes)))

    def home(self, true: Set[int]) -> int:
        """The number of the part of a solution."""
        number = 0
        while number in self._divided:
            first, literals = self._divided[number]
            number = first + next((i for i, literal in enumerate(literals) if satisfies(true, (literal,))), len(literals))
        return number
