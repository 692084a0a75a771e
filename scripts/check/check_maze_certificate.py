"""Check certificates that no string of some length solves all mazes of a grid.

    python scripts/check/check_maze_certificate.py FILE...

docs/results/maze-optimality.md describes the format, and why a checked certificate proves its claim. This file imports nothing
from the package: it has its own mazes, walks, distances, and search over joint states. Exit code 0 if all certificates hold,
otherwise 1.
"""

import json
import sys
from itertools import product

import numpy as np

DIRECTIONS = ((-1, 0, 1, 4), (0, 1, 2, 8), (1, 0, 4, 1), (0, -1, 8, 2))  # row, column, open side here, open side of the neighbor
FIELDS = ["certificate", "kind", "size", "length", "mazes", "tuples", "levels"]
CHUNK = 30_000


def need(condition, message):
    if not condition:
        raise ValueError(message)


def read_maze(kind, height, width, text):
    """A legal maze of the case: for each cell, the neighbors in order N, E, S, W; the start; the cells that must be visited."""
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
    within = reached(moves, start)
    must = within if kind == "thin" else {(height - 1, width - 1)}
    need(must <= within, f"the goal of {text} is out of reach")
    return moves, start, must


def reached(moves, start, closed=None):
    """The cells that walks from the start reach without the closed one."""
    within = new = {start} - {closed}
    while new:
        new = {there for cell in new for there in moves[cell]} - within - {closed}
        within = within | new
    return within


def after(kind, cells, cell, direction):
    """The cell after a move; the same cell if there is a wall, a blocked cell or the border."""
    there = (cell[0] + direction[0], cell[1] + direction[1])
    if kind == "blocked":
        return there if cells[cell] == cells.get(there) == "." else cell
    if not cells[cell] & direction[2]:
        return cell
    need(cells.get(there, 0) & direction[3], f"the sides of {cell} and {there} do not agree")
    return there


def automaton(moves, start, must):
    """An array `[direction, state]`, and the first state. State 0 means that all required cells have been visited.

    A required cell that no walk to another one avoids is left out: the walk that visits the others has visited it.
    """
    must = {cell for cell in must if must <= {cell} | reached(moves, start, cell)}
    order = [(start, frozenset(must - {start}))]
    number, table = {order[0]: 1}, [[0] * 4]
    for cell, missing in order:  # grows during the loop
        row = [(there, missing - {there}) for there in moves[cell]]
        for state in row:
            if state[1] and state not in number:
                order.append(state)
                number[state] = len(order)
        table.append([number[state] if state[1] else 0 for state in row])
    return compact(table), int(bool(order[0][1]))


def compact(rows):
    """The rows of the states as an array `[direction, state]` of small numbers, of which there are millions later."""
    return np.array(rows).T.astype(np.uint8 if np.max(rows) < 256 else np.uint32)


def near(tables):
    """A test of joint states of these mazes, as numbers: whether this number of letters may be enough to solve all of them."""
    joint = np.zeros((4, 1), np.int64)
    for table in tables:
        joint = (joint[:, :, None] * table.shape[1] + table[:, None, :]).reshape(4, -1)
    distance, nearer = -1, np.where(np.arange(joint.shape[1]), 10**6, 0).astype(np.int32)
    while np.any(nearer != distance):
        distance = nearer
        nearer = np.minimum(distance, distance[joint].min(axis=0) + 1)
    return lambda joint, left: distance.take(joint) <= left


def pruned(states, sizes, bounds, left):
    """The states (columns, one row for each maze, which has `sizes` states) that no tuple refutes with `left` letters to go."""
    kept = np.ones(states.shape[1], bool)
    for chosen, alive in bounds:
        joint = np.zeros(states.shape[1], np.int64)  # in-place operations are ten times as fast
        for maze in chosen:
            joint *= sizes[maze]
            joint += states[maze]
        kept &= alive(joint, left)
        if 2 * kept.sum() < len(kept):
            states, kept = states.compress(kept, axis=1), kept[kept]
    return states.compress(kept, axis=1)


def distinct(states):
    """The states without duplicates: sorted by a random fingerprint, a state that equals the previous one is dropped."""
    prints = np.zeros(states.shape[1], np.uint64)
    for row, weight in zip(states, np.random.default_rng().integers(1, 1 << 63, len(states), dtype=np.uint64), strict=True):
        prints += row * weight
    order = np.argsort(prints, kind="stable")
    same = np.concatenate([[False], prints[order[1:]] == prints[order[:-1]]])[: len(order)]
    for place in np.array_split(np.flatnonzero(same), 1 + len(same) // CHUNK):
        same[place] = (states.take(order[place], axis=1) == states.take(order[place - 1], axis=1)).all(axis=0)
    return states.take(order[~same], axis=1)


def replay(tables, starts, bounds, levels):
    """Replay the search letter by letter, without the states that some tuple of mazes refutes; no state may remain at the end.

    `tables[t]` has a table `[direction, state]` for each maze and the letter t.
    """
    need(len(levels) <= len(tables) + 1 and levels[-1] == 0, "the levels do not end with 0 in time")
    moved = [np.array([[start] for start in starts], np.uint32)]  # level 0; later blocks of children
    for level, claimed in enumerate(levels):
        left = len(tables) - level
        sizes = [table.shape[1] for table in tables[level]] if left else [2] * len(starts)
        states = distinct(np.concatenate([pruned(block, sizes, bounds, left) for block in moved], axis=1))
        need(states.shape[1] == claimed, f"level {level} has {states.shape[1]} states, the certificate says {claimed}")
        parts = [states[:, place : place + CHUNK] for place in range(0, states.shape[1], CHUNK)]
        moves = tables[level] if left else ()  # read by the next level
        moved = (following(moves, part, d) for part in parts for d in range(4))


def following(tables, states, direction):
    """The states after a letter."""
    return np.stack([table[direction].take(row) for table, row in zip(tables, states, strict=True)])


def check(entry):
    """Check the certificate and return its claim; raises an exception if the claim does not hold or the format is wrong."""
    need(isinstance(entry, dict) and list(entry) == FIELDS, f"expected the fields {', '.join(FIELDS)}")
    claim, kind, size, length, mazes, tuples, levels = entry.values()
    need(claim == "no universal maze string" and kind in ("thin", "blocked") and type(length) is int, "no such certificate")
    width, height = (int(number) for number in size.split("x"))
    need({maze for chosen in tuples for maze in chosen} == set(range(len(mazes))), "the mazes are not just those of the tuples")
    tables, starts = zip(*[automaton(*read_maze(kind, height, width, text)) for text in mazes], strict=True)
    bounds = [(chosen, near([tables[maze] for maze in chosen])) for chosen in tuples]
    replay([tables] * length, starts, bounds, levels)
    return f"no string of {length} letters solves all {kind} {size} mazes ({len(mazes)} mazes, {sum(levels):,} joint states)"


def main(check):
    good = len(sys.argv) > 1
    for path in sys.argv[1:]:
        try:
            with open(path, encoding="utf-8") as stream:
                print(f"{path}: verified: {check(json.load(stream))}")
        except (OSError, ValueError, LookupError, TypeError, AttributeError, MemoryError) as error:
            print(f"{path}: REFUSED: {error}")
            good = False
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(check))
