"""The number of solutions of a nonogram, counted row by row, with the help of a SAT solver.

The first rows of a board matter to the others only through the states of the columns: the clue of a column is an automaton, which
is in one state after its first cells. So the program stores each tuple of column states with the number of ways to reach it, and
the lines of the next row that fit its clue give the next tuples (the transfer-matrix method). The sum after the last row is the
number of solutions.

Most tuples cannot be completed. If there are many, the program picks some at random and asks a SAT solver, with the states as
assumptions. The states of a minimal core cannot occur together, so all tuples with these states are deleted. A tuple that is
deleted has no completion, and one that is not deleted but has none disappears in a later row: the number depends neither on
the picks nor on how many tuples are deleted. It relies on the solver, whose answers are not checked.

It is used after `nearby.py` has fixed the cells that have one color in all solutions. No model counter takes part.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np
from pysat.solvers import Solver

import cnfgen_puzzles as cp
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram

Array = np.ndarray[Any, Any]
SOLVER = "cadical153"
MANY = 200_000
"""Tuples are deleted while there are more than this."""
ENOUGH = 25
"""Deletion also ends after this many picked tuples that can be completed."""
NONE = 255
"""The state after an impossible step."""
MOST_FREE = 63
"""The most unknown cells in a row: their colors are the bits of a number."""


class Line:
    """The automaton of a clue, as in the encoding `regular`: state s is cell s of the tightest line with all gaps."""

    def __init__(self, clue: tuple[int, ...]):
        letters = [0]
        for length in clue:
            letters += [*[1] * length, 0]
        if len(letters) >= NONE:
            raise ValueError(f"found a clue with {len(letters)} states, expected fewer than {NONE}")
        self.step = np.full((len(letters), 2), NONE, np.uint8)
        for state, letter in enumerate(letters):
            following = letters[state + 1 : state + 2]
            if letter == 0:
                self.step[state, 0] = state
            if following:
                self.step[state, following[0]] = state + 1


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
    """Tuples of column states (one row of `states` for each, no two equal), and the number of ways to reach each."""

    states: Array
    ways: Array

    def only(self, kept: Array) -> Tuples:
        return Tuples(self.states[kept], self.ways[kept])


class RowByRow:
    """The count of a puzzle. Cells that the puzzle does not know are free."""

    def __init__(self, puzzle: Nonogram, report: Callable[[str], None] = lambda text: None):
        self.puzzle, self._report = puzzle, report
        self._formula = Formula(puzzle)
        self._columns = [Line(clue) for clue in puzzle.columns]
        random = np.random.default_rng(1)
        self._hashes = random.integers(1 << 63, size=(puzzle.width, NONE), dtype=np.uint64)
        self._random = Random(1)

    def count(self) -> int:
        """The number of solutions.

        OverflowError if there may be 2^63 or more.
        """
        found = Tuples(np.zeros((1, self.puzzle.width), np.uint8), np.ones(1, np.uint64))
        for row in range(self.puzzle.height):
            found = self._merged(self._after(found, row))
            reached = len(found.ways)
            if row + 1 < self.puzzle.height:
                found = self._without_dead_ends(found, row + 1)
            self._report(f"row {row + 1}: {reached:,} tuples of column states, {len(found.ways):,} kept")
        return int(found.ways.sum())

    def _color(self, row: int, column: int) -> int | None:
        return self.puzzle.known[row][column] if self.puzzle.known else None

    def _after(self, before: Tuples, row: int) -> Tuples:
        """All tuples after the row, a tuple for each way to fill it."""
        line = Line(self.puzzle.rows[row])
        parent = np.arange(len(before.ways), dtype=np.int64)
        state, bits = np.zeros(len(parent), np.uint8), np.zeros(len(parent), np.int64)
        tables, free = [], 0
        for column in range(self.puzzle.width):
            known = self._color(row, column)
            table = self._following(column, row)
            inside = np.full(NONE + 1, NONE, np.uint8)  # the states of the row from which its clue can still be completed
            possible = list(self._formula.states(row, column + 1))
            inside[possible] = possible
            parts = []
            for color in (0, 1) if known is None else (known,):
                after = inside[line.step[state, color]] if len(state) else state
                fits = (after != NONE) & (table[before.states[parent, column], color] != NONE)
                mark = color << free if known is None else 0
                parts.append((parent[fits], after[fits], bits[fits] | mark))
            parent, state, bits = (np.concatenate(part) for part in zip(*parts, strict=True))
            tables.append((table, free if known is None else None, known))
            free += known is None
            if free > MOST_FREE:
                raise ValueError(f"found more than {MOST_FREE} unknown cells in row {row + 1}")
        made = before.states[parent]
        for column, (table, bit, known) in enumerate(tables):
            made[:, column] = table[made[:, column], known if bit is None else bits >> bit & 1]
        return Tuples(made, before.ways[parent])

    def _following(self, column: int, row: int) -> Array:
        """The state of a column after the row, by its state before and the color; NONE if it cannot be completed."""
        table = np.full((NONE, 2), NONE, np.uint8)
        step, possible = self._columns[column].step, self._formula.states(self.puzzle.height + column, row + 1)
        kept = np.isin(step, list(possible))
        table[: len(step)][kept] = step[kept]
        return table

    def _merged(self, found: Tuples) -> Tuples:
        """Each tuple once, with the sum of its ways."""
        if found.ways.sum(dtype=np.float64) > 2.0**63:
            raise OverflowError("found 2^63 solutions or more")
        key = np.zeros(len(found.ways), np.uint64)
        for column in range(self.puzzle.width):
            key += self._hashes[column, found.states[:, column]]
        order = np.argsort(key, kind="stable")
        key, found = key[order], found.only(order)
        again = key[1:] == key[:-1]
        if not (found.states[1:][again] == found.states[:-1][again]).all():
            raise ArithmeticError("two tuples have one hash")
        first = np.flatnonzero(np.concatenate([[True], ~again])) if len(key) else np.zeros(0, np.int64)
        return Tuples(found.states[first], np.add.reduceat(found.ways, first) if len(first) else found.ways)

    def _without_dead_ends(self, found: Tuples, q: int) -> Tuples:
        """The tuples without some of those that cannot be completed."""
        completed = 0
        states = [self._formula.states(self.puzzle.height + column, q) for column in range(self.puzzle.width)]
        place = {variable: (column, s) for column, own in enumerate(states) for s, variable in own.items()}
        while len(found.ways) > MANY and completed < ENOUGH:
            picked = found.states[self._random.randrange(len(found.ways))].tolist()
            assumptions = [own[s] for own, s in zip(states, picked, strict=True) if len(own) > 1]
            if self._formula.completable(assumptions):
                completed += 1
                continue
            together = np.ones(len(found.ways), bool)
            for literal in self._formula.core():
                column, s = place[literal]
                together &= found.states[:, column] == s
            found = found.only(~together)
        return found
