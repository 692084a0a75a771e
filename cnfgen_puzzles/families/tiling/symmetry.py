"""The symmetries of a tiling puzzle: the symmetries of its board that map the set of pieces, with their bounds, to itself.

A symmetry maps solutions to solutions, so solutions form orbits. To reach every orbit of solutions, it is enough to try one
placement from each orbit of the placements of one piece.

A board can consist of several parts such that no piece spans two of them. Each part can then be turned separately, and equal
parts can be exchanged. All parts share one exchange of the pieces (a reflection maps a piece to its mirror image). So an element
of the group consists of an exchange of the pieces and, for each part, a move of it onto a part that exchanges the pieces in this
way. Two 5x6 rectangles have 4 * 4 * 2 symmetries. The group of ten squares has 8^10 * 10! elements; therefore the code lists the
moves of single parts, not the group.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import permutations, product
from math import factorial, prod
from operator import add

from cnfgen_puzzles.common.inputlimits import checked_amount
from cnfgen_puzzles.families.lattice import Cell, Matrix, turn_cell
from cnfgen_puzzles.families.squares import components
from cnfgen_puzzles.families.tiling.pieces import Shape
from cnfgen_puzzles.families.tiling.puzzle import Tiling

Exchange = tuple[int, ...]
"""For each piece, the piece that it becomes; -1 for a piece that fits nowhere."""

Move = Mapping[int, int]
"""For each placement in a part, its image."""

Way = dict[int, tuple[int, list[Move]]]
"""For each part, the first part of the kind to which it is moved, and all such moves."""

_Kind = tuple[frozenset[Shape], int, int | None, frozenset[str] | None, tuple[tuple[int, int, int], ...]]
Form = tuple[tuple[tuple[int, ...], ...], ...]
"""A solution in normal form: for each kind of parts and each part, the numbers of its placements, moved to the first part of that
kind."""


class SymmetryGroup:
    """The symmetry group of a puzzle; without `reflections`, the group of its rotations and translations.

    `order` is the number of elements; `parts` are the parts of the board that have placements. Parts are *alike* if a move
    without an exchange of pieces maps one to the other; solutions of alike parts are compared in the first of these parts.
    """

    def __init__(self, puzzle: Tiling, *, reflections: bool = True):
        self.puzzle = puzzle
        self._steps = 0
        matrices = puzzle.lattice.symmetries if reflections else puzzle.lattice.rotations
        exchanges = {matrix: found for matrix in matrices if (found := _exchange(puzzle, matrix)) is not None}
        part_of = {cell: number for number, part in enumerate(_parts(puzzle)) for cell in part}
        self.part_of = [part_of[min(placement.cells)] for placement in puzzle.placements]
        self.parts = sorted(set(self.part_of))
        self._cells: dict[int, list[Cell]] = {part: [] for part in self.parts}
        for cell, part in part_of.items():
            if part in self._cells:
                self._cells[part].append(cell)
        self._placements: dict[int, list[int]] = {part: [] for part in self.parts}
        for placement, part in enumerate(self.part_of):
            self._placements[part].append(placement)
        self._number_of = {(p.piece, p.cells): n for n, p in enumerate(puzzle.placements)}
        self._identity = _visible(puzzle, range(len(puzzle.pieces)))
        self._ways: dict[Exchange, Way] = {}
        kinds: list[int] = []
        for exchange in dict.fromkeys([self._identity, *exchanges.values()]):
            way = self._way([matrix for matrix, found in exchanges.items() if found == exchange], exchange, kinds)
            if way is not None:
                self._ways[exchange] = way
        self._first = {part: first for part, (first, _) in self._ways[self._identity].items()}
        turns = {first: len(self._ways[self._identity][first][1]) for first in kinds}
        alike = Counter(self._first.values())
        self.order = len(self._ways) * prod(factorial(count) * turns[first] ** count for first, count in alike.items())

    # -- moves of single parts ------------------------------------------------------------------------------------------

    def _size(self, part: int) -> tuple[int, int]:
        return len(self._cells[part]), len(self._placements[part])

    def _way(self, matrices: Sequence[Matrix], exchange: Exchange, kinds: list[int]) -> Way | None:
        """For each part, the first part of the kind to which this exchange of pieces moves it, and all such moves; None if a part
        has no image or the numbers of parts of a kind differ. Without an exchange, a part that is not alike begins a new kind."""
        way: Way = {}
        for part in self.parts:
            for first in [*kinds, part] if exchange == self._identity else kinds:
                moves: list[Move] = []
                for matrix in matrices if self._size(first) == self._size(part) else ():
                    moves += [move for move in self._moves(part, first, matrix, exchange) if move not in moves]
                if moves:
                    way[part] = first, moves
                    break
            else:
                return None
            if way[part][0] not in kinds:
                kinds.append(part)
        counts = [Counter(first for first, _ in each.values()) for each in (way, self._ways.get(self._identity, way))]
        return way if counts[0] == counts[1] else None

    def _moves(self, part: int, first: int, matrix: Matrix, exchange: Exchange) -> list[Move]:
        """The moves of a part onto another by this matrix and a translation."""
        puzzle, cells = self.puzzle, self._cells[part]
        offsets = list(_offsets(puzzle, matrix, cells, self._cells[first]))
        self._steps += len(offsets) * sum(self._size(part))
        checked_amount("steps", self._steps, found=f"{len(offsets)} ways to move {len(cells)} cells onto each other")
        found: list[Move] = []
        for offset in offsets:
            moved = {cell: puzzle.canonical(tuple(map(add, turn_cell(matrix, cell), offset))) for cell in cells}
            if not _looks_the_same(puzzle, moved, self._cells[first]):
                continue
            move = {}
            for number in self._placements[part]:
                placement = puzzle.placements[number]
                target = (exchange[placement.piece], frozenset([moved[cell] for cell in placement.cells]))
                if target not in self._number_of:  # the piece is pinned elsewhere
                    break
                move[number] = self._number_of[target]
            else:
                found.append(move)
        return found

    # -- the action of the group ----------------------------------------------------------------------------------------

    def canonical(self, solution: Iterable[int]) -> tuple[Form, int]:
        """The canonical form of a solution (numbers of placements) and the size of its orbit. Two solutions have the same form
        exactly if a symmetry maps one to the other."""
        lying: dict[int, list[int]] = {part: [] for part in self.parts}
        for placement in solution:
            lying[self.part_of[placement]].append(placement)
        forms: dict[Exchange, Form] = {}
        fixing = 1
        for exchange, way in self._ways.items():
            kinds: dict[int, list[tuple[int, ...]]] = {}
            for part, mine in lying.items():
                first, moves = way[part]
                images = [tuple(sorted([move[p] for p in mine])) for move in moves]
                least = min(images)
                kinds.setdefault(first, []).append(least)
                if exchange == self._identity:
                    fixing *= images.count(least)  # the turns that fix it
            forms[exchange] = tuple(tuple(sorted(kinds[first])) for first in sorted(kinds))
        own = forms[self._identity]
        fixing *= prod(factorial(count) for kind in own for count in Counter(kind).values())  # equal parts exchanged
        fixing *= sum(form == own for form in forms.values())
        return min(forms.values()), self.order // fixing

    def elements(self) -> Iterator[Move]:
        """Each element of the group as a map of placements; only for small groups."""
        stay = self._ways[self._identity]
        back = {part: {there: here for here, there in moves[0].items()} for part, (_, moves) in stay.items()}
        firsts = list(dict.fromkeys(self._first.values()))
        for way in self._ways.values():
            sources = [part for first in firsts for part in self.parts if way[part][0] == first]
            places = (permutations(part for part in self.parts if self._first[part] == first) for first in firsts)
            for arrangement in product(*places):
                targets = [part for group in arrangement for part in group]
                for moves in product(*(way[part][1] for part in sources)):
                    onto = zip(moves, targets, strict=True)
                    yield {here: back[target][there] for move, target in onto for here, there in move.items()}

    def describe(self, element: Move) -> str:
        """An element as a map of cells, such as `(r, c) -> (c, 7-r)`, for each part of the board; with `mod` on a ring."""
        told = {}
        for part in self.parts:
            mine, cells = [p for p in self._placements[part] if p in element], self._cells[part]
            onto = self._cells[self.part_of[element[mine[0]]]]
            told[min(cells)] = next(
                _transformation(self.puzzle, matrix, offset)
                for matrix in self.puzzle.lattice.symmetries
                for offset in _offsets(self.puzzle, matrix, cells, onto)
                if all(self._lands(matrix, offset, p) == self.puzzle.placements[element[p]].cells for p in mine)
            )
        if len(set(told.values())) == 1:
            return next(iter(told.values()))
        return "; ".join(f"part of {cell}: {text}" for cell, text in told.items())

    def _lands(self, matrix: Matrix, offset: Cell, placement: int) -> frozenset[Cell]:
        cells = self.puzzle.placements[placement].cells
        return frozenset([self.puzzle.canonical(tuple(map(add, turn_cell(matrix, cell), offset))) for cell in cells])

    def orbits(self, piece: int, parts: Collection[int] | None = None) -> list[tuple[int, ...]]:
        """The orbits of a piece's placements under the symmetries that fix the piece; with `parts`, under those that exchange no
        pieces and move only these parts. The first member of an orbit is the least one in the first part."""
        ways = [way for exchange, way in self._ways.items() if exchange[piece] == piece]
        if parts is not None:
            ways = [self._ways[self._identity]]
        found: dict[tuple[int, int], list[int]] = {}
        for number, placement in enumerate(self.puzzle.placements):
            if placement.piece != piece:
                continue
            part = self.part_of[number]
            key = (-1, number)
            if parts is None or part in parts:
                key = min((first, move[number]) for way in ways for first, moves in [way[part]] for move in moves)
            found.setdefault(key, []).append(number)
        return sorted(tuple(sorted(orbit, key=lambda p: (self.part_of[p], p))) for orbit in found.values())

    def changing(self, piece: int) -> int:
        """The number of images of this piece among the pieces."""
        return len({exchange[piece] for exchange in self._ways})


def _parts(puzzle: Tiling) -> list[set[Cell]]:
    """The connected parts of the board; the cells of a placement of a disconnected piece count as connected."""
    near: dict[Cell, set[Cell]] = {cell: set(puzzle.neighbours(cell)).intersection(puzzle.coverable) for cell in puzzle.coverable}
    for placement in puzzle.placements:
        if not puzzle.lattice.connected(puzzle.pieces[placement.piece].shape):
            first, *others = sorted(placement.cells)
            for cell in others:
                near[first].add(cell)
                near[cell].add(first)
    return components(near, near.__getitem__)


def _offsets(puzzle: Tiling, matrix: Matrix, cells: Sequence[Cell], onto: Sequence[Cell]) -> Iterable[Cell]:
    """The translations after `matrix` that can map `cells` to `onto`: corner to corner, on a ring any cell to any other."""
    turned_cells = [turn_cell(matrix, cell) for cell in cells]
    period = puzzle.lattice.period
    if not any(puzzle.wrap):
        corner = [min(axis) for axis in zip(*onto, strict=True)]
        turned_corner = [min(axis) for axis in zip(*turned_cells, strict=True)]
        offset = tuple(a - b for a, b in zip(corner, turned_corner, strict=True))
        return [offset] if not any(step % period for step in offset) else []
    if not _keeps_rings(puzzle, matrix):
        return []
    first = turned_cells[0]
    offsets = {tuple(a - b for a, b in zip(cell, first, strict=True)) for cell in onto}
    return sorted(offset for offset in offsets if not any(step % period for step in offset))


def _transformation(puzzle: Tiling, matrix: Matrix, offset: Cell) -> str:
    """A matrix and a translation as a formula in the coordinates r (row), c (column), and in space l (layer)."""
    names = "lrc"[-puzzle.lattice.dimension :]
    images = []
    for axis, (row, step) in enumerate(zip(matrix, offset, strict=True)):
        period = puzzle.wrap[axis] if puzzle.wrap else None
        terms = [
            f"{'+' if factor > 0 else '-'}{name}" for factor, name in zip(row, names, strict=True) for _ in range(abs(factor))
        ]
        step = step % period if period else step
        image = (f"{step}" if step > 0 else "") + "".join(terms) + (f"{step}" if step < 0 else "")
        image = image.removeprefix("+")
        images.append(f"({image}) mod {period}" if period else image)
    return f"({', '.join(names)}) -> ({', '.join(images)})"


def _keeps_rings(puzzle: Tiling, matrix: Matrix) -> bool:
    """True if the matrix maps every path around a ring to a path around rings."""
    for axis, length in enumerate(puzzle.wrap):
        if length:
            around = tuple(length if i == axis else 0 for i in range(puzzle.lattice.dimension))
            if any(puzzle.canonical(turn_cell(matrix, around))):
                return False
    return True


def _looks_the_same(puzzle: Tiling, moved: Mapping[Cell, Cell], onto: Collection[Cell]) -> bool:
    """True if the map is onto `onto` and preserves the kind and the color of each cell."""
    return set(moved.values()) == set(onto) and all(
        puzzle.board[target] == puzzle.board[cell] and puzzle.colors.get(target) == puzzle.colors.get(cell)
        for cell, target in moved.items()
    )


# -- exchanges of pieces ------------------------------------------------------------------------------------------------


def _exchange(puzzle: Tiling, matrix: Matrix) -> Exchange | None:
    """For each piece, a piece of the shape of its image with the same bounds, colors, and kinds of groups; None if an image is
    not a piece or the groups are not mapped to groups."""
    lattice = puzzle.lattice
    known: dict[_Kind, list[int]] = {}
    for number in range(len(puzzle.pieces)):
        known.setdefault(_kind(puzzle, number, frozenset(puzzle.orientations[number])), []).append(number)
    result = []
    for number, _ in enumerate(puzzle.pieces):
        shapes = frozenset(lattice.normal(turn_cell(matrix, cell) for cell in shape) for shape in puzzle.orientations[number])
        candidates = known.get(_kind(puzzle, number, shapes))
        if not candidates:
            return None
        result.append(candidates.pop(0))
    bounds = Counter((group.pieces, group.least, group.most) for group in puzzle.groups)
    moved = Counter((tuple(sorted(result[n] for n in group.pieces)), group.least, group.most) for group in puzzle.groups)
    return _visible(puzzle, result) if moved == bounds else None


def _visible(puzzle: Tiling, pieces: Sequence[int]) -> Exchange:
    """The exchange with -1 for pieces without placements, so that exchanges that differ only there are equal."""
    placed = {placement.piece for placement in puzzle.placements}
    return tuple(other if number in placed else -1 for number, other in enumerate(pieces))


def _kind(puzzle: Tiling, number: int, shapes: frozenset[Shape]) -> _Kind:
    """The properties in which exchanged pieces must agree. Pinned places are compared later, as placements."""
    piece = puzzle.pieces[number]
    groups = sorted((len(g.pieces), g.least, -1 if g.most is None else g.most) for g in puzzle.groups if number in g.pieces)
    return shapes, piece.least, piece.most, piece.colors, tuple(groups)
