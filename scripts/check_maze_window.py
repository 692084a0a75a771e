"""Check certificates that no letters in place of the free ones of a pattern make a string that solves all mazes of a grid.

    python scripts/check_maze_window.py FILE...

A pattern is a fixed prefix, free letters `*`, and a fixed suffix. The format, and why a checked certificate proves its claim:
docs/maze-windows.md. Nothing of the package is used here, only the sibling checker's reader of mazes and its merging. Exit 0
if all certificates hold, 1 otherwise.
"""

import json
import sys

import numpy as np
from check_maze_certificate import CHUNK, distinct, need, read_maze

FIELDS = ["certificate", "kind", "size", "pattern", "mazes", "tuples", "levels"]


def follow(moves, cell, letters):
    """The cell after the letters, and all cells on the way, the first among them."""
    seen = {cell}
    for letter in letters:
        cell = moves[cell]["NESW".index(letter)]
        seen.add(cell)
    return cell, seen


def automaton(moves, start, must, prefix, suffix):
    """A table `[direction, state]`, whether the suffix completes each state, and the state after the prefix.

    Before merging, a state is a cell and the cells not yet visited. States are merged if no letters tell them apart: blocks of
    states that accept alike are split by the blocks of their successors until no block is split any more.
    """
    cell, seen = follow(moves, start, prefix)
    first = (cell, frozenset(must - seen))
    if first[1] == frozenset():
        return np.zeros((4, 1), np.int64), np.array([True]), 0
    order, rows = [first], {}
    for cell, missing in order:  # which grows
        if (cell, missing) not in rows:
            rows[cell, missing] = [(there, missing - {there}) for there in moves[cell]]
            order += rows[cell, missing]
    accepts = {state: state[1] <= follow(moves, state[0], suffix)[1] for state in rows}
    block, count = accepts, 0
    while len(set(block.values())) != count:
        count = len(set(block.values()))
        names = {}
        block = {s: names.setdefault((block[s], *[block[t] for t in row]), len(names)) for s, row in rows.items()}
    table, accepting = np.zeros((4, count), np.int64), np.zeros(count, bool)
    for state, row in rows.items():
        table[:, block[state]] = [block[after] for after in row]
        accepting[block[state]] = accepts[state]
    return table, accepting, block[first]


def alive_tables(machines, letters):
    """For 0, 1, ... letters: from which joint states of these mazes so many letters, exactly, have the suffix complete all."""
    joint, alive = np.zeros((4, 1), np.int64), np.ones(1, bool)
    for table, accepting, _ in machines:
        joint = (joint[:, :, None] * table.shape[1] + table[:, None, :]).reshape(4, -1)
        alive = (alive[:, None] & accepting[None, :]).ravel()
    found = [alive]
    for _ in range(letters):
        found.append(found[-1][joint].any(axis=0))
    return found


def pruned(states, machines, bounds, left):
    """The states (columns, a row a maze) from which `left` letters can solve each tuple."""
    for chosen, alive in bounds:
        joint = 0
        for maze in chosen:
            joint = joint * machines[maze][0].shape[1] + states[maze].astype(np.int64)
        kept = alive[left][joint]
        states = states if kept.all() else states[:, kept]
    return states


def check(path):
    """Replay the search, letter by letter, without what some tuple of mazes shows to be lost; at last nothing is left."""
    with open(path, encoding="utf-8") as stream:
        entry = json.load(stream)
    need(isinstance(entry, dict) and list(entry) == FIELDS, f"expected the fields {', '.join(FIELDS)}")
    claim, kind, size, pattern, mazes, tuples, levels = entry.values()
    need(claim == "no filling of a maze window" and kind in ("thin", "blocked"), "this is no certificate about a window")
    height, width = (int(number) for number in size.split("x"))
    prefix, suffix, letters = pattern.partition("*")[0], pattern.rpartition("*")[2], pattern.count("*")
    need(letters and prefix + "*" * letters + suffix == pattern, "the free letters are not side by side")
    need(set(prefix + suffix) <= set("NESW"), "the pattern has other letters than N E S W *")
    need(len(levels) <= letters + 1 and levels[-1] == 0, "the levels do not end with 0 in time")
    need({maze for chosen in tuples for maze in chosen} == set(range(len(mazes))), "the mazes are not just those of the tuples")
    machines = [automaton(*read_maze(kind, height, width, text), prefix, suffix) for text in mazes]
    bounds = [(chosen, alive_tables([machines[maze] for maze in chosen], letters)) for chosen in tuples]
    dtype = np.uint8 if all(len(accepting) <= 256 for _, accepting, _ in machines) else np.int32
    tables = [table.astype(dtype) for table, _, _ in machines]
    moved = [np.array([[first] for _, _, first in machines], dtype)]  # level 0; later blocks of children
    for level, claimed in enumerate(levels):
        states = distinct(np.concatenate([pruned(block, machines, bounds, letters - level) for block in moved], axis=1))
        need(states.shape[1] == claimed, f"level {level} has {states.shape[1]} states, the certificate says {claimed}")
        parts = [states[:, place : place + CHUNK] for place in range(0, states.shape[1], CHUNK)]
        moved = (np.stack([t[d][row] for t, row in zip(tables, part, strict=True)]) for part in parts for d in range(4))
    told = f"{len(mazes)} mazes, {sum(levels):,} joint states"
    return f"no {letters} letters between {len(prefix)} and {len(suffix)} fixed ones solve all {kind} {size} mazes ({told})"


def main():
    good = len(sys.argv) > 1
    for path in sys.argv[1:]:
        try:
            print(f"{path}: verified: {check(path)}")
        except (OSError, ValueError, LookupError, TypeError, AttributeError, MemoryError) as error:
            print(f"{path}: REFUSED: {error}")
            good = False
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
