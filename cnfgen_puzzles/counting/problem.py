"""What is enumerated, and the parts into which the search for it is split (by cubes that `splitting` chooses).

A part is a cube (literals that are assumed) or the rest: what satisfies none of the cubes. Cubes that a caller claims to cover
everything are not believed to: the rest is searched too, and is quickly seen to be empty if they do. So no count depends on them.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass

from cnfgen_puzzles.formula import Cnf
from cnfgen_puzzles.formula.exactcover import ExactCover

Cube = tuple[int, ...]


@dataclass(frozen=True)
class Problem:
    """A formula and its projection set; a solution is the set of the projection variables that are true in some model.

    `cover` says the same as an exact cover problem. `antichain` promises that no solution is part of another: then a clause
    over the true variables alone blocks a solution, and nothing else. `cubes` is how its owner would split the search.
    """

    cnf: Cnf
    projection: Sequence[int]
    cover: ExactCover | None = None
    antichain: bool = False
    cubes: Sequence[Cube] | None = None

    def identity(self) -> str:
        """SHA-256 (hex) of the formula and the projection set: what the solutions depend on."""
        text = f"{self.cnf.checksum()} {' '.join(map(str, self.projection))}"
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class Part:
    """The solutions that satisfy `cube` and none of the cubes `without`."""

    cube: Cube
    without: Sequence[Cube] = ()

    def clauses(self) -> list[list[int]]:
        """What a formula needs besides its own clauses to have just these solutions."""
        return [*([literal] for literal in self.cube), *([-literal for literal in cube] for cube in self.without)]

    def has(self, true: Set[int]) -> bool:
        """Whether a solution is one of these, by its true variables; the literals must be of projection variables."""
        return satisfies(true, self.cube) and not any(satisfies(true, cube) for cube in self.without)


def satisfies(true: Set[int], cube: Iterable[int]) -> bool:
    """Whether all literals of the cube hold where these variables are true and no others."""
    return all((abs(literal) in true) == (literal > 0) for literal in cube)


def parts_of(cubes: Sequence[Cube]) -> list[Part]:
    """A part for each cube and one for the rest; without cubes the rest is everything."""
    return [*(Part(tuple(cube)) for cube in cubes), Part((), [tuple(cube) for cube in cubes])]


class Parts:
    """The parts of a search by number. One that is too large is divided: its own number is then no part any more, its children
    come after all others. `on_divide` is called after each division."""

    def __init__(self, cubes: Sequence[Cube], divisions: Iterable[tuple[int, Sequence[int]]] = ()):
        self.cubes = [tuple(cube) for cube in cubes]
        self.divisions: list[tuple[int, tuple[int, ...]]] = []
        self.on_divide: Callable[[], None] = lambda: None
        self._all = parts_of(self.cubes)
        self._divided: dict[int, int] = {}  # to the first child
        self._by: dict[int, tuple[int, ...]] = {}
        self._cubes_with: dict[int, list[int]] = defaultdict(list)  # by their first positive literal, 0 where there is none
        for place, cube in enumerate(self.cubes):
            self._cubes_with[next((literal for literal in cube if literal > 0), 0)].append(place)
        for number, literals in divisions:
            self.divide(number, literals)

    def __len__(self) -> int:
        return len(self._all) - len(self._divided)

    def __getitem__(self, number: int) -> Part:
        return self._all[number]

    def variables(self) -> set[int]:
        """Those by which the search is split."""
        literals = (*self.cubes, *(literals for _, literals in self.divisions))
        return {abs(literal) for each in literals for literal in each}

    def numbers(self) -> list[int]:
        return [number for number in range(len(self._all)) if number not in self._divided]

    def divide(self, number: int, literals: Sequence[int]) -> list[int]:
        """The numbers of the children: in each the first true literal is another, and in the last none is true. So they cover
        the part and do not overlap, whatever the literals are."""
        if number not in range(len(self._all)) or number in self._divided or not literals or 0 in literals:
            raise ValueError(f"part {number} cannot be divided by {literals}")
        part, first = self._all[number], len(self._all)
        for place, literal in enumerate(literals):
            before = [(other,) for other in literals[:place]]
            self._all.append(Part((*part.cube, literal), [*part.without, *before]))
        self._all.append(Part(part.cube, [*part.without, *((literal,) for literal in literals)]))
        self._divided[number], self._by[number] = first, tuple(literals)
        self.divisions.append((number, tuple(literals)))
        self.on_divide()
        return list(range(first, len(self._all)))

    def home(self, true: Set[int]) -> int:
        """The number of the part that a solution belongs to: one, also where cubes overlap (then it is the first)."""
        near = (place for literal in (0, *true) for place in self._cubes_with.get(literal, ()))
        number = min((place for place in near if satisfies(true, self.cubes[place])), default=len(self.cubes))
        while number in self._divided:
            by = self._by[number]
            number = self._divided[number] + next((i for i, literal in enumerate(by) if satisfies(true, (literal,))), len(by))
        return number
