"""Constraints on the cells, edges, and lattice points of a rectangular grid, with the standard names of the field.

>>> formula = GridFormula(2, 2)
>>> shaded = formula.bools("shaded")
>>> formula.connected({cell: shaded[cell] for cell in formula.cells}, "tree-cotree")

A cell is `(row, column)` from (0, 0) at the top left. A set of cells is a mapping from cells to literals, which say whether the
cell is in the set; the constants TRUE and FALSE are literals, too. Cells that the mapping lacks are not in the set.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise, product, takewhile
from typing import TypeVar

from cnfgen_puzzles.families.grid.layer.connectivity import CONNECTED, DIRECT, LAZY, TREE_COTREE, Cells
from cnfgen_puzzles.families.grid.layer.cuts import LazySet, SizedSet
from cnfgen_puzzles.families.grid.layer.numbers import NumberFormula
from cnfgen_puzzles.families.squares import Cell, components, neighbors
from cnfgen_puzzles.formula import Block
from cnfgen_puzzles.formula.formula import FALSE, TRUE

Clue = TypeVar("Clue")
Rectangle = tuple[int, int, int, int]
"""The row and the column of its top left cell, its height, and its width."""
Ints = Mapping[Cell, Mapping[int, int]]
"""The number of each cell: a literal for each value that it can have."""
Cut = tuple[int, ...]
"""The number of a lazy set, then the coordinates of two cells (the second may be OUTSIDE) and of a vertex separator of them."""
Edge = tuple[Cell, Cell]
"""Two neighboring vertices, the smaller one first."""
Lines = Mapping[Edge, int]
"""A set of lines between neighboring vertices: a literal for each."""

LATER = ((0, 1), (1, -1), (1, 0), (1, 1))
"""The steps to the cells around one that come later in reading order."""


def cells_of(rectangle: Rectangle) -> Iterable[Cell]:
    """The cells of a rectangle."""
    r, c, height, width = rectangle
    return product(range(r, r + height), range(c, c + width))


def lines_at(lines: Lines, cell: Cell) -> list[int]:
    """The literals of the lines that end at a vertex."""
    edges = [(min(cell, other), max(cell, other)) for other in neighbors(cell)]
    return [lines[edge] for edge in edges if edge in lines]


class GridFormula(NumberFormula):
    """A formula about a grid of `height` x `width` cells. `lazy` lists the sets that are connected by `lazy` encoding."""

    def __init__(self, height: int, width: int):
        super().__init__()
        self.height, self.width = height, width
        self.cells: list[Cell] = list(product(range(height), range(width)))
        self.lazy: list[LazySet] = []
        self.guess: Sequence[int] = ()
        """Literals that are true in some models of most puzzles (`Refinement.guess`)."""
        self.starts: list[tuple[int, Cell | None]] = []
        """The first clause of each clue that `each` names, and None for the clauses after the clues."""

    def each(self, clues: Iterable[tuple[Cell, Clue]]) -> Iterator[tuple[Cell, Clue]]:
        """The clues. The clauses that are added until the next one are those of this clue; `make-puzzle` can switch them off."""
        for place, clue in clues:
            self.starts.append((self.num_clauses, place))
            yield place, clue
        self.starts.append((self.num_clauses, None))

    # -- variables ----------------------------------------------------------------------------------------------------------

    def bools(self, name: str, cells: Iterable[tuple[int, ...]] | None = None) -> Block:
        """A variable for each cell, as a part of the projection set."""
        block = self.keyed(name, self.cells if cells is None else cells)
        self.projection = [*self.projection, *block.variables]
        return block

    def ints(self, name: str, values: Mapping[Cell, Sequence[int]], encoding: str = "pairwise") -> Ints:
        """Exactly one of its values for each cell, in the direct encoding: `ints(...)[cell][value]` is a variable."""
        block = self.bools(name, ((*cell, value) for cell, each in values.items() for value in each))
        found = {cell: {value: block[(*cell, value)] for value in each} for cell, each in values.items()}
        for variables in found.values():
            self.exactly_one(variables.values(), encoding)
        return found

    def subset(self, name: str) -> dict[Cell, int]:
        """A set of cells: a variable for each cell, as a part of the projection set."""
        block = self.bools(name)
        return {cell: block[cell] for cell in self.cells}

    # -- local constraints --------------------------------------------------------------------------------------------------

    def forbid_block(self, cells: Cells, height: int, width: int) -> None:
        """No rectangle of this size lies within the set."""
        for r, c in product(range(self.height - height + 1), range(self.width - width + 1)):
            block = [cells.get((r + i, c + j), FALSE) for i in range(height) for j in range(width)]
            self.add_folded(*[-literal for literal in block])

    def no_two_adjacent(self, cells: Cells) -> None:
        """No two cells of the set share a side."""
        for cell, literal in cells.items():
            for other in neighbors(cell)[2:]:
                self.add_folded(-literal, -cells.get(other, FALSE))

    def no_two_touching(self, cells: Cells) -> None:
        """No two cells of the set share a side or a corner: four binary clauses for each cell."""
        for (r, c), literal in cells.items():
            for i, j in LATER:
                self.add_folded(-literal, -cells.get((r + i, c + j), FALSE))

    def isolated(self, cells: Cells, part: Collection[Cell], condition: int, *, corners: bool = False) -> None:
        """If the condition is true, these cells are in the set, and no other one that shares a side with them, with `corners` a
        side or a corner: a binary clause for each of both."""
        around = {(r + i, c + j) for r, c in part for i, j in product((-1, 0, 1), repeat=2) if corners or not i or not j}
        for cell in part:
            self.add_folded(-condition, cells[cell])
        for cell in sorted(around.intersection(cells).difference(part)):
            self.add_folded(-condition, -cells[cell])

    def dominoes(self, cells: Cells) -> None:
        """Each cell of the set shares a side with exactly one other: at most seven clauses for each cell."""
        for cell, literal in cells.items():
            beside = [cells[other] for other in neighbors(cell) if other in cells]
            self.add(-literal, *beside)
            self.add_clauses((-literal, -a, -b) for a, b in combinations(beside, 2))

    def pieces(self, cells: Cells, bank: Iterable[Sequence[Sequence[Cell]]], *, corners: bool = False) -> None:
        """The connected parts of the set are the pieces of the bank, each piece once.

        A piece is given by its orientations: cells from (0, 0) on. With `corners`, no two parts share a corner. A variable of the
        block `placed` says that a part has this shape at this place: a function of the set. Size: placements times cells and
        border of a piece.
        """
        counts = Counter(tuple(map(tuple, piece)) for piece in bank)
        shapes = [(n, shape) for n, piece in enumerate(counts) for shape in piece if len(components(shape)) == 1]
        placements = [(n, {(r + i, c + j) for i, j in shape}) for n, shape in shapes for r, c in cells]
        placements = [(n, part) for n, part in placements if part <= cells.keys()]
        block = self.keyed("placed", ((k,) for k in range(len(placements))))
        covering: dict[Cell, list[int]] = {cell: [-literal] for cell, literal in cells.items()}
        for (_, part), placed in zip(placements, block.variables, strict=True):
            self.isolated(cells, part, placed, corners=corners)
            for cell in part:
                covering[cell].append(placed)
        for clause in covering.values():
            self.add_folded(*clause)
        for n, count in enumerate(counts.values()):
            self.exactly_k([v for (m, _), v in zip(placements, block.variables, strict=True) if m == n], count)

    def arms(self, lines: Lines, cell: Cell) -> list[list[int]]:
        """How far lines go straight from a vertex: up, left, right, and down, each a unary number, a function of the lines.
        Three clauses for each vertex in its row and its column."""
        (r, c), found = cell, []
        for down, right in ((-1, 0), (0, -1), (0, 1), (1, 0)):
            vertices = [(r + k * down, c + k * right) for k in range(max(self.height, self.width) + 1)]
            edges = ((min(pair), max(pair)) for pair in pairwise(vertices))
            found.append(self.leading(lines[edge] for edge in takewhile(lines.__contains__, edges)))
        return found

    def reached(self, cells: Cells, starts: Collection[Cell], steps: int) -> dict[Cell, int]:
        """For each cell: a path of at most `steps` cells within the set leads to it from one of the cells `starts`, itself on the
        path. All auxiliary variables are functions of the set; size: `steps` times the number of cells in reach."""
        found = {cell: cells[cell] for cell in starts if cell in cells} if steps > 0 else {}
        for _ in range(steps - 1):
            near = {other for cell in found for other in (cell, *neighbors(cell)) if other in cells}
            after = {}
            for cell in sorted(near):
                beside = self.iff_or([found.get(other, FALSE) for other in (cell, *neighbors(cell))])
                after[cell] = found[cell] if cell in starts else self.iff_and([cells[cell], beside])
            if after == found:
                break
            found = after
        return found

    # -- connectivity -------------------------------------------------------------------------------------------------------

    def connected(self, cells: Cells, encoding: str = TREE_COTREE, *, outside: bool = False) -> None:
        """The cells of the set are connected by their sides; with `outside`, through the outside of the grid as well.

        The empty set is connected. With `outside`, that means: each cell has a path within the set to the border. The mapping
        has all cells of a rectangle from (0, 0).
        """
        CONNECTED[encoding](self, cells, outside)

    def connected_within(self, cells: Cells, places: Collection[Cell], encoding: str = TREE_COTREE) -> None:
        """Those of these places that are in the set are connected by their sides: connectivity of the rectangle around them."""
        rows, columns = sorted({r for r, _ in places}), sorted({c for _, c in places})
        box = product(range(rows[0], rows[-1] + 1), range(columns[0], columns[-1] + 1))
        inside = {(r - rows[0], c - columns[0]): cells.get((r, c), FALSE) if (r, c) in places else FALSE for r, c in box}
        self.connected(inside, encoding)

    def connected_by_corners(self, cells: Cells, encoding: str = TREE_COTREE, *, outside: bool = False) -> None:
        """The cells of the set are connected by their sides and corners, with `outside` through the outside of the grid as well.

        The squares of the set with their sides and corners are connected in a grid that has places for sides and corners between
        those for cells. Auxiliary variables, functions of the set: a side or a corner belongs to a cell. Size: connectivity of
        four times as many places, and 11 binary or longer clauses for each cell.
        """
        fine = {}
        for r, c in product(range(2 * self.height - 1), range(2 * self.width - 1)):
            around = product(range(r // 2, (r + 1) // 2 + 1), range(c // 2, (c + 1) // 2 + 1))
            fine[r, c] = self.iff_or([cells[cell] for cell in around])
        self.connected(fine, encoding, outside=outside)

    def single_cycle(self, height: int, width: int, encoding: str = TREE_COTREE, *, empty: bool = False) -> Lines:
        """One cycle on a lattice of `height` x `width` vertices, or with `empty` also none.

        The block `inside` has a variable for each face that says whether it is inside the cycle: the projection set, since the
        cycle determines it. A cycle is the border of a connected set of faces whose complement is connected with the outside,
        without two faces that touch by a corner alone.
        """
        height, width = height - 1, width - 1
        block = self.bools("inside", product(range(height), range(width)))
        inside = {(r, c): block[r, c] for r, c in product(range(height), range(width))}
        if not empty:
            self.add_clause(inside.values())
        for r, c in product(range(height - 1), range(width - 1)):
            a, b, d, e = (inside[r + i, c + j] for i in (0, 1) for j in (0, 1))
            self.add_clauses([(-a, b, d, -e), (a, -b, -d, e)])
        self.connected(inside, encoding)
        self.connected({cell: -literal for cell, literal in inside.items()}, encoding, outside=True)
        side: dict[Edge, int] = {}
        for r, c in product(range(height + 1), range(width + 1)):
            here = inside.get((r, c), FALSE)
            if c < width:
                side[(r, c), (r, c + 1)] = self.iff_xor(inside.get((r - 1, c), FALSE), here)
            if r < height:
                side[(r, c), (r + 1, c)] = self.iff_xor(inside.get((r, c - 1), FALSE), here)
        return side

    def lines(self, name: str = "line") -> Lines:
        """Lines between the centers of neighboring cells, or borders between these cells, as a part of the projection set."""
        cells = set(self.cells)
        edges = [(cell, other) for cell in self.cells for other in neighbors(cell)[2:] if other in cells]
        block = self.bools(name, [(*a, *b) for a, b in edges])
        return {(a, b): block[(*a, *b)] for a, b in edges}

    def connected_by(self, lines: Lines, cells: Cells, encoding: str = TREE_COTREE) -> None:
        """The cells of the set are connected by the lines, which lead to cells of the set only: connectivity of a grid that has
        places for the lines between those for the cells."""
        self._fine(lines, cells, FALSE, encoding)

    def acyclic(self, lines: Lines, encoding: str = TREE_COTREE) -> None:
        """The lines between cells have no cycle: each corner of cells has a path to the outside that crosses no line."""
        self._fine({edge: -literal for edge, literal in lines.items()}, {}, TRUE, encoding)

    def acyclic_diagonals(self, falling: Cells, encoding: str = TREE_COTREE) -> None:
        """Each cell has a diagonal, which falls to the right or rises; they form no cycle. A cycle would enclose lattice points,
        so each lattice point has a path of diagonals to the border.

        With `tree-cotree`, each diagonal has a direction (one variable), and one leads away from each inner lattice point: a
        cycle of directions would enclose another one, and so on inwards. Size: 5 variables and 12 clauses for each cell; no
        functions of the board. The idea is from Brock-Nannestad, Space-efficient planar acyclicity constraints (2016). Else
        the lattice points of either parity with their diagonals are connected with the outside of a grid that is turned by 45
        degrees.
        """
        if encoding == TREE_COTREE:
            down = {cell: self.new() for cell in self.cells}
            for r, c in product(range(1, self.height), range(1, self.width)):
                ways = ((r - 1, c - 1), 1, -1), ((r - 1, c), -1, -1), ((r, c - 1), -1, 1), ((r, c), 1, 1)
                self.add(*(self.iff_and([fall * falling[cell], way * down[cell]]) for cell, fall, way in ways))
            return
        for parity in (0, 1):
            points = product(range(self.height + 1), range(self.width + 1))
            turned = {(r + c, r - c + self.width): TRUE if (r + c) % 2 == parity else FALSE for r, c in points}
            for (r, c), literal in falling.items():
                turned[r + c + 1, r - c + self.width] = literal if (r + c) % 2 == parity else -literal
            self.connected(turned, encoding, outside=True)

    def _fine(self, lines: Lines, cells: Cells, corner: int, encoding: str) -> None:
        places = product(range(2 * self.height - 1), range(2 * self.width - 1))
        fine = {(r, c): corner if r % 2 and c % 2 else FALSE for r, c in places}
        fine.update(((2 * r, 2 * c), literal) for (r, c), literal in cells.items())
        fine.update(((r + k, c + m), literal) for ((r, c), (k, m)), literal in lines.items())
        self.connected(fine, encoding, outside=corner == TRUE)

    def division(self, rectangles: Iterable[Rectangle]) -> dict[Rectangle, int]:
        """Some of these rectangles divide the grid: each cell is in exactly one. The block `region` has a variable for each.

        Size: linear in the cells of all rectangles. Auxiliary variables, of large exactly-one constraints, are functions of the
        board.
        """
        chosen = list(rectangles)
        block = self.bools("region", chosen)
        found = {(r, c, height, width): block[r, c, height, width] for r, c, height, width in chosen}
        over: dict[Cell, list[int]] = {cell: [] for cell in self.cells}
        for rectangle, variable in found.items():
            for cell in cells_of(rectangle):
                over[cell].append(variable)
        for variables in over.values():
            self.exactly_one(variables)
        return found

    def no_crossings(self, region: Mapping[Rectangle, int]) -> None:
        """No four of these rectangles meet in a point, where one ends and another begins: a clause for each point."""
        corners: dict[Cell, tuple[list[int], list[int]]] = {}
        for (r, c, height, width), literal in region.items():
            corners.setdefault((r, c), ([], []))[0].append(literal)
            corners.setdefault((r + height, c + width), ([], []))[1].append(literal)
        for after, before in corners.values():
            self.add_folded(-self.iff_or(after), -self.iff_or(before))

    def region_sizes(self, number: Ints, apart: Collection[tuple[Cell, Cell]] = (), encoding: str = DIRECT) -> None:
        """The number of each cell is the size of its region: the connected cells with the same number. Neighbors in `apart` have
        different numbers.

        With `lazy`, a cell with a number from 2 on has a neighbor with it, and all else is left to cuts. With `direct`, each cell
        but the root, the first of its region, points to a parent with the same number. The cells below it are counted
        in binary, which excludes cycles; cells with the same number beside each other have the same root, in binary. Size: cells
        times values, and cells times the logarithm of the cells. The auxiliary variables are not functions of the board: project.
        """
        if encoding == LAZY:
            self._lazy_sizes(number, apart)
            return
        index = {cell: k for k, cell in enumerate(number)}
        width = len(index).bit_length()
        root, count = ({cell: list(self.auxiliary(width)) for cell in number} for _ in range(2))
        ways: dict[Cell, list[int]] = {cell: [self.new()] for cell in number}
        below: dict[Cell, list[list[int]]] = {cell: [] for cell in number}
        for cell, values in number.items():
            for other in (each for each in neighbors(cell)[2:] if each in number):
                same = self.new()
                for value in {**values, **number[other]}:
                    a, b = values.get(value, FALSE), number[other].get(value, FALSE)
                    for clause in ((-a, -b, same), (-same, -a, b), (-same, a, -b)):
                        self.add_folded(*clause)
                if (cell, other) in apart:
                    self.add(-same)
                for one, two in zip(root[cell], root[other], strict=True):
                    self.add_clauses([(-same, -one, two), (-same, one, -two)])
                for child, parent in ((cell, other), (other, cell)):
                    arc = self.new()
                    self.add(-arc, same)
                    ways[child].append(arc)
                    below[parent].append([self.iff_and([arc, bit]) for bit in count[child]])
        for cell, values in number.items():
            self.exactly_one(ways[cell])
            here, place = ways[cell][0], index[cell]
            for k, bit in enumerate(root[cell]):
                self.add(-here, bit if place >> k & 1 else -bit)
                if not place >> k & 1:  # the root is not after this cell
                    self.add(-bit, *(-root[cell][j] for j in range(k + 1, width) if place >> j & 1))
            total = [TRUE] + [FALSE] * (width - 1)
            for bits in below[cell]:
                total = self.binary_sum(total, bits)
            for bit, sum_bit in zip(count[cell], total, strict=True):
                self.add_folded(-bit, sum_bit)
                self.add_folded(bit, -sum_bit)
            for value, literal in values.items():
                for k, bit in enumerate(count[cell]):
                    self.add(-here, -literal, bit if value >> k & 1 else -bit)

    def _lazy_sizes(self, number: Ints, apart: Collection[tuple[Cell, Cell]]) -> None:
        for cell, values in number.items():
            for value, literal in values.items():
                near = [number[other].get(value, FALSE) for other in neighbors(cell) if other in number]
                for clause in [[-other] for other in near] if value == 1 else [near]:
                    self.add_folded(-literal, *clause)
        for one, other in apart:
            for value, literal in number[one].items():
                self.add_folded(-literal, -number[other].get(value, FALSE))
        for value in sorted({value for values in number.values() for value in values if value > 1}):
            self.lazy.append(SizedSet({cell: values.get(value, FALSE) for cell, values in number.items()}, value))

    def islands(self, cells: Cells, sizes: Mapping[Cell, int], encoding: str = TREE_COTREE) -> None:
        """Each connected part of the set has exactly one of the cells that `sizes` names, and so many cells; a size of 0 or less
        is free. The block `owner` tells for each cell in reach of a named one that it belongs to its part: a function of the set.

        Paths that pass by another named cell do not count as reach. A part of a free size is connected by the encoding; size of
        another one: its number of cells times the cells in reach.
        """
        reach = {named: self._within_reach(cells, named, size, sizes) for named, size in sizes.items()}
        block = self.keyed("owner", [(*named, *cell) for named in sizes for cell in sorted(reach[named])])
        owner = {((k, m), (r, c)): block[k, m, r, c] for k, m, r, c in block.keys()}  # noqa: SIM118
        owners: dict[Cell, list[int]] = {cell: [] for cell in cells}
        for (_, cell), variable in owner.items():
            owners[cell].append(variable)
        for cell, literal in cells.items():
            for variable in owners[cell]:
                self.add_folded(-variable, literal)
            self.add_folded(-literal, *owners[cell])
            self.at_most_one(owners[cell], "pairwise")
        for (named, cell), variable in owner.items():
            for other in neighbors(cell):
                self.add_folded(-variable, -cells.get(other, FALSE), owner.get((named, other), FALSE))
        for named, size in sizes.items():
            own = {cell: owner.get((named, cell), FALSE) for cell in cells}
            self.add(own[named])
            if size <= 0:
                self.connected(own, encoding)
                continue
            own = {cell: variable for cell, variable in own.items() if variable != FALSE}
            self.exactly_k(own.values(), size)
            within = self.reached(own, [named], size)
            for cell, variable in own.items():
                self.add_folded(-variable, within.get(cell, FALSE))

    def _within_reach(self, cells: Cells, named: Cell, size: int, all_named: Collection[Cell]) -> set[Cell]:
        """The cells of an island with this named cell, of at most this size if it is positive."""
        closed = {each for other in all_named if other != named for each in (other, *neighbors(other))}
        found, last = {named}, {named}
        while last and size != 1:
            near = {other for cell in last for other in neighbors(cell) if cells.get(other, FALSE) != FALSE}
            last = near - found - closed
            found, size = found | last, size - 1
        return found

    def parts_beside(self, cells: Cells, start: Cell, total: int, most: Mapping[Cell, int]) -> None:
        """The connected parts of the set that share a side with `start`, a cell outside it, have so many cells in all.

        `most` has an upper bound, by other constraints, of the size of the part with a cell in it; a path of more cells does not
        lead to it. All auxiliary variables are functions of the set; size: `total` times the number of cells in reach.
        """
        reach, last = list[Cell](), [start]
        for size in range(1, total + 1):
            near = dict.fromkeys(other for cell in last for other in neighbors(cell) if most.get(other, 0) >= size)
            last = [cell for cell in near if cell not in reach]
            reach += last
        own = {cell: self.new() for cell in sorted(reach)}
        for other in neighbors(start):
            self.add_folded(-cells.get(other, FALSE), own.get(other, FALSE))
        for cell, variable in own.items():
            self.add_folded(-variable, cells[cell])
            for other in neighbors(cell):
                self.add_folded(-variable, -cells.get(other, FALSE), own.get(other, FALSE))
        self.exactly_k(own.values(), total, "totalizer")  # half the time of a counter on published puzzles
        within = self.reached(own, neighbors(start), total)
        for cell, variable in own.items():
            self.add(-variable, within[cell])

    def cuts(self, true: Collection[int]) -> list[Cut]:
        """Cuts that every solution obeys and this model violates, for each lazy set that is not connected."""
        return [(number, *cut) for number, each in enumerate(self.lazy) for cut in each.cuts(true)]

    def clause_of(self, cut: Cut) -> list[int]:
        """The clause of a cut; ValueError if it does not follow from the connectivity of a set, or the sizes of its parts."""
        number, *places = cut
        if not (0 <= number < len(self.lazy) and len(places) >= 4 and len(places) % 2 == 0):
            raise ValueError(f"found {list(cut)!r:.60}, expected the number of a set, two cells, and further cells")
        try:
            return self.lazy[number].clause(places)
        except ValueError as error:
            raise ValueError(f"found {list(cut)!r:.60}, {error}") from None
