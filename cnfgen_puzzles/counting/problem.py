"""The problem of an enumeration, and the parts of its search: the suggested cubes, divided by literals of `splitting`.

A part is a cube (a set of assumed literals) or the rest: everything that satisfies none of the cubes. The rest is searched as
well, so no count depends on the claim that the cubes cover everything; if they do, the rest is quickly refuted.
"""

from __future__ import annotations

import pickle
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from cnfgen_puzzles.common.digests import digest, digest_of_json
from cnfgen_puzzles.formula import Cnf
from cnfgen_puzzles.formula.exactcover import ExactCover

Cube = tuple[int, ...]


@dataclass(frozen=True)
class Problem:
    """A formula and its projection set; a solution is the set of the projection variables that are true in some model.

    `cover` is the same problem as an exact cover problem. `antichain` promises that no solution is a subset of another; then a
    clause over the true variables alone blocks only one solution. `cubes` are the family's suggestion for splitting the search.
    """

    cnf: Cnf
    projection: Sequence[int]
    cover: ExactCover | None = None
    antichain: bool = False
    cubes: Sequence[Cube] | None = None

    @property
    def initial_cubes(self) -> list[Cube]:
        """The suggested cubes with projection variables only, so that a solution determines its part."""
        among = frozenset(self.projection)
        return [tuple(cube) for cube in self.cubes or () if among.issuperset(map(abs, cube))]

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


@dataclass(frozen=True)
class SearchPart:
    """The solutions that satisfy `cube` and none of the cubes `without`."""

    cube: Cube
    without: Sequence[Cube] = ()

    def identity(self) -> str:
        """SHA-256 (hex) of its cubes."""
        return digest_of_json([self.cube, self.without])

    def clauses(self) -> list[list[int]]:
        """The clauses that restrict the formula to these solutions."""
        return [*([literal] for literal in self.cube), *([-literal for literal in cube] for cube in self.without)]

    def has(self, true: Set[int]) -> bool:
        """Whether a solution, given by its true variables, is in this part; the cubes must use projection variables only."""
        return satisfies(true, self.cube) and not any(satisfies(true, cube) for cube in self.without)


def satisfies(true: Set[int], cube: Iterable[int]) -> bool:
    """Whether all literals of the cube hold if exactly these variables are true."""
    return all((abs(literal) in true) == (literal > 0) for literal in cube)


class Parts:
    """The parts of a search by number: one for each cube, and one for the rest, which is everything without cubes. Dividing a
    part removes its number; its children get new numbers at the end. `on_divide` is called with each division."""

    def __init__(self, cubes: Sequence[Cube]):
        self.cubes = [tuple(cube) for cube in cubes]
        self.on_divide: Callable[[int, Sequence[int]], object] = lambda number, literals: None
        self._all = [*map(SearchPart, self.cubes), SearchPart((), self.cubes)]
        self._divided: dict[int, int] = {}  # from a divided part to its first child
        self._by: dict[int, tuple[int, ...]] = {}
        self._cubes_with: dict[int, list[int]] = defaultdict(list)  # by their first positive literal, or 0 without one
        for place, cube in enumerate(self.cubes):
            self._cubes_with[next((literal for literal in cube if literal > 0), 0)].append(place)

    def __len__(self) -> int:
        return len(self._all) - len(self._divided)

    def __getitem__(self, number: int) -> SearchPart:
        return self._all[number]

    def numbers(self) -> list[int]:
        """The parts that were not divided, in ascending order."""
        return [number for number in range(len(self._all)) if number not in self._divided]

    def divide(self, number: int, literals: Sequence[int]) -> list[int]:
        """Divide a part; returns the numbers of the children. They differ in the first true literal; in the last one, none is
        true. Therefore they cover the part and do not overlap, for any literals."""
        if number not in range(len(self._all)) or number in self._divided or not literals or 0 in literals:
            raise ValueError(f"part {number} cannot be divided by {literals}")
        part, first = self._all[number], len(self._all)
        for place, literal in enumerate(literals):
            before = [(other,) for other in literals[:place]]
            self._all.append(SearchPart((*part.cube, literal), [*part.without, *before]))
        self._all.append(SearchPart(part.cube, [*part.without, *((literal,) for literal in literals)]))
        self._divided[number], self._by[number] = first, tuple(literals)
        self.on_divide(number, literals)
        return list(range(first, len(self._all)))

    def home(self, true: Set[int]) -> int:
        """The number of the part of a solution; if cubes overlap, the first one."""
        near = (place for literal in (0, *true) for place in self._cubes_with.get(literal, ()))
        number = min((place for place in near if satisfies(true, self.cubes[place])), default=len(self.cubes))
        while number in self._divided:
            by = self._by[number]
            number = self._divided[number] + next((i for i, literal in enumerate(by) if satisfies(true, (literal,))), len(by))
        return number
