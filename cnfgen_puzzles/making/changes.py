"""Which cells of a picture to change: the fewest such that no flaw is left that was met in any picture so far.

A flaw of a picture says: who agrees with this picture in these cells has the flaw, too. So the picture that is wanted differs
from it in one of them. That is a clause over `cell c becomes value v`, whatever picture it came from, and the fewest changes that
obey all clauses are never more than the fewest that suffice: where the picture that they make has no flaw, these are the fewest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from cnfgen_puzzles.families.capabilities import Flaw, Place, Rows
from cnfgen_puzzles.solving.incremental import FewestTrue

Changes = Mapping[Place, int]
"""New values of cells."""


def changed(picture: Rows, changes: Changes) -> Rows:
    """The picture with these values."""
    return tuple(
        tuple(type(value)(changes.get((row, column), value)) for column, value in enumerate(cells))
        for row, cells in enumerate(picture)
    )


def differences(picture: Rows, other: Rows) -> dict[Place, int]:
    """The changes that make `other` of the picture."""
    return {
        (row, column): int(value)
        for row, (before, after) in enumerate(zip(picture, other, strict=True))
        for column, (old, value) in enumerate(zip(before, after, strict=True))
        if old != value
    }


class LeastChanges:
    """The fewest changes of `picture` of those that are `allowed`, which no flaw forbids that was told. To be closed."""

    def __init__(self, picture: Rows, allowed: Iterable[tuple[Place, int]]):
        self.picture = picture
        self._choices = list(allowed)
        self._variable = {choice: number for number, choice in enumerate(self._choices, start=1)}
        self._of: dict[Place, list[int]] = {}
        for (place, _), variable in self._variable.items():
            self._of.setdefault(place, []).append(variable)
        self._fewest = FewestTrue(len(self._choices))
        self._flawed: list[tuple[Rows, frozenset[Place]]] = []
        for variables in self._of.values():
            self._fewest.add_all([-first, -second] for first, second in combinations(variables, 2))

    def __enter__(self) -> LeastChanges:
        return self

    def __exit__(self, *_: object) -> None:
        self._fewest.__exit__()

    @property
    def bound(self) -> int:
        """Fewer changes do not suffice."""
        return self._fewest.bound

    @property
    def flawed(self) -> Sequence[tuple[Rows, frozenset[Place]]]:
        """The flaws that were told: a picture, and the cells in which another must differ from it."""
        return self._flawed

    def forbid(self, picture: Rows, flaws: Iterable[Flaw]) -> None:
        """The wanted picture differs from this one, in the decisive cells of each flaw."""
        for flaw in flaws:
            self._add(picture, flaw.decisive)

    def _add(self, picture: Rows, cells: frozenset[Place]) -> None:
        self._flawed.append((picture, cells))
        clause: list[int] = []
        for place in cells:
            row, column = place
            value = picture[row][column]
            if value == self.picture[row][column]:
                clause += self._of.get(place, ())
            elif (variable := self._variable.get((place, int(value)))) is not None:
                clause.append(-variable)
            else:
                return  # that change is not allowed: every picture differs there
        self._fewest.add(clause)

    def among(self, allowed: Iterable[tuple[Place, int]]) -> LeastChanges:
        """The same with other changes allowed, and all that was forbidden so far."""
        others = LeastChanges(self.picture, allowed)
        for picture, cells in self._flawed:
            others._add(picture, cells)
        return others

    def allows(self, picture: Rows) -> bool:
        """Whether the picture has no flaw that was told: it may be wrong all the same."""
        return all(any(picture[r][c] != flawed[r][c] for r, c in cells) for flawed, cells in self._flawed)

    def solve(self, seconds: float) -> Changes | None:
        """The fewest changes; None if the time was over."""
        true = self._fewest.solve(seconds)
        return None if true is None else dict(self._choices[variable - 1] for variable in true)
