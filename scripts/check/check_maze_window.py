"""Check certificates that no letters in place of the free ones of a pattern make a string that solves all mazes of a grid.

    python scripts/check/check_maze_window.py FILE...

A pattern has fixed letters N E S W and free letters `*`, anywhere. docs/results/maze-windows.md describes the format, and why a
checked certificate proves its claim. This file imports nothing from the package, only the reader of mazes and the search of
check_maze_certificate.py. Exit code 0 if all certificates hold, otherwise 1.
"""

import sys

import numpy as np
from check_maze_certificate import compact, main, need, read_maze, replay

FIELDS = ["certificate", "kind", "size", "pattern", "mazes", "tuples", "levels"]


def follow(moves, cell, letters):
    """The cell after the letters, and all cells on the way, beginning with the first one."""
    seen = {cell}
    for letter in letters:
        cell = moves[cell]["NESW".index(letter)]
        seen.add(cell)
    return cell, seen


def automaton(moves, start, must, pattern):
    """For each free letter, a table `[direction, state]` of the state after it and the fixed letters that follow it.

    Before merging, a state is a cell and the cells not yet visited. Two states are merged if the same letters lead to the same
    states; after the last letter, state 1 has solved the maze and state 0 has not. The first state is 0.
    """
    prefix, *rest = pattern.split("*")
    cell, seen = follow(moves, start, prefix)
    steps, layers = [], [{(cell, frozenset(must - seen))}]
    for letters in rest:
        ends = {cell: follow(moves, cell, letters) for cell in moves}
        reached = {state: [(ends[there][0], state[1] - ends[there][1]) for there in moves[state[0]]] for state in layers[-1]}
        steps.append(reached)
        layers.append({state for row in reached.values() for state in row})
    number, tables = {state: int(not state[1]) for state in layers[-1]}, []
    for reached in reversed(steps):
        names = {}
        number = {s: names.setdefault(tuple(number[after] for after in row), len(names)) for s, row in reached.items()}
        tables.insert(0, compact(list(names)))
    return tables


def near(machines):
    """A test of joint states of these mazes, as numbers: whether exactly this number of letters can solve all of them."""
    alive, sizes = np.ones(1, bool), [2] * len(machines)
    for _ in machines:
        alive = (alive[:, None] & np.array([False, True])).ravel()
    found = [alive]
    for tables in zip(*map(reversed, machines), strict=True):
        joint = np.zeros((4, 1), np.int64)
        for table, size in zip(tables, sizes, strict=True):
            joint = (joint[:, :, None] * size + table[:, None, :]).reshape(4, -1)
        found.append(found[-1][joint].any(axis=0))
        sizes = [table.shape[1] for table in tables]
    return lambda joint, left: found[left].take(joint)


def check(entry):
    """Check the certificate and return its claim; raises an exception if the claim does not hold or the format is wrong."""
    need(isinstance(entry, dict) and list(entry) == FIELDS, f"expected the fields {', '.join(FIELDS)}")
    claim, kind, size, pattern, mazes, tuples, levels = entry.values()
    need(claim == "no filling of a maze window" and kind in ("thin", "blocked"), "this is no certificate about a window")
    width, height = (int(number) for number in size.split("x"))
    need("*" in pattern, "the pattern has no free letters")
    need(set(pattern) <= set("NESW*"), "the pattern has other letters than N E S W *")
    need({maze for chosen in tuples for maze in chosen} == set(range(len(mazes))), "the mazes are not just those of the tuples")
    machines = [automaton(*read_maze(kind, height, width, text), pattern) for text in mazes]
    bounds = [(chosen, near([machines[maze] for maze in chosen])) for chosen in tuples]
    replay(list(zip(*machines, strict=True)), [0] * len(mazes), bounds, levels)
    told = f"{len(mazes)} mazes, {sum(levels):,} joint states"
    return f"no letters in place of {pattern.count('*')} free ones in {pattern} solve all {kind} {size} mazes ({told})"


if __name__ == "__main__":
    sys.exit(main(check))
