"""The number of solutions of a nonogram, counted cell by cell, row by row, with the help of a SAT solver.

The clue of each line is an automaton. The first cells of a board matter to the others only through the states of the columns and
of the current row. So the program stores each tuple of states with the number of ways to reach it, and the colors of the
next cell give the next tuples (the transfer-matrix method). The sum after the last cell is the number of solutions.

Most tuples cannot be completed. If there are many, the program picks some at random and asks a SAT solver, with the states as
assumptions. The states of a minimal core cannot occur together, so all tuples with these states are deleted. A tuple that is
deleted has no completion, and one that is not deleted but has none disappears at a later cell: the number depends neither on
the picks nor on how many tuples are deleted. It relies on the solver, whose answers are not checked.

It is used after `nearby.py` has fixed the cells that have one color in all solutions. No model counter takes part.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
from pysat.solvers import Solver

import cnfgen_puzzles as cp
from cnfgen_puzzles.families.clued.encodings import following_states
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram

Array = np.ndarray[Any, Any]
SOLVER = "cadical153"
MANY, MANY_INSIDE = 200_000, 8_000_000
"""If there are more tuples after a row, or after a cell inside a row, some are deleted, until there are MANY, or an eighth of
MANY_INSIDE."""
ENOUGH = 25
"""Deletion also ends after this many picked tuples that can be completed."""
NONE = 255
"""The state after an impossible step."""


class Line:
    """The automaton of a clue, as in the encoding `regular`: state s is cell s of the tightest line with all gaps."""

    def __init__(self, clue: tuple[int, ...]):
        letters = [0]
        for length in clue:
            letters += [*[1] * length, 0]
        if len(letters) >= NONE:
            raise ValueError(f"found a clue with {len(letters)} states, expected fewer than {NONE}")
        self.step: Array = np.full((len(letters), 2), NONE, np.uint8)
        for state in range(len(letters)):
            for following in following_states(letters, state):
                self.step[state, letters[following]] = following

    def table(self, possible: Iterable[int]) -> Array:
        """The state after one more cell, by the state before and the color; NONE if it is not possible then."""
        return np.where(np.isin(self.step, list(possible)), self.step, NONE)


class Formula:
    """The puzzle for a SAT solver: which states a line can be in, alone and together."""

    def __init__(self, puzzle: Nonogram):
        instance = cp.encode(puzzle, "regular")
        self._solver = Solver(SOLVER, bootstrap_with=map(list, instance.cnf.clauses()))
        _, implied = self._solver.propagate([])
        false = {-literal for literal in implied if literal < 0}
        self._variables: defaultdict[tuple[int, int], dict[int, int]] = defaultdict(dict)
        for key, variable in instance.map.blocks["state"].items():
            if variable not in false:
                line, q, s = key
                self._variables[line, q][s] = variable

    def states(self, line: int, q: int) -> dict[int, int]:
        """The states that the line can be in after q cells, by propagation, each with its variable."""
        return self._variables[line, q]

    def completable(self, assumptions: list[int]) -> bool:
        return bool(self._solver.solve(assumptions=assumptions))

    def core(self) -> list[int]:
        """A minimal core of the last assumptions, which also becomes a clause."""
        core = list(self._solver.get_core())
        place = 0
        while place < len(core):
            if self.completable(core[:place] + core[place + 1 :]):
                place += 1
            else:
                left = set(self._solver.get_core())
                core = [literal for literal in core if literal in left]
        self._solver.add_clause([-literal for literal in core])
        return core


@dataclass
class Tuples:
    """Tuples of states of the columns and, last, the current row; `states[i]` can be reached in `ways[i]` ways."""

    states: Array
    ways: Array

    def only(self, kept: Array) -> Tuples:
        return Tuples(self.states[kept], self.ways[kept])


class RowByRow:
    """The count of a black and white puzzle. Cells that the puzzle does not know are free.

    ValueError for a colored puzzle or a clue with more than 254 states.
    """

    def __init__(self, puzzle: Nonogram, report: Callable[[str], None] = lambda text: None):
        if puzzle.colors or puzzle.row_colors:
            raise ValueError("found a colored nonogram, expected black and white")
        self.puzzle, self._report = puzzle, report
        self._formula = Formula(puzzle)
        self._rows, self._columns = [Line(clue) for clue in puzzle.rows], [Line(clue) for clue in puzzle.columns]
        self._hashes = np.random.default_rng(1).integers(1 << 63, size=(puzzle.width + 1, NONE), dtype=np.uint64)
        self._random = Random(1)

    def count(self) -> int:
        """The number of solutions.

        OverflowError if there may be 2^63 or more.
        """
        found = Tuples(np.zeros((1, self.puzzle.width + 1), np.uint8), np.ones(1, np.uint64))
        for row, line in enumerate(self._rows):
            most = 0
            for column in range(self.puzzle.width):
                found = self._after(found, row, column, line)
                most = max(most, len(found.ways))
                if len(found.ways) > MANY_INSIDE:
                    found = self._without_dead_ends(self._merged(found), row, column + 1, MANY_INSIDE // 8)
            found.states[:, -1] = 0  # the state of the next row
            found = self._merged(found)
            if row + 1 < self.puzzle.height:
                found = self._without_dead_ends(found, row + 1, 0, MANY)
            self._report(f"row {row + 1}: at most {most:,} tuples, {len(found.ways):,} at the end")
        return int(found.ways.sum())

    def _after(self, before: Tuples, row: int, column: int, line: Line) -> Tuples:
        """All tuples after the cell, one for each color that it can have."""
        own = self._columns[column]
        in_row = line.table(self._formula.states(row, column + 1))
        in_column = own.table(self._formula.states(self.puzzle.height + column, row + 1))
        known = self.puzzle.known[row][column] if self.puzzle.known else None
        parts = []
        for color in (0, 1) if known is None else (known,):
            after_row, after_column = in_row[before.states[:, -1], color], in_column[before.states[:, column], color]
            fits = (after_row != NONE) & (after_column != NONE)
            part = before.only(fits)
            part.states[:, -1], part.states[:, column] = after_row[fits], after_column[fits]
            parts.append(part)
        return Tuples(np.concatenate([part.states for part in parts]), np.concatenate([part.ways for part in parts]))

    def _merged(self, found: Tuples) -> Tuples:
        """Each tuple once, with the sum of its ways."""
        if found.ways.sum(dtype=np.float64) > 2.0**63:
            raise OverflowError("found 2^63 solutions or more")
        key = np.zeros(len(found.ways), np.uint64)
        for place, hashes in enumerate(self._hashes):
            key += hashes[found.states[:, place]]
        order = np.argsort(key, kind="stable")
        key, found = key[order], found.only(order)
        again = key[1:] == key[:-1]
        if not (found.states[1:][again] == found.states[:-1][again]).all():
            raise ArithmeticError("two tuples have one hash")
        first = np.flatnonzero(np.concatenate([[True], ~again])) if len(key) else np.zeros(0, np.int64)
        return Tuples(found.states[first], np.add.reduceat(found.ways, first) if len(first) else found.ways)

    def _without_dead_ends(self, found: Tuples, row: int, column: int, most: int) -> Tuples:
        """The tuples before this cell; if there are more than `most`, without some of those that cannot be completed."""
        height, completed = self.puzzle.height, 0
        states = [self._formula.states(height + c, row + (c < column)) for c in range(self.puzzle.width)]
        states.append(self._formula.states(row, column))
        place = {variable: (n, s) for n, own in enumerate(states) for s, variable in own.items()}
        while len(found.ways) > most and completed < ENOUGH:
            picked = found.states[self._random.randrange(len(found.ways))].tolist()
            assumptions = [own[s] for own, s in zip(states, picked, strict=True) if len(own) > 1]
            if self._formula.completable(assumptions):
                completed += 1
                continue
            together = np.ones(len(found.ways), bool)
            for literal in self._formula.core():
                n, s = place[literal]
                together &= found.states[:, n] == s
            found = found.only(~together)
        return found
