"""Check certificates that no string of some length solves all mazes of a grid.

    python scripts/check_maze_certificate.py FILE...

The format, and why a checked certificate proves its claim: docs/maze-optimality.md. Nothing of the package is used here: mazes,
walks, distances and the search over joint states are this file's own. Exit 0 if all certificates hold, 1 otherwise. (That a
string solves all mazes is the matter of check_maze_string.py.)
"""

import json
import sys
from itertools import product

import numpy as np

DIRECTIONS = ((-1, 0, 1, 4), (0, 1, 2, 8), (1, 0, 4, 1), (0, -1, 8, 2))  # rows, columns, the open side, the same seen from beyond
FIELDS = ["certificate", "kind", "size", "length", "mazes", "tuples", "levels"]
CHUNK = 30_000
NEVER = 10**6


def need(condition, message):
    if not condition:
        raise ValueError(message)


def read_maze(kind, height, width, text):
    """Of a legal maze of the case: for each cell the four after N, E, S, W; the start; the cells that must be visited."""
    text, _, start = text.partition(" ")
    rows = text.split("/")
    need(len(rows) == height and all(len(row) == width for row in rows), f"the maze {text} is not {height}x{width}")
    need(set("".join(rows)) <= set(".#" if kind == "blocked" else ".0123456789abcdef"), f"{text} is no {kind} maze")
    cells = {(r, c): rows[r][c] for r, c in product(range(height), range(width))}
    if kind == "thin":
        cells = {cell: int(sign.replace(".", "0"), 16) for cell, sign in cells.items()}
    moves = {cell: [after(kind, cells, cell, direction) for direction in DIRECTIONS] for cell in cells}
    start = (0, 0) if kind == "blocked" else tuple(int(number) for number in start.split(","))
    need(cells.get(start) not in (None, "#"), f"{text} has no start")
    within, new = {start}, {start}
    while new:
        new = {there for cell in new for there in moves[cell]} - within
        within |= new
    must = within if kind == "thin" else {(height - 1, width - 1)}
    need(must <= within, f"the goal of {text} is out of reach")
    return moves, start, must


def after(kind, cells, cell, direction):
    """The cell after a move: the same one if there is a wall, a blocked cell or the border."""
    there = (cell[0] + direction[0], cell[1] + direction[1])
    if kind == "blocked":
        return there if cells[cell] == cells.get(there) == "." else cell
    if not cells[cell] & direction[2]:
        return cell
    need(cells.get(there, 0) & direction[3], f"the sides of {cell} and {there} do not agree")
    return there


def automaton(moves, start, must):
    """An array `[direction, state]`, and the first state. State 0: all that must be has been visited, for good."""
    order = [(start, frozenset(must - {start}))]
    number, table = {order[0]: 1}, [[0] * 4]
    for cell, missing in order:  # which grows
        row = []
        for there in moves[cell]:
            state = (there, missing - {there})
            if state[1] and state not in number:
                order.append(state)
                number[state] = len(order)
            row.append(number[state] if state[1] else 0)
        table.append(row)
    return np.array(table).T.astype(np.int32), int(bool(order[0][1]))


def distances(tables):
    """For each joint state of these mazes the number of letters that it takes at least to solve them all."""
    joint = np.zeros((4, 1), np.int64)
    for table in tables:
        joint = (joint[:, :, None] * table.shape[1] + table[:, None, :]).reshape(4, -1)
    found = np.full(joint.shape[1], NEVER, np.int32)
    found[0] = 0
    while True:
        nearer = np.minimum(found, found[joint].min(axis=0) + 1)
        if (nearer == found).all():
            return found
        found = nearer


def pruned(states, tables, bounds, left):
    """The states (columns, a row a maze) from which no tuple needs more than `left` letters."""
    for chosen, distance in bounds:
        joint = 0
        for maze in chosen:
            joint = joint * tables[maze].shape[1] + states[maze].astype(np.int64)
        alive = distance[joint] <= left
        states = states if alive.all() else states[:, alive]
    return states


def distinct(states):
    """The states without copies: in the order of a random fingerprint, a state that equals the one before is left out."""
    prints = np.zeros(states.shape[1], np.uint64)
    for row, weight in zip(states, np.random.default_rng().integers(1, 1 << 63, len(states), dtype=np.uint64), strict=True):
        prints += row.astype(np.uint64) * weight
    order = np.argsort(prints, kind="stable")
    same = prints[order[1:]] == prints[order[:-1]]
    for place in range(0, len(same), CHUNK):
        one, other = order[1:][place : place + CHUNK], order[:-1][place : place + CHUNK]
        same[place : place + CHUNK] &= (states[:, one] == states[:, other]).all(axis=0)
    return states[:, order[np.concatenate([[True], ~same])]] if len(order) else states


def check(path):
    """Replay the search, letter by letter, without what some tuple of mazes shows to be too far; at last nothing is left."""
    with open(path, encoding="utf-8") as stream:
        entry = json.load(stream)
    need(isinstance(entry, dict) and list(entry) == FIELDS, f"expected the fields {', '.join(FIELDS)}")
    claim, kind, size, length, mazes, tuples, levels = entry.values()
    need(claim == "no universal maze string" and kind in ("thin", "blocked"), "this is no certificate about maze strings")
    height, width = (int(number) for number in size.split("x"))
    need(type(length) is int and len(levels) <= length + 1 and levels[-1] == 0, "the levels do not end with 0 in time")
    need({maze for chosen in tuples for maze in chosen} == set(range(len(mazes))), "the mazes are not just those of the tuples")
    machines = [automaton(*read_maze(kind, height, width, text)) for text in mazes]
    dtype = np.uint8 if all(table.shape[1] <= 256 for table, _ in machines) else np.int32
    tables = [table.astype(dtype) for table, _ in machines]
    bounds = [(chosen, distances([machines[maze][0] for maze in chosen])) for chosen in tuples]
    moved = [np.array([[start] for _, start in machines], dtype)]  # level 0; later blocks of children
    for level, claimed in enumerate(levels):
        states = distinct(np.concatenate([pruned(block, tables, bounds, length - level) for block in moved], axis=1))
        need(states.shape[1] == claimed, f"level {level} has {states.shape[1]} states, the certificate says {claimed}")
        parts = [states[:, place : place + CHUNK] for place in range(0, states.shape[1], CHUNK)]
        moved = (np.stack([t[d][row] for t, row in zip(tables, part, strict=True)]) for part in parts for d in range(4))
    return f"no string of {length} letters solves all {kind} {size} mazes ({len(mazes)} mazes, {sum(levels):,} joint states)"


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
