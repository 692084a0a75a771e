"""A search that refutes formulas such as exact covers and writes an LRAT proof during the search, compiled by numba.

If each piece is used once, clause learning and restarts gain little, and the proofs of solvers are long. This search is a plain
tree: unit propagation, branching on the shortest open clause without negative literals, and backjumping over irrelevant choices.
The proof is the tree: for each conflict, a clause over the choices, with the propagating clauses as hints. A third-party program
checks the proof, so errors in this module cannot make a count wrong. For most other formulas, a SAT solver is better.

The compiled functions release the interpreter's lock, so threads are enough. A literal is 2 * variable, plus 1 if it is negative.
Arrays keep the state between two calls: `value` (1: true) by literal, the numbers of false and of true literals of each clause
(if it is long enough), and the trail with a reason for each variable: 0 for a choice, positive for a clause of the file, negative
for a learned clause (minus its place in the arena). Learned clauses form a stack: number, length, literals; each is the reason of
one variable and is deleted when that assignment is undone.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast

import numpy as np
from numba import njit

from cnfgen_puzzles.common.activity import compiling
from cnfgen_puzzles.formula import Cnf

BLOCK = 1 << 20
"""The bytes of proof that a call writes before it returns to the caller."""

CONFLICT = -2
"""The result of `propagate_cube` for a cube that unit propagation refutes."""

FULL, REFUTED, MODEL = 0, 1, 2
"""The reason why a call ended: the buffer is full, the empty clause was proved, all variables are assigned without a conflict."""

TRAIL, HEAD, ARENA, NEXT_ID, CONFLICTS, BEGUN, REGISTERS = range(7)
"""Registers: length of the trail, length of its propagated part, length of the arena, number of the last clause, ..."""

Array = np.ndarray[Any, Any]
Function = Callable[..., Any]


def compiled(function: Function) -> Function:
    """The function, compiled on its first call and cached on disk."""
    return cast(Function, njit(cache=True, nogil=True)(function))


class ClauseTable:
    """The clauses of a formula in the arrays of the search; several searches can share them."""

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
        pairs = self._index_by(flat[binary], _partners(flat[binary]), clause_of[binary])
        longer = self._index_by(flat[~binary], clause_of[~binary])
        negative = np.zeros(len(ends), bool)
        negative[clause_of[flat % 2 == 1]] = True
        open_clauses = np.flatnonzero(~negative & (lengths > 1))
        choosable = ~negative[clause_of]
        choosable_in = self._index_by(flat[choosable], clause_of[choosable])
        units = np.flatnonzero(lengths == 1)
        self.empty = np.flatnonzero(lengths == 0)
        unit_literals = self.literals[self.starts[units]]
        self.arrays = (self.starts, self.literals, *pairs, *longer, *choosable_in, open_clauses, unit_literals, units + 1)
        """The arguments of the compiled functions; `propagate` and `search` name them."""

    def fresh(self) -> tuple[Array, Any]:
        """The registers and arrays of a new search."""
        clauses, variables = len(self.starts) - 1, self.variables + 1
        work = (
            np.zeros(2 * variables, np.uint8), np.zeros(clauses, np.int32), np.zeros(clauses, np.int32),
            np.zeros(variables, np.int32), np.zeros(variables, np.int64), np.zeros(variables, np.int64),
            np.zeros(variables, np.uint8), np.zeros(variables + 1, np.int64),
            np.zeros(1 << 16, np.int64), np.zeros(variables + 1, np.int64),
        )  # fmt: skip
        registers = np.zeros(REGISTERS, np.int64)
        registers[ARENA] = 1  # places in the arena are negative reasons: 0 would be a choice
        return registers, work

    def _index_by(self, keys: Array, *values: Array) -> tuple[Array, ...]:
        """For each literal the start of its values, and the values."""
        order = np.argsort(keys, kind="stable")
        starts = np.zeros(2 * self.variables + 3, np.int64)
        np.cumsum(np.bincount(keys, minlength=2 * self.variables + 2), out=starts[1:])
        return starts, *(value[order].astype(np.int32) for value in values)


def _partners(flat: Array) -> Array:
    """The other literal of each binary clause."""
    return flat.reshape(-1, 2)[:, ::-1].reshape(-1)


class TreeSearch:
    """The refutation of a table's formula and a cube. Clauses are numbered as in a file: the formula's, then the cube's units.

    `proof()` yields the bytes of the proof. Afterwards, `refuted` is True if it is complete. Otherwise, `model` has the true
    variables of a model (the formula is satisfiable), or the caller stopped the search.
    """

    def __init__(self, table: ClauseTable, cube: Sequence[int]):
        self._table = table
        self._cube = _encode(cube)
        self.refuted = False
        self.model: list[int] | None = None
        self.conflicts = 0

    def proof(self, stopped: Callable[[], bool] = lambda: False) -> Iterator[bytes]:
        """The proof in LRAT, as text; calls `stopped` repeatedly."""
        table = self._table
        clauses = len(table.starts) - 1
        if len(table.empty):
            self.refuted = True
            yield f"{clauses + len(self._cube) + 1} 0 {table.empty[0] + 1} 0\n".encode()
            return
        registers, work = table.fresh()
        registers[NEXT_ID] = clauses + len(self._cube)
        buffer = np.zeros(BLOCK + 64 * (table.variables + 64), np.uint8)
        while True:
            verdict, used, work = search(table.arrays, self._cube, registers, work, buffer, BLOCK)
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


def divide_cube(table: ClauseTable, cube: Sequence[int]) -> tuple[list[int], list[int]] | None:
    """Literals of which each model of the cube satisfies one, by unit propagation: the open ones, and those that lead to a
    conflict at once. They are the rest of the shortest open clause, or else an open variable and its negation."""

    def where(*further: int) -> tuple[int, Any]:
        registers, work = table.fresh()
        return int(propagate_cube(table.arrays, _encode([*cube, *further]), registers, work)), work[0]

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
    """Compile the functions before threads need them; takes some seconds on the first use on a machine."""
    table = ClauseTable(Cnf(1, 1, array("i", [1, 0])))
    with compiling("the tree search"):
        divide_cube(table, ())
        for _ in TreeSearch(table, ()).proof():
            pass


def _encode(cube: Sequence[int]) -> Array:
    return np.array([2 * x if x > 0 else 1 - 2 * x for x in cube], np.int32)


# -- the compiled loop --------------------------------------------------------------------------------------------------------


@compiled
def put(buffer: Array, at: int, number: int) -> int:
    """Write the number and a space as text; returns the end."""
    if number < 0:
        buffer[at] = 45
        at += 1
        number = -number
    digits = 1
    power = 10
    while number >= power:
        power *= 10
        digits += 1
    for place in range(at + digits - 1, at - 1, -1):
        buffer[place] = 48 + number % 10
        number //= 10
    buffer[at + digits] = 32
    return at + digits + 1


@compiled
def put_end(buffer: Array, at: int) -> int:
    """Write the zero that ends a line."""
    buffer[at] = 48
    buffer[at + 1] = 10
    return at + 2


@compiled
def assign(literal: int, reason: int, reg: Array, value: Array, trail: Array, reasons: Array, positions: Array) -> None:
    value[literal] = 1
    reasons[literal >> 1] = reason
    positions[literal >> 1] = reg[TRAIL]
    trail[reg[TRAIL]] = literal
    reg[TRAIL] += 1


@compiled
def propagate(table: Any, reg: Array, work: Any) -> int:
    """Unit propagation; returns the falsified clause (from 1), or 0."""
    starts, lits, bin_at, bin_other, bin_clause, long_at, long_clause, open_at, open_clause = table[:9]
    value, falses, trues, trail, reasons, positions = work[:6]
    conflict = 0
    while reg[HEAD] < reg[TRAIL] and conflict == 0:
        literal = trail[reg[HEAD]]
        false = literal ^ 1
        for k in range(open_at[literal], open_at[literal + 1]):
            trues[open_clause[k]] += 1
        for k in range(long_at[false], long_at[false + 1]):  # without a break, so that the counts can be undone
            clause = long_clause[k]
            falses[clause] += 1
            if conflict == 0 and falses[clause] >= starts[clause + 1] - starts[clause] - 2:
                left = 0
                for place in range(starts[clause], starts[clause + 1] - 1):
                    if value[lits[place] ^ 1] == 0:
                        left = lits[place]
                        if value[left] == 1:
                            break
                if left == 0:
                    conflict = clause + 1
                elif value[left] == 0:
                    assign(left, clause + 1, reg, value, trail, reasons, positions)
        reg[HEAD] += 1
        if conflict:
            break
        for k in range(bin_at[false], bin_at[false + 1]):
            other = bin_other[k]
            if value[other]:
                continue
            if value[other ^ 1]:
                conflict = bin_clause[k] + 1
                break
            assign(other, bin_clause[k] + 1, reg, value, trail, reasons, positions)
    return conflict


@compiled
def shortest_open(starts: Array, open_clauses: Array, falses: Array, trues: Array) -> int:
    """The open clause without negative literals that has the fewest open literals; -1 if there is none."""
    best, shortest = -1, 1 << 30
    for clause in open_clauses:
        left = starts[clause + 1] - starts[clause] - 1 - falses[clause]
        if trues[clause] == 0 and left < shortest:
            best, shortest = clause, left
    return best


@compiled
def choice(table: Any, work: Any) -> int:
    """A literal of the shortest open clause, or else the negation of an unassigned variable; 0 if all are assigned."""
    starts, lits, open_clauses, value, falses, trues = table[0], table[1], table[9], work[0], work[1], work[2]
    best = shortest_open(starts, open_clauses, falses, trues)
    if best >= 0:
        for place in range(starts[best], starts[best + 1] - 1):
            if value[lits[place] ^ 1] == 0:
                return int(lits[place])
    for variable in range(1, len(value) // 2):
        if value[2 * variable] == 0 and value[2 * variable + 1] == 0:
            return 2 * variable + 1
    return 0


@compiled
def propagate_cube(table: Any, cube: Array, reg: Array, work: Any) -> int:
    """Unit propagation from a cube: CONFLICT, or the shortest open clause, or -1 if none is open."""
    starts, open_clauses, unit_literals = table[0], table[9], table[10]
    value, falses, trues, trail, reasons, positions = work[:6]
    for k in range(len(unit_literals) + len(cube)):
        literal = unit_literals[k] if k < len(unit_literals) else cube[k - len(unit_literals)]
        if value[literal ^ 1]:
            return CONFLICT
        if value[literal] == 0:
            assign(literal, 1, reg, value, trail, reasons, positions)
    if propagate(table, reg, work):
        return CONFLICT
    return int(shortest_open(starts, open_clauses, falses, trues))


@compiled
def search(table: Any, cube: Array, reg: Array, work: Any, buffer: Array, block: int) -> Any:
    """Search until the buffer has `block` bytes of proof or the search ends; returns the reason, the bytes, and the arrays."""
    starts, lits, long_at, long_clause, open_at, open_clause = table[0], table[1], table[5], table[6], table[7], table[8]
    unit_literals, unit_ids = table[10], table[11]
    clauses = len(starts) - 1
    value, falses, trues, trail, reasons, positions, marked, hints, arena, deleted = work
    at = 0
    contradiction = False
    if reg[BEGUN] == 0:
        reg[BEGUN] = 1
        for k in range(len(unit_literals) + len(cube)):
            own = k < len(unit_literals)
            literal = unit_literals[k] if own else cube[k - len(unit_literals)]
            number = unit_ids[k] if own else clauses + 1 + k - len(unit_literals)
            if value[literal ^ 1]:
                at = put(buffer, at, reg[NEXT_ID] + 1)
                at = put(buffer, at, 0)
                at = put(buffer, at, reasons[literal >> 1])
                at = put(buffer, at, number)
                contradiction = True
                break
            if value[literal] == 0:
                assign(literal, number, reg, value, trail, reasons, positions)
        if contradiction:
            at = put_end(buffer, at)
            return REFUTED, at, work
    while at < block:
        conflict = propagate(table, reg, work)
        if conflict == 0:
            literal = choice(table, work)
            if literal == 0:
                return MODEL, at, work
            assign(literal, 0, reg, value, trail, reasons, positions)
            continue
        reg[CONFLICTS] += 1
        # the clauses and the choices that led to this conflict
        needed = 0
        hints[needed] = conflict
        needed += 1
        open_marks = 0
        for place in range(starts[conflict - 1], starts[conflict] - 1):
            if marked[lits[place] >> 1] == 0:
                marked[lits[place] >> 1] = 1
                open_marks += 1
        start = reg[ARENA]
        while start + len(trail) + 8 > len(arena):
            larger = np.zeros(2 * len(arena), np.int64)
            larger[: len(arena)] = arena
            arena = larger
        size = 0
        place = reg[TRAIL]
        while open_marks:
            place -= 1
            variable = trail[place] >> 1
            if marked[variable] == 0:
                continue
            marked[variable] = 0
            open_marks -= 1
            reason = reasons[variable]
            if reason == 0:
                arena[start + 2 + size] = trail[place] ^ 1  # the last choice comes first
                size += 1
                continue
            if reason > 0:
                hints[needed] = reason
                if reason <= clauses:  # otherwise, it is a unit of the cube
                    for k in range(starts[reason - 1], starts[reason] - 1):
                        other = lits[k] >> 1
                        if other != variable and marked[other] == 0:
                            marked[other] = 1
                            open_marks += 1
            else:
                learnt = -reason
                hints[needed] = arena[learnt]
                for k in range(learnt + 2, learnt + 2 + arena[learnt + 1]):
                    other = arena[k] >> 1
                    if other != variable and marked[other] == 0:
                        marked[other] = 1
                        open_marks += 1
            needed += 1
        reg[NEXT_ID] += 1
        at = put(buffer, at, reg[NEXT_ID])
        for k in range(size):
            literal = arena[start + 2 + k]
            at = put(buffer, at, -(literal >> 1) if literal & 1 else literal >> 1)
        at = put(buffer, at, 0)
        for k in range(needed - 1, -1, -1):
            at = put(buffer, at, hints[k])
        at = put_end(buffer, at)
        if size == 0:
            return REFUTED, at, work
        # undo the last of these choices and everything after it
        last = arena[start + 2]
        until = positions[last >> 1]
        forgotten = 0
        while reg[TRAIL] > until:
            reg[TRAIL] -= 1
            literal = trail[reg[TRAIL]]
            if reg[TRAIL] < reg[HEAD]:
                for k in range(open_at[literal], open_at[literal + 1]):
                    trues[open_clause[k]] -= 1
                for k in range(long_at[literal ^ 1], long_at[(literal ^ 1) + 1]):
                    falses[long_clause[k]] -= 1
            value[literal] = 0
            reason = reasons[literal >> 1]
            if reason < 0:
                deleted[forgotten] = arena[-reason]
                forgotten += 1
                reg[ARENA] = -reason
        reg[HEAD] = min(reg[HEAD], reg[TRAIL])
        if forgotten:
            at = put(buffer, at, reg[NEXT_ID])
            buffer[at] = 100
            buffer[at + 1] = 32
            at += 2
            for k in range(forgotten):
                at = put(buffer, at, deleted[k])
            at = put_end(buffer, at)
        # the new clause takes the place of the deleted ones
        landing = reg[ARENA]
        arena[landing] = reg[NEXT_ID]
        arena[landing + 1] = size
        for k in range(size):
            arena[landing + 2 + k] = arena[start + 2 + k]
        reg[ARENA] = landing + 2 + size
        assign(last, -landing, reg, value, trail, reasons, positions)
        work = (value, falses, trues, trail, reasons, positions, marked, hints, arena, deleted)
    return FULL, at, work
