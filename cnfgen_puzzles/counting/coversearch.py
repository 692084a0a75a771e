"""Knuth's dancing cells (The Art of Computer Programming 4B, section 7.2.2.3, without colors), compiled by numba.

The search is one function on flat arrays. numba compiles it in less than a second; lists and closures take ten times as long.

A node is one item of one option. `cells` contains the nodes of each item, from `begins[item]` on. The first `sizes[item]` of them
belong to options that can still be chosen. `places` is the inverse of `cells`. `active` contains the items; the first ones are
open. `positions` is its inverse. A removed node is exchanged with the last remaining node, so undoing restores only the sizes.

The search can write its tree as an LRAT proof (`write_lemma`; `proving.coverproof` has the arrays). If no option of an item is
left, the negation of the chosen options is a lemma. Its hints exclude each option of the item, by a chosen option with a common
item or by the lemma of a branch; the last hint is the clause of the item. The lock of the interpreter is released meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from numba import njit

Array = np.ndarray[Any, Any]
Function = Callable[..., Any]

BLOCK = 1 << 16
"""Size of the buffer for solutions."""
NEXT, END, OPEN, CHOSEN, ITEM = range(5)
"""Rows of `levels`, for each chosen item: next branch, end of branches, open items, option, item."""
NUMBER, WRITTEN = 5, 6
"""Registers of a proof: the number of the last clause, the length of the text of this call."""
PROOF = "UniTuple(int64[::1], 15)"
FIRST_STEPS, STEPS = 1 << 15, 1 << 21
"""Removed nodes until the search returns to Python: at first few, because the caller may need only one solution; then doubled
up to some milliseconds."""


def new_search(items: Array, starts: Array, count: int) -> tuple[Array, ...]:
    """The arrays of a new search, for `search`. `count` is the number of items.

    The first array, the registers, has the number of chosen options (-1 at the end), whether the next step chooses an item, the
    number of open items, whether the sizes are those of the level, the steps until the next return, and two for proofs.
    """
    nodes = len(items)
    sizes = np.bincount(items, minlength=count).astype(np.uint32)
    begins = np.zeros(count + 1, np.uint32)
    np.cumsum(sizes, out=begins[1:])
    cells = np.argsort(items, kind="stable").astype(np.uint32)
    places = np.empty(nodes, np.uint32)
    places[cells] = np.arange(nodes, dtype=np.uint32)
    options = np.repeat(np.arange(len(starts) - 1, dtype=np.uint32), np.diff(starts))
    levels = np.zeros((ITEM + 1, count + 2), np.int64)
    registers = np.array([0, 1, count, 0, FIRST_STEPS, 0, 0], np.int64)
    numbers = np.arange(count, dtype=np.uint32)
    branches, saved = np.zeros(nodes + 1, np.uint32), np.empty((count + 1) * count, np.uint32)
    buffer = np.zeros(BLOCK + count, np.uint32)
    sets = items, starts, options, sizes, begins, cells, places, numbers, numbers.copy()
    return registers, levels, buffer, *sets, branches, saved


def compiled(signature: str) -> Callable[[Function], Function]:
    """Compile the function at import, or load it from numba's cache."""
    return cast(Callable[[Function], Function], njit(signature, cache=True, nogil=True))


@compiled("int64(uint8[::1], int64, int64)")
def put(text: Array, at: int, number: int) -> int:
    """Write the number and a space as text; returns the end."""
    if number < 0:
        text[at] = 45
        at, number = at + 1, -number
    digits, power = 1, 10
    while number >= power:
        digits, power = digits + 1, power * 10
    for place in range(at + digits - 1, at - 1, -1):
        text[place] = 48 + number % 10
        number //= 10
    text[at + digits] = 32
    return at + digits + 1


@compiled(f"void(int64, int64[::1], int64[:, ::1], {PROOF}, uint8[::1], int64[::1], int64)")
def write_lemma(level: int, registers: Array, levels: Array, proof: Any, text: Array, excluded: Array, last: int) -> None:
    """Write the negation of the first `level` chosen options. The hints exclude some options and contradict the clause `last`."""
    variables, owner, why, child, names, _, option_at, option_items, pair_at, pair_other, pair_clause, facts = proof[:12]
    registers[NUMBER] += 1
    at = put(text, registers[WRITTEN], registers[NUMBER])
    for each in range(level):
        option = names[levels[CHOSEN, each]]
        at = put(text, at, -variables[option])
        for place in range(option_at[option], option_at[option + 1]):
            owner[option_items[place]] = option
    at = put(text, at, 0)
    for clause in facts:
        at = put(text, at, clause)
    for option in excluded:
        hint = child[option] if child[option] else why[option]
        place = option_at[option]
        while hint == 0 and place < option_at[option + 1]:
            other = owner[option_items[place]]
            if other >= 0:
                low, high = pair_at[other], pair_at[other + 1]
                while high - low > 1:
                    middle = (low + high) // 2
                    if pair_other[middle] <= option:
                        low = middle
                    else:
                        high = middle
                hint = pair_clause[low]
            place += 1
        at = put(text, at, hint)
    at = put(text, at, last)
    text[at], text[at + 1] = 48, 10
    registers[WRITTEN] = at + 2
    for each in range(level):
        option = names[levels[CHOSEN, each]]
        for place in range(option_at[option], option_at[option + 1]):
            owner[option_items[place]] = -1
    if level:
        child[names[levels[CHOSEN, level - 1]]] = registers[NUMBER]


@compiled(f"void(int64, int64[::1], int64[:, ::1], {PROOF}, uint8[::1], int64)")
def write_exclusion(level: int, registers: Array, levels: Array, proof: Any, text: Array, item: int) -> None:
    """Write a lemma: the first `level` chosen options leave no option of an item."""
    item_names, item_at, item_options, item_clause = proof[5], proof[12], proof[13], proof[14]
    item = item_names[item]
    options = item_options[item_at[item] : item_at[item + 1]]
    write_lemma(level, registers, levels, proof, text, options, item_clause[item])


@compiled(f"void(int64[::1], int64, int64, {PROOF}, uint8[::1], uint32[::1], uint32[::1])")
def delete_lemmas(registers: Array, begin: int, end: int, proof: Any, text: Array, options: Array, branches: Array) -> None:
    """Delete the lemmas of the branches of a node."""
    child, names = proof[3], proof[4]
    at = put(text, registers[WRITTEN], registers[NUMBER])
    text[at], text[at + 1] = 100, 32
    at += 2
    for each in range(begin, end):
        option = names[options[branches[each]]]
        at = put(text, at, child[option])
        child[option] = 0
    text[at], text[at + 1] = 48, 10
    registers[WRITTEN] = at + 2


UNSIGNED = ", uint32[::1]"  # signed indexes are slower


@compiled("int64(int64, int64" + 2 * UNSIGNED + ")")
def close(item: int, open_items: int, active: Array, positions: Array) -> int:
    """Close an item if it is open; returns the number of open items."""
    place = positions[item]
    if place < open_items:
        open_items -= 1
        last = active[open_items]
        active[place], positions[last] = last, place
        active[open_items], positions[item] = item, open_items
    return open_items


@compiled("int64(int64, int64, int64, int64" + 8 * UNSIGNED + ")")
def hide(
    item: int, primary: int, known: int, open_items: int, items: Array, starts: Array, options: Array, sizes: Array,
    begins: Array, cells: Array, places: Array, positions: Array,
) -> int:  # fmt: skip
    """Remove the options of an item from all other items at positions below `known`; returns how many options it has.

    If an open primary item would lose its last option, the result is -1 minus this item.
    """
    for cell in range(begins[item], begins[item] + sizes[item]):
        option = options[cells[cell]]
        for node in range(starts[option], starts[option + 1]):
            hit = items[node]
            if hit == item or positions[hit] >= known:
                continue
            if sizes[hit] == 1 and hit < primary and positions[hit] < open_items:
                return -1 - int(hit)
            sizes[hit] -= 1
            end, place = begins[hit] + sizes[hit], places[node]
            last = cells[end]
            cells[place], places[last] = last, place
            cells[end], places[node] = node, end
    return int(sizes[item])


@compiled(f"int64(int64, {PROOF}, uint8[::1], int64[::1], int64[:, ::1], uint32[::1]" + 11 * UNSIGNED + ")")
def search(
    primary: int, proof: Any, text: Array, registers: Array, levels: Array, buffer: Array, items: Array, starts: Array,
    options: Array, sizes: Array, begins: Array, cells: Array, places: Array, positions: Array, active: Array, branches: Array,
    saved: Array,
) -> int:  # fmt: skip
    """Write solutions (length, then options) to the buffer; returns its used length.

    Items below `primary` must be covered. The search pauses when the buffer is full or after its number of steps; the next
    call continues it. With `text`, it writes a proof there and pauses after each solution, whose lemma the caller writes.
    """
    level, descend, open_items, changed = registers[0], registers[1], registers[2], registers[3]
    count, used, steps, most, proving = len(sizes), 0, 0, registers[4], len(text) > 0
    registers[WRITTEN] = 0
    while level >= 0 and used + level + 1 < len(buffer) and steps < most and registers[WRITTEN] <= len(text) // 2:
        if descend:
            descend = 0
            best, least = -1, 1 << 30
            for place in range(open_items):
                if active[place] < primary and sizes[active[place]] < least:
                    best, least = active[place], sizes[active[place]]
                    if least <= 1:
                        break
            if best < 0:
                buffer[used] = level
                for each in range(level):
                    buffer[used + 1 + each] = levels[CHOSEN, each]
                used += level + 1
                changed = 1
                if proving:
                    break
            else:
                begin = levels[END, level - 1] if level else 0
                for each in range(least):
                    branches[begin + each] = cells[begins[best] + each]
                open_items = close(best, open_items, active, positions)
                steps += hide(best, 0, open_items, open_items, items, starts, options, sizes, begins, cells, places, positions)
                levels[NEXT, level], levels[END, level] = begin, begin + least
                levels[OPEN, level], levels[ITEM, level] = open_items, best
                if least > 1:
                    for each in range(count):
                        saved[level * count + each] = sizes[each]
                changed = 0
                level += 1
        level -= 1
        if level < 0:
            break
        if levels[NEXT, level] == levels[END, level]:
            changed = 1
            if proving:
                begin = levels[END, level - 1] if level else 0
                write_exclusion(level, registers, levels, proof, text, levels[ITEM, level])
                if begin < levels[END, level]:
                    delete_lemmas(registers, begin, levels[END, level], proof, text, options, branches)
            continue
        if changed:
            for each in range(count):
                sizes[each] = saved[level * count + each]
        open_items = levels[OPEN, level]
        option = options[branches[levels[NEXT, level]]]
        levels[NEXT, level] += 1
        levels[CHOSEN, level] = option
        known, descend, changed = open_items, 1, 1
        for node in range(starts[option], starts[option + 1]):
            open_items = close(items[node], open_items, active, positions)
        for node in range(starts[option], starts[option + 1]):
            if items[node] != levels[ITEM, level]:
                hidden = hide(
                    items[node], primary, known, open_items,
                    items, starts, options, sizes, begins, cells, places, positions,
                )  # fmt: skip
                if hidden < 0:
                    descend = 0
                    if proving:
                        write_exclusion(level + 1, registers, levels, proof, text, -1 - hidden)
                    break
                steps += hidden
        steps += 1
        level += 1
    registers[0], registers[1], registers[2], registers[3] = level, descend, open_items, changed
    registers[4] = min(2 * most, STEPS)
    return int(used)


NO_PROOF: tuple[Array, ...] = (np.zeros(0, np.int64),) * 15
NO_TEXT = np.zeros(0, np.uint8)
"""The arguments of a search that writes no proof."""
