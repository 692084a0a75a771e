"""Small tilings with all their solutions, by `tilingbrute` (brute force, cell by cell) on boards that are grown here.

Uses only the classes of puzzles and the names of lattices of the package; symmetries are those of `families/tiling/symmetric.py`,
which tries every move of every part.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations, product

import tilingbrute
from exhaustive.comparing import Case, Range
from families.tiling.symmetric import moves

from cnfgen_puzzles.families.lattice import CUBIC, HEXAGONAL, SQUARE, TRIANGULAR
from cnfgen_puzzles.families.tiling.pieces import Piece, PieceGroup
from cnfgen_puzzles.families.tiling.puzzle import COVERED, EMPTY, OPTIONAL, Tiling

ORIGIN = {SQUARE: (0, 0), CUBIC: (0, 0, 0), HEXAGONAL: (0, 0), TRIANGULAR: (1, 1)}
OFTEN = ((1, 1), (0, 1), (0, None), (1, 2), (2, None))
"""The bounds on the copies of a piece."""
THREE = ((1, 1), (0, None), (1, 2))


# -- boards and pieces --------------------------------------------------------------------------------------------------


def beside(lattice, cell) -> list:
    """The cells that share an edge or a face with a cell."""
    if lattice is HEXAGONAL:
        steps = [(0, 1), (1, 0), (1, -1)]
    elif lattice is TRIANGULAR:
        sign = 1 if cell[0] % 3 == 1 else -1  # the neighbors of cells that point down are on the opposite sides
        return [(cell[0] + sign * a, cell[1] + sign * b) for a, b in ((1, 1), (1, -2), (-2, 1))]
    else:
        steps = [tuple(int(axis == n) for axis in range(len(cell))) for n in range(len(cell))]
    return [tuple(x + sign * s for x, s in zip(cell, step, strict=True)) for step in steps for sign in (1, -1)]


def placed(lattice, cells) -> tuple:
    """The cells moved to the origin."""
    step = 3 if lattice is TRIANGULAR else 1
    low = [min(axis) // step * step for axis in zip(*cells, strict=True)]
    return tuple(sorted(tuple(x - least for x, least in zip(cell, low, strict=True)) for cell in cells))


@cache
def grown(lattice, size) -> list:
    """All connected sets of this number of cells, up to rotations and reflections."""
    if size == 1:
        return [(ORIGIN[lattice],)]
    turns = tilingbrute.orthogonal if lattice in (SQUARE, CUBIC) else tilingbrute.sixfold
    found = set()
    for smaller in grown(lattice, size - 1):
        for near in {near for cell in smaller for near in beside(lattice, cell)} - set(smaller):
            cells = (*smaller, near)
            found.add(min(placed(lattice, [turn(cell) for cell in cells]) for _, turn in turns(len(near))))
    return sorted(found)


def boards(lattice, most, least=1) -> Iterator[tuple]:
    for size in range(least, most + 1):
        yield from grown(lattice, size)


@cache
def shapes(lattice, most) -> tuple:
    return tuple(boards(lattice, most))


def rectangles(most) -> Iterator[tuple]:
    for height in range(1, most + 1):
        for width in range(height, most // height + 1):
            yield tuple(product(range(height), range(width)))


def piece(number, shape, often=(1, 1), **how) -> Piece:
    return Piece(f"p{number}", shape, *often, **how)


def pieces(chosen, often) -> tuple[Piece, ...]:
    """Each shape with the number of copies at its place."""
    return tuple(piece(n, shape, times) for n, (shape, times) in enumerate(zip(chosen, often, strict=True)))


# -- cases --------------------------------------------------------------------------------------------------------------


def case(puzzle: Tiling) -> Case:
    return Case(puzzle, lambda: frozenset(tilingbrute.solutions(puzzle)), Images(puzzle))


class Images:
    """The images of a solution under the symmetries of a puzzle."""

    def __init__(self, puzzle):
        self.puzzle, self.maps = puzzle, None

    def __call__(self, solution) -> Iterator[frozenset]:
        if self.maps is None:
            everywhere = [
                (n, place) for n, each in enumerate(self.puzzle.pieces) for place in tilingbrute.places(self.puzzle, each)
            ]
            self.maps = [dict(zip(everywhere, images, strict=True)) for images in moves(self.puzzle, everywhere)]
        return (frozenset(where[laid] for laid in solution) for where in self.maps)


def key(board) -> frozenset:
    return frozenset((laid.piece, frozenset(laid.cells)) for laid in board)


def covered(cells) -> dict:
    return dict.fromkeys(cells, COVERED)


def one_or_two(lattice, most_cells, most_shape, times=OFTEN) -> Iterator[Case]:
    """Every board with one or two shapes, in each of these numbers of copies."""
    for cells in boards(lattice, most_cells):
        for count in (1, 2):
            for chosen in combinations(shapes(lattice, most_shape), count):
                for often in product(times, repeat=count):
                    yield case(Tiling(lattice, covered(cells), pieces(chosen, often)))


def each_once(lattice, every: Iterable[tuple], most_shape) -> Iterator[Case]:
    """Every board with every set of shapes with the same number of cells, each used once."""
    known = shapes(lattice, most_shape)
    for cells in every:
        for chosen in sets(known, len(cells)):
            yield case(Tiling(lattice, covered(cells), pieces(chosen, [(1, 1)] * len(chosen))))


def sets(known, size) -> Iterator[tuple]:
    if size == 0:
        yield ()
    for n, shape in enumerate(known):
        if len(shape) <= size:
            yield from ((shape, *rest) for rest in sets(known[n + 1 :], size - len(shape)))


def any_number() -> Iterator[Case]:
    """Rectangles with every set of shapes of up to three cells; without single cells if there would be thousands of solutions."""
    for cells in rectangles(12):
        known = shapes(SQUARE, 3)[1 if len(cells) > 8 else 0 :]
        for count in range(1, len(known) + 1):
            for chosen in combinations(known, count):
                yield case(Tiling(SQUARE, covered(cells), pieces(chosen, [(0, None)] * count)))


LISTS = (((1, 1),), ((0, None),), ((0, 1), (0, None)), ((1, 1), (0, 1)), ((1, None), (0, 2)))


def kinds_of_cells() -> Iterator[Case]:
    """Every board of up to four cells, each required or optional; up to three cells with excluded cells as well."""
    for cells in boards(SQUARE, 4):
        for kinds in product((COVERED, OPTIONAL, EMPTY)[: 2 if len(cells) > 3 else 3], repeat=len(cells)):
            for often in LISTS:
                for chosen in combinations(shapes(SQUARE, 3), len(often)):
                    yield case(Tiling(SQUARE, dict(zip(cells, kinds, strict=True)), pieces(chosen, often)))


def groups() -> Iterator[Case]:
    """All bounds on the copies of two or three pieces together, and two such groups at once."""
    chosen = shapes(SQUARE, 3)[:3]
    every = [PieceGroup(numbers, least, most) for numbers in ((0, 1), (1, 2), (0, 1, 2)) for least in range(4)
             for most in (*range(least, 4), None)]  # fmt: skip
    for cells in ((*product(range(2), range(2)),), (*product(range(2), range(3)),)):
        for kind in (COVERED, OPTIONAL):
            for often in (((0, 1),) * 3, ((0, 2), (0, 1), (0, None))):
                for chosen_groups in [*((one,) for one in every), *combinations(every[::5], 2)]:
                    yield case(Tiling(SQUARE, dict.fromkeys(cells, kind), pieces(chosen, often), groups=chosen_groups))


def rings() -> Iterator[Case]:
    """Boards that close to a ring in one direction or both, and similar boards that do not."""
    for height, width in ((1, 3), (1, 4), (1, 5), (2, 2), (2, 3), (2, 4), (3, 3)):
        cells = (*product(range(height), range(width)),)
        for wrap in ((None, width), (height, None), (height, width), (None, width + 1), (height + 1, width)):
            for count in (1, 2):
                for chosen in combinations(shapes(SQUARE, 3)[1:], count):
                    for often in product(((1, 1), (0, None)), repeat=count):
                        yield case(Tiling(SQUARE, covered(cells), pieces(chosen, often), wrap=wrap))


def as_they_lie() -> Iterator[Case]:
    """Pieces that may not be rotated, reflected, or both, by a setting of the puzzle or of the piece."""
    known = [shape for shape in shapes(SQUARE, 4) if len(shape) > 1]
    for cells in [each for each in rectangles(8) if len(each) > 3]:
        for rotations, reflections in product((True, False), repeat=2):
            for chosen in combinations(known, 2):
                for often in (((1, 1), (1, 1)), ((0, None), (0, 2))):
                    yield case(Tiling(SQUARE, covered(cells), pieces(chosen, often), reflections, rotations))
            for shape in known:
                own = (piece(0, shape, (0, None), reflect=reflections, rotate=rotations), piece(1, known[0], (0, 1)))
                yield case(Tiling(SQUARE, covered(cells), own))


def colors_and_pins() -> Iterator[Case]:
    """Every board of up to four cells with every coloring with two colors, and every place where a piece can be pinned."""
    one, two, *_ = shapes(SQUARE, 2)
    red = frozenset(["red"])
    for cells in boards(SQUARE, 4, 2):
        for chosen in product((None, "red", "blue"), repeat=len(cells)):
            colors = {cell: color for cell, color in zip(cells, chosen, strict=True) if color}
            some = (piece(0, two, (0, None), colors=red), piece(1, one, (0, None)), piece(2, two, (0, 1)))
            yield case(Tiling(SQUARE, covered(cells), some, colors=colors))
        for first, second in combinations([frozenset(pair) for pair in combinations(cells, 2)], 2):
            pinned = (piece(0, two, (0, 1), pinned=(first, second)), piece(1, one, (0, None)), piece(2, two, (0, 1)))
            yield case(Tiling(SQUARE, covered(cells), pinned))


def parts() -> Iterator[Case]:
    """All pairs of boards of up to three cells that do not touch."""
    known = shapes(SQUARE, 3)
    for left, right in product(known, repeat=2):
        cells = (*left, *((r, c + 5) for r, c in right))
        for count in (1, 2):
            for chosen in combinations(known, count):
                for often in product(((1, 1), (0, 2), (0, None)), repeat=count):
                    yield case(Tiling(SQUARE, covered(cells), pieces(chosen, often)))


def _range(name, cases, step, everything=True, single=False) -> Range:
    return Range(name, cases, key, everything, step, lambda encoding, options: single)


FIVE = "each used once, at most once, once or twice, at least twice or ever so often"
MODES = "each used once, ever so often, or once or twice"
SPACE = tuple(product(range(2), repeat=3))
RANGES = [
    _range(
        f"every connected board of up to 5 squares by every one or two pieces of up to 3, {FIVE}",
        lambda: one_or_two(SQUARE, 5, 3), 281,
    ),
    _range(
        "every rectangle of up to 12 squares by every set of pieces of up to 4 that fills it, each once",
        lambda: each_once(SQUARE, rectangles(12), 4), 47, single=True,
    ),
    _range(
        "every rectangle of up to 12 squares by every set of pieces of up to 3 (from 9 squares on: of 2 and 3), ever so often",
        any_number, 31,
    ),
    _range(
        "every connected board of up to 7 squares by every set of pieces of up to 4 that fills it, each once",
        lambda: each_once(SQUARE, boards(SQUARE, 7), 4), 97, everything=False, single=True,
    ),
    _range(
        "every connected board of up to 4 squares, each to be covered or free; of up to 3 also to stay empty",
        kinds_of_cells, 397,
    ),
    _range("every bound on two or three of three pieces together on 2x2 and 2x3", groups, 97),
    _range("rings of up to 9 squares, closed in one direction, in both or nearly", rings, 67),
    _range("rectangles of 4 to 8 squares by every two pieces of up to 4 that may not be turned or reflected", as_they_lie, 151),
    _range(
        "every connected board of up to 4 squares with every coloring by two colors, or with every two pins",
        colors_and_pins, 53,
    ),
    _range("every two boards of up to 3 squares that do not touch, by every one or two pieces", parts, 97),
    _range(
        f"every connected board of up to 4 cubes by every one or two pieces of up to 3, {MODES}",
        lambda: one_or_two(CUBIC, 4, 3, THREE), 97,
    ),
    _range(
        "every connected board of up to 5 cubes and 2x2x2 by every set of pieces of up to 4 that fills it, each once",
        lambda: each_once(CUBIC, [*boards(CUBIC, 5), SPACE], 4), 73, single=True,
    ),
    _range(
        f"every connected board of up to 4 hexagons by every one or two pieces of up to 3, {MODES}",
        lambda: one_or_two(HEXAGONAL, 4, 3, THREE), 199,
    ),
    _range(
        f"every connected board of up to 5 triangles by every one or two pieces of up to 3, {FIVE}",
        lambda: one_or_two(TRIANGULAR, 5, 3), 97,
    ),
]  # fmt: skip
