"""Mazes by plain walks: reads a line of a maze file and walks through it, cell by cell. It is slow and shares no code with the
package; the lines of all mazes come from the oracle of the soak test, and their numbers are published."""

from __future__ import annotations

from soak.oracle.mazes import blocked_lines, thin_lines

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


def exits(line):
    """The number of reachable cells other than the start."""
    rows, start = line.split()
    return len(reachable([list(row) for row in rows.split("/")], {tuple(map(int, start.split(",")))}, True)) - 1
