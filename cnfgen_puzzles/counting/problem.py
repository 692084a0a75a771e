"""The problem of an enumeration, and the parts into which its search is split (by cubes that `splitting` chooses).

A part is a cube (literals that are assumed) or the rest: all that satisfies none of the cubes. No count depends on the claim that
cubes cover everything: the rest is searched too, and is quickly seen to be empty if they do.
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

    `cover` is the same as an exact cover problem. `antichain` promises that no solution is part of another: then a clause
    over the true variables alone blocks a solution, and nothing else. `cubes` is how a family would split the search.
    """

    cnf: Cnf
    projection: Sequence[int]
    cover: ExactCover | None = None
    antichain: bool = False
    cubes: Sequence[Cube] | None = None

    def identity(self) -> str:
        """SHA-256 (hex) of the formula and the projection set: what the solutions depend on."""
        return digest(f"{self.cnf.checksum()} {' '.join(map(str, self.projection))}")

    def write(self, path: Path) -> None:
        """Write the file by which a worker of this version gets the problem (`read_problem`), without the cubes."""
        cnf = Cnf(self.cnf.num_variables, self.cnf.num_clauses, self.cnf.literals)
        problem = Problem(cnf, list(self.projection), self.cover, self.antichain)
        path.write_bytes(pickle.dumps(problem, pickle.HIGHEST_PROTOCOL))


def read_problem(path: Path) -> Problem:
    """The problem that `Problem.write` wrote. Only for files that this package wrote: pickles are not safe to read otherwise."""
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
        """The clauses that leave a formula just these solutions."""
        return [*([literal] for literal in self.cube), *([-literal for literal in cube] for cube in self.without)]

    def has(self, true: Set[int]) -> bool:
        """Whether a solution is one of these, by its true variables; the literals must be of projection variables."""
        return satisfies(true, self.cube) and not any(satisfies(true, cube) for cube in self.without)


def satisfies(true: Set[int], cube: Iterable[int]) -> bool:
    """Whether all literals of the cube hold where these variables are true and no others."""
    return all((abs(literal) in true) == (literal > 0) for literal in cube)


def split_by(cubes: Sequence[Cube]) -> list[SearchPart]:
    """A part for each cube and one for the rest; without cubes the rest is everything."""
    return [*(SearchPart(tuple(cube)) for cube in cubes), SearchPart((), [tuple(cube) for cube in cubes])]


class Parts:
    """The parts of a search by number. One that is too large is divided: its number is no part any more, and its children come
    after all others. `on_divide` is called with each division."""

    def __init__(self, cubes: Sequence[Cube]):
        self.cubes = [tuple(cube) for cube in cubes]
        self.on_divide: Callable[[int, Sequence[int]], object] = lambda number, literals: None
        self._all = split_by(self.cubes)
        self._divided: dict[int, int] = {}  # to the first child
        self._by: dict[int, tuple[int, ...]] = {}
        self._cubes_with: dict[int, list[int]] = defaultdict(list)  # by their first positive literal, 0 where there is none
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
        """The numbers of the children: in each the first true literal is another, and in the last none is true. So they cover
        the part and do not overlap, whatever the literals are."""
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
        """The number of the part that a solution belongs to: one, also where cubes overlap (then it is the first)."""
        near = (place for literal in (0, *true) for place in self._cubes_with.get(literal, ()))
        number = min((place for place in near if satisfies(true, self.cubes[place])), default=len(self.cubes))
        while number in self._divided:
            by = self._by[number]
            number = self._divided[number] + next((i for i, literal in enumerate(by) if satisfies(true, (literal,))), len(by))
        return number
