"""All tilings of small puzzles by brute force, without code of the package.

`solutions(puzzle)` takes a `Tiling` (only its fields are used), and yields each solution as a
frozenset of (number of the piece, frozenset of cells). Cells are decided in order: each is covered by a placement or, if it may,
left empty. `tick` is called for each step, and may raise an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations, product


def count(puzzle) -> int:
    """The number of solutions."""
    return sum(1 for _ in solutions(puzzle))


def solutions(puzzle, tick: Callable[[], None] = lambda: None) -> Iterator[frozenset]:
    cells = sorted(puzzle.board)
    at = {cell: [] for cell in cells}
    for number, piece in enumerate(puzzle.pieces):
        for place in places(puzzle, piece):
            at[min(place)].append((number, place))
    used = [0] * len(puzzle.pieces)

    def search(index: int, taken: frozenset, laid: list) -> Iterator[frozenset]:
        tick()
        while index < len(cells) and cells[index] in taken:
            index += 1
        if index == len(cells):
            if all(used[n] >= piece.least for n, piece in enumerate(puzzle.pieces)) and groups_hold(puzzle, used):
                yield frozenset(laid)
            return
        cell = cells[index]
        if puzzle.board[cell] in ("optional", "empty"):
            yield from search(index + 1, taken, laid)
        for number, place in at[cell]:  # that begin here: one that reaches back to an empty cell began earlier
            most = puzzle.pieces[number].most
            if taken.isdisjoint(place) and (most is None or used[number] < most):
                used[number] += 1
                yield from search(index + 1, taken | place, [*laid, (number, place)])
                used[number] -= 1

    yield from search(0, frozenset(), [])


def lattice_of(puzzle) -> str:
    return getattr(puzzle.lattice, "name", puzzle.lattice)


def groups_hold(puzzle, used) -> bool:
    """Whether the copies of each group's pieces respect its bounds."""
    totals = [sum(used[n] for n in group.pieces) for group in puzzle.groups]
    return all(g.least <= total and (g.most is None or total <= g.most) for g, total in zip(puzzle.groups, totals, strict=True))


def places(puzzle, piece) -> set[frozenset]:
    """Every set of cells that the piece may cover."""
    found = set()
    step = 3 if lattice_of(puzzle) == "triangular" else 1
    for shape in orientations(puzzle, piece):
        for target in puzzle.board:
            moves = [a - b for a, b in zip(target, shape[0], strict=True)]
            if any(move % step for move in moves):
                continue
            place = frozenset(reduced(puzzle, [a + m for a, m in zip(cell, moves, strict=True)]) for cell in shape)
            if len(place) == len(shape) and place <= puzzle.board.keys() and allowed(puzzle, piece, place):
                found.add(place)
    return found


def reduced(puzzle, cell) -> tuple:
    wrap = puzzle.wrap or [None] * len(cell)
    return tuple(x % period if period else x for x, period in zip(cell, wrap, strict=True))


def allowed(puzzle, piece, place) -> bool:
    if any(puzzle.board[cell] == "empty" for cell in place):
        return False
    if piece.pinned and place not in piece.pinned:
        return False
    seen = {puzzle.colors[cell] for cell in place if cell in puzzle.colors}
    return piece.colors is None or seen <= piece.colors


def orientations(puzzle, piece) -> list[list]:
    """The images of the piece under its allowed turns."""
    rotate = puzzle.rotations if piece.rotate is None else piece.rotate
    reflect = puzzle.reflections if piece.reflect is None else piece.reflect
    kind = {"square": orthogonal, "cubic": orthogonal}.get(lattice_of(puzzle), sixfold)
    own = {"square": (1, -1), "cubic": (1, 1, -1)}.get(lattice_of(puzzle))
    if rotate:
        turns = [turn for proper, turn in kind(len(piece.shape[0])) if proper or reflect]
        return [[turn(cell) for cell in piece.shape] for turn in turns]
    images = [list(piece.shape)]
    if reflect:
        images.append([tuple(a * s for a, s in zip(cell, own, strict=True)) if own else cell[::-1] for cell in piece.shape])
    return images


def odd(order) -> bool:
    return sum(a > b for n, a in enumerate(order) for b in order[n + 1 :]) % 2 == 1


def orthogonal(dimension: int):
    """The symmetries of a square or a cube: permutations and signs of the coordinates."""
    for order in permutations(range(dimension)):
        for signs in product((1, -1), repeat=dimension):
            proper = odd(order) == (signs.count(-1) % 2 == 1)
            yield proper, lambda cell, order=order, signs=signs: tuple(s * cell[n] for s, n in zip(signs, order, strict=True))


def sixfold(_dimension: int):
    """The symmetries of a hexagon: permutations of three coordinates with sum zero, and the change of all signs."""
    for order in permutations(range(3)):
        for sign in (1, -1):

            def turn(cell, order=order, sign=sign):
                three = (cell[1], cell[0], -cell[0] - cell[1])
                right, down, _ = (sign * three[n] for n in order)
                return (down, right)

            yield not odd(order), turn
