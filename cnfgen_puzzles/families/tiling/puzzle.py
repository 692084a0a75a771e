"""The tiling puzzle: a board, pieces, and where the pieces can lie.

Also boards with pieces on them and their rules, arguments against a solution, and what files claim of the number of solutions.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property, lru_cache
from itertools import product
from math import prod
from operator import add, ge, sub
from typing import Any, NamedTuple

from cnfgen_puzzles.common.inputlimits import checked_amount
from cnfgen_puzzles.families import jsonfields
from cnfgen_puzzles.families.family import Puzzle
from cnfgen_puzzles.families.tiling.lattice import HEXAGONAL, TRIANGULAR, Cell, Lattice, Matrix
from cnfgen_puzzles.families.tiling.pieces import Piece, PieceGroup

COVERED = "covered"
"""A cell that must be covered."""
OPTIONAL = "optional"
"""A cell that may be covered or stay empty. What is no cell of the board stays empty."""

EMPTY = "empty"
"""A cell that is shown with the board and that nothing may cover, such as the date on a calendar."""

MOST_NAMED = 6
"""So many pieces of a group are named in a message."""


@dataclass(frozen=True, order=True, slots=True)
class Placement:
    """A piece in a place: the piece's number, its orientation's number, the translation, and the cells that it covers."""

    piece: int
    orientation: int
    offset: Cell
    cells: frozenset[Cell] = field(compare=False)

    @property
    def key(self) -> tuple[int, ...]:
        """The index of its variable: place[piece, orientation, *offset]."""
        return (self.piece, self.orientation, *self.offset)


@dataclass(frozen=True, repr=False)
class Tiling(Puzzle):
    """Cover `board` with `pieces`.

    `board` maps each cell to COVERED, OPTIONAL or EMPTY; `colours` gives some cells a colour, which only pieces that list it
    (or list nothing) may cover. `wrap` has a period for each coordinate along which the board closes to a ring (None: it does
    not): one for a cylinder, all for a torus; cells of a wrapped board lie in 0 .. period-1. `reflections` and `rotations` tell
    what a piece may do that does not say so itself. `groups` bound how many copies of some pieces are used together. `labels` are
    words that stand on some cells; they are shown and mean nothing else.
    """

    lattice: Lattice
    board: Mapping[Cell, str]
    pieces: tuple[Piece, ...]
    reflections: bool = True
    rotations: bool = True
    colours: Mapping[Cell, str] = field(default_factory=dict)
    wrap: tuple[int | None, ...] = ()
    about: Mapping[str, str] = field(default_factory=dict)
    groups: tuple[PieceGroup, ...] = ()
    labels: Mapping[Cell, str] = field(default_factory=dict)

    # -- cells --------------------------------------------------------------------------------------------------------

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """The cells of the board in ascending order."""
        return tuple(sorted(self.board))

    @cached_property
    def must_cover(self) -> frozenset[Cell]:
        return frozenset(cell for cell, kind in self.board.items() if kind == COVERED)

    @cached_property
    def coverable(self) -> tuple[Cell, ...]:
        """The cells that a piece may cover: all that counts, for cells that stay empty are only shown."""
        return tuple(cell for cell in self.cells if self.board[cell] != EMPTY)

    @cached_property
    def _open(self) -> frozenset[Cell]:
        return frozenset(self.coverable)

    def canonical(self, cell: Cell) -> Cell:
        """The cell's name on this board: coordinates along which the board closes are reduced."""
        if not self.wrap:
            return cell
        return tuple(x % period if period else x for x, period in zip(cell, self.wrap, strict=True))

    def neighbours(self, cell: Cell) -> Iterator[Cell]:
        """The cells of the board that share an edge or a face with `cell`, around the ring too."""
        yield from {near for each in self.lattice.neighbours(cell) if (near := self.canonical(each)) in self.board}

    # -- pieces -------------------------------------------------------------------------------------------------------

    def matrices(self, piece: Piece) -> tuple[Matrix, ...]:
        """The symmetries that the piece may use.

        Without rotations the reflections that remain are the lattice's own one and the identity: a piece may be turned over.
        """
        rotate = self.rotations if piece.rotate is None else piece.rotate
        reflect = self.reflections if piece.reflect is None else piece.reflect
        rotations, symmetries = self.lattice.rotations, self.lattice.symmetries
        if rotate:
            return symmetries if reflect else rotations
        return (symmetries[0], symmetries[len(rotations)]) if reflect else symmetries[:1]

    @cached_property
    def orientations(self) -> tuple[tuple[tuple[Cell, ...], ...], ...]:
        """For each piece its different orientations, in normal form. InputError where that is more work than the limit allows."""
        steps = sum(piece.size * len(self.matrices(piece)) for piece in self.pieces)
        checked_amount("steps", steps, found=f"{len(self.pieces)} pieces with {steps} cells to turn")
        return tuple(self.lattice.orientations(piece.shape, self.matrices(piece)) for piece in self.pieces)

    @cached_property
    def placements(self) -> tuple[Placement, ...]:
        """Every way in which a single piece can lie on the board, in ascending order; each set of cells once a piece.

        InputError, before any is made, where that is more work than the limit allows.
        """
        steps = sum(self._steps(number, piece) for number, piece in enumerate(self.pieces))
        checked_amount("steps", steps, found=f"{len(self.board)} cells and {len(self.pieces)} pieces with {steps} cells to lay")
        found = []
        for number, piece in enumerate(self.pieces):
            seen: set[frozenset[Cell]] = set()
            for placement in self._placements_of(number, piece):
                if placement.cells not in seen:
                    seen.add(placement.cells)
                    found.append(placement)
        return tuple(sorted(found))

    def _placements_of(self, number: int, piece: Piece) -> Iterator[Placement]:
        """Each orientation is anchored at its first cell, which is laid on every cell of the board where it has room."""
        period, pinned, targets = self.lattice.period, frozenset(piece.pinned), self._targets(piece)
        for turn, shape in enumerate(self.orientations[number]):
            room = self._room(piece, shape)
            for target in targets:
                if room and any(not low <= x <= high for x, (low, high) in zip(target, room, strict=True)):
                    continue
                offset = tuple(map(sub, target, shape[0]))
                if period > 1 and any(step % period for step in offset):
                    continue
                cells = frozenset([self.canonical(tuple(map(add, cell, offset))) for cell in shape])
                if len(cells) == len(shape) and (not pinned or cells in pinned) and self._may_lie(piece, cells):
                    yield Placement(number, turn, offset, cells)

    def _targets(self, piece: Piece) -> Collection[Cell]:
        """The cells that a piece's first cell can lie on: those that it may cover, or those of the places where it is pinned."""
        if not piece.pinned:
            return self.coverable
        near = (place if any(self.wrap) else [min(place)] for place in piece.pinned)
        return sorted({cell for cells in near for cell in cells} & self.board.keys())

    def _room(self, piece: Piece, shape: tuple[Cell, ...]) -> list[tuple[int, int]]:
        """Between which coordinates its first cell may lie so that a shape does not leave the board; none on a ring."""
        if any(self.wrap) or piece.pinned or not self.coverable:
            return []
        axes = zip(zip(*shape, strict=True), self._extent, strict=True)
        return [(low + xs[0] - min(xs), high + xs[0] - max(xs)) for xs, (low, high) in axes]

    @cached_property
    def _extent(self) -> tuple[tuple[int, int], ...]:
        """The least and the greatest of each coordinate among the cells that a piece may cover."""
        return tuple((min(axis), max(axis)) for axis in zip(*self.coverable, strict=True))

    def _steps(self, number: int, piece: Piece) -> int:
        """How many cells are looked at, at most, to find where a piece can lie."""
        targets = len(self._targets(piece))
        rooms = ((shape, self._room(piece, shape)) for shape in self.orientations[number])
        return sum(
            targets + len(shape) * min(targets, prod(max(high - low + 1, 0) for low, high in room) if room else targets)
            for shape, room in rooms
        )

    def _may_lie(self, piece: Piece, cells: frozenset[Cell]) -> bool:
        if not cells <= self._open:
            return False
        if piece.colours is None or not self.colours:
            return True
        return all(self.colours.get(cell) is None or self.colours[cell] in piece.colours for cell in cells)

    @cached_property
    def covering(self) -> Mapping[Cell, tuple[int, ...]]:
        """For each cell the numbers of the placements that cover it."""
        found: dict[Cell, list[int]] = {cell: [] for cell in self.cells}
        for number, placement in enumerate(self.placements):
            for cell in placement.cells:
                found[cell].append(number)
        return {cell: tuple(numbers) for cell, numbers in found.items()}

    @cached_property
    def copies_settled(self) -> bool:
        """Whether the board alone says how often a piece is used: it must be covered completely by copies of a single one."""
        if len(self.pieces) != 1 or len(self.must_cover) < len(self.coverable):
            return False
        (piece,) = self.pieces
        copies, rest = divmod(len(self.coverable), piece.size)
        return not rest and piece.least <= copies and (piece.most is None or copies <= piece.most)

    # -- contradictions -------------------------------------------------------------------------------------------------

    def contradictions(self) -> list[str]:
        """Why no tiling can exist, as far as counting shows; empty if counting shows nothing."""
        found = []
        placed = {placement.piece for placement in self.placements}
        for number, piece in enumerate(self.pieces):
            if piece.least > 0 and number not in placed:
                found.append(f"piece {piece.name} fits nowhere")
        least = sum(piece.least * piece.size for piece in self.pieces)
        bounds = [piece.most * piece.size for piece in self.pieces if piece.most is not None]
        if least > len(self.coverable):
            found.append(f"the pieces need at least {least} cells, the board has {len(self.coverable)}")
        if len(bounds) == len(self.pieces) and sum(bounds) < len(self.must_cover):
            found.append(f"the pieces cover at most {sum(bounds)} cells, {len(self.must_cover)} must be covered")
        for group in self.groups:
            found += self._group_contradictions(group, placed)
        bare = [cell for cell in sorted(self.must_cover) if not self.covering[cell]]
        if bare:
            found.append(f"no piece can cover the cell {bare[0]}" + (f" and {len(bare) - 1} more" if len(bare) > 1 else ""))
        return found

    def _group_contradictions(self, group: PieceGroup, placed: Collection[int]) -> list[str]:
        """Why the bounds of the pieces alone, those that fit nowhere left out, do not allow what the group says."""
        pieces = [self.pieces[number] for number in group.pieces]
        most = [self.pieces[number].most if number in placed else 0 for number in group.pieces]
        least, bounded = sum(piece.least for piece in pieces), [bound for bound in most if bound is not None]
        if group.most is not None and least > group.most:
            return [f"at most {group.most} of {self.group_name(group)} may be used, they are used at least {least} times"]
        if len(bounded) == len(most) and sum(bounded) < group.least:
            name = self.group_name(group)
            return [f"at least {group.least} of {name} must be used, they are used at most {sum(bounded)} times"]
        return []

    def group_name(self, group: PieceGroup) -> str:
        """The pieces of a group in a few words."""
        names = [self.pieces[number].name for number in group.pieces]
        if len(names) == len(self.pieces):
            return f"all {len(names)} pieces" if len(names) > 1 else names[0]
        return ", ".join(names[:MOST_NAMED]) + (f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else "")


def box(*sides: int) -> dict[Cell, str]:
    """A board that is a rectangle or a box, all of it to be covered."""
    return dict.fromkeys(product(*map(range, sides)), COVERED)


# -- arguments from counting and colouring ------------------------------------------------------------------------------


MOST_STATES = 100_000
"""More different choices than this are not followed up: the argument then says nothing."""


MOST_WORK = 10 * MOST_STATES
"""Nor are more steps taken to find them."""

State = tuple[int, ...]
"""Of a choice of pieces: its cells, how many more of them have one colour (0 without colours), its copies in each group."""


def colour(lattice: Lattice, cell: Cell) -> int:
    """1 or -1, different for neighbours: on all lattices but the hexagonal one."""
    odd = cell[0] % 3 == 1 if lattice is TRIANGULAR else sum(cell) % 2
    return -1 if odd else 1


def uneven(puzzle: Tiling) -> str | None:
    """Why the cells, or their colours, allow no tiling; None if they do not say so."""
    coloured = _can_be_coloured(puzzle)
    reachable = _reachable(puzzle, puzzle.groups, coloured=coloured)
    if reachable is None:
        return None
    least, most = len(puzzle.must_cover), len(puzzle.coverable)
    needed = [group.least for group in puzzle.groups]
    choices = [state for state in reachable if state[0] >= least and all(map(ge, state[2:], needed))]
    if not choices:
        allowed = " that the groups allow" if puzzle.groups else ""
        return f"no choice of the pieces{allowed} has {most if least == most else f'{least} to {most}'} cells"
    board = abs(sum(colour(puzzle.lattice, cell) for cell in puzzle.coverable)) if coloured else 0
    if not coloured or any(difference == board for _, difference, *_ in choices):
        return None
    colours = f"{board} more cells of one colour" if board else "as many cells of either colour"
    return f"coloured like a chessboard, the board has {colours}, and no choice of the pieces has"


def open_groups(puzzle: Tiling) -> list[PieceGroup]:
    """The groups that say more than the volumes and the bounds of single pieces do."""
    return [group for group in puzzle.groups if not _is_settled(puzzle, group)]


def _is_settled(puzzle: Tiling, group: PieceGroup) -> bool:
    """Whether no choice of pieces that fills the board breaks what the group says."""
    free = PieceGroup(group.pieces, len(puzzle.coverable) + 1, None)  # counts every copy, forbids none
    reachable = _reachable(puzzle, (free,), coloured=False)
    return reachable is not None and all(
        group.least <= count and (group.most is None or count <= group.most)
        for cells, _, count in reachable
        if cells >= len(puzzle.must_cover)
    )


def _can_be_coloured(puzzle: Tiling) -> bool:
    """It needs a board that must be covered completely, and neighbours of two colours: not hexagonal, no ring of odd length."""
    if puzzle.lattice is HEXAGONAL or (puzzle.lattice is not TRIANGULAR and any(period and period % 2 for period in puzzle.wrap)):
        return False  # triangles that point up do so around a ring of any length
    return len(puzzle.must_cover) == len(puzzle.coverable)


def _reachable(puzzle: Tiling, groups: Sequence[PieceGroup], *, coloured: bool) -> set[State] | None:
    """The states of every choice of pieces, copies and colours that fits the board and has no group too often; None if there are
    too many. Copies beyond a group's `least` are not counted where it has no `most`."""
    room = len(puzzle.coverable)
    states, work = {(0, 0, *(0 for _ in groups))}, 0
    caps = [group.least if group.most is None else group.most + 1 for group in groups]
    bounds = [group.least if group.most is None else group.most for group in groups]
    for number, piece in enumerate(puzzle.pieces):
        more = abs(sum(colour(puzzle.lattice, cell) for cell in piece.shape)) if coloured else 0
        adds = [int(number in group.pieces) for group in groups]
        fitting = room // piece.size
        most = fitting if piece.most is None else min(piece.most, fitting)
        level, reached = states, set(states if piece.least == 0 else ())
        for copies in range(1, most + 1):
            grown = {
                (cells + piece.size, difference + sign, *(min(a + b, cap) for a, b, cap in zip(counts, adds, caps, strict=True)))
                for cells, difference, *counts in level
                for sign in {more, -more}
                if cells + piece.size <= room
            }
            level = {state for state in grown if all(copies <= bound for copies, bound in zip(state[2:], bounds, strict=True))}
            if copies >= piece.least:
                reached |= level
            work += len(grown)
            if len(level) + len(reached) > MOST_STATES or work > MOST_WORK:
                return None
        states = reached
    return states


# -- boards -------------------------------------------------------------------------------------------------------------


class Laid(NamedTuple):
    """A piece that lies on the board: its number in the puzzle and the cells that it covers, in ascending order."""

    piece: int
    cells: tuple[Cell, ...]


Board = tuple[Laid, ...]
"""The pieces on the board, in ascending order; copies of one piece are not told apart."""


def make_board(laid: Iterable[tuple[int, Iterable[Cell]]]) -> Board:
    """A board in normal form."""
    return tuple(sorted(Laid(piece, tuple(sorted(cells))) for piece, cells in laid))


def check_board(puzzle: Tiling, board: Board) -> list[str]:
    """The rules that the board breaks, in words; empty for a solution."""
    return [*_cell_faults(puzzle, board), *_count_faults(puzzle, board), *_shape_faults(puzzle, board)]


def _cell_faults(puzzle: Tiling, board: Board) -> list[str]:
    times = Counter(cell for laid in board for cell in laid.cells)
    faults = [f"cell {cell} is covered {count} times" for cell, count in sorted(times.items()) if count > 1]
    faults += [f"cell {cell} is no cell of the board" for cell in sorted(set(times) - set(puzzle.board))]
    faults += [f"cell {cell} is covered, it must stay empty" for cell in sorted(times) if puzzle.board.get(cell) == EMPTY]
    faults += [f"cell {cell} is not covered" for cell in sorted(puzzle.must_cover - set(times))]
    for laid in board:
        colours = puzzle.pieces[laid.piece].colours
        if colours is not None:
            wrong = [cell for cell in laid.cells if puzzle.colours.get(cell) not in (None, *colours)]
            faults += [f"piece {puzzle.pieces[laid.piece].name} covers cell {cell}, which has another colour" for cell in wrong]
    return faults


def _count_faults(puzzle: Tiling, board: Board) -> list[str]:
    used = Counter(laid.piece for laid in board)
    counts = [(f"piece {p.name} is used {used[n]} times", used[n], p.least, p.most) for n, p in enumerate(puzzle.pieces)]
    for group in puzzle.groups:
        copies = sum(used[number] for number in group.pieces)
        counts.append((f"of {puzzle.group_name(group)} {copies} are used", copies, group.least, group.most))
    return [
        f"{what}, allowed are {least} to {'any number' if most is None else most}"
        for what, count, least, most in counts
        if count < least or (most is not None and count > most)
    ]


def _shape_faults(puzzle: Tiling, board: Board) -> list[str]:
    """Each piece must be its shape, turned as it may be and moved; and lie where it is pinned."""
    faults = []
    for laid in board:
        piece = puzzle.pieces[laid.piece]
        if not _has_shape(laid.cells, puzzle.orientations[laid.piece], puzzle.wrap, puzzle.lattice.period):
            faults.append(f"the cells {', '.join(map(str, laid.cells))} do not have the shape of piece {piece.name}")
        if piece.pinned and frozenset(laid.cells) not in piece.pinned:
            faults.append(f"piece {piece.name} does not lie where it is pinned")
    return faults


@lru_cache(maxsize=1 << 16)  # many boards of one puzzle share their pieces' places
def _has_shape(cells: tuple[Cell, ...], shapes: tuple[tuple[Cell, ...], ...], wrap: tuple[int | None, ...], period: int) -> bool:
    """Whether `cells` are one of `shapes` moved (around the ring, too): the shape's first cell must land on one of them."""
    target = set(cells)
    rings = wrap or (None,) * len(cells[0])
    firsts = cells if any(wrap) else (min(cells),)  # without a ring the order of cells stays when a shape is moved
    for shape, cell in product(shapes, firsts):
        offset = tuple(a - b for a, b in zip(cell, shape[0], strict=True))
        if any(step % period for step in offset):
            continue
        moved = (tuple(a + b for a, b in zip(each, offset, strict=True)) for each in shape)
        if {tuple(x % ring if ring else x for x, ring in zip(each, rings, strict=True)) for each in moved} == target:
            return True
    return False


def board_to_json(puzzle: Tiling, board: Board) -> list[dict[str, Any]]:
    """`[{"piece": "F", "cells": [[0, 1], ...]}, ...]`.

    Where the puzzle labels cells, each entry has the labels of its cells, null for a cell without; and a last one, of the piece
    null, has the cells that stay empty.
    """
    found: list[dict[str, Any]] = [
        {"piece": puzzle.pieces[laid.piece].name, "cells": [list(cell) for cell in laid.cells]} for laid in board
    ]
    if puzzle.labels:
        empty = set(puzzle.cells).difference(*(laid.cells for laid in board))
        found += [{"piece": None, "cells": [list(cell) for cell in sorted(empty)]}] if empty else []
        found = [entry | {"labels": [puzzle.labels.get(tuple(cell)) for cell in entry["cells"]]} for entry in found]
    return found


def board_from_json(puzzle: Tiling, entry: Any) -> Board:
    """The board that `board_to_json` described; KeyError, TypeError or ValueError if it does not describe one."""
    if not isinstance(entry, list):
        raise TypeError(f"found {type(entry).__name__}, expected a list of pieces")
    named: dict[str, list[int]] = defaultdict(list)
    for number, piece in enumerate(puzzle.pieces):
        named[piece.name].append(number)
    laid = []
    for each in entry:
        if each["piece"] is None and puzzle.labels:  # the cells that stay empty
            continue
        cells = sorted(jsonfields.from_json(list[tuple[int, ...]], each["cells"]))
        laid.append((_number_of(puzzle, named[each["piece"]], tuple(cells)), cells))
    return make_board(laid)


def _number_of(puzzle: Tiling, numbers: list[int], cells: tuple[Cell, ...]) -> int:
    """Which of the pieces of one name has the shape of these cells: names are unique in most puzzles, but need not be."""
    if not numbers:
        raise ValueError("found a piece that is none of the puzzle's")
    fitting = (n for n in numbers if _has_shape(cells, puzzle.orientations[n], puzzle.wrap, puzzle.lattice.period))
    return numbers[0] if len(numbers) == 1 else next(fitting, numbers[0])


def differences(puzzle: Tiling, board: Board, other: Board) -> list[str]:
    """The pieces that lie elsewhere."""
    gone, come = sorted(Counter(board) - Counter(other)), sorted(Counter(other) - Counter(board))
    return [
        f"{lead}piece {puzzle.pieces[laid.piece].name} on {' '.join(','.join(map(str, cell)) for cell in laid.cells)}"
        for lead, pieces in (("", gone), ("or ", come))
        for laid in pieces
    ]


# -- claims -------------------------------------------------------------------------------------------------------------


UP_TO_SYMMETRY, UP_TO_ROTATIONS = "up to symmetry", "up to rotations"
CONVENTIONS = (UP_TO_SYMMETRY, UP_TO_ROTATIONS)
"""What is told apart: solutions that no symmetry of board and pieces, or no rotation among these, makes equal."""
SATISFIABLE, UNSATISFIABLE = "satisfiable", "unsatisfiable"

PREFIX = "claims."


@dataclass(frozen=True)
class Claims:
    """`solutions` by the `convention`, `raw` without any, whether there is a solution at all, and the source."""

    solutions: int | None = None
    convention: str = UP_TO_SYMMETRY
    raw: int | None = None
    verdict: str | None = None
    source: str | None = None

    def fault(self) -> str | None:
        """Why the claims contradict each other; None if they do not."""
        counts = [count for count in (self.solutions, self.raw) if count is not None]
        if any(count < 0 for count in counts):
            return "found a negative number of solutions, expected at least 0"
        if self.solutions is not None and self.raw is not None and not self.solutions <= self.raw <= 1000 * self.solutions:
            return f"found {self.solutions} solutions {self.convention} of {self.raw} in all, expected fewer than in all"
        if self.verdict and any((count == 0) != (self.verdict == UNSATISFIABLE) for count in counts):
            return f"found the verdict {self.verdict} beside {counts[0]} solutions, expected the one that fits"
        return None

    def about(self) -> dict[str, str]:
        """The entries of `Tiling.about` that say this."""
        values = ((each.name, getattr(self, each.name), each.default) for each in fields(self))
        return {PREFIX + name: str(value) for name, value, default in values if value is not None and value != default}


def claims_of(about: Mapping[str, str]) -> Claims | None:
    """The claims among the entries of `Tiling.about`; None if there are none."""
    values: dict[str, Any] = {
        each.name: int(about[PREFIX + each.name]) if each.name in ("solutions", "raw") else about[PREFIX + each.name]
        for each in fields(Claims)
        if PREFIX + each.name in about
    }
    return Claims(**values) if values else None
