"""Cuts of connected sets, and of sets whose parts have a size, which every solution obeys and a model violates.

Sets of cells are the bits of integers here, row by row with a frame around the grid, so that shifts give neighboring cells.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from cnfgen_puzzles.formula.formula import FALSE, TRUE

Cell = tuple[int, int]
OUTSIDE = (-1, -1)
"""The vertex around the grid, where a set counts it as a member."""
DIGITS = bytes.maketrans(b"\0\1", b"01")


class LazySet:
    """A set of cells, a literal for each, that has to be connected, with `outside` through the outside of the grid as well."""

    def __init__(self, cells: Mapping[Cell, int], outside: bool):
        self.cells, self.outside = cells, outside
        self.kind = "outside" if outside else "connected"
        height, width = (max((cell[k] + 1 for cell in cells), default=0) for k in (0, 1))
        self._stride = width + 2
        self._bit = {(r, c): 1 << (r + 1) * self._stride + c + 1 for r, c in cells}
        whole = sum(self._bit.values())
        self._beyond = ((1 << (height + 2) * self._stride) - 1) & ~whole if outside else 0
        self._every = whole | self._beyond
        places = [0] * whole.bit_length()  # the literals of all places, the last bit first; 0 beside the cells
        for cell, bit in self._bit.items():
            places[-bit.bit_length()] = cells[cell]
        constants = (TRUE, FALSE)
        self._variables = [0 if literal in constants else abs(literal) for literal in places]
        self._flipped = _bits(literal == TRUE or (literal < 0 and literal != FALSE) for literal in places)

    def cuts(self, true: Collection[int]) -> Iterator[tuple[int, ...]]:
        """For each component of the set but the largest: a cell of it, a cell of the largest or OUTSIDE, and the minimal vertex
        separator of the two that is next to the component, as coordinates one after the other; and with more than two
        components also that next to the largest. One of a separator is in every connected set with both cells.
        """
        members = self._members(true)
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
        return _folded([*(-self.cells[cell] for cell in (a, b) if cell != OUTSIDE), *(self.cells[cell] for cell in between)])

    def _members(self, true: Collection[int]) -> int:
        return (_bits(map(true.__contains__, self._variables)) ^ self._flipped) | self._beyond

    def _around(self, part: int) -> int:
        """The neighbors of these vertices, and these themselves if they have neighbors among them."""
        return (part << 1 | part >> 1 | part << self._stride | part >> self._stride) & self._every

    def _reach(self, start: int, within: int) -> int:
        """All vertices of `within` that can be reached from those of `start`."""
        stride, beyond = self._stride, self._beyond
        found = last = start
        while last:
            last = (last << 1 | last >> 1 | last << stride | last >> stride) & within & ~found
            if last & beyond:
                last |= beyond
            found |= last
        return found

    def _cells(self, part: int) -> Iterator[Cell]:
        while part:
            yield self._cell(part & -part)
            part &= part - 1

    def _cell(self, bit: int) -> Cell:
        r, c = divmod(bit.bit_length() - 1, self._stride)
        return r - 1, c - 1


class SizedSet(LazySet):
    """A set of cells, a literal for each, whose connected parts each have `size` cells."""

    def __init__(self, cells: Mapping[Cell, int], size: int):
        super().__init__({cell: literal for cell, literal in cells.items() if literal != FALSE}, outside=False)
        self.size = size
        self.kind = f"of {size}"

    def cuts(self, true: Collection[int]) -> Iterator[tuple[int, ...]]:
        """For each cell of a part that is too small: the cell, OUTSIDE, and the other cells beside its part, one of which is in
        every such set with the cell. For a part that is too large: connected cells of it, one more than the size."""
        left = self._members(true)
        while left:
            part = self._reach(left & -left, left)
            left &= ~part
            if part.bit_count() < self.size:
                border = [*self._cells(self._around(part) & ~part)]
                for cell in self._cells(part):
                    yield tuple(n for each in (cell, OUTSIDE, *border) for n in each)
            elif part.bit_count() > self.size:
                for start in {part & -part, 1 << part.bit_length() - 1}:
                    yield tuple(n for cell in self._cells(self._some(part, start)) for n in cell)

    def _some(self, part: int, start: int) -> int:
        """The cells of the part that are nearest to one of them, one more than the size."""
        some = last = start
        while some.bit_count() <= self.size:
            last = self._around(some) & part & ~some
            some |= last
        while some.bit_count() > self.size + 1:  # no other cell needs those that were found last
            some &= ~(last & -last)
            last &= last - 1
        return some

    def clause(self, cut: Collection[int]) -> list[int]:
        """The clause of a cut; ValueError if it does not follow from the size of the parts."""
        first, *others = zip([*cut][::2], [*cut][1::2], strict=True)
        grows = others[:1] == [OUTSIDE]
        others = others[grows:]
        if not self.cells.keys() >= {first, *others} or len({first, *others}) <= len(others):
            raise ValueError("expected cells of the set")
        named = sum(self._bit[cell] for cell in others)
        if grows and self._reach(self._bit[first], self._every & ~named).bit_count() >= self.size:
            raise ValueError(f"which leave room for {self.size} cells")
        if not grows and (
            len(others) < self.size or self._reach(self._bit[first], named | self._bit[first]).bit_count() <= len(others)
        ):
            raise ValueError(f"which are not connected, or not more than {self.size} cells")
        return _folded([-self.cells[first], *(self.cells[cell] if grows else -self.cells[cell] for cell in others)])


def _bits(values: Iterable[bool]) -> int:
    """An integer with these bits, the highest one first."""
    return int(bytes(values).translate(DIGITS) or b"0", 2)


def _folded(literals: list[int]) -> list[int]:
    if TRUE in literals:
        raise ValueError("which is true on every board")
    return [literal for literal in literals if literal != FALSE]
