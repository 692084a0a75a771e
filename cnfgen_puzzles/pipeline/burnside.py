"""Counts up to symmetry by model counters, which list no solutions: by Burnside's lemma.

The number of orbits is the mean, over all elements g of the group, of the number of solutions that g maps to themselves:

    orbits = 1/|G| * sum over g of |Fix(g)|

Fix(g) is a formula, too: the puzzle's, and for each projection variable p that p and g(p) are equal. Elements that are conjugate
in G have equally many fixed solutions, so one of each class is counted: 5 formulas for the 8 symmetries of a square, 10 for the
48 of a cube. The identity comes first; its number is that of all solutions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.common.numbers import digits
from cnfgen_puzzles.counting.modelcounts import CounterQuestion
from cnfgen_puzzles.families import Symmetry
from cnfgen_puzzles.pipeline.instance import Instance

Permutation = Mapping[int, int]
"""A symmetry: for each projection variable the one onto which it is mapped."""

MOST = 1000
"""Elements of a group that is listed."""


class FixedPoints:
    """What model counters are asked to count an instance's solutions up to a symmetry; None: each for itself."""

    def __init__(self, instance: Instance, symmetry: Symmetry | None):
        self._instance = instance
        self._classes: list[tuple[Permutation, int]] = []
        if symmetry is not None and symmetry.order > 1:
            self._classes = conjugacy_classes(permutations_of(instance, symmetry) or ())
            if not self._classes:
                raise CnfgenError(f"the group of {symmetry.order} symmetries is not listed: solutions cannot be counted up to it")

    def question(self) -> CounterQuestion:
        """The formulas, that of the identity first."""
        restrictions = [equalities(element) for element, _ in self._classes] or [[]]
        return CounterQuestion(self._instance.cnf, self._instance.projection, restrictions)

    def orbits(self, numbers: Sequence[int]) -> int:
        """The number of orbits, by the answers; CnfgenError if it is not whole, which no true numbers make it."""
        if not self._classes:
            return numbers[0]
        sizes = [size for _, size in self._classes]
        fixed = sum(size * number for size, number in zip(sizes, numbers, strict=True))
        orbits, left = divmod(fixed, sum(sizes))
        if left:
            sums = f"the solutions that each symmetry keeps add up to {digits(fixed)}, which is not divisible by {sum(sizes)}"
            raise CnfgenError(f"{sums}: a counter is wrong, or a symmetry is none")
        return orbits


def permutations_of(instance: Instance, symmetry: Symmetry) -> Sequence[Permutation] | None:
    """The elements of the group; None where they are too many or the family does not tell them. CnfgenError if what it tells is
    no group of permutations of the projection set."""
    if symmetry.order > MOST or instance.map.renaming is not None:
        return None
    elements = symmetry.permutations()
    if elements is None:
        return None
    projection = sorted(instance.projection)
    if len(elements) != symmetry.order or any(
        sorted(each) != projection or sorted(each.values()) != projection for each in elements
    ):
        raise CnfgenError(f"the {symmetry.order} symmetries are not told as {symmetry.order} permutations of the projection set")
    return elements


def conjugacy_classes(elements: Sequence[Permutation]) -> list[tuple[Permutation, int]]:
    """One element of each class, with the size of the class; the identity first.

    An element is known by what it does to a few variables, its base: no two of the group do the same to all of them.
    """
    base = _base(elements)
    number = {tuple(element[variable] for variable in base): place for place, element in enumerate(elements)}
    if len(number) != len(elements):
        raise CnfgenError("found a symmetry that is told twice")
    inverses = [{there: here for here, there in element.items()} for element in elements]
    classes, seen = [], set[int]()
    for place, element in enumerate(elements):
        if place in seen:
            continue
        conjugates = {
            number.get(tuple(other[element[back[variable]]] for variable in base), -1)
            for other, back in zip(elements, inverses, strict=True)
        }
        if -1 in conjugates:
            raise CnfgenError("found symmetries that are no group")
        seen |= conjugates
        classes.append((element, len(conjugates)))
    return sorted(classes, key=lambda each: any(here != there for here, there in each[0].items()))


def _base(elements: Sequence[Permutation]) -> list[int]:
    """A few variables whose images tell the elements apart."""
    base: list[int] = []
    apart = 1
    for variable in elements[0] if elements else ():
        more = len({tuple(element[each] for each in (*base, variable)) for element in elements})
        if more > apart:
            base.append(variable)
            apart = more
        if apart == len(elements):
            break
    return base


def equalities(element: Permutation) -> list[list[int]]:
    """Clauses that say that each variable is what it is mapped to: around each cycle one implies the next."""
    return [[-here, there] for here, there in element.items() if here != there]
