"""Conditions for a list of all models of a formula, and the formulas whose refutation shows that it is complete.

Together, three facts show that the list contains exactly the projected models of a formula F:

1. Each element is a model of F, and no two elements agree on the projection set.
2. `blocked_clauses`: F, extended by a clause for each solution that the solution falsifies, has no model in any of some cubes.
3. `cover_clauses`: F with the negation of each cube has no model, so every model of F satisfies a cube.

A symmetry is a permutation of the variables that maps the clauses of F, its projection set, and the list onto themselves. It then
maps the blocked formula onto itself, and the refutation of a cube holds for all its images. Therefore one cube of each orbit is
enough, and its images count in step 3. In the same way, one solution of each orbit is enough in step 1.

A clause over only the true variables of a solution can exclude other solutions. It is valid if no other solution has all of these
true variables (`is_maximal`: a clause of F excludes each other variable). Cubes and solutions are tuples of ascending literals
and variables; symmetries are the images of the variables 1, 2, ... This module does not search.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence, Set

from cnfgen_puzzles.formula import Cnf

Literals = tuple[int, ...]
Permutation = Sequence[int]


def mapped(literals: Iterable[int], symmetry: Permutation) -> Literals:
    """The images of literals, ascending by variable."""
    return tuple(sorted((symmetry[x - 1] if x > 0 else -symmetry[-x - 1] for x in literals), key=abs))


def is_symmetry(clauses: Set[frozenset[int]], projection: Collection[int], symmetry: Permutation) -> bool:
    """Whether a permutation of the variables maps the clauses and the projection set onto themselves."""
    if sorted(symmetry) != list(range(1, len(symmetry) + 1)) or {symmetry[v - 1] for v in projection} != set(projection):
        return False
    image = [0, *symmetry, *(-variable for variable in reversed(symmetry))]  # image[-v] is the image of the negative literal
    return {frozenset(map(image.__getitem__, clause)) for clause in clauses} == clauses


def generate_group(generators: Sequence[Permutation], variables: int) -> set[Permutation]:
    """All elements of the group, as tuples."""
    identity = tuple(range(1, variables + 1))
    found: set[Permutation] = {identity}
    waiting: list[Permutation] = [identity]
    while waiting:
        each = waiting.pop()
        for generator in generators:
            product = tuple(generator[image - 1] for image in each)
            if product not in found:
                found.add(product)
                waiting.append(product)
    return found


def choose_generators(cnf: Cnf, projection: Collection[int], symmetries: Iterable[Permutation]) -> tuple[Permutation, ...]:
    """A subset of the symmetries that generates all of them; empty unless each one is a symmetry of the formula."""
    generators: tuple[Permutation, ...] = ()
    group = generate_group(generators, cnf.num_variables)
    clauses = set[frozenset[int]]()
    for symmetry in symmetries:
        if symmetry not in group:
            clauses = clauses or {frozenset(clause) for clause in cnf.clauses()}
            if len(symmetry) != cnf.num_variables or not is_symmetry(clauses, projection, symmetry):
                return ()
            generators = (*generators, symmetry)
            group = generate_group(generators, cnf.num_variables)
    return generators


def images(literals: Literals, symmetries: Collection[Permutation]) -> set[Literals]:
    """The orbit of the literals under the group that the symmetries generate."""
    found, waiting = {literals}, [literals]
    while waiting:
        each = waiting.pop()
        for symmetry in symmetries:
            image = mapped(each, symmetry)
            if image not in found:
                found.add(image)
                waiting.append(image)
    return found


def first_of_orbits(solutions: Sequence[Literals], symmetries: Collection[Permutation]) -> list[Literals]:
    """The first of each orbit in the list; ValueError if the symmetries do not map the list onto itself."""
    left, firsts = set(solutions), []
    for solution in solutions:
        if solution in left:
            orbit = images(solution, symmetries)
            if not orbit <= left:
                raise ValueError("a symmetry maps a solution to one that is not in the list")
            left -= orbit
            firsts.append(solution)
    return firsts


class Exclusions:
    """The variables that the binary clauses of a formula exclude if a given variable is true."""

    def __init__(self, cnf: Cnf):
        self._with: dict[int, set[int]] = defaultdict(set)
        for clause in cnf.clauses():
            if len(clause) == 2 and max(clause) < 0:
                self._with[-clause[0]].add(-clause[1])
                self._with[-clause[1]].add(-clause[0])

    def is_maximal(self, solution: Literals, projection: Collection[int]) -> bool:
        """Whether the true variables of the solution force all other variables of the projection set to be false."""
        excluded = set[int]().union(*(self._with[variable] for variable in solution))
        return excluded.union(solution).issuperset(projection)


def shown(solution: Iterable[int], projection: Collection[int]) -> Literals:
    """The projected model: the true variables of the projection set."""
    return tuple(sorted(set(solution).intersection(projection)))


def blocked_clauses(solutions: Iterable[Literals], projection: Sequence[int], *, short: bool) -> Iterator[list[int]]:
    """A blocking clause for each solution, which only this solution falsifies; `short`: over its true variables only."""
    within = set(projection)
    for solution in solutions:
        true = within.intersection(solution)
        ordered = sorted(true) if short else sorted(projection)
        yield [-variable if variable in true else variable for variable in ordered]


def cover_clauses(cubes: Iterable[Literals], symmetries: Collection[Permutation]) -> Iterator[list[int]]:
    """The negations of the cubes and of all their images."""
    for image in sorted(set().union(*(images(cube, symmetries) for cube in cubes))):
        yield [-literal for literal in image]


def with_clauses(cnf: Cnf, clauses: Iterable[Sequence[int]]) -> Cnf:
    """The formula, followed by more clauses."""
    larger = Cnf(cnf.num_variables, cnf.num_clauses, cnf.literals[:])
    for clause in clauses:
        larger.literals.extend((*clause, 0))
        larger.num_clauses += 1
    return larger


class ModelChecker:
    """`holds(true)` is True if the assignment with exactly these true variables satisfies every clause of `cnf`.

    It is made for thousands of models: `Cnf.falsified_clause` evaluates every clause for each model. Here, each clause with a
    negative literal is stored under the variable of one such literal and evaluated only if that variable is true. A model of a
    tiling has a few hundred true variables of five thousand.
    """

    def __init__(self, cnf: Cnf):
        self._some: list[frozenset[int]] = []  # clauses of positive literals
        self._not: dict[int, set[int]] = defaultdict(set)  # if the key is true, all of these are false
        self._then: dict[int, set[int]] = defaultdict(set)  # if the key is true, all of these are true
        self._longer: dict[int, list[tuple[set[int], set[int]]]] = defaultdict(list)  # negative rest, positive literals
        for clause in cnf.clauses():
            if len(clause) == 2 and clause[0] < 0 and clause[1] < 0:  # the most common kind
                self._not[-clause[0]].add(-clause[1])
                continue
            negative = [-literal for literal in clause if literal < 0]
            if not negative:
                self._some.append(frozenset(clause))
            elif len(clause) == 2:
                self._then[negative[0]].add(max(clause))
            else:
                self._longer[negative[0]].append((set(negative), {literal for literal in clause if literal > 0}))

    def holds(self, true: Set[int]) -> bool:
        nothing: frozenset[int] = frozenset()
        for variable in true:
            if not self._not.get(variable, nothing).isdisjoint(true) or not self._then.get(variable, nothing) <= true:
                return False
            for negative, positive in self._longer.get(variable, ()):
                if negative <= true and positive.isdisjoint(true):
                    return False
        return not any(clause.isdisjoint(true) for clause in self._some)
