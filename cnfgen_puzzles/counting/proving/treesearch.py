"""A search that refutes formulas such as exact covers and writes an LRAT proof as it goes, compiled by numba.

Where each piece lies once, learning and restarts gain little, and a solver writes long proofs: here the search is a plain tree
(unit propagation, branching on the shortest open clause without negative literals, backjumping over choices that do not matter),
and the proof is the tree: a clause of choices for each conflict, its hints the clauses that propagated. Nothing here is trusted,
for the proof is checked by a program of others. It ends for any formula, but a SAT solver is better for most.

`compiled_search` has the loop itself; this class holds its arrays, and hands the proof out in blocks of bytes.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from cnfgen_puzzles.common.activity import compiling
from cnfgen_puzzles.counting.proving.compiled_search import (
    ARENA,
    CONFLICTS,
    MODEL,
    NEXT_ID,
    REFUTED,
    REGISTERS,
    look,
    run,
)  # fmt: skip
from cnfgen_puzzles.formula import Cnf

BLOCK = 1 << 20
"""Bytes of proof between two looks of the caller."""

CONFLICT = -2
"""What `look` says of a cube that unit propagation refutes."""

Array = np.ndarray[Any, Any]


class Table:
    """The clauses of a formula as the search wants them; any number of searches may share one."""

    def __init__(self, cnf: Cnf):
        literals = np.frombuffer(cnf.literals, np.int32) if cnf.literals else np.zeros(0, np.int32)
        ends = np.flatnonzero(literals == 0)
        self.variables = cnf.num_variables
        self.starts = np.concatenate([[0], ends + 1]).astype(np.int64)
        self.literals = np.where(literals > 0, 2 * literals, 1 - 2 * literals).astype(np.int32)
        lengths = np.diff(self.starts) - 1
        clause_of = np.repeat(np.arange(len(ends)), lengths + 1)
        inside = literals != 0
        clause_of, flat = clause_of[inside], self.literals[inside]
        binary = lengths[clause_of] == 2
        self.binary = self._listed(flat[binary], _partners(flat[binary]), clause_of[binary])
        self.long = self._listed(flat[~binary], clause_of[~binary])
        negative = np.zeros(len(ends), bool)
        negative[clause_of[flat % 2 == 1]] = True
        self.open = np.flatnonzero(~negative & (lengths > 1))
        choosable = ~negative[clause_of]
        self.choosing = self._listed(flat[choosable], clause_of[choosable])
        self.units = np.flatnonzero(lengths == 1)
        self.unit_literals = self.literals[self.starts[self.units]]
        self.empty = np.flatnonzero(lengths == 0)

    def _listed(self, keys: Array, *values: Array) -> tuple[Array, ...]:
        """For each literal where its values begin, and the values."""
        order = np.argsort(keys, kind="stable")
        starts = np.zeros(2 * self.variables + 3, np.int64)
        np.cumsum(np.bincount(keys, minlength=2 * self.variables + 2), out=starts[1:])
        return starts, *(value[order].astype(np.int32) for value in values)


def _partners(flat: Array) -> Array:
    """The other literal of each pair."""
    return flat.reshape(-1, 2)[:, ::-1].reshape(-1)


class TreeSearch:
    """The refutation of a table's formula and a cube. Clauses are numbered as in a file: the formula's, then the cube's units.

    `proof()` gives its bytes. Afterwards `refuted` tells whether it is one; else `model` has the true variables of a model (the
    formula is satisfiable), or the caller stopped it.
    """

    def __init__(self, table: Table, cube: Sequence[int]):
        self._table = table
        self._cube = _coded(cube)
        self.refuted = False
        self.model: list[int] | None = None
        self.conflicts = 0

    def proof(self, stopped: Callable[[], bool] = lambda: False) -> Iterator[bytes]:
        """The proof in LRAT, as text; `stopped` is asked now and then."""
        table = self._table
        clauses = len(table.starts) - 1
        if len(table.empty):
            self.refuted = True
            yield f"{clauses + len(self._cube) + 1} 0 {table.empty[0] + 1} 0\n".encode()
            return
        registers, work = _fresh(table)
        registers[NEXT_ID] = clauses + len(self._cube)
        buffer = np.zeros(BLOCK + 64 * (table.variables + 64), np.uint8)
        while True:
            verdict, used, work = run(
                table.starts, table.literals, *table.binary, *table.long, *table.choosing, table.open, table.unit_literals,
                table.units + 1, self._cube, clauses, registers, work, buffer, BLOCK,
            )  # fmt: skip
            self.conflicts = int(registers[CONFLICTS])
            yield buffer[:used].tobytes()
            if verdict == REFUTED:
                self.refuted = True
                return
            if verdict == MODEL:
                true = np.flatnonzero(work[0][0::2])
                self.model = [int(variable) for variable in true if variable]
                return
            if stopped():
                return


def division(table: Table, cube: Sequence[int]) -> tuple[list[int], list[int]] | None:
    """Literals by one of which each model of the cube goes on, by unit propagation: those that may be so, and those that lead to
    a conflict at once. They are what is left of the shortest open clause, else a variable that is open and its negation."""

    def where(*further: int) -> tuple[int, Any]:
        registers, work = _fresh(table)
        found = look(
            table.starts, table.literals, *table.binary, *table.long, *table.choosing, table.open, table.unit_literals,
            _coded([*cube, *further]), registers, work,
        )  # fmt: skip
        return int(found), work[0]

    clause, value = where()
    if clause == CONFLICT:
        return [], []
    if clause >= 0:
        literals = table.literals[table.starts[clause] : table.starts[clause + 1] - 1]
        choices = [int(literal) // 2 for literal in literals if not value[literal ^ 1]]
    else:
        free = np.flatnonzero((value[2::2] | value[3::2]) == 0)
        if not len(free):
            return None
        choices = [int(free[0]) + 1, -int(free[0]) - 1]
    dead = [literal for literal in choices if where(literal)[0] == CONFLICT]
    return [literal for literal in choices if literal not in dead], dead


def warm_up() -> None:
    """Compile, which takes some seconds at the first use on a machine; so that threads do not wait for each other."""
    table = Table(Cnf(1, 1, array("i", [1, 0])))
    with compiling("the tree search"):
        division(table, ())
        for _ in TreeSearch(table, ()).proof():
            pass


def _coded(cube: Sequence[int]) -> Array:
    return np.array([2 * x if x > 0 else 1 - 2 * x for x in cube], np.int32)


def _fresh(table: Table) -> tuple[Array, Any]:
    """Registers and arrays of a search that begins."""
    clauses, variables = len(table.starts) - 1, table.variables + 1
    work = (
        np.zeros(2 * variables, np.uint8), np.zeros(clauses, np.int32), np.zeros(clauses, np.int32),
        np.zeros(variables, np.int32), np.zeros(variables, np.int64), np.zeros(variables, np.int64),
        np.zeros(variables, np.uint8), np.zeros(variables + 1, np.int64),
        np.zeros(1 << 16, np.int64), np.zeros(variables + 1, np.int64),
    )  # fmt: skip
    registers = np.zeros(REGISTERS, np.int64)
    registers[ARENA] = 1  # places in the arena are told by their negatives: 0 would be none
    return registers, work
