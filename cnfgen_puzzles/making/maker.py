"""One picture on its way to a puzzle: the fewest changes, then any that suffice. `making.py` says in which order."""

from __future__ import annotations

import time
from collections.abc import Sequence

from cnfgen_puzzles.families import Family
from cnfgen_puzzles.families.capabilities import Flaw, Making, Place, Rows
from cnfgen_puzzles.making.changes import Changes, LeastChanges, changed, differences
from cnfgen_puzzles.making.made import FEWEST, FOUND, MINIMAL, NOTHING
from cnfgen_puzzles.making.neighbours import TimeOver, has_other_solution, other_solutions, places_of

SHARE = 3
"""A third of the time is for the fewest changes; what is left then is for any that suffice."""
COMPARED, TRIED = 24, 30
"""So many changes are compared before one is made where the fewest are not known, and so many tried instead of one that shows."""
AROUND = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if r or c]


class Maker:
    """One picture on its way. `least` has to be closed."""

    def __init__(
        self, family: Family, making: Making, picture: Rows, values: Sequence[str], line_solvable: bool, deadline: float
    ):
        self.family, self.making, self.picture, self.values = family, making, picture, values
        self.line_solvable, self.deadline = line_solvable, deadline
        self.inks = range(len(values) or 2)
        self.least = LeastChanges(picture, (choice for place in places_of(picture) for choice in self.others(picture, place)))
        self.bound = 0

    def made(self, seconds: float) -> tuple[Rows, str]:
        """The picture with as few changes as were found, and what is known of them."""
        try:
            board, suffices = self.fewest(self.deadline - seconds * (SHARE - 1) / SHARE)
        except TimeOver:
            return self.picture, NOTHING
        self.bound = self.least.bound
        if suffices:
            self.bound = len(differences(self.picture, board))
            return self.nicer(board), FEWEST
        try:
            board = self.repaired(board)
        except TimeOver:
            return board, NOTHING
        board, how = self.smallest_part(self.leaner(board))
        return board, FEWEST if len(differences(self.picture, board)) == self.bound else how

    def flaws(self, picture: Rows) -> list[Flaw]:
        """Why the picture's puzzle is not as wanted; none if it is. TimeOver where that is not known in time."""
        puzzle = self.making.puzzle(picture, self.values)
        if self.line_solvable:
            return self.making.stuck(picture, puzzle)
        if not self.making.open_cells(puzzle):
            return []
        return other_solutions(self.family, self.making, puzzle, picture, self.deadline)

    def single(self, picture: Rows) -> bool:
        """Whether its puzzle has one solution; what is not known in time has not."""
        puzzle = self.making.puzzle(picture, self.values)
        try:
            return self.least.allows(picture) and (
                not self.making.open_cells(puzzle)
                or not has_other_solution(self.family, self.making, puzzle, picture, self.deadline)
            )
        except TimeOver:
            return False

    def others(self, picture: Rows, place: Place) -> list[tuple[Place, int]]:
        """The other values that a cell can have."""
        return [(place, value) for value in self.inks if value != picture[place[0]][place[1]]]

    def dislike(self, choice: tuple[Place, int]) -> int:
        """How much a change shows, from 0 to 8: the cells around it that have another value than its new one."""
        (row, column), value = choice
        height, width = len(self.picture), len(self.picture[0])
        near = [(row + r, column + c) for r, c in AROUND]
        return sum(not (0 <= r < height and 0 <= c < width and self.picture[r][c] == value) for r, c in near)

    # -- the fewest -------------------------------------------------------------------------------------------------------

    def fewest(self, until: float) -> tuple[Rows, bool]:
        """The picture with the fewest changes, and True; or, where the time was over, the last that was tried, and False."""
        board = self.picture
        while found := self.flaws(board):
            self.least.forbid(board, found)
            changes = self.least.solve(until - time.monotonic())
            if changes is None or time.monotonic() > until:
                return board, False
            board = changed(self.picture, changes)
            if self.line_solvable:
                board = self.easier(board, until)
        return board, True

    def easier(self, board: Rows, until: float) -> Rows:
        """As many changes, some of them in other cells of the flaws that they mend, that leave line logic fewer open cells."""
        best = self.left_open(board)
        for place in differences(self.picture, board):
            without = changed(self.picture, self.changes_without(board, place))
            for choice in self.promising(without, self.mending(without), until):
                if not best or time.monotonic() > until:
                    return board
                candidate = changed(without, dict([choice]))
                if self.least.allows(candidate) and (left := self.left_open(candidate)) < best:
                    board, best = candidate, left
        return board

    def mending(self, board: Rows) -> list[tuple[Place, int]]:
        """The changes of unchanged cells that mend, each by itself, all flaws that were met and that the board still has."""
        unmet = [cells for flawed, cells in self.least.flawed if all(board[r][c] == flawed[r][c] for r, c in cells)]
        cells = frozenset.intersection(*unmet) if unmet else frozenset[Place]()
        return [choice for r, c in cells if board[r][c] == self.picture[r][c] for choice in self.others(board, (r, c))]

    def promising(self, board: Rows, choices: list[tuple[Place, int]], until: float) -> list[tuple[Place, int]]:
        """Those of the changes to compare: after which line logic seems to leave the fewest cells open, which show least."""
        left, ranked = self.making.left_after(board, self.making.puzzle(board, self.values)), []
        for shows, choice in sorted((self.dislike(choice), choice) for choice in choices):
            if time.monotonic() > until:
                break
            ranked.append((left(*choice), shows, choice))
        return [choice for *_, choice in sorted(ranked)[:COMPARED]]

    def nicer(self, board: Rows) -> Rows:
        """As many changes, which show less: each tried in other cells of the flaws that it mends, as long as there is time."""
        for place, value in differences(self.picture, board).items():
            kept = changed(self.picture, self.changes_without(board, place))
            for shows, choice in sorted((self.dislike(choice), choice) for choice in self.mending(kept))[:TRIED]:
                if shows >= self.dislike((place, value)) or time.monotonic() > self.deadline:
                    break
                candidate = changed(kept, dict([choice]))
                if self.least.allows(candidate) and self.is_right(candidate):
                    board = candidate
                    break
        return board

    def changes_without(self, board: Rows, place: Place) -> Changes:
        """The changes but that of one cell."""
        return {other: value for other, value in differences(self.picture, board).items() if other != place}

    def is_right(self, board: Rows) -> bool:
        """Whether the puzzle is as wanted; what is not known in time is not."""
        try:
            found = self.flaws(board)
        except TimeOver:
            return False
        self.least.forbid(board, found)
        return not found

    # -- any that suffice ---------------------------------------------------------------------------------------------------

    def repaired(self, board: Rows) -> Rows:
        """The picture with more changes until no flaw is left: one for each flaw, then the flaws of what came of it."""
        settled: set[Place] = set()  # a cell is changed once, so this ends
        while found := self.flaws(board):
            self.least.forbid(board, found)
            now: set[Place] = set()
            for flaw in sorted(found, key=lambda flaw: len(flaw.decisive)):
                if time.monotonic() > self.deadline:
                    raise TimeOver
                if flaw.decisive & now:
                    continue  # perhaps it is mended already
                choices = [choice for place in flaw.decisive - settled for choice in self.others(board, place)]
                tried = self.promising(board, choices, self.deadline)
                if candidates := [(changed(board, dict([choice])), choice) for choice in tried]:
                    board, (place, _) = min(candidates, key=self.likely)
                    now.add(place)
                    settled.add(place)
            if not now:
                raise TimeOver
        return board

    def likely(self, candidate: tuple[Rows, tuple[Place, int]]) -> tuple[int, int, tuple[Place, int]]:
        """The smaller, the more a change helps: cells that line logic leaves open, then how much it shows."""
        board, choice = candidate
        return self.left_open(board), self.dislike(choice), choice

    def left_open(self, board: Rows) -> int:
        """The cells that line logic leaves open."""
        return len(self.making.open_cells(self.making.puzzle(board, self.values)))

    def leaner(self, board: Rows) -> Rows:
        """The picture without those changes that it does not need, tried one by one, those that show most first."""
        choices = differences(self.picture, board).items()
        for place, _ in sorted(choices, key=lambda choice: (-self.dislike(choice), choice)):
            without = changed(self.picture, self.changes_without(board, place))
            if time.monotonic() < self.deadline and self.least.allows(without) and self.is_right(without):
                board = without
        return board

    def smallest_part(self, board: Rows) -> tuple[Rows, str]:
        """The fewest of the changes that suffice, and MINIMAL; FOUND, with the board as it is, where the time was over."""
        with self.least.among(differences(self.picture, board).items()) as part:
            while True:
                changes = part.solve(self.deadline - time.monotonic())
                if changes is None or time.monotonic() > self.deadline:
                    return board, FOUND
                candidate = changed(self.picture, changes)
                try:
                    found = self.flaws(candidate)
                except TimeOver:
                    return board, FOUND
                if not found:
                    return candidate, MINIMAL
                part.forbid(candidate, found)
