"""Small puzzles of grid genres and all their solutions: every board that the genre's `faults` finds nothing wrong with.

`faults` shares no code with the models; tests/families/grid compares it with pzprjs. Boards are written down here, by kind: every
shading, every way to draw lines along edges, every division into connected regions, every number in every cell. Lines that branch
are left out; where lines are to be one cycle, also those with an odd number at a vertex.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache, partial
from itertools import chain, pairwise, permutations, product
from math import prod
from random import Random

from exhaustive.comparing import Case, Range, alone

from cnfgen_puzzles.families import BUILT_IN, find_family
from cnfgen_puzzles.families.grid.layer import kinds
from cnfgen_puzzles.families.grid.layer.boards import DOWN, LEFT, RIGHT, UP, pzpr, rows_and_columns
from cnfgen_puzzles.families.grid.layer.connectivity import RANK
from cnfgen_puzzles.families.grid.layer.kinds import SHADED
from cnfgen_puzzles.families.links.pzpr import NONE, UNKNOWN, Size

GENRES = tuple(name for name, module in BUILT_IN.items() if ".grid." in module)
MOST_BOARDS, MOST_PUZZLES, RANDOM, DRAWN = 4200, 350, 500, 30
"""A random puzzle has at most so many boards; a size all of whose puzzles are tried has at most so many; random puzzles; how many
are drawn for three of four of these, to find one that has a solution."""

LATIN = ("skyscrapers", "kropki", "sudoku")
LARGER = ("balance", "castle", "detour", "geradeweg", "koburin", "kurarin", "mashu", "moonsun", "shingoki", "simpleloop",
          "yajilin")  # fmt: skip
"""Genres of loops through cells, whose small boards have few loops."""
HOLED = ("fivecells", "fourcells", "tentaisho")
"""Genres whose regions leave out some cells."""

# -- boards -----------------------------------------------------------------------------------------------------------------


def rows(size, values) -> tuple:
    return Size(*size).rows(list(values))


@cache
def divisions(height, width) -> tuple:
    """Every division into connected regions, numbered in reading order."""
    sides = pzpr.sides(Size(height, width))
    some = ({side for side, wall in zip(sides, chosen, strict=True) if wall} for chosen in product((0, 1), repeat=len(sides)))
    return tuple(dict.fromkeys(pzpr.rooms_of(Size(height, width), walls) for walls in some))


@cache
def some_divisions(height, width, count) -> tuple:
    """Divisions of a rectangle into so many regions."""
    chance, size = Random(1), Size(height, width)
    walls = ({each for each in pzpr.sides(size) if chance.random() < 0.5} for _ in range(3000))
    return tuple(rooms for each in walls if max(map(max, rooms := pzpr.rooms_of(size, each))) == count - 1)


def drawn(height, width, lines) -> tuple:
    """The board of these lines between neighboring vertices."""
    board = [[0] * width for _ in range(height)]
    for (r, c), (k, m) in lines:
        board[r][c] |= DOWN if k > r else RIGHT
        board[k][m] |= UP if k > r else LEFT
    return tuple(map(tuple, board))


@cache
def paths(height, width) -> tuple:
    sides = pzpr.sides(Size(height, width))
    every = product((0, 1), repeat=len(sides))
    found = (drawn(height, width, [s for s, line in zip(sides, chosen, strict=True) if line]) for chosen in every)
    return tuple(board for board in found if all(mask.bit_count() < 3 for row in board for mask in row))


@cache
def cycles(height, width) -> tuple:
    """All sets of lines with an even number at each vertex: sums of the borders of faces."""
    faces, found = list(product(range(height - 1), range(width - 1))), []
    for chosen in product((0, 1), repeat=len(faces)):
        lines: set = set()
        for r, c in (face for face, inside in zip(faces, chosen, strict=True) if inside):
            a, b, d, e = (r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)
            lines ^= {(a, b), (d, e), (a, d), (b, e)}
        found.append(drawn(height, width, lines))
    return tuple(found)


def in_sight(puzzle) -> list:
    """The pairs of numbers that see each other."""
    lines = [[cell for cell in line if puzzle.number(cell) != NONE] for line in rows_and_columns(puzzle)]
    return list(chain.from_iterable(map(pairwise, lines)))


def bridges(puzzle) -> Iterator[tuple]:
    """Every number of bridges between all of them."""
    pairs = in_sight(puzzle)
    for counts in product((0, 1, 2), repeat=len(pairs)):
        board = [[0] * puzzle.width for _ in range(puzzle.height)]
        for ((r, c), (k, m)), count in zip(pairs, counts, strict=True):
            for i, j in product(range(r, max(k, r + 1)), range(c, max(m, c + 1))):
                board[i][j] += count * (3 if k == r else 1)
        yield tuple(map(tuple, board))


def numbers(family, puzzle) -> list:
    """The numbers that each cell may have. Given numbers are obeyed, to have fewer boards."""
    size = len(puzzle.cells)
    rooms = max(map(len, puzzle.room_cells())) + 1 if puzzle.rooms else 0
    every = {
        "kakuro": range(1, 10),
        "fillomino": range(1, size + 1),
        "nanro": range(rooms),
        "shakashaka": (0, 2, 3, 4, 5),
        "doppelblock": range(max(puzzle.width - 1, 1)),
        "easyasabc": range(puzzle.count + 1),
        "factors": range(1, max(puzzle.height, puzzle.width) + 1),
        "hakoiri": range(4),
        "hanare": range(rooms),
        "kakuru": range(1, 10),
        "magnets": (0, 1, 2),
        "nondango": (1, 2),
        "putteria": range(rooms),
        "roma": range(1, 5),
        "shugaku": (1, 3, 5, 6, 9, 10, 11),
        "sukoro": range(5),
    }
    some = every.get(family.name, range(1, rooms))
    if family.name == "kakuro":
        return [(0,) if puzzle.lists[r][c] else some for r, c in puzzle.cells]
    if family.name in ("shakashaka", "shugaku"):
        return [some if puzzle.number(cell) == NONE else (0,) for cell in puzzle.cells]
    if isinstance(family, kinds.FreeNumbers):
        return [some if family.free(puzzle, cell) else (0,) for cell in puzzle.cells]
    if family.name in ("makaro", "magnets"):
        white = [puzzle.number(cell) != pzpr.BLACK for cell in puzzle.cells]
        given = [puzzle.number(cell) if puzzle.number(cell) > 0 else 0 for cell in puzzle.cells]
        return [((number,) if number else some) if free else (0,) for number, free in zip(given, white, strict=True)]
    if family.name == "renban":
        some = range(1, 10 + max((number for _, number in puzzle.clues()), default=990))
    return [(puzzle.number(cell),) if puzzle.number(cell) > 0 else some for cell in puzzle.cells]


def latin(puzzle) -> list:
    """The lines that each row may be: different numbers, among them the given ones."""
    lines = list(permutations(range(1, max(puzzle.height, puzzle.width) + 1), puzzle.width))
    given = [[puzzle.number((r, c)) for c in range(puzzle.width)] for r in range(puzzle.height)]
    return [[line for line in lines if all(n < 1 or n == here for n, here in zip(row, line, strict=True))]
            for row in given]  # fmt: skip


def boards(family, puzzle) -> Iterator[tuple]:
    """All boards that could be solutions."""
    size = puzzle.height, puzzle.width
    if family.name == "hashikake":
        yield from bridges(puzzle)
    elif isinstance(family, kinds.ShadedLoop):
        for board in cycles(*size):
            free = [(r, c) for r, c in puzzle.cells if not board[r][c]]
            for shades in product((0, SHADED), repeat=len(free)):
                shade = dict(zip(free, shades, strict=True))
                yield rows(size, (board[r][c] + shade.get((r, c), 0) for r, c in puzzle.cells))
    elif isinstance(family, kinds.Paths):
        yield from paths(*size)
    elif isinstance(family, kinds.Loop):
        yield from cycles(*family.shape(puzzle))
    elif isinstance(family, kinds.Division):
        holes = family.holes(puzzle) if family.name in HOLED else ()
        apart = [(a, b, (a in holes) + (b in holes)) for a, b in pzpr.sides(puzzle)] if holes else []
        for board in divisions(*size):
            if all(number == 0 or (board[a[0]][a[1]] != board[b[0]][b[1]]) == (number == 1) for a, b, number in apart):
                yield board
    elif family.name == "starbattle":
        line = [each for each in product((0, 1), repeat=puzzle.width) if sum(each) == puzzle.count]
        yield from product(line, repeat=puzzle.height)
    elif isinstance(family, kinds.Shading):
        yield from (rows(size, chosen) for chosen in product(family.states, repeat=len(puzzle.cells)))
    elif family.name in LATIN:
        yield from product(*latin(puzzle))
    else:
        yield from (rows(size, chosen) for chosen in product(*numbers(family, puzzle)))


def count_of(family, puzzle) -> int:
    """The number of boards, where there may be many."""
    if family.name == "hashikake":
        return 3 ** len(in_sight(puzzle))
    if isinstance(family, kinds.ShadedLoop):
        return sum(2 ** sum(not value for row in board for value in row) for board in cycles(puzzle.height, puzzle.width))
    if family.name in LATIN:
        return prod(map(len, latin(puzzle)))
    if isinstance(family, kinds.Loop | kinds.Division | kinds.Shading):
        return 0
    return prod(map(len, numbers(family, puzzle)))


def solutions(family, puzzle) -> Iterator[tuple]:
    return (board for board in boards(family, puzzle) if next(iter(family.faults(puzzle, board)), None) is None)


# -- puzzles ----------------------------------------------------------------------------------------------------------------

FREE = (NONE,) * 4
MARKS = {"starbattle": (1, 2), "tents": (NONE, 1), "simpleloop": (0, 1), "tatamibari": (NONE, UNKNOWN, 1, 2, 3),
         "battleship": (NONE, UNKNOWN, *range(11)), "numlin": (NONE, UNKNOWN, 1, 2), "fillomino": (NONE, UNKNOWN, *range(1, 6)),
         "hashikake": (NONE, UNKNOWN, *range(6), 8), "hitori": (NONE, UNKNOWN, 1, 2, 3),
         "sudoku": (NONE, UNKNOWN, 1, 2, 3, 4), "kakuru": (NONE, UNKNOWN, pzpr.BLACK, 0, 4, 9, 11, 17), "nondango": (1, NONE),
         "curving": (NONE, 1), "roma": (NONE, UNKNOWN, *range(1, 6)),
         "mosaic": (NONE, UNKNOWN, *range(6)),
         "magnets": (NONE, pzpr.BLACK, 1, 2),
         "doubleback": (0, 1), "nurimaze": (NONE, 1, 2, 3, 4), "hakoiri": (NONE, UNKNOWN, 1, 2, 3),
         **dict.fromkeys(("fivecells", "fourcells"), (NONE, pzpr.BLACK, UNKNOWN, *range(5))),
         "sashigane": (NONE, *range(-8, -3), UNKNOWN, 0, 3, 4, 5),
         "shugaku": (NONE, UNKNOWN, *range(5)),
         "compass": ((), FREE, (0, NONE, NONE, 1), (NONE, 1, 0, NONE), (1, NONE, NONE, NONE), (NONE, 2, 0, NONE))}  # fmt: skip
FEW = {pzpr.FOUR: (NONE, UNKNOWN, *range(5)), pzpr.CORNERS: (NONE, UNKNOWN, *range(5)), pzpr.CIRCLES: (NONE, 1, 2),
       pzpr.COLORED_NUMBERS: (NONE, *range(8)),
       pzpr.NUMBER_PAIRS: ((), (NONE, NONE), (0, 1), (1, NONE), (NONE, 2))}  # fmt: skip
LISTS = ((), (UNKNOWN,), (0,), (1,), (2,), (3,), (8,), (1, 1), (UNKNOWN, 1), (1, 2), (UNKNOWN, UNKNOWN), (1, 1, 1, 1))
SUMS = ((), (0, 0), (0, 3), (4, 0), (1, 17), (10, 18))
BANKS = ((), ("11g",), ("21o",), ("11g", "21o"), ("11g", "11g", "31s"), ("22s",), ("22u", "11g"))


def parts(family, size) -> Iterator[tuple]:
    """The parts of a puzzle: their fields, and what each can be, without a clue first."""
    if family.variants:
        yield ("variant",), ("", *family.variants)
    cells = prod(size)
    ordinary = (NONE, UNKNOWN, *range(cells + 2))
    for codec in family.url:
        field = codec.field
        some = MARKS.get(family.name) or FEW.get(codec, LISTS if field == "lists" else ordinary)
        if codec is pzpr.ROOMS:
            every = divisions(*size) if cells < 10 else some_divisions(*size, 2 if family.name == "doubleback" else size[0])
            if family.name == "hakoiri":  # three figures in each room
                every = tuple(rooms for rooms in every if min(Counter(chain(*rooms)).values()) > 2) or every[:1]
            yield ("rooms",), every
        elif field == "count":
            yield ("count",), (1, 2)
        elif field == "bank":
            yield ("bank",), BANKS
        elif field == "points":
            for r, c in product(range(2 * size[0] - 1), range(2 * size[1] - 1)):
                holes = (3,) if codec is pzpr.HOLED_POINTS and r % 2 == c % 2 == 0 else ()
                some = (0, 1, 2, 4) if codec is pzpr.PAIRED_POINTS else (0, 1, 2, *holes)
                yield ("points",), some
        elif field == "between":
            yield from [(("between",), (NONE, 1, 2) if codec is pzpr.BETWEEN else (NONE, 1))] * len(pzpr.sides(Size(*size)))
        elif codec is pzpr.OUTSIDE_SUMS:
            yield from [(("outside",), (NONE, 1, 4, 17))] * size[1] + [(("outside",), (NONE,))] * size[1]
            yield from [(("outside",), (NONE, 3, 6, 18))] * size[0] + [(("outside",), (NONE,))] * size[0]
        elif field == "outside":
            for number, width in enumerate(pzpr.widths_of("outside", Size(*size))):
                some = (NONE,) if codec is not pzpr.OUTSIDE and number in (1, 3) else (NONE, UNKNOWN, *range(max(size) + 2))
                if codec is pzpr.POLES:  # which has no question marks
                    some = (NONE, *range(max(size) + 2))
                yield from [(("outside",), some)] * width
        elif codec is pzpr.CLUE_SUMS:
            yield from [(("lists",), SUMS)] * cells
        elif codec is pzpr.BLACK_ARROWS:
            clues = *((n, 0) for n in (NONE, UNKNOWN, 1, 2, 3)), *((pzpr.BLACK, arrow) for arrow in range(5))
            yield from [(("numbers", "arrows"), clues)] * cells
        elif codec.more:
            every = product(range(max(size)), range(5), (0, 1, 2) if len(codec.more) > 1 else (0,))
            clues = ((NONE, 0, 0), (UNKNOWN, 0, 1), (UNKNOWN, 3, 2), *every)
            yield from [(("numbers", "arrows", "marks")[: 1 + len(codec.more)], clues)] * cells
        else:
            many = (size[0] + 1) * (size[1] + 1) if field == "corners" else cells
            yield from [((field,), some)] * many


def puzzle_of(family, size, chosen) -> object | None:
    """The puzzle with these parts; None if there is none, or the same of other parts."""
    found: dict = {}
    for (fields, _), part in zip(parts(family, size), chosen, strict=True):
        for field, value in zip(fields, part if len(fields) > 1 else (part,), strict=False):
            found.setdefault(field, []).append(value)
    height, width = size
    if pzpr.ROOM_NUMBERS in family.url:
        first = pzpr.first_cells(found["rooms"][0])
        if any(n != NONE and divmod(k, width) not in first for k, n in enumerate(found["numbers"])):
            return None
    if family.name == "kakuro" and any(
        cell and number != NONE
        for cell, number in chain(
            zip(found["lists"][:width], found["outside"], strict=False),
            zip(found["lists"][::width], found["outside"][2 * width :], strict=False),
        )
    ):
        return None
    for field, values in found.items():
        single = (field,) in WHOLE
        found[field] = values[0] if single else pzpr.cut(values, pzpr.widths_of(field, Size(*size)))
    try:
        if any(codec in family.url for codec in (pzpr.BLACK_ARROWS, pzpr.BLACK_MARKS, pzpr.NUMBER_PAIRS)):
            found |= pzpr.read_body(family.url, Size(*size), pzpr.write_body(family.url, Size(*size), found))
        return family.puzzle(height, width, **found)  # black cells divide rooms
    except ValueError:  # a number that no cell, or no address, can have
        return None


def case(family, puzzle) -> Case:
    if family.name == "numlin":  # with shortest lines, a model stands for all solutions
        return (one := Case(puzzle, lambda: frozenset(solutions(family, puzzle)), lambda board: one.solutions))
    return Case(puzzle, lambda: frozenset(solutions(family, puzzle)), alone)


WHOLE = {("rooms",), ("count",), ("bank",), ("variant",)}
SIZES = ((1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (2, 2))


def every_puzzle(family) -> Iterator[Case]:
    for size in SIZES:
        if prod(len(some) for _, some in parts(family, size)) <= MOST_PUZZLES:
            for chosen in product(*(some for _, some in parts(family, size))):
                if (puzzle := puzzle_of(family, size, chosen)) is not None and count_of(family, puzzle) <= MOST_BOARDS:
                    yield case(family, puzzle)


def sizes_of(family) -> tuple:
    if family.name == "starbattle":
        return (1, 2), (2, 3), (3, 3), (4, 4)
    if family.name == "fivecells":
        return (1, 5), (1, 6), (2, 3), (2, 5), (3, 2), (3, 3)
    if family.name == "fourcells":
        return (1, 4), (1, 5), (2, 2), (2, 4), (3, 3)
    if family.name == "doppelblock":
        return (1, 4), (1, 5), (2, 2), (3, 3), (4, 3)
    if family.name == "sudoku":
        return (1, 4), (2, 2), (2, 4), (4, 4), (4, 4)
    if family.name == "doubleback":
        return (1, 4), (2, 2), (3, 3), (3, 4), (4, 3)
    larger = ((2, 4), (4, 3), (3, 4)) if family.name in LARGER else ()
    return (1, 4), (2, 2), (2, 3), (3, 2), (3, 3), *larger


def drawn_puzzle(family, chance) -> Case | None:
    """From puzzles without clues to those that have all."""
    size, share = chance.choice(sizes_of(family)), chance.choice((0, 0.1, 0.2, 0.2, 0.4, 1))
    chosen = [
        chance.choice(some) if fields in WHOLE or chance.random() < share else some[0] for fields, some in parts(family, size)
    ]
    puzzle = puzzle_of(family, size, chosen)
    return case(family, puzzle) if puzzle is not None and count_of(family, puzzle) <= MOST_BOARDS else None


class Drawn(Range):
    """Random puzzles, each of a seed of its own, so that some can be taken without the others."""

    def some(self, step: int) -> Iterator[Case]:
        return map(self.numbered, range(self.step // 2 if step > 1 else 0, RANDOM, step))

    def random(self, chance: Random) -> Case:
        return self.numbered(chance.randrange(RANDOM))

    def numbered(self, number: int) -> Case:
        family = self.cases.args[0]
        most = DRAWN // 5 if isinstance(family, kinds.Paths | kinds.Division) else DRAWN  # these have many boards
        chance, found = Random(f"{family.name} {number}"), []
        while len(found) < (most if number % 4 else 1) and not (found and found[-1].solutions):
            found += [one] if (one := drawn_puzzle(family, chance)) else []
        return found[-1]


def told(family) -> str:
    """The sizes of which all puzzles are compared."""
    sizes = [f"{w}x{h}" for h, w in SIZES if prod(len(some) for _, some in parts(family, (h, w))) <= MOST_PUZZLES]
    return f"every {family.name} puzzle of {', '.join(sizes)} cells with small numbers"


def ranges(family) -> list[Range]:
    """`rank` promises one model for each solution."""
    sizes = sizes_of(family)
    within = f"{sizes[0][1]}x{sizes[0][0]} to {sizes[-1][1]}x{sizes[-1][0]}"
    more = {"key": tuple, "single": lambda encoding, options: encoding == RANK}
    every = Range(told(family), partial(every_puzzle, family), step=13, **more)
    some = Drawn(f"{RANDOM} random {family.name} puzzles of {within} cells", partial(drawn_puzzle, family), step=83, **more)
    return [every, some] if next(every.cases(), None) else [some]


RANGES = {name: ranges(find_family(name)) for name in GENRES}
