"""Knuth's dancing cells (The Art of Computer Programming 4B, section 7.2.2.3, without colors), compiled by numba.

The search is one function on flat arrays. numba compiles it in less than a second; lists and closures take ten times as long.

A node is one item of one option. `cells` contains the nodes of each item, from `begins[item]` on. The first `sizes[item]` of them
belong to options that can still be chosen. `places` is the inverse of `cells`. `active` contains the items; the first ones are
open. `positions` is its inverse. A removed node is exchanged with the last remaining node, so undoing restores only the sizes.
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
FIRST_STEPS, STEPS = 1 << 15, 1 << 21
"""Removed nodes until the search returns to Python: at first few, because the caller may need only one solution; then doubled
up to some milliseconds."""


def new_search(items: Array, starts: Array, count: int) -> tuple[Array, ...]:
    """The arrays of a new search, for `search`. `count` is the number of items.

    The first array, the registers, has the number of chosen options (-1 at the end), whether the next step chooses an item, the
    number of open items, whether the sizes are those of the level, and the steps until the next return.
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
    registers = np.array([0, 1, count, 0, FIRST_STEPS], np.int64)
    numbers = np.arange(count, dtype=np.uint32)
    branches, saved = np.zeros(nodes + 1, np.uint32), np.empty((count + 1) * count, np.uint32)
    buffer = np.zeros(BLOCK + count, np.uint32)
    sets = items, starts, options, sizes, begins, cells, places, numbers, numbers.copy()
    return registers, levels, buffer, *sets, branches, saved


def compiled(signature: str) -> Callable[[Function], Function]:
    """Compile the function at import, or load it from numba's cache."""
    return cast(Callable[[Function], Function], njit(signature, cache=True))


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

    If an open primary item would lose its last option, the result is -1.
    """
    for cell in range(begins[item], begins[item] + sizes[item]):
        option = options[cells[cell]]
        for node in range(starts[option], starts[option + 1]):
            hit = items[node]
            if hit == item or positions[hit] >= known:
                continue
            if sizes[hit] == 1 and hit < primary and positions[hit] < open_items:
                return -1
            sizes[hit] -= 1
            end, place = begins[hit] + sizes[hit], places[node]
            last = cells[end]
            cells[place], places[last] = last, place
            cells[end], places[node] = node, end
    return int(sizes[item])


@compiled("int64(int64, int64[::1], int64[:, ::1], uint32[::1]" + 11 * UNSIGNED + ")")
def search(
    primary: int, registers: Array, levels: Array, buffer: Array, items: Array, starts: Array, options: Array, sizes: Array,
    begins: Array, cells: Array, places: Array, positions: Array, active: Array, branches: Array, saved: Array,
) -> int:  # fmt: skip
    """Write solutions (length, then options) to the buffer; returns its used length.

    Items below `primary` must be covered. The search pauses when the buffer is full or after its number of steps; the next
    call continues it.
    """
    level, descend, open_items, changed = registers[0], registers[1], registers[2], registers[3]
    count, used, steps, most = len(sizes), 0, 0, registers[4]
    while level >= 0 and used + level + 1 < len(buffer) and steps < most:
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
                    break
                steps += hidden
        steps += 1
        level += 1
    registers[0], registers[1], registers[2], registers[3] = level, descend, open_items, changed
    registers[4] = min(2 * most, STEPS)
    return int(used)
