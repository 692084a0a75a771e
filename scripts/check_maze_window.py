"""Check certificates that no letters in place of the free ones of a pattern make a string that solves all mazes of a grid.

    python scripts/check_maze_window.py FILE...

A pattern is a fixed prefix, free letters `*`, and a fixed suffix. docs/maze-windows.md describes the format, and why a checked
certificate proves its claim. This file imports nothing from the package, only the reader of mazes and the search of
check_maze_certificate.py. Exit code 0 if all certificates hold, otherwise 1.
"""

import sys

import numpy as np
from check_maze_certificate import main, need, read_maze, replay

FIELDS = ["certificate", "kind", "size", "pattern", "mazes", "tuples", "levels"]


def follow(moves, cell, letters):
    """The cell after the letters, and all cells on the way, beginning with the first one."""
    seen = {cell}
    for letter in letters:
        cell = moves[cell]["NESW".index(letter)]
        seen.add(cell)
    return cell, seen


def automaton(moves, start, must, prefix, suffix):
    """A table `[direction, state]`, whether the suffix completes each state, and the state after the prefix.

    Before merging, a state is a cell and the cells not yet visited. Equivalent states are merged by partition refinement: blocks
    of states with equal acceptance are split by the blocks of their successors until no block changes.
    """
    cell, seen = follow(moves, start, prefix)
    first = (cell, frozenset(must - seen))
    if first[1] == frozenset():
        return np.zeros((4, 1), np.int64), np.array([True]), 0
    order, rows = [first], {}
    for cell, missing in order:  # grows during the loop
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


def near(machines, letters):
    """A test of joint states of these mazes, as numbers: whether the suffix can complete all after exactly this many letters."""
    joint, alive = np.zeros((4, 1), np.int64), np.ones(1, bool)
    for table, accepting, _ in machines:
        joint = (joint[:, :, None] * table.shape[1] + table[:, None, :]).reshape(4, -1)
        alive = (alive[:, None] & accepting[None, :]).ravel()
    found = [alive]
    for _ in range(letters):
        found.append(found[-1][joint].any(axis=0))
    return lambda joint, left: found[left].take(joint)


def check(entry):
    """Check the certificate and return its claim; raises an exception if the claim does not hold or the format is wrong."""
    need(isinstance(entry, dict) and list(entry) == FIELDS, f"expected the fields {', '.join(FIELDS)}")
    claim, kind, size, pattern, mazes, tuples, levels = entry.values()
    need(claim == "no filling of a maze window" and kind in ("thin", "blocked"), "this is no certificate about a window")
    width, height = (int(number) for number in size.split("x"))
    prefix, suffix, letters = pattern.partition("*")[0], pattern.rpartition("*")[2], pattern.count("*")
    need(letters and prefix + "*" * letters + suffix == pattern, "the free letters are not adjacent")
    need(set(prefix + suffix) <= set("NESW"), "the pattern has other letters than N E S W *")
    need({maze for chosen in tuples for maze in chosen} == set(range(len(mazes))), "the mazes are not just those of the tuples")
    machines = [automaton(*read_maze(kind, height, width, text), prefix, suffix) for text in mazes]
    bounds = [(chosen, near([machines[maze] for maze in chosen], letters)) for chosen in tuples]
    tables, _, starts = zip(*machines, strict=True)
    replay(tables, starts, bounds, letters, levels)
    told = f"{len(mazes)} mazes, {sum(levels):,} joint states"
    return f"no {letters} letters between {len(prefix)} and {len(suffix)} fixed ones solve all {kind} {size} mazes ({told})"


if __name__ == "__main__":
    sys.exit(main(check))
