"""The loop of `treesearch`, compiled by numba. It runs without the interpreter's lock, so threads are enough.

A literal is 2 * variable, plus 1 where it is negative. What is kept between two calls is in arrays: `value` (1: true) by literal,
how many literals of a clause are false, and true (those long enough to need it), and the trail with a reason for each variable:
0 a choice, positive the number of a clause of the file, negative a learnt clause (minus its place in the arena). Learnt clauses
are stacked: number, length, literals; each serves as the reason of one variable and is deleted when that is undone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from numba import njit

FULL, REFUTED, MODEL = 0, 1, 2
"""Why a call ended: the buffer is full, the empty clause was proved, all variables are assigned without a conflict."""

TRAIL, HEAD, ARENA, NEXT_ID, CONFLICTS, BEGUN, REGISTERS = range(7)
"""Registers: length of the trail, what of it is propagated, length of the arena, number of the last clause, ..."""

Array = np.ndarray[Any, Any]
Function = Callable[..., Any]


def compiled(function: Function) -> Function:
    """The function, compiled when it is called first, and kept on disk."""
    return cast(Function, njit(cache=True, nogil=True)(function))


@compiled
def put(buffer: Array, at: int, number: int) -> int:
    """The number and a space as text; where it ends."""
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
    """The zero that ends a line."""
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
def propagate(
    starts: Array, lits: Array, bin_at: Array, bin_other: Array, bin_clause: Array, long_at: Array, long_clause: Array,
    open_at: Array, open_clause: Array, reg: Array, value: Array, falses: Array, trues: Array, trail: Array, reasons: Array,
    positions: Array,
) -> int:  # fmt: skip
    """Unit propagation; the clause (from 1) that is false, else 0."""
    conflict = 0
    while reg[HEAD] < reg[TRAIL] and conflict == 0:
        literal = trail[reg[HEAD]]
        false = literal ^ 1
        for k in range(open_at[literal], open_at[literal + 1]):
            trues[open_clause[k]] += 1
        for k in range(long_at[false], long_at[false + 1]):  # to its end, so that the counts can be undone
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
    """The clause without negative literals that has the fewest literals left, and no true one; -1 if there is none."""
    best, shortest = -1, 1 << 30
    for clause in open_clauses:
        left = starts[clause + 1] - starts[clause] - 1 - falses[clause]
        if trues[clause] == 0 and left < shortest:
            best, shortest = clause, left
    return best


@compiled
def choice(
    starts: Array, lits: Array, open_clauses: Array, value: Array, falses: Array, trues: Array, variables: int
) -> int:  # fmt: skip
    """A literal of the shortest open clause; without one a variable that is not assigned, made false; 0 if all are."""
    best = shortest_open(starts, open_clauses, falses, trues)
    if best >= 0:
        for place in range(starts[best], starts[best + 1] - 1):
            if value[lits[place] ^ 1] == 0:
                return int(lits[place])
    for variable in range(1, variables):
        if value[2 * variable] == 0 and value[2 * variable + 1] == 0:
            return 2 * variable + 1
    return 0


@compiled
def look(
    starts: Array, lits: Array, bin_at: Array, bin_other: Array, bin_clause: Array, long_at: Array, long_clause: Array,
    open_at: Array, open_clause: Array, open_clauses: Array, unit_literals: Array, cube: Array, reg: Array, work: Any,
) -> int:  # fmt: skip
    """Where unit propagation from a cube leads: -2 to a conflict, else to the shortest open clause; -1 if none is open."""
    value, falses, trues, trail, reasons, positions = work[0], work[1], work[2], work[3], work[4], work[5]
    for k in range(len(unit_literals) + len(cube)):
        literal = unit_literals[k] if k < len(unit_literals) else cube[k - len(unit_literals)]
        if value[literal ^ 1]:
            return -2
        if value[literal] == 0:
            assign(literal, 1, reg, value, trail, reasons, positions)
    conflict = propagate(
        starts, lits, bin_at, bin_other, bin_clause, long_at, long_clause, open_at, open_clause, reg, value, falses, trues,
        trail, reasons, positions,
    )  # fmt: skip
    if conflict:
        return -2
    return int(shortest_open(starts, open_clauses, falses, trues))


@compiled
def run(
    starts: Array, lits: Array, bin_at: Array, bin_other: Array, bin_clause: Array, long_at: Array, long_clause: Array,
    open_at: Array, open_clause: Array, open_clauses: Array, unit_literals: Array, unit_ids: Array, cube: Array, clauses: int,
    reg: Array, work: Any, buffer: Array, block: int,
) -> Any:  # fmt: skip
    """Search until the buffer has `block` bytes of proof or the search has ended: why, bytes in the buffer, the arrays."""
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
        conflict = propagate(
            starts, lits, bin_at, bin_other, bin_clause, long_at, long_clause, open_at, open_clause, reg, value, falses, trues,
            trail, reasons, positions,
        )  # fmt: skip
        if conflict == 0:
            literal = choice(starts, lits, open_clauses, value, falses, trues, len(marked))
            if literal == 0:
                return MODEL, at, work
            assign(literal, 0, reg, value, trail, reasons, positions)
            continue
        reg[CONFLICTS] += 1
        # which clauses led here, and which choices
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
                arena[start + 2 + size] = trail[place] ^ 1  # the last choice first
                size += 1
                continue
            if reason > 0:
                hints[needed] = reason
                if reason <= clauses:  # else a unit of the cube
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
        # undo the last of these choices and what came after it
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
        # the new clause goes where the forgotten ones were
        landing = reg[ARENA]
        arena[landing] = reg[NEXT_ID]
        arena[landing + 1] = size
        for k in range(size):
            arena[landing + 2 + k] = arena[start + 2 + k]
        reg[ARENA] = landing + 2 + size
        assign(last, -landing, reg, value, trail, reasons, positions)
        work = (value, falses, trues, trail, reasons, positions, marked, hints, arena, deleted)
    return FULL, at, work
