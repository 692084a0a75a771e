"""Mazes by plain walks: reads a line of a maze file and walks through it, cell by cell; the lines of all mazes of a grid, whose
numbers are published. It is slow and shares no code with the package."""

from __future__ import annotations

from itertools import combinations, product

STEP = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}
SIDE = {"N": 1, "E": 2, "S": 4, "W": 8}


def solves(line: str, string: str) -> bool:
    """Whether the string solves the maze of this line (`6ac/1.1 0,0` or `..#/#../#..`)."""
    rows, *start = line.split()
    rows = [list(row) for row in rows.split("/")]
    here = tuple(map(int, start[0].split(","))) if start else (0, 0)
    visited = {here}
    for letter in string:
        here = move(rows, here, letter, bool(start))
        visited.add(here)
    return reachable(rows, visited, True) <= visited if start else (len(rows) - 1, len(rows[0]) - 1) in visited


def move(rows, here, letter, thin):
    r, c = here[0] + STEP[letter][0], here[1] + STEP[letter][1]
    if thin:
        sides = rows[here[0]][here[1]]
        return (r, c) if sides != "." and int(sides, 16) & SIDE[letter] else here
    return (r, c) if 0 <= r < len(rows) and 0 <= c < len(rows[0]) and rows[r][c] == "." else here


def reachable(rows, cells, thin):
    found = set(cells)
    while True:
        more = {move(rows, cell, letter, thin) for cell in found for letter in "NESW"} - found
        if not more:
            return found
        found |= more


def all_lines(kind, height, width):
    return list((thin_lines if kind == "thin" else blocked_lines)(height, width))


def thin_lines(height, width):
    """Every set of walls with every start from which some cell can be reached."""
    edges = [((r, c), "E") for r in range(height) for c in range(width - 1)]
    edges += [((r, c), "S") for r in range(height - 1) for c in range(width)]
    for number in range(len(edges) + 1):
        for open_edges in combinations(edges, number):
            sides = [[0] * width for _ in range(height)]
            for (r, c), letter in open_edges:
                dr, dc = STEP[letter]
                sides[r][c] += SIDE[letter]
                sides[r + dr][c + dc] += SIDE["W" if letter == "E" else "N"]
            rows = "/".join("".join(f"{side:x}" if side else "." for side in row) for row in sides)
            yield from (f"{rows} {r},{c}" for r, c in product(range(height), range(width)) if sides[r][c])


def blocked_lines(height, width):
    """Every set of blocked cells that leaves a path from the first cell to the last."""
    for inner in product(".#", repeat=max(height * width - 2, 0)):
        cells = "." + "".join(inner) + ("." if height * width > 1 else "")
        line = "/".join(cells[r * width : (r + 1) * width] for r in range(height))
        if solvable(line):
            yield line


def solvable(line):
    rows = [list(row) for row in line.split("/")]
    return (len(rows) - 1, len(rows[0]) - 1) in reachable(rows, {(0, 0)}, False)


def exits(line):
    """The number of reachable cells other than the start."""
    rows, start = line.split()
    return len(reachable([list(row) for row in rows.split("/")], {tuple(map(int, start.split(",")))}, True)) - 1
