"""Tilings found by trying: cell by cell, each covered by a placement or, where it may, left empty."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from typing import Any

from soak.oracle import MOST_WORK, TooLong, Truth

Cell = tuple[int, ...]
Place = frozenset[Cell]


@dataclass(frozen=True)
class Piece:
    """A piece by its cells, how often it may be used (`most` None: ever so often), and the colours that it may cover."""

    name: str
    shape: tuple[Cell, ...]
    least: int = 1
    most: int | None = 1
    reflect: bool = True
    rotate: bool = True
    colours: frozenset[str] | None = None


@dataclass(frozen=True)
class Group:
    """Pieces by their numbers, and how many copies of them are used together."""

    pieces: tuple[int, ...]
    least: int
    most: int | None


@dataclass(frozen=True)
class Region:
    """A board on the lattice `square`, `cubic` or `hexagonal`: cells that may stay empty, colours, periods of a ring."""

    lattice: str
    cells: frozenset[Cell]
    optional: frozenset[Cell]
    colours: Mapping[Cell, str]
    wrap: tuple[int | None, ...]
    pieces: tuple[Piece, ...]
    groups: tuple[Group, ...] = ()

    def group_broken(self, used: Sequence[int]) -> bool:
        """Whether so many copies of each piece are more or fewer than some group allows."""
        totals = ((group, sum(used[number] for number in group.pieces)) for group in self.groups)
        return any(total < group.least or (group.most is not None and total > group.most) for group, total in totals)


class TilingTruth(Truth):
    """A region, all of whose tilings can be tried."""

    def __init__(self, region: Region, *, cut: bool):
        self.region = region
        self.places = {piece.name: places(region, piece) for piece in region.pieces}
        try:
            super().__init__(count(region, self.places))
        except TooLong:
            super().__init__(None, exists=True if cut else None)

    def key(self, board: Any) -> frozenset[tuple[str, Place]]:
        return frozenset((entry["piece"], frozenset(map(tuple, entry["cells"]))) for entry in board)

    def broken(self, board: Any) -> str:
        taken: list[Cell] = []
        used = dict.fromkeys(self.places, 0)
        for entry in board:
            name, place = entry["piece"], frozenset(map(tuple, entry["cells"]))
            if name not in used or place not in self.places[name]:
                return f"{name} cannot lie on {sorted(place)}"
            used[name] += 1
            taken += place
        if len(set(taken)) != len(taken):
            return "two pieces overlap"
        if left := self.region.cells - self.region.optional - set(taken):
            return f"{sorted(left)[0]} is not covered"
        for piece in self.region.pieces:
            if used[piece.name] < piece.least or (piece.most is not None and used[piece.name] > piece.most):
                return f"{piece.name} is used {used[piece.name]} times"
        if self.region.group_broken([used[piece.name] for piece in self.region.pieces]):
            return "a group of pieces is used too often or too seldom"
        return ""


def count(region: Region, allowed: Mapping[str, set[Place]]) -> int:
    """How many tilings there are; TooLong if that takes too many steps."""
    cells = sorted(region.cells)
    at: dict[Cell, list[tuple[int, Place]]] = {cell: [] for cell in cells}
    for number, piece in enumerate(region.pieces):
        for place in allowed[piece.name]:
            at[min(place)].append((number, place))
    used = [0] * len(region.pieces)
    work = 0

    def search(index: int, taken: Place) -> int:
        nonlocal work
        work += 1
        if work > MOST_WORK // 4:
            raise TooLong
        while index < len(cells) and cells[index] in taken:
            index += 1
        if index == len(cells):
            enough = all(number >= piece.least for number, piece in zip(used, region.pieces, strict=True))
            return int(enough and not region.group_broken(used))
        found = search(index + 1, taken) if cells[index] in region.optional else 0
        for number, place in at[cells[index]]:  # that begin here: one that reaches back to an empty cell began earlier
            most = region.pieces[number].most
            if (most is None or used[number] < most) and taken.isdisjoint(place):
                used[number] += 1
                found += search(index + 1, taken | place)
                used[number] -= 1
        return found

    return search(0, frozenset())


def places(region: Region, piece: Piece) -> set[Place]:
    """Every set of cells that the piece may cover."""
    found = set()
    for shape in orientations(region.lattice, piece):
        for target in region.cells:
            shift = [a - b for a, b in zip(target, shape[0], strict=True)]
            place = frozenset(onto_ring(region, [x + s for x, s in zip(cell, shift, strict=True)]) for cell in shape)
            seen = {region.colours[cell] for cell in place if cell in region.colours}
            if len(place) == len(shape) and place <= region.cells and (piece.colours is None or seen <= piece.colours):
                found.add(place)
    return found


def onto_ring(region: Region, cell: Sequence[int]) -> Cell:
    return tuple(x % period if period else x for x, period in zip(cell, region.wrap, strict=True))


def orientations(lattice: str, piece: Piece) -> list[list[Cell]]:
    """The images of the piece, turned as it may be; in space a piece that may be turned at all is rotated only."""
    symmetries = list(sixfold() if lattice == "hexagonal" else orthogonal(len(piece.shape[0])))
    if not piece.rotate:
        return [list(piece.shape)]
    return [[turn(cell) for cell in piece.shape] for proper, turn in symmetries if proper or piece.reflect]


class Orthogonal:
    """Coordinates change places and signs."""

    def __init__(self, order: Sequence[int], signs: Sequence[int]):
        self.order, self.signs = order, signs

    def __call__(self, cell: Cell) -> Cell:
        return tuple(sign * cell[axis] for sign, axis in zip(self.signs, self.order, strict=True))


class Sixfold(Orthogonal):
    """The same of the three coordinates of a hexagon, whose sum is zero, all by one sign."""

    def __call__(self, cell: Cell) -> Cell:
        right, down, _ = super().__call__((cell[1], cell[0], -cell[0] - cell[1]))
        return (down, right)


def orthogonal(dimension: int) -> Iterator[tuple[bool, Orthogonal]]:
    """The symmetries of a square or a cube, and whether each is a rotation."""
    for order in permutations(range(dimension)):
        for signs in product((1, -1), repeat=dimension):
            yield odd(order) == (signs.count(-1) % 2 == 1), Orthogonal(order, signs)


def sixfold() -> Iterator[tuple[bool, Orthogonal]]:
    for order in permutations(range(3)):
        for sign in (1, -1):
            yield not odd(order), Sixfold(order, (sign,) * 3)


def odd(order: Sequence[int]) -> bool:
    return sum(a > b for n, a in enumerate(order) for b in order[n + 1 :]) % 2 == 1
