"""Tilings made by cutting a region into pieces: allowed pieces, random cuts, and differences of solutions.

A connected set of cells is cut in two along an edge of a random spanning tree; the halves are cut in the same way until each has
the size of a piece. This finds a cut into pieces of given sizes at once. Then, pieces whose shape is not allowed (each free shape
once, or the shapes of a set) are cut again together with one or two neighbors, as long as this reduces their number.

Let a solution T of the puzzle of a cut S differ from S, and let some pieces of S cover the same cells as the same pieces in T.
Then every cut that contains these pieces of S has a second solution, which places them as in T. So one of them must be cut again.

>>> request = CUTTING.request(board="4x5", piece_size="5")
>>> cut = CUTTING.first(request, SeededChoice("example", 1), 0)
>>> sorted(map(len, cut))
[5, 5, 5, 5]
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from math import ceil
from operator import add
from typing import Any

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.inputlimits import checked_amount, shortened
from cnfgen_puzzles.common.seededchoice import SeededChoice
from cnfgen_puzzles.families.lattice import SQUARE, Cell, turn_cell
from cnfgen_puzzles.families.options import Option, checked_options, group_options
from cnfgen_puzzles.families.tiling import options
from cnfgen_puzzles.families.tiling import pieces as polyforms
from cnfgen_puzzles.families.tiling.pieces import Piece, Shape
from cnfgen_puzzles.families.tiling.puzzle import COVERED, Tiling
from cnfgen_puzzles.formula import Block

Place = frozenset[Cell]
"""The cells of a piece."""
Cut = frozenset[Place]

PIECES = 8
"""The default number of pieces; puzzles with more pieces rarely have one solution."""
TREES = 20
"""The most spanning trees for one set of cells."""
ALL_TREES = 1000
"""The most spanning trees for a cut; sets of cells that cannot be cut need many."""
MENDED = 500
"""The most attempts to replace pieces that are not allowed."""
COUNTED = 5
"""The largest size for which free polyforms are counted to check that there are enough of them."""

SIZES = re.compile(r"\s*([0-9]{1,6})\s*(?:(?:-|\.\.)\s*([0-9]{1,6})\s*)?")

ANYTHING = "X: any"
"""Pieces for the reader of a board if no pieces are given; they fit every lattice."""

_REGION = ("board", "holes", "lattice")
_TURNING = ("reflections", "rotations")
OPTIONS = (
    *group_options("Region without a file", (each for each in options.PUZZLE_OPTIONS if each.name in _REGION)),
    *group_options(
        "Pieces",
        (
            Option(
                "pieces",
                "use these pieces, each at most this often: 'pentominoes', 'tetrominoes: at most 2', or a file of pieces",
                file=options.pieces_value,
            ),
            Option("piece_size", "use pieces of this many cells, such as 5 or 4-6; by default, so that there are about 8 pieces"),
            Option("number_of_pieces", "use this number of pieces; by default, enough for one solution", None, int, least=1),
            Option("copies", "use at most this many copies of a piece; 1: all pieces differ", 1, int, least=1),
            *(each for each in options.PUZZLE_OPTIONS if each.name in _TURNING),
        ),
    ),
)


@dataclass(frozen=True)
class CutRequest:
    """The request for a cut: `empty` is the puzzle without pieces, `least` to `most` the cells of a piece, `numbers` the possible
    numbers of pieces. `pool` are the allowed pieces (None: all, each `copies` times) and `sizes` their sizes."""

    empty: Tiling
    least: int
    most: int
    numbers: range
    copies: int
    pool: tuple[Piece, ...] | None
    sizes: frozenset[int]
    known: dict[Shape, Shape | None] = field(default_factory=dict, compare=False)
    bounds: dict[Shape, int] = field(default_factory=dict, compare=False)

    def kind(self, place: Place) -> Shape | None:
        """The shape of the piece in the puzzle, independent of its placement; None if it is not allowed."""
        shape = self.empty.lattice.normal(place)
        if shape not in self.known:
            lattice = self.empty.lattice
            for piece in self.pool if self.pool is not None else (Piece("", shape),):
                if piece.size == len(shape):
                    ways = lattice.orientations(piece.shape, self.empty.matrices(piece))
                    kind = min(ways) if self.pool is None else piece.shape
                    for each in ways:
                        self.known.setdefault(each, kind)
                        self.bounds[kind] = (
                            self.copies if self.pool is None else len(self.empty.board) if piece.most is None else piece.most
                        )
            self.known.setdefault(shape, None)
        return self.known[shape]

    def wrong(self, cut: Collection[Place]) -> list[Place]:
        """The pieces that are not allowed, or not so often."""
        kinds = {place: self.kind(place) for place in cut}
        often = Counter(kinds.values())
        return [place for place, kind in kinds.items() if kind is None or often[kind] > self.bounds[kind]]


class TilingCutting:
    """Making a puzzle by cutting a connected region, of any lattice, whose cells must all be covered. The cut is the solution.

    If the puzzle of a cut has other solutions, `making/cutting.py` cuts a few pieces again until there is only one.
    """

    options = OPTIONS
    """Options that describe the region, if there is no file, and the requested pieces."""

    def region(self, cells: Sequence[Sequence[int]]) -> Tiling:
        """The region of a picture, as a puzzle without pieces: its filled cells are the nonzero values in the rows."""
        filled = [(r, c) for r, row in enumerate(cells) for c, value in enumerate(row) if value]
        if not filled:
            raise InputError("found a picture without a filled cell, expected a region")
        return Tiling(SQUARE, dict.fromkeys(SQUARE.normal(filled), COVERED), ())

    def request(self, region: Tiling | None = None, **given: Any) -> CutRequest:
        """The request that the other methods take. The region is the board of a puzzle (None: described by the options alone).
        InputError with the reason if there can be no such cut."""
        given = checked_options(OPTIONS, given, "make-puzzle tiling")
        empty, pool = _region(region, given)
        _check_region(empty)
        cells, copies = len(empty.board), given.get("copies", 1)
        if pool is not None and (other := next((name for name in ("piece_size", "copies") if name in given), None)):
            raise InputError(f"found both {other} and pieces; give counts with the pieces, as in 'tetrominoes: at most 2'")
        asked = given.get("number_of_pieces")
        least, most = _sizes(given.get("piece_size"), cells, asked, pool)
        _check_enough(empty, cells, least, most, copies, pool)
        numbers = _numbers(cells, least, most)
        if not numbers or (asked is not None and asked not in numbers):
            wanted = "pieces" if asked is None else f"{asked} piece{'s' * (asked > 1)}"
            sizes = f"{least} cells" if least == most else f"{least} to {most} cells"
            raise InputError(f"found a region of {cells} cells, which {wanted} of {sizes} cannot cover")
        may_have = frozenset(range(least, most + 1) if pool is None else (piece.size for piece in pool))
        return CutRequest(empty, least, most, numbers if asked is None else range(asked, asked + 1), copies, pool, may_have)

    def first(self, request: CutRequest, choice: SeededChoice, failed: int) -> Cut | None:
        """A random cut; None if none is found at once. After many `failed` attempts, it may have fewer pieces."""
        likely = max((len(request.numbers) + 1) // 2 - failed // 2, 2)
        number = request.numbers[choice.below(min(likely, len(request.numbers)))]
        cut = _split(request, request.empty.must_cover, number, choice, iter(range(ALL_TREES)))
        return cut and _mend(request, cut, choice)

    def again(self, request: CutRequest, cut: Cut, pieces: Collection[Place], choice: SeededChoice) -> Cut | None:
        """The cut, with some of these pieces and of their neighbors cut again; None if that fails."""
        changed = _cut_anew(request, cut, pieces, choice)
        return changed and _mend(request, changed, choice)

    def puzzle(self, request: CutRequest, cut: Cut, about: Mapping[str, str] | None = None) -> Tiling:
        """The puzzle of the cut, without information on the places of its pieces."""
        often = Counter(kind for kind in map(request.kind, cut) if kind is not None)
        names = {piece.shape: piece for piece in request.pool or ()}
        letters = (f"{letter}{number or ''}" for number in range(len(cut)) for letter in string.ascii_uppercase)
        pieces = [
            replace(names.get(kind) or Piece(next(letters), kind), least=often[kind], most=often[kind])
            for kind in (sorted(often, key=lambda kind: (len(kind), kind)) if request.pool is None else names)
            if kind in often
        ]
        return replace(request.empty, pieces=tuple(pieces), about=dict(about or {}))

    def places(self, puzzle: Tiling, blocks: Mapping[str, Block]) -> dict[Place, int]:
        """The variable of each place of a piece."""
        variable = {tuple(key): number for key, number in blocks["place"].items()}
        return {each.cells: variable[each.key] for each in puzzle.placements if each.key in variable}

    def images(self, request: CutRequest, cut: Cut) -> Iterator[Cut]:
        """The images of a cut under the symmetries of the region, the cut itself first."""
        cells = request.empty.cells
        often = Counter(map(request.kind, cut))
        for matrix in request.empty.lattice.symmetries:
            turned = [turn_cell(matrix, cell) for cell in cells]
            corners = zip(zip(*cells, strict=True), zip(*turned, strict=True), strict=True)
            offset = tuple(min(goal) - min(start) for goal, start in corners)
            moved = {cell: tuple(map(add, goal, offset)) for cell, goal in zip(cells, turned, strict=True)}
            if set(moved.values()) == set(cells):
                found = frozenset(frozenset(moved[cell] for cell in place) for place in cut)
                if Counter(map(request.kind, found)) == often:  # no mirror images of pieces that may not be turned over
                    yield found

    def differences(self, request: CutRequest, cut: Cut, other: Cut) -> list[tuple[Cut, Cut]]:
        """The differences between a cut and another solution of its puzzle, in independent parts: pieces of the cut, and the same
        pieces on the same cells in the other solution. Every cut with the first pieces has another solution, too."""
        groups: list[tuple[set[Place], set[Place]]] = []
        for mine in cut - other:  # connected by pieces of either solution
            theirs = {place for place in other - cut if not place.isdisjoint(mine)}
            _join(groups, ({mine}, theirs), lambda one, two: not one[1].isdisjoint(two[1]))
        missing = [Counter(map(request.kind, group[0])) - Counter(map(request.kind, group[1])) for group in groups]
        exceeding = [Counter(map(request.kind, group[1])) - Counter(map(request.kind, group[0])) for group in groups]
        uneven: list[tuple[set[Place], set[Place], set[Shape | None]]] = []
        for group, few, many in zip(groups, missing, exceeding, strict=True):  # pieces that exchange their places
            _join(uneven, (*group, {*few, *many}), lambda one, two: not one[2].isdisjoint(two[2]))
        return [(frozenset(group[0]), frozenset(group[1])) for group in uneven]


def _join(groups: list[Any], new: tuple[set[Any], ...], near: Callable[[Any, Any], bool]) -> None:
    """Adds a group and merges it with all groups that touch it."""
    touching = [group for group in groups if near(group, new)]
    groups[:] = [group for group in groups if group not in touching]
    groups.append(tuple(set().union(*each) for each in zip(new, *touching, strict=True)))


# -- requests ---------------------------------------------------------------------------------------------------------------


def _region(region: Tiling | None, given: Mapping[str, Any]) -> tuple[Tiling, tuple[Piece, ...] | None]:
    """The puzzle without pieces, and the allowed pieces; None: all."""
    taken = {name: given[name] for name in (*_REGION, *_TURNING) if name in given}
    named = given.get("pieces")
    if region is None:
        if "board" not in given:
            raise InputError("found no region, expected a file, or --board or --size with its sides")
        puzzle = options.read(None, pieces=named or ANYTHING, **taken)
        return replace(puzzle, pieces=(), groups=()), puzzle.pieces if named else None
    if other := next((name for name in _REGION if name in given), None):
        raise InputError(f"found both --{other} and a region in a file, expected one of them")
    empty = Tiling(region.lattice, region.board, (), region.reflections, region.rotations, region.colors, wrap=region.wrap)
    empty = replace(empty, **{name: given[name] for name in _TURNING if name in given})
    if named is None:
        return empty, None
    lattice, pool = options.pieces_of(named)
    if lattice is not empty.lattice:
        raise InputError(
            f"found pieces of the {lattice.name} lattice, expected pieces of the {empty.lattice.name} lattice", source="--pieces"
        )
    return empty, pool


def _check_region(empty: Tiling) -> None:
    """InputError for a region that cutting does not support."""
    if any(empty.wrap):
        raise InputError("found a board that closes to a ring, expected one with a border")
    if empty.colors or len(empty.must_cover) < len(empty.board):
        raise InputError(
            "found cells with a color, or cells that may stay empty, expected a region whose cells must all be covered"
        )
    checked_amount("cells", len(empty.board))
    parts = sorted(map(len, empty.lattice.parts(empty.board)), reverse=True)
    if len(parts) != 1:
        raise InputError(
            f"found a region of {len(parts)} parts, the largest of {max(parts, default=0)} cells, expected a connected region"
        )


def _sizes(text: str | None, cells: int, number: int | None, pool: Sequence[Piece] | None) -> tuple[int, int]:
    """The least and the greatest number of cells of a piece."""
    if pool is not None:
        sizes = [piece.size for piece in pool]
        return min(sizes), max(sizes)
    if text is None:
        mean = cells / number if number else max(4.0, cells / PIECES)
        return min(cells, max(1, int(mean * 2 / 3))), ceil(mean * 1.25)
    match = SIZES.fullmatch(text)
    least, most = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not 0 < least <= most:
        raise InputError(f"found the size {shortened(text)}, expected a number of cells such as 5, or 4-6", source="--piece-size")
    return least, most


def _numbers(cells: int, least: int, most: int) -> range:
    """The possible numbers of pieces of these sizes."""
    return range(-(-cells // most), cells // least + 1)


def _check_enough(empty: Tiling, cells: int, least: int, most: int, copies: int, pool: Sequence[Piece] | None) -> None:
    """InputError if the allowed pieces have too few cells for the region."""
    if pool is not None:
        bounds = [None if piece.most is None else piece.size * piece.most for piece in pool]
    elif most <= COUNTED:
        shapes = polyforms.free if empty.reflections else polyforms.one_sided
        shapes = shapes if empty.rotations else polyforms.fixed
        bounds = [size * copies * len(shapes(empty.lattice, size)) for size in range(least, most + 1)]
    else:
        return
    if None not in bounds and (room := sum(filter(None, bounds))) < cells:
        raise InputError(f"found a region of {cells} cells, but all allowed pieces together have {room} cells")


# -- cuts -----------------------------------------------------------------------------------------------------------------


def _split(request: CutRequest, cells: Collection[Cell], number: int, choice: SeededChoice, left: Iterator[int]) -> Cut | None:
    """The connected cells cut into this number of connected parts of allowed sizes; None if `left` spanning trees are not
    enough."""
    if number == 1:
        return frozenset([frozenset(cells)])
    for _ in islice(left, TREES):
        tree = _tree(request, cells, choice)
        size = dict.fromkeys(tree, 1)
        for cell, parent in reversed(tree.items()):
            if parent is not None:
                size[parent] += size[cell]
        edges = [
            (cell, behind)
            for cell, parent in tree.items()
            if parent is not None
            for behind in _numbers(size[cell], request.least, request.most)
            if behind < number and _fits(request, size[cell], behind) and _fits(request, len(tree) - size[cell], number - behind)
        ]
        if edges:
            cut, behind = choice.chosen(edges)
            branch: dict[Cell, None] = {}
            for cell, parent in tree.items():
                if cell == cut or parent in branch:
                    branch[cell] = None
            one = _split(request, branch, behind, choice, left)
            two = one and _split(request, [cell for cell in tree if cell not in branch], number - behind, choice, left)
            if one and two:
                return one | two
    return None


def _fits(request: CutRequest, cells: int, number: int) -> bool:
    """True if these numbers of cells and pieces are possible with the allowed sizes."""
    if number == 1:
        return cells in request.sizes
    return number in _numbers(cells, request.least, request.most)


def _tree(request: CutRequest, cells: Collection[Cell], choice: SeededChoice) -> dict[Cell, Cell | None]:
    """A random spanning tree: each cell with its parent; parents come first."""
    within = set(cells)
    waiting: list[tuple[Cell, Cell | None]] = [(choice.chosen(sorted(within)), None)]
    tree: dict[Cell, Cell | None] = {}
    while waiting:
        place = choice.below(len(waiting))
        waiting[place], waiting[-1] = waiting[-1], waiting[place]
        cell, parent = waiting.pop()
        if cell not in tree:
            tree[cell] = parent
            waiting += [(near, cell) for near in request.empty.lattice.neighbours(cell) if near in within and near not in tree]
    return tree


def _mend(request: CutRequest, cut: Cut, choice: SeededChoice) -> Cut | None:
    """The cut with only allowed pieces: the others are cut again; None after too many attempts."""
    wrong = request.wrong(cut)
    for _ in range(MENDED):
        if not wrong:
            return cut
        changed = _cut_anew(request, cut, wrong, choice)
        if changed is not None and len(still := request.wrong(changed)) <= len(wrong):
            cut, wrong = changed, still
    return None


def _cut_anew(request: CutRequest, cut: Cut, pieces: Collection[Place], choice: SeededChoice) -> Cut | None:
    """Other cuts of one of these pieces together with one or two neighbors, into equally many pieces."""
    group = [choice.chosen(sorted(pieces, key=sorted))]
    for _ in range(1 + choice.below(2)):
        border = {near for place in group for cell in place for near in request.empty.lattice.neighbours(cell)}
        if beside := sorted((place for place in cut.difference(group) if not place.isdisjoint(border)), key=sorted):
            group.append(choice.chosen(beside))
    new = _split(request, [cell for place in group for cell in sorted(place)], len(group), choice, iter(range(ALL_TREES)))
    return None if new is None else cut.difference(group) | new


CUTTING = TilingCutting()
