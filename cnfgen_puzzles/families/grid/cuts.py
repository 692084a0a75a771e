"""Cuts of connected sets, which every solution obeys and a model violates.

Sets of cells are the bits of integers here, row by row with a frame around the grid, so that shifts give neighboring cells.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from cnfgen_puzzles.formula.formula import FALSE, TRUE

Cell = tuple[int, int]
OUTSIDE = (-1, -1)
"""The vertex around the grid, where a set counts it as a member."""


class LazySet:
    """A set of cells, a literal for each, that has to be connected, with `outside` through the outside of the grid as well."""

    def __init__(self, cells: Mapping[Cell, int], outside: bool):
        self.cells, self.outside = cells, outside
        height, width = (max((cell[k] + 1 for cell in cells), default=0) for k in (0, 1))
        self._stride = width + 2
        self._bit = {(r, c): 1 << (r + 1) * self._stride + c + 1 for r, c in cells}
        whole = sum(self._bit.values())
        self._beyond = ((1 << (height + 2) * self._stride) - 1) & ~whole if outside else 0
        self._every = whole | self._beyond

    def cuts(self, true: Collection[int]) -> Iterator[tuple[int, ...]]:
        """For each component of the set but the largest: a cell of it, a cell of the largest or OUTSIDE, and the minimal vertex
        separator of the two that is next to the component, as coordinates one after the other; and with more than two
        components also that next to the largest. One of a separator is in every connected set with both cells.
        """
        members = self._beyond
        for cell, literal in self.cells.items():
            if literal == TRUE or (literal != FALSE and (literal in true if literal > 0 else -literal not in true)):
                members |= self._bit[cell]
        parts, left = [], members
        while left:
            parts.append(self._reach(left & -left, members))
            left &= ~parts[-1]
        main = max(parts, key=lambda part: (part & self._beyond, part.bit_count()), default=0)
        around_main = self._around(main) & ~main
        rest = self._every & ~main & ~around_main
        for part in parts:
            if part != main:
                wall = self._around(part) & ~part
                separator = wall & self._around(self._reach(main, self._every & ~wall))
                ends = self._cell(part & -part), OUTSIDE if main & self._beyond else self._cell(main & -main)
                yield tuple(n for cell in (*ends, *self._cells(separator)) for n in cell)
                area = self._reach(part, rest) if part & rest else 0
                rest &= ~area
                other = around_main & self._around(area)
                if len(parts) > 2 and other and other != separator:
                    yield tuple(n for cell in (*ends, *self._cells(other)) for n in cell)

    def clause(self, cut: Collection[int]) -> list[int]:
        """The clause of a cut; ValueError if it does not follow from the connectivity of the set."""
        a, b, *between = zip([*cut][::2], [*cut][1::2], strict=True)
        if (
            not self.cells.keys() >= {a, *between}
            or len({a, b, *between}) < len(between) + 2
            or not (b in self.cells or (self.outside and b == OUTSIDE))
        ):
            raise ValueError("expected cells of the set")
        wall = sum(self._bit[cell] for cell in between)
        if self._reach(self._bit[a], self._every & ~wall) & self._bit.get(b, self._beyond):
            raise ValueError(f"which does not separate {a} from {b}")
        literals = [*(-self.cells[cell] for cell in (a, b) if cell != OUTSIDE), *(self.cells[cell] for cell in between)]
        if TRUE in literals:
            raise ValueError("which is true on every board")
        return [literal for literal in literals if literal != FALSE]

    def _around(self, part: int) -> int:
        """The neighbors of these vertices, and these themselves if they have neighbors among them."""
        return (part << 1 | part >> 1 | part << self._stride | part >> self._stride) & self._every

    def _reach(self, start: int, within: int) -> int:
        """All vertices of `within` that can be reached from those of `start`."""
        found = last = start
        while last:
            last = self._around(last) & within & ~found
            if last & self._beyond:
                last |= self._beyond
            found |= last
        return found

    def _cells(self, part: int) -> Iterator[Cell]:
        while part:
            yield self._cell(part & -part)
            part &= part - 1

    def _cell(self, bit: int) -> Cell:
        r, c = divmod(bit.bit_length() - 1, self._stride)
        return r - 1, c - 1
