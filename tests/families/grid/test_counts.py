"""The boards of random puzzles on small grids, by every engine, against a naive search with its own rules for each genre."""

from itertools import combinations, pairwise, product
from random import Random

import pytest

from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.pipeline.api import count

NONE, UNKNOWN = -1, -2
ROOMS = ((0, 0, 1), (0, 2, 1), (2, 2, 1))
NUMBERS_OF_ROOMS = (0, 0), (0, 2), (1, 1)


# -- naive rules ------------------------------------------------------------------------------------------------------------


def near(cell):
    return {(cell[0] + i, cell[1] + j) for i, j in ((0, 1), (1, 0), (0, -1), (-1, 0))}


def parts(cells):
    """Merge the sets of neighbors until none touch."""
    found = [{cell} for cell in cells]
    while pair := next(((a, b) for a, b in combinations(found, 2) if any(near(cell) & b for cell in a)), None):
        found = [part for part in found if part not in pair] + [pair[0] | pair[1]]
    return found


def lines(height, width):
    return [[(r, c) for c in range(width)] for r in range(height)] + [[(r, c) for r in range(height)] for c in range(width)]


def windows(puzzle, length):
    return [line[k : k + length] for line in lines(puzzle.height, puzzle.width) for k in range(len(line) - length + 1)]


def squares(puzzle):
    return [{(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)} for r in range(puzzle.height - 1) for c in range(puzzle.width - 1)]


def clues(puzzle):
    return [((r, c), n) for r, row in enumerate(puzzle.numbers) for c, n in enumerate(row) if n != NONE]


def rooms(puzzle):
    """The cells of each room, and its number."""
    cells = list(product(range(puzzle.height), range(puzzle.width)))
    for k in {k for row in puzzle.rooms for k in row}:
        room = {(r, c) for r, c in cells if puzzle.rooms[r][c] == k}
        yield room, next((n for cell, n in (clues(puzzle) if puzzle.numbers else ()) if cell in room), NONE)


def apart_and_connected(puzzle, on):
    cells = set(product(range(puzzle.height), range(puzzle.width)))
    return bool(on) and not any(near(cell) & on for cell in on) and len(parts(cells - on)) < 2


def touch(on):
    return any(max(abs(a[0] - b[0]), abs(a[1] - b[1])) == 1 for a, b in combinations(on, 2))


def hitori(puzzle, on):
    kept = [[puzzle.numbers[r][c] for r, c in line if (r, c) not in on] for line in lines(puzzle.height, puzzle.width)]
    return apart_and_connected(puzzle, on) and all(len(set(line)) == len(line) for line in kept)


def heyawake(puzzle, on):
    for length in (2, 3):
        for window in windows(puzzle, length):
            if not on & {*window} and sum(puzzle.rooms[a[0]][a[1]] != puzzle.rooms[b[0]][b[1]] for a, b in pairwise(window)) > 1:
                return False
    return apart_and_connected(puzzle, on) and all(n in (NONE, len(room & on)) for room, n in rooms(puzzle))


def kurodoko(puzzle, on):
    def seen(cell):
        return sum(
            {*window} <= {*product(range(puzzle.height), range(puzzle.width))} - on and cell in (window[0], window[-1])
            for length in (2, 3)
            for window in windows(puzzle, length)
        )

    return apart_and_connected(puzzle, on) and all(cell not in on and n in (UNKNOWN, seen(cell) + 1) for cell, n in clues(puzzle))


def nurikabe(puzzle, on):
    cells, numbers = set(product(range(puzzle.height), range(puzzle.width))), dict(clues(puzzle))
    islands = [[n for cell, n in numbers.items() if cell in part] + [len(part)] for part in parts(cells - on)]
    if any(len(island) != 2 or island[0] not in (UNKNOWN, island[1]) for island in islands):
        return False
    return not on & numbers.keys() and len(parts(on)) < 2 and not any(square <= on for square in squares(puzzle))


def aqre(puzzle, on):
    same = any({*window} <= on or not {*window} & on for window in windows(puzzle, 4))
    return not same and len(parts(on)) < 2 and all(n in (NONE, len(room & on)) for room, n in rooms(puzzle))


def norinori(puzzle, on):
    return all(len(part) == 2 for part in parts(on)) and all(len(room & on) == 2 for room, _ in rooms(puzzle))


def mines(puzzle, on):
    numbers = dict(clues(puzzle))
    around = {cell: {(cell[0] + i, cell[1] + j) for i in (-1, 0, 1) for j in (-1, 0, 1)} & on for cell in numbers}
    return not on & numbers.keys() and all(n in (UNKNOWN, len(around[cell])) for cell, n in numbers.items())


def kurotto(puzzle, on):
    numbers = dict(clues(puzzle))
    sums = {cell: sum(len(part) for part in parts(on) if part & near(cell)) for cell in numbers}
    return bool(on) and not on & numbers.keys() and all(n in (UNKNOWN, sums[cell]) for cell, n in numbers.items())


def yinyang(puzzle, on):
    cells, given = set(product(range(puzzle.height), range(puzzle.width))), dict(clues(puzzle))
    fits = all((cell in on) == (n == 2) for cell, n in given.items())
    even = any(square <= on or not square & on for square in squares(puzzle))
    return fits and not even and len(parts(on)) < 2 and len(parts(cells - on)) < 2


def sides(cell, loop):
    """The lines of a loop along the sides of a cell, by its corners."""
    r, c = cell
    corners = [(r, c), (r, c + 1), (r + 1, c + 1), (r + 1, c)]
    return sum(frozenset(side) in loop for side in pairwise([*corners, corners[0]]))


def slither(puzzle, loop):
    return all(n in (UNKNOWN, sides(cell, loop)) for cell, n in clues(puzzle))


def mashu(puzzle, loop):
    ways = {
        cell: {(q[0] - cell[0], q[1] - cell[1]) for q in near(cell) if frozenset((cell, q)) in loop}
        for cell in product(range(4), repeat=2)
    }

    def straight(cell):
        return ways[cell] in ({(0, 1), (0, -1)}, {(1, 0), (-1, 0)})

    for cell, circle in clues(puzzle):
        beside = [straight((cell[0] + i, cell[1] + j)) for i, j in ways[cell]]
        if not beside or straight(cell) != (circle == 1) or (circle == 1) == all(beside):
            return False
    return True


def country(puzzle, loop):
    on = {cell for line in loop for cell in line}
    for room, n in rooms(puzzle):
        if n not in (NONE, len(room & on)) or sum(len(line & room) == 1 for line in loop) != 2:
            return False
    cells = list(product(range(puzzle.height), range(puzzle.width)))
    return all(
        a in on or b in on or puzzle.rooms[a[0]][a[1]] == puzzle.rooms[b[0]][b[1]] for a in cells for b in near(a) if b in cells
    )


def latin(puzzle, board):
    return all(len({board[cell] for cell in line}) == len(line) for line in lines(puzzle.height, puzzle.width))


def ripple(puzzle, board):
    close = any(
        board[line[i]] == board[line[j]] and j - i <= board[line[i]]
        for line in lines(puzzle.height, puzzle.width)
        for i, j in combinations(range(len(line)), 2)
    )
    return not close and all({board[cell] for cell in room} == {*range(1, len(room) + 1)} for room, _ in rooms(puzzle))


def skyscrapers(puzzle, board):
    across, down = (lines(puzzle.height, puzzle.width)[k : k + 3] for k in (0, 3))
    for numbers, views in zip(puzzle.outside, (down, [v[::-1] for v in down], across, [v[::-1] for v in across]), strict=True):
        for number, view in zip(numbers, views, strict=True):
            if number not in (NONE, len({max(board[cell] for cell in view[: k + 1]) for k in range(3)})):
                return False
    return latin(puzzle, board)


def kropki(puzzle, board):
    across = [((r, c), (r, c + 1)) for r in range(puzzle.height) for c in range(puzzle.width - 1)]
    below = [((r, c), (r + 1, c)) for r in range(puzzle.height - 1) for c in range(puzzle.width)]
    for (a, b), mark in zip([*across, *below], (mark for row in puzzle.between for mark in row), strict=True):
        x, y = sorted((board[a], board[b]))
        fitting = {dot for dot, fits in ((1, y - x == 1), (2, y == 2 * x)) if fits}
        if mark not in (fitting or {NONE}):
            return False
    return latin(puzzle, board)


def shikaku(puzzle, regions):
    return all([n for cell, n in clues(puzzle) if cell in region] in ([UNKNOWN], [len(region)]) for region in regions)


# -- naive search -----------------------------------------------------------------------------------------------------------


def shadings(height, width):
    cells = list(product(range(height), range(width)))
    return [{*chosen} for k in range(len(cells) + 1) for chosen in combinations(cells, k)]


def loops(height, width):
    """The simple cycles of a grid of so many vertices, as sets of lines: paths from each vertex through later ones only."""
    found = set()

    def walk(path):
        for cell in near(path[-1]):
            if cell == path[0] and len(path) > 2:
                found.add(frozenset(map(frozenset, pairwise([*path, cell]))))
            elif cell > path[0] and cell not in path and cell[0] < height and 0 <= cell[1] < width:
                walk([*path, cell])

    for start in product(range(height), range(width)):
        walk([start])
    return found


def numberings(height, width):
    cells = list(product(range(height), range(width)))
    return [dict(zip(cells, values, strict=True)) for values in product((1, 2, 3), repeat=len(cells))]


def divisions(height, width):
    """The divisions into rectangles: one from the first free cell on, then the others."""

    def fill(free):
        if not free:
            yield []
            return
        r, c = min(free)
        for k, m in product(range(r, height), range(c, width)):
            rectangle = {*product(range(r, k + 1), range(c, m + 1))}
            if rectangle <= free:
                yield from ([rectangle, *rest] for rest in fill(free - rectangle))

    return list(fill({*product(range(height), range(width))}))


SHADED, LINED, NUMBERED, DIVIDED = shadings(3, 3), loops(4, 4), numberings(3, 3), divisions(3, 3)


# -- random puzzles ---------------------------------------------------------------------------------------------------------


def numbers(random, height=3, width=3, values=range(4), density=0.2, question=True):
    values = [*values, *[UNKNOWN] * question]
    return tuple(tuple(random.choice(values) if random.random() < density else NONE for _ in range(width)) for _ in range(height))


def of_rooms(random):
    found = [[NONE] * 3 for _ in range(3)]
    for r, c in NUMBERS_OF_ROOMS:
        found[r][c] = random.choice([NONE, NONE, 1, 2, 3])
    return tuple(map(tuple, found))


def clued(**more):
    return lambda random: {"numbers": numbers(random, **more)}


def in_rooms(random):
    return {"rooms": ROOMS, "numbers": of_rooms(random)}


def only_rooms(random):
    first = random.choice(
        [((0, 0, 0), (1, 1, 1), (2, 2, 2)), ((0, 0, 1), (2, 1, 1), (2, 2, 3)), ((0, 0, 1), (2, 3, 1), (2, 3, 1))]
    )
    return {"rooms": first}


def two_rooms(random):
    return {"rooms": random.choice([((0, 0, 0), (0, 1, 1), (1, 1, 1)), ((0, 0, 0), (1, 1, 0), (1, 1, 1)), ((0, 1, 1),) * 3])}


def seen(random):
    return {"outside": tuple(numbers(random, 1, 3, (1, 2, 3), 0.3, False)[0] for _ in range(4))}


def dots(random):
    """Those of a random Latin square."""
    board = random.choice(LATIN)
    across = [[((r, c), (r, c + 1)) for c in range(2)] for r in range(3)]
    below = [[((r, c), (r + 1, c)) for c in range(3)] for r in range(2)]
    marks = {(1, 2): random.choice((1, 2)), (2, 3): 1}
    return {
        "between": tuple(tuple(marks.get(tuple(sorted((board[a], board[b]))), NONE) for a, b in row) for row in across + below)
    }


LATIN = [board for board in NUMBERED if latin(find_family("skyscrapers").puzzle(3, 3), board)]
GENRES = {
    "hitori": (hitori, SHADED, clued(values=(1, 2, 3), density=1, question=False)),
    "heyawake": (heyawake, SHADED, in_rooms),
    "kurodoko": (kurodoko, SHADED, clued(values=(2, 3, 4, 5))),
    "nurikabe": (nurikabe, SHADED, clued(values=(1, 2, 3))),
    "aqre": (aqre, SHADED, in_rooms),
    "norinori": (norinori, SHADED, two_rooms),
    "mines": (mines, SHADED, clued()),
    "kurotto": (kurotto, SHADED, clued()),
    "yinyang": (yinyang, SHADED, clued(values=(1, 2), question=False)),
    "slither": (slither, LINED, clued()),
    "mashu": (mashu, LINED, clued(height=4, width=4, values=(1, 2), density=0.15, question=False)),
    "country": (country, loops(3, 3), in_rooms),
    "ripple": (ripple, NUMBERED, only_rooms),
    "skyscrapers": (skyscrapers, LATIN, seen),
    "kropki": (kropki, LATIN, dots),
    "shikaku": (shikaku, DIVIDED, clued(values=(2, 3, 4, 6), density=0.4)),
}  # fmt: skip


NARROW = {"mines", "norinori", "shikaku"}
"""Genres whose formulas tididi counts at once: their treewidth is small."""


def puzzle_of(name, seed):
    found = GENRES[name][2](Random(seed))
    rows = len(found["numbers"]) if "numbers" in found else 3
    return find_family(name).puzzle(rows, rows, **found)


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", GENRES)
def test_each_engine_counts_the_boards_that_a_naive_search_finds(name):
    """Of six puzzles, that with the most boards by all engines, and one with few."""
    rule, boards, _ = GENRES[name]
    truths = {seed: sum(rule(puzzle_of(name, seed), board) for board in boards) for seed in range(6)}
    most = max(truths, key=truths.__getitem__)
    assert truths[most] > 0
    few = min(truths, key=lambda seed: abs(truths[seed] - 1))
    assert count(puzzle_of(name, few), engine="blocking").solutions == truths[few]
    engines = ["clasp", "blocking", "ganak", *["tididi"] * (name in NARROW)]
    assert [count(puzzle_of(name, most), engine=engine).solutions for engine in engines] == [truths[most]] * len(engines)
