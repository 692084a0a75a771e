"""Maze strings on small grids with all their solutions: every string of a length walks through every maze, by `mazenaive`.

Uses only the reader of mazes and the class of the puzzles of the package.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, product

import mazenaive
from exhaustive.comparing import Case, Range

from cnfgen_puzzles.families.maze.formats import read_mazes
from cnfgen_puzzles.families.maze.puzzle import MazeString

LETTERS = "NESW"
GRIDS = ((1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (2, 2))
STEPS = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}


@cache
def solving(line, length) -> frozenset:
    """All strings of that length that solve the maze; walks at the same place with the same visited cells are merged."""
    rows, *start = line.split()
    grid = [list(row) for row in rows.split("/")]
    begin = tuple(map(int, start[0].split(","))) if start else (0, 0)
    must = mazenaive.reachable(grid, {begin}, True) if start else {(len(grid) - 1, len(grid[0]) - 1)}
    walks = {"": (begin, frozenset([begin]))}
    for _ in range(length):
        after = {}
        for string, (here, visited) in walks.items():
            for letter in LETTERS:
                there = mazenaive.move(grid, here, letter, bool(start))
                after[string + letter] = (there, visited | {there})
        walks = after
    return frozenset(string for string, (_, visited) in walks.items() if must <= visited)


def case(kind, grid, lines, pattern) -> Case:
    height, width = grid
    text = f"mazes {kind} {height}x{width}\n" + "".join(f"{line}\n" for line in lines)
    puzzle = MazeString(read_mazes(text, "case"), pattern)

    def find():
        fitting = (frozenset(map("".join, product(*(LETTERS if letter == "*" else letter for letter in pattern)))),)
        return frozenset.intersection(*fitting, *(solving(line, len(pattern)) for line in lines))

    @cache
    def group():
        return [turn for turn in turns(*grid) if frozenset(turned(line, turn) for line in lines) == drawn and
                all(turn[1][letter] == letter for letter in pattern if letter != "*")]  # fmt: skip

    drawn = frozenset(turned(line, next(turns(*grid))) for line in lines)
    return Case(puzzle, find, lambda string: ("".join(turn[1][letter] for letter in string) for turn in group()))


def turns(height, width) -> Iterator[tuple[dict, dict]]:
    """The action of every symmetry of the rectangle on cells and on letters, the identity first."""
    for swap in (False, True) if height == width else (False,):
        for up, left in product((1, -1), repeat=2):

            def image(r, c, swap=swap, up=up, left=left):
                return (up * c, left * r) if swap else (up * r, left * c)

            cells = {cell: image(*cell) for cell in product(range(height), range(width))}
            low = [min(axis) for axis in zip(*cells.values(), strict=True)]
            letter = {step: name for name, step in STEPS.items()}
            yield ({cell: (r - low[0], c - low[1]) for cell, (r, c) in cells.items()},
                   {name: letter[image(*step)] for name, step in STEPS.items()})  # fmt: skip


def turned(line, turn) -> tuple:
    """The maze after a symmetry, as the walk sees it: the possible moves in reachable cells, relative to the start; in blocked
    mazes also the position of the goal."""
    cells, letters = turn
    rows, *start = line.split()
    grid = [list(row) for row in rows.split("/")]
    begin = tuple(map(int, start[0].split(","))) if start else (0, 0)
    moves = {(seen(cells, begin, cell), letters[x]) for cell in mazenaive.reachable(grid, {begin}, bool(start)) for x in LETTERS
             if mazenaive.move(grid, cell, x, bool(start)) != cell}  # fmt: skip
    return frozenset(moves), None if start else seen(cells, begin, (len(grid) - 1, len(grid[0]) - 1))


def seen(cells, begin, cell) -> tuple:
    return cells[cell][0] - cells[begin][0], cells[cell][1] - cells[begin][1]


def lines_of(kind, grid) -> list:
    return mazenaive.all_lines(kind, *grid)


def patterns(length) -> Iterator[str]:
    """Every pattern of letters and free steps."""
    return map("".join, product("*" + LETTERS, repeat=length))


def sets() -> Iterator[tuple]:
    """Every single maze of the grids, and all of a grid together."""
    for kind in ("thin", "blocked"):
        for grid in (*GRIDS, (2, 3)) if kind == "blocked" else GRIDS:
            lines = lines_of(kind, grid)
            yield from ((kind, grid, (line,)) for line in lines)
            if len(lines) > 1:
                yield kind, grid, tuple(lines)


def free(least, most) -> Iterator[Case]:
    return (case(*some, "*" * length) for some in sets() for length in range(least, most + 1))


def everywhere_free(length) -> Iterator[Case]:
    """All mazes of 2x2 of a kind together."""
    return (case(kind, (2, 2), lines_of(kind, (2, 2)), "*" * n) for kind in ("thin", "blocked") for n in range(length + 1))


def any_pattern(length) -> Iterator[Case]:
    for kind, grid in (
        *(("thin", grid) for grid in ((1, 2), (1, 3), (2, 2))),
        *(("blocked", grid) for grid in ((2, 2), (2, 3), (3, 2))),
    ):
        lines = lines_of(kind, grid)
        few = lines[:: max(len(lines) // 3, 1)][:3]
        for n in range(length + 1):
            yield from (case(kind, grid, few, pattern) for pattern in patterns(n))


def windows() -> Iterator[Case]:
    """Two fixed letters, up to two free ones, and two fixed ones, for pairs of mazes of 2x2."""
    lines = lines_of("thin", (2, 2))
    for one, other in combinations(lines[::9], 2):
        for front, count, end in product(map("".join, product(LETTERS, repeat=2)), (1, 2), ("", "E", "SW")):
            yield case("thin", (2, 2), [one, other], front + "*" * count + end)


def pairs() -> Iterator[Case]:
    for kind in ("thin", "blocked"):
        yield from (case(kind, (2, 2), both, "****") for both in combinations(lines_of(kind, (2, 2)), 2))


def single(kind):
    """Formulas of blocked walks allow more positions than that of the walk, unless `mutex` is set; the article uses gates."""
    return lambda encoding, options: kind == "thin" or encoding == "article" or options.get("mutex", False)


def of_kind(kind, cases):
    return lambda: (each for each in cases() if each.puzzle.mazes.kind == kind)


def _ranges() -> Iterator[Range]:
    for kind, grids in (("thin", "1x1 to 3x1 and 2x2"), ("blocked", "1x1 to 3x1, 2x2 and 2x3")):

        def add(name, cases, step, everything=True, kind=kind):
            return Range(f"{kind} mazes, {name}", of_kind(kind, cases), str, everything, step, single(kind))

        yield add(f"each of {grids}, and all of a size, by every string of up to 4 letters", lambda: free(0, 4), 29)
        yield add(f"each of {grids}, and all of a size, by every string of 5 or 6 letters", lambda: free(5, 6), 17, False)
        yield add("all of 2x2 together by every string of up to 6 letters", lambda: everywhere_free(6), 7)
        yield add("three of each of three sizes by every pattern of up to 4 letters, fixed or free", lambda: any_pattern(4), 199)
        if kind == "thin":
            yield add("two of 2x2 by one or two free letters between fixed ones", windows, 41)
        yield add("every two of 2x2 by every string of 4 letters", pairs, 101 if kind == "thin" else 2)


RANGES = list(_ranges())
