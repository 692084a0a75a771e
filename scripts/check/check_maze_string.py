"""Check that strings solve all mazes of a grid, by walking through every one of them.

    python scripts/check/check_maze_string.py thin|blocked WIDTHxHEIGHT STRING...

This file imports nothing from the package. Exit code 0 if every string solves all mazes, otherwise 1. check_maze_certificate.py
checks that no shorter string does.
"""

import sys
from itertools import combinations, product

WAYS = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}
MOST = 1 << 20  # the most sets of walls or of blocked cells


def subsets(places):
    return (set(chosen) for size in range(len(places) + 1) for chosen in combinations(places, size))


def mazes(kind, height, width):
    """The moves of each maze, its start, and the cells that must be visited."""
    cells = list(product(range(height), range(width)))
    edges = [(a, b) for a, b in combinations(cells, 2) if abs(a[0] - b[0]) + abs(a[1] - b[1]) == 1]
    places = edges if kind == "thin" else cells[1:-1]
    if 1 << len(places) > MOST:
        raise SystemExit(
            f"found 2^{len(places)} sets of {'walls' if kind == 'thin' else 'blocked cells'}, expected at most {MOST:,}"
        )
    for closed in subsets(places):
        passes = {pair for a, b in edges if not {a, b, (a, b)} & closed for pair in ((a, b), (b, a))}
        moves = {}
        for (r, c), (letter, (down, right)) in product(cells, WAYS.items()):
            there = (r + down, c + right)
            moves[(r, c), letter] = there if ((r, c), there) in passes else (r, c)
        for start in cells if kind == "thin" else cells[:1]:
            within, new = {start}, {start}
            while new:
                new = {moves[cell, letter] for cell in new for letter in WAYS} - within
                within |= new
            if kind == "thin" and len(within) > 1:
                yield moves, start, within
            elif kind == "blocked" and cells[-1] in within:
                yield moves, start, {cells[-1]}


def solves(string, moves, start, must):
    cell, missing = start, must - {start}
    for letter in string:
        if not missing:
            break
        cell = moves[cell, letter]
        missing = missing - {cell}
    return not missing


def main():
    if len(sys.argv) < 4 or sys.argv[1] not in ("thin", "blocked"):
        raise SystemExit(__doc__)
    kind, size, *strings = sys.argv[1:]
    try:
        width, height = (int(number) for number in size.split("x"))
    except ValueError:
        raise SystemExit(f"found the size {size}, expected width x height such as 4x3") from None
    if not set("".join(strings)) <= set(WAYS):
        raise SystemExit("found other letters than N, E, S, W")
    failed, count = [0] * len(strings), 0
    for maze in mazes(kind, height, width):
        count += 1
        failed = [wrong + (not solves(string, *maze)) for string, wrong in zip(strings, failed, strict=True)]
    for string, wrong in zip(strings, failed, strict=True):
        told = f"fails on {wrong:,} of" if wrong else "verified: solves all"
        print(f"{string}: {len(string)} letters, {told} {count:,} {kind} {size} mazes")
    return 1 if any(failed) else 0


if __name__ == "__main__":
    sys.exit(main())
