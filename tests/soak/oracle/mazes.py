"""Universal strings counted letter by letter: the number of prefixes for each joint state of the walks through all mazes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import Any

from soak.oracle import MOST_WORK, TooLong, Truth

STEP = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}
SIDE = {"N": 1, "E": 2, "S": 4, "W": 8}
Cell = tuple[int, int]
Walk = tuple[Cell, frozenset[Cell]]


class MazeTruth(Truth):
    """The mazes by their lines in a file (`6c/11 1,0` thin, `..#/#..` blocked), and the pattern of the string."""

    def __init__(self, lines: Sequence[str], pattern: str):
        self.mazes, self.pattern = [Maze(line) for line in lines], pattern
        try:
            super().__init__(count(self.mazes, pattern))
        except TooLong:
            super().__init__(None)

    def key(self, board: Any) -> str:
        return str(board["string"])

    def broken(self, board: Any) -> str:
        string = self.key(board)
        if len(string) != len(self.pattern) or any(p not in ("*", s) for p, s in zip(self.pattern, string, strict=True)):
            return f"{string} does not fit {self.pattern}"
        walks = {maze.line: maze.begin() for maze in self.mazes}
        for maze in self.mazes:
            for letter in string:
                walks[maze.line] = maze.moved(walks[maze.line], letter)
        unsolved = [maze.line for maze in self.mazes if not maze.target <= walks[maze.line][1]]
        return f"{string} does not solve {unsolved[0]}" if unsolved else ""


class Maze:
    """A maze as a table of moves, and the cells that a walk must visit."""

    def __init__(self, line: str):
        self.line = line
        cells, *start = line.split()
        self.rows = cells.split("/")
        self.thin = bool(start)
        r, c = map(int, start[0].split(",")) if start else (0, 0)
        self.start = (r, c)
        self.target = self.reached() if self.thin else frozenset([(len(self.rows) - 1, len(self.rows[0]) - 1)])

    def next(self, here: Cell, letter: str) -> Cell:
        r, c = here[0] + STEP[letter][0], here[1] + STEP[letter][1]
        if self.thin:
            sides = self.rows[here[0]][here[1]]
            return (r, c) if sides != "." and int(sides, 16) & SIDE[letter] else here
        inside = 0 <= r < len(self.rows) and 0 <= c < len(self.rows[0])
        return (r, c) if inside and self.rows[r][c] == "." else here

    def reached(self) -> frozenset[Cell]:
        found = {self.start}
        while more := {self.next(cell, letter) for cell in found for letter in STEP} - found:
            found |= more
        return frozenset(found)

    def begin(self) -> Walk:
        return self.start, self.target & {self.start}

    def moved(self, walk: Walk, letter: str) -> Walk:
        here = self.next(walk[0], letter)
        return here, walk[1] | (self.target & {here})


def count(mazes: Sequence[Maze], pattern: str) -> int:
    """The number of strings that fit the pattern and solve all mazes; TooLong if that takes too many steps."""
    ways: dict[tuple[Walk, ...], int] = {tuple(maze.begin() for maze in mazes): 1}
    work = 0
    for wanted in pattern:
        after: dict[tuple[Walk, ...], int] = {}
        for walks, number in ways.items():
            for letter in STEP if wanted == "*" else wanted:
                work += len(mazes) + 1
                if work > MOST_WORK:
                    raise TooLong
                moved = tuple(maze.moved(walk, letter) for maze, walk in zip(mazes, walks, strict=True))
                after[moved] = after.get(moved, 0) + number
        ways = after
    solved = (walks for walks in ways if all(maze.target <= walk[1] for maze, walk in zip(mazes, walks, strict=True)))
    return sum(ways[walks] for walks in solved)


def thin_lines(height: int, width: int) -> Iterator[str]:
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


def blocked_lines(height: int, width: int) -> Iterator[str]:
    """Every set of blocked cells that leaves a path from the first cell to the last."""
    for inner in product(".#", repeat=max(height * width - 2, 0)):
        cells = "." + "".join(inner) + ("." if height * width > 1 else "")
        line = "/".join(cells[r * width : (r + 1) * width] for r in range(height))
        maze = Maze(line)
        if maze.target <= maze.reached():
            yield line
