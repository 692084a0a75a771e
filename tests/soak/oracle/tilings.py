"""Tilings by brute force: each cell is covered by a placement or, if it may, stays empty (`tilingbrute`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import tilingbrute

from soak.oracle import MOST_WORK, TooLong, Truth

Cell = tuple[int, ...]
Place = frozenset[Cell]


@dataclass(frozen=True)
class Piece:
    """A piece: its cells, the bounds on its copies (`most` None: unbounded), and the colors that it may cover."""

    name: str
    shape: tuple[Cell, ...]
    least: int = 1
    most: int | None = 1
    reflect: bool = True
    rotate: bool = True
    colors: frozenset[str] | None = None
    pinned: tuple[Place, ...] = ()


@dataclass(frozen=True)
class Group:
    """Pieces by their numbers, and the bounds on their copies together."""

    pieces: tuple[int, ...]
    least: int
    most: int | None


@dataclass(frozen=True)
class Region:
    """A board on the lattice `square`, `cubic` or `hexagonal`: cells that may stay empty, colors, periods of a ring."""

    lattice: str
    cells: frozenset[Cell]
    optional: frozenset[Cell]
    colors: Mapping[Cell, str]
    wrap: tuple[int | None, ...]
    pieces: tuple[Piece, ...]
    groups: tuple[Group, ...] = ()

    @cached_property
    def board(self) -> dict[Cell, str]:
        """The kind of each cell."""
        return {cell: "optional" if cell in self.optional else "covered" for cell in self.cells}


class TilingTruth(Truth):
    """A region small enough to try all tilings."""

    def __init__(self, region: Region, *, cut: bool):
        self.region = region
        self.places = {piece.name: tilingbrute.places(region, piece) for piece in region.pieces}
        try:
            super().__init__(count(region))
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
        if not tilingbrute.groups_hold(self.region, [used[piece.name] for piece in self.region.pieces]):
            return "a group of pieces is used too often or too seldom"
        return ""


def count(region: Region) -> int:
    """The number of tilings; TooLong if that takes too many steps."""
    work = 0

    def tick() -> None:
        nonlocal work
        work += 1
        if work > MOST_WORK // 4:
            raise TooLong

    return sum(1 for _ in tilingbrute.solutions(region, tick))
