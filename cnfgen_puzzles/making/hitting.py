"""The fewest changes of a picture such that its puzzle has one solution, as an implicit hitting set.

A *flaw* of a picture is a set of cells such that every picture that agrees in these cells is also wrong. So the wanted picture
differs in at least one of the cells. This is a clause over the literals `cell c becomes value v`. A minimum set of changes that
satisfies all known clauses (a minimum hitting set, `FewestChanges`) is a lower bound; if the changed picture has no flaw, the set
is optimal. `_Neighbours` finds flaws from other solutions of the puzzle; `Maker` alternates between the two.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any, Self

from cnfgen_puzzles.families import Family
from cnfgen_puzzles.families.capabilities import Flaw, Place, Rows
from cnfgen_puzzles.formula import Formula
from cnfgen_puzzles.solving.incremental import FewestTrue, IncrementalSolver

if TYPE_CHECKING:
    from cnfgen_puzzles.families.nonogram.making import NonogramMaking

FEWEST, MINIMAL, FOUND, NOTHING, UNREACHED = "fewest", "minimal", "found", "nothing", "unreached"
"""Keys of `making.HOW`: the state of knowledge about the changes."""

Changes = Mapping[Place, int]
"""New values of cells."""


def change_cells(picture: Rows, changes: Changes) -> Rows:
    """The picture with the new values."""
    return tuple(
        tuple(type(value)(changes.get((row, column), value)) for column, value in enumerate(cells))
        for row, cells in enumerate(picture)
    )


def differences(picture: Rows, other: Rows) -> dict[Place, int]:
    """The changes that turn the picture into `other`."""
    return {
        (row, column): int(value)
        for row, (before, after) in enumerate(zip(picture, other, strict=True))
        for column, (old, value) in enumerate(zip(before, after, strict=True))
        if old != value
    }


class FewestChanges:
    """The fewest `allowed` changes of `picture` that no known flaw forbids. Must be closed.

    `flawed` are the known flaws: a picture, and the cells in which another picture must differ from it. Fewer changes than
    `bound` do not suffice.
    """

    def __init__(self, picture: Rows, allowed: Iterable[tuple[Place, int]]):
        self.picture = picture
        self._choices = list(allowed)
        self._variable = {choice: number for number, choice in enumerate(self._choices, start=1)}
        self._of: dict[Place, list[int]] = {}
        for (place, _), variable in self._variable.items():
            self._of.setdefault(place, []).append(variable)
        self._fewest = FewestTrue(len(self._choices))
        self.flawed: list[tuple[Rows, frozenset[Place]]] = []
        for variables in self._of.values():
            self._fewest.add_all([-first, -second] for first, second in combinations(variables, 2))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._fewest.__exit__()

    @property
    def bound(self) -> int:
        return self._fewest.bound

    def forbid(self, picture: Rows, flaws: Iterable[Flaw]) -> None:
        """Adds flaws: the wanted picture differs from this one in at least one cell of each flaw."""
        for flaw in flaws:
            self._add(picture, flaw.decisive)

    def _add(self, picture: Rows, cells: frozenset[Place]) -> None:
        self.flawed.append((picture, cells))
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

    def among(self, allowed: Iterable[tuple[Place, int]]) -> FewestChanges:
        """A copy with other allowed changes and the same flaws."""
        others = FewestChanges(self.picture, allowed)
        for picture, cells in self.flawed:
            others._add(picture, cells)
        return others

    def allows(self, picture: Rows) -> bool:
        """True if the picture has no known flaw; it can have others."""
        return all(any(picture[r][c] != flawed[r][c] for r, c in cells) for flawed, cells in self.flawed)

    def solve(self, seconds: float) -> Changes | None:
        """The fewest changes; None if the time limit is exceeded."""
        true = self._fewest.solve(seconds)
        return None if true is None else dict(self._choices[variable - 1] for variable in true)


# -- other solutions ---------------------------------------------------------------------------------------------------


SOLVER = "glucose4"
"""The python-sat solver that follows preferred phases most closely."""
SMALL = 4
"""The number of cells from which a flaw is minimized."""


class TimeOver(Exception):
    """The remaining time does not suffice to decide whether another solution exists."""


def places_of(picture: Rows) -> list[Place]:
    """All cells of a picture."""
    return [(row, column) for row, cells in enumerate(picture) for column in range(len(cells))]


class _Neighbours:
    """Solutions that differ from the picture, which is also a solution; near ones come first. Must be closed.

    TimeOver if the `deadline`, in CPU time of this process, passes before the question is decided.
    """

    def __init__(self, family: Family, making: NonogramMaking, puzzle: Any, picture: Rows, deadline: float):
        self.family, self.making, self.puzzle, self.picture, self.deadline = family, making, puzzle, picture, deadline
        formula: Formula = family.encode(puzzle)
        self.blocks = formula.blocks
        self.as_drawn = {
            place: making.literals(puzzle, self.blocks, place, int(picture[place[0]][place[1]])) for place in places_of(picture)
        }
        self.next = formula.num_variables + 1
        self.solver = IncrementalSolver(SOLVER)
        self.solver.add_all(formula.clauses())
        drawn = [literal for literals in self.as_drawn.values() for literal in literals]
        self.solver.prefer(drawn)
        self.solver.add([-literal for literal in drawn])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.solver.__exit__()

    def flaws(self) -> list[Flaw]:
        """Flaws with disjoint sets of differing cells, until every other solution differs in a cell of one of them."""
        found: list[Flaw] = []
        fixed: set[Place] = set()
        while (other := self.another(fixed)) is not None:
            for flaw in self.making.flaws(self.picture, other):
                found.append(self._smallest(flaw))
                fixed |= found[-1].differing
        return found

    def another(self, fixed: Collection[Place], *assumptions: int) -> Rows | None:
        """A solution with these cells as drawn that differs in another cell."""
        as_drawn = [literal for place in fixed for literal in self.as_drawn[place]]
        answer = self.solver.solve_within(self.deadline - time.process_time(), [*assumptions, *as_drawn])
        if answer is None:
            raise TimeOver
        if not answer:
            return None
        true = {literal for literal in self.solver.model if literal > 0}
        board: Any = self.family.decode(self.puzzle, self.blocks, true)
        if board == self.picture or self.family.check(self.puzzle, board):
            raise AssertionError(f"{SOLVER}'s model is no other solution")
        return board

    def _smallest(self, flaw: Flaw) -> Flaw:
        """A minimal flaw: its differing cells are a subset of those of the flaw, and no part of it is a flaw."""
        while len(flaw.differing) > SMALL:
            switch, self.next = self.next, self.next + 1
            some_stay = [literal for place in flaw.differing for literal in self._stays(place)]
            self.solver.add([-switch, *some_stay])
            others = [place for place in self.as_drawn if place not in flaw.differing]
            other = self.another(others, switch)
            if other is None:
                return flaw
            flaw = min(self.making.flaws(self.picture, other), key=lambda part: len(part.decisive))
        return flaw

    def _stays(self, place: Place) -> list[int]:
        """A literal that implies that the cell is as drawn."""
        literals = self.as_drawn[place]
        if len(literals) == 1:
            return literals
        stays, self.next = self.next, self.next + 1
        for literal in literals:
            self.solver.add([-stays, literal])
        return [stays]


# -- one picture -------------------------------------------------------------------------------------------------------


SHARE = 3
"""A third of the time is for the fewest changes, the rest for any sufficient changes."""
COMPARED, TRIED = 24, 30
"""The most changes that are compared at each step without the fewest changes, and the most tried to replace a conspicuous one."""
AROUND = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if r or c]


class Maker:
    """The search for one picture. `least` must be closed."""

    def __init__(
        self, family: Family, making: NonogramMaking, picture: Rows, values: Sequence[str], line_solvable: bool, deadline: float
    ):
        self.family, self.making, self.picture, self.values = family, making, picture, values
        self.line_solvable, self.deadline = line_solvable, deadline
        self.inks = range(len(values) or 2)
        self.least = FewestChanges(picture, (choice for place in places_of(picture) for choice in self.others(picture, place)))
        self.bound = 0

    def search(self, seconds: float) -> tuple[Rows, str]:
        """The picture with the fewest changes that were found, and the state of knowledge about them."""
        try:
            board, suffices = self.fewest(self.deadline - seconds * (SHARE - 1) / SHARE)
        except TimeOver:
            return self.picture, NOTHING
        self.bound = self.least.bound
        if suffices:
            self.bound = len(differences(self.picture, board))
            return self.nicer(board), FEWEST
        try:
            board = self.repair(board)
        except TimeOver:
            return board, NOTHING
        board, how = self.smallest_part(board)
        return board, FEWEST if len(differences(self.picture, board)) == self.bound else how

    def flaws(self, picture: Rows) -> list[Flaw]:
        """The flaws of the picture; empty if its puzzle is as wanted. TimeOver if this is not decided in time."""
        puzzle = self.making.puzzle(picture, self.values)
        if self.line_solvable:
            return self.making.stuck(picture, puzzle)
        if not self.making.open_cells(puzzle):
            return []
        with _Neighbours(self.family, self.making, puzzle, picture, self.deadline) as neighbours:
            return neighbours.flaws()

    def others(self, picture: Rows, place: Place) -> list[tuple[Place, int]]:
        """The other possible values of a cell."""
        return [(place, value) for value in self.inks if value != picture[place[0]][place[1]]]

    def dislike(self, choice: tuple[Place, int]) -> int:
        """The visibility of a change, from 0 to 8: the number of adjacent cells whose value differs from the new one."""
        (row, column), value = choice
        height, width = len(self.picture), len(self.picture[0])
        near = [(row + r, column + c) for r, c in AROUND]
        return sum(not (0 <= r < height and 0 <= c < width and self.picture[r][c] == value) for r, c in near)

    # -- the fewest -------------------------------------------------------------------------------------------------------

    def fewest(self, until: float) -> tuple[Rows, bool]:
        """The picture with the fewest changes, and True; or, after the time limit, the last picture, and False."""
        board = self.picture
        while found := self.flaws(board):
            self.least.forbid(board, found)
            changes = self.least.solve(until - time.process_time())
            if changes is None or time.process_time() > until:
                return board, False
            board = change_cells(self.picture, changes)
        return board, True

    def mending_choices(self, board: Rows) -> list[tuple[Place, int]]:
        """The single changes of unchanged cells that remove all known flaws of the board."""
        unmet = [cells for flawed, cells in self.least.flawed if all(board[r][c] == flawed[r][c] for r, c in cells)]
        cells = frozenset.intersection(*unmet) if unmet else frozenset[Place]()
        return [choice for r, c in cells if board[r][c] == self.picture[r][c] for choice in self.others(board, (r, c))]

    def best_choices(self, board: Rows, choices: list[tuple[Place, int]]) -> list[tuple[Place, int]]:
        """The changes to compare: those after which line logic seems to leave the fewest open cells; among these, the least
        visible."""
        left, ranked = self.making.left_after(board, self.making.puzzle(board, self.values)), []
        for shows, choice in sorted((self.dislike(choice), choice) for choice in choices):
            if time.process_time() > self.deadline:
                break
            ranked.append((left(*choice), shows, choice))
        return [choice for *_, choice in sorted(ranked)[:COMPARED]]

    def nicer(self, board: Rows) -> Rows:
        """An equal number of less visible changes: each is tried in other cells of the flaws that it removes, within the time
        limit."""
        for place, value in differences(self.picture, board).items():
            kept = change_cells(self.picture, self.changes_without(board, place))
            for shows, choice in sorted((self.dislike(choice), choice) for choice in self.mending_choices(kept))[:TRIED]:
                if shows >= self.dislike((place, value)) or time.process_time() > self.deadline:
                    break
                candidate = change_cells(kept, dict([choice]))
                if self.is_right(candidate):
                    board = candidate
                    break
        return board

    def changes_without(self, board: Rows, place: Place) -> Changes:
        """The changes without the one of this cell."""
        return {other: value for other, value in differences(self.picture, board).items() if other != place}

    def is_right(self, board: Rows) -> bool:
        """True if the puzzle is known to be as wanted."""
        if not self.least.allows(board):
            return False
        try:
            found = self.flaws(board)
        except TimeOver:
            return False
        self.least.forbid(board, found)
        return not found

    # -- any that suffice ---------------------------------------------------------------------------------------------------

    def repair(self, board: Rows) -> Rows:
        """The picture with more changes until no flaw is left: one change for each flaw, then for each flaw of the result."""
        settled: set[Place] = set()  # terminates because each cell is changed at most once
        while found := self.flaws(board):
            self.least.forbid(board, found)
            now: set[Place] = set()
            for flaw in sorted(found, key=lambda flaw: len(flaw.decisive)):
                if time.process_time() > self.deadline:
                    raise TimeOver
                if flaw.decisive & now:
                    continue  # already removed by another change
                choices = [choice for place in flaw.decisive - settled for choice in self.others(board, place)]
                tried = self.best_choices(board, choices)
                # prefer few open cells for line logic, then low visibility
                ranked = [
                    (self.left_open(candidate), self.dislike(choice), choice, candidate)
                    for choice in tried
                    for candidate in [change_cells(board, dict([choice]))]
                ]
                if ranked:
                    *_, (place, _), board = min(ranked)
                    now.add(place)
                    settled.add(place)
            if not now:
                raise TimeOver
        return board

    def left_open(self, board: Rows) -> int:
        """The cells that line logic does not determine."""
        return len(self.making.open_cells(self.making.puzzle(board, self.values)))

    def smallest_part(self, board: Rows) -> tuple[Rows, str]:
        """A minimal sufficient subset of the changes, and MINIMAL; after the time limit, the board as it is, and FOUND."""
        with self.least.among(differences(self.picture, board).items()) as part:
            while True:
                changes = part.solve(self.deadline - time.process_time())
                if changes is None or time.process_time() > self.deadline:
                    return board, FOUND
                candidate = change_cells(self.picture, changes)
                try:
                    found = self.flaws(candidate)
                except TimeOver:
                    return board, FOUND
                if not found:
                    return candidate, MINIMAL
                part.forbid(candidate, found)
