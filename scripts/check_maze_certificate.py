"""Check certificates about universal maze strings: that a string solves all mazes of a grid, or that none of a length does.

    python scripts/check_maze_certificate.py FILE...

The format and why a checked certificate proves its claim: docs/maze-optimality.md. Nothing of the package is used here: mazes,
walks, distances and the search over joint states are this file's own. Exit 0 if all certificates hold, 1 otherwise.
"""

import json
import sys
from itertools import product

import numpy as np

WAYS = {"N": (-1, 0, 1, 4), "E": (0, 1, 2, 8), "S": (1, 0, 4, 1), "W": (0, -1, 8, 2)}  # rows, columns, own side, other side
MOST_SETS = 1 << 22  # sets of walls or blocked cells that are enumerated for a string
FIELDS = {"no universal maze string": ["length", "mazes", "tuples", "levels"], "universal maze string": ["string"]}


class Refused(Exception):
    pass


def need(condition, message):
    if not condition:
        raise Refused(message)


def moves_of(kind, height, width, signs):
    """For each cell the four cells after N, E, S, W. Signs: of a blocked maze `.` or `#`, of a thin one the sum of open sides."""
    table = {}
    for r, c in product(range(height), range(width)):
        row = []
        for down, right, own, other in WAYS.values():
            there = (r + down, c + right)
            inside = 0 <= there[0] < height and 0 <= there[1] < width
            if kind == "blocked":
                passes = inside and signs[r, c] == signs[there] == "."
            else:
                passes = bool(signs[r, c] & own)
                need(not passes or (inside and signs[there] & other), f"the sides at {r},{c} do not agree")
            row.append(there if passes else (r, c))
        table[r, c] = row
    return table


def reachable(moves, start):
    cells, new = {start}, [start]
    while new:
        new = list({there for cell in new for there in moves[cell]} - cells)
        cells.update(new)
    return cells


def read_maze(kind, height, width, text):
    """The moves, the start and the cells that must be visited, of a legal maze of the case."""
    rows, _, start = text.partition(" ")
    rows = rows.split("/")
    need(len(rows) == height and all(len(row) == width for row in rows), f"the maze {text} is not {height}x{width}")
    known = ".#" if kind == "blocked" else ".0123456789abcdef"
    need(set("".join(rows)) <= set(known), f"the maze {text} has strange characters")
    cells = {(r, c): rows[r][c] for r, c in product(range(height), range(width))}
    if kind == "blocked":
        start, goal = (0, 0), (height - 1, width - 1)
        need(cells[start] == cells[goal] == ".", f"start or goal of {text} is blocked")
        moves = moves_of(kind, height, width, cells)
        need(goal in reachable(moves, start), f"the goal of {text} is out of reach")
        return moves, start, {goal}
    start = tuple(int(number) for number in start.split(","))
    need(start in cells, f"the start of {text} is outside")
    moves = moves_of(kind, height, width, {cell: int(sign.replace(".", "0"), 16) for cell, sign in cells.items()})
    return moves, start, reachable(moves, start)


def automaton(moves, start, must):
    """An array `[direction, state]`: state 0 has visited all that must be, state 1 is the start (state 0 if nothing is missing)."""
    first = (start, frozenset(must - {start}))
    states, order, table = {first: 1}, [first], [[0] * 4]
    for cell, missing in order:  # which grows
        row = []
        for there in moves[cell]:
            state = (there, missing - {there})
            if state[1] and state not in states:
                states[state] = len(order) + 1
                order.append(state)
            row.append(states[state] if state[1] else 0)
        table.append(row)
    return np.array(table).T, int(bool(first[1]))


def distances(machines, chosen):
    """How many letters it takes to solve all the chosen mazes, from each of their joint states; the last maze counts fastest."""
    shape = [machines[maze][0].shape[1] for maze in chosen]
    after = [np.ravel_multi_index(np.meshgrid(*(machines[m][0][d] for m in chosen), indexing="ij"), shape).ravel() for d in range(4)]
    found = np.full(len(after[0]), 10**6)
    found[0] = 0
    while True:
        nearer = np.minimum(found, 1 + np.minimum.reduce([found[to] for to in after]))
        if (nearer == found).all():
            return found.astype(np.int32), shape
        found = nearer


def distinct(states):
    """The states (rows) without copies: sorted by a random fingerprint, a row that equals the one before is left out."""
    weights = np.random.default_rng().integers(1, 1 << 63, states.shape[1], dtype=np.uint64)
    prints = np.zeros(len(states), np.uint64)
    for maze, weight in enumerate(weights):
        prints += states[:, maze] * weight
    states = states[np.argsort(prints, kind="stable")]
    return states[np.concatenate([[True], (states[1:] != states[:-1]).any(axis=1)])] if len(states) else states


def check_refutation(kind, height, width, length, mazes, tuples, levels):
    """Replay the search: all strings letter by letter, but for those that some tuple of mazes shows to be too long."""
    need(isinstance(length, int) and length >= 0 and tuples and mazes, "no length, mazes or tuples")
    machines = [automaton(*read_maze(kind, height, width, text)) for text in mazes]
    used = {maze for chosen in tuples for maze in chosen}
    need(used == set(range(len(machines))), "the tuples do not speak of just the mazes that there are")
    tables = [distances(machines, chosen) for chosen in tuples]
    byte = np.uint8 if all(table.shape[1] <= 256 for table, _ in machines) else np.int32
    need(levels and levels[0] == 1 and levels[-1] == 0 and len(levels) - 1 <= length, "the levels do not end with none in time")
    states = np.array([[start for _, start in machines]], byte)
    for level, claimed in enumerate(levels[1:], start=1):
        children = []
        for part, direction in product(np.array_split(states, len(states) // 30_000 + 1), range(4)):
            child = np.empty_like(part)
            for maze, (table, _) in enumerate(machines):
                child[:, maze] = table[direction].astype(byte)[part[:, maze]]
            for chosen, (distance, shape) in zip(tuples, tables, strict=True):
                joint = np.zeros(len(child), np.intp)
                for maze, size in zip(chosen, shape, strict=True):
                    joint = joint * size + child[:, maze]
                alive = distance[joint] <= length - level
                child = child if alive.all() else child[alive]
            children.append(child)
        states = distinct(np.concatenate(children))
        need(len(states) == claimed, f"level {level} has {len(states)} states, the certificate says {claimed}")
    return f"no string of {length} letters solves all {kind} {height}x{width} mazes (replayed, {sum(levels):,} joint states)"


def check_string(kind, height, width, string):
    """Walk through every maze of the grid."""
    need(set(string) <= set(WAYS), "the string has other letters than N, E, S, W")
    cells, count = list(product(range(height), range(width))), 0
    walls = [(c, (c[0] + d, c[1] + 1 - d), (2, 8) if d == 0 else (4, 1)) for c in cells for d in (0, 1)]
    walls = [wall for wall in walls if wall[1] in cells] if kind == "thin" else cells[1:-1]
    need(1 << len(walls) <= MOST_SETS, "there are too many mazes to walk through")
    for open_ in product((False, True), repeat=len(walls)):
        signs = dict.fromkeys(cells, "." if kind == "blocked" else 0)
        for wall, is_open in zip(walls, open_, strict=True):
            if kind == "blocked":
                signs[wall] = ".#"[is_open]
            elif is_open:
                signs[wall[0]] += wall[2][0]
                signs[wall[1]] += wall[2][1]
        moves = moves_of(kind, height, width, signs)
        for start in cells if kind == "thin" else cells[:1]:
            must = reachable(moves, start)
            if (kind == "blocked" and cells[-1] not in must) or (kind == "thin" and len(must) == 1):
                continue
            here, visited, count = start, {start}, count + 1
            for letter in string:
                here = moves[here]["NESW".index(letter)]
                visited.add(here)
            need(visited >= must if kind == "thin" else cells[-1] in visited, f"a maze from {start} is not solved: {signs}")
    return f"a string of {len(string)} letters solves all {count:,} {kind} {height}x{width} mazes (walked through)"


def check(path):
    with open(path, encoding="utf-8") as stream:
        entry = json.load(stream)
    need(isinstance(entry, dict) and entry.get("certificate") in FIELDS, "this is no certificate about maze strings")
    fields = FIELDS[entry["certificate"]]
    need(set(entry) == {"certificate", "kind", "size", *fields} and entry["kind"] in ("thin", "blocked"), "other fields than expected")
    height, width = (int(number) for number in entry["size"].split("x"))
    judge = check_string if fields == ["string"] else check_refutation
    return judge(entry["kind"], height, width, *(entry[field] for field in fields))


def main():
    good = len(sys.argv) > 1
    for path in sys.argv[1:]:
        try:
            print(f"{path}: verified: {check(path)}")
        except (Refused, OSError, ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
            print(f"{path}: REFUSED: {error}")
            good = False
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
