"""The tiling puzzle: a board, pieces, and the placements of the pieces.

The module also contains the rules for solutions, arguments that show that no solution exists, and published numbers of solutions.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from operator import add, ge, sub
from typing import Any, NamedTuple

from cnfgen_puzzles.common.errors import named
from cnfgen_puzzles.common.inputlimits import checked_amount
from cnfgen_puzzles.families import jsonfields
from cnfgen_puzzles.families.family import Puzzle
from cnfgen_puzzles.families.lattice import HEXAGONAL, TRIANGULAR, Cell, Lattice, Matrix
from cnfgen_puzzles.families.tiling.pieces import Piece, PieceGroup

COVERED = "covered"
"""A cell that must be covered."""
OPTIONAL = "optional"
"""A cell that may be covered or stay empty."""

EMPTY = "empty"
"""A cell that is shown but must not be covered, such as the date on a calendar."""

CLAIMS = "claims."
"""The start of the keys of published results in `Tiling.about`."""


@dataclass(frozen=True, order=True, slots=True)
class Placement:
    """The number of a piece, the number of its orientation, its translation, and the cells that it covers."""

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

    `board` maps each cell to COVERED, OPTIONAL, or EMPTY. `colors` gives some cells a color; only pieces that list this color,
    or list no colors, may cover such a cell. `wrap` has the period of each coordinate along which the board closes to a ring, or
    None: one period for a cylinder, all for a torus; cells of a wrapped board lie in 0 .. period-1. `reflections` and `rotations`
    are the defaults for pieces. `groups` bound the number of copies of some pieces together. `labels` are words on cells; they
    have no effect on solutions.
    """

    lattice: Lattice
    board: Mapping[Cell, str]
    pieces: tuple[Piece, ...]
    reflections: bool = True
    rotations: bool = True
    colors: Mapping[Cell, str] = field(default_factory=dict)
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
        """The cells that a piece may cover."""
        return tuple(cell for cell in self.cells if self.board[cell] != EMPTY)

    @cached_property
    def _open(self) -> frozenset[Cell]:
        return frozenset(self.coverable)

    def canonical(self, cell: Cell) -> Cell:
        """The cell with coordinates reduced modulo the periods of the board."""
        if not self.wrap:
            return cell
        return tuple(x % period if period else x for x, period in zip(cell, self.wrap, strict=True))

    def neighbours(self, cell: Cell) -> Iterator[Cell]:
        """The cells of the board that share an edge or a face with `cell`, also around the ring."""
        yield from {near for each in self.lattice.neighbours(cell) if (near := self.canonical(each)) in self.board}

    # -- pieces -------------------------------------------------------------------------------------------------------

    @cached_property
    def proper(self) -> set[Laid]:
        """Pieces on boards whose shape and place were found to obey the rules."""
        return set()

    @cached_property
    def _laid(self) -> dict[tuple[int, ...], Laid]:
        return {}

    def laid(self, key: tuple[int, ...]) -> Laid:
        """The piece that a placement with this key lays on the board."""
        if key not in self._laid:
            piece, turn, *offset = key
            cells = [self.canonical(tuple(map(sum, zip(cell, offset, strict=True)))) for cell in self.orientations[piece][turn]]
            self._laid[key] = Laid(piece, tuple(sorted(cells)))
        return self._laid[key]

    def matrices(self, piece: Piece) -> tuple[Matrix, ...]:
        """The symmetries that may be applied to the piece: without rotations, the identity and one reflection of the lattice."""
        rotate = self.rotations if piece.rotate is None else piece.rotate
        reflect = self.reflections if piece.reflect is None else piece.reflect
        rotations, symmetries = self.lattice.rotations, self.lattice.symmetries
        if rotate:
            return symmetries if reflect else rotations
        return (symmetries[0], symmetries[len(rotations)]) if reflect else symmetries[:1]

    @cached_property
    def orientations(self) -> tuple[tuple[tuple[Cell, ...], ...], ...]:
        """For each piece its different orientations, in normal form. InputError if this takes more steps than the limit."""
        steps = sum(piece.size * len(self.matrices(piece)) for piece in self.pieces)
        checked_amount("steps", steps, found=f"{len(self.pieces)} pieces with {steps} cells to turn")
        return tuple(self.lattice.orientations(piece.shape, self.matrices(piece)) for piece in self.pieces)

    @cached_property
    def placements(self) -> tuple[Placement, ...]:
        """All placements of single pieces on the board, in ascending order, without repeated sets of cells of one piece.

        InputError, before the search, if it takes more steps than the limit.
        """
        targets = [self._targets(piece) for piece in self.pieces]
        steps = sum(len(cells) * sum(map(len, turns)) for cells, turns in zip(targets, self.orientations, strict=True))
        checked_amount("steps", steps, found=f"{len(self.board)} cells and {len(self.pieces)} pieces with {steps} cells to lay")
        period, found = self.lattice.period, dict[tuple[int, frozenset[Cell]], Placement]()
        for number, piece in enumerate(self.pieces):
            for turn, shape in enumerate(self.orientations[number]):
                for target in targets[number]:
                    offset = tuple(map(sub, target, shape[0]))
                    if period > 1 and any(step % period for step in offset):
                        continue
                    cells = frozenset([self.canonical(tuple(map(add, cell, offset))) for cell in shape])
                    if len(cells) == len(shape) and self._may_lie(piece, cells):
                        found.setdefault((number, cells), Placement(number, turn, offset, cells))
        return tuple(sorted(found.values()))

    def _targets(self, piece: Piece) -> Collection[Cell]:
        """The candidates for the first cell of a piece: the cells of the board, or those of the places where it is pinned."""
        if not piece.pinned:
            return self.coverable
        near = (place if any(self.wrap) else [min(place)] for place in piece.pinned)
        return sorted({cell for cells in near for cell in cells} & self.board.keys())

    def _may_lie(self, piece: Piece, cells: frozenset[Cell]) -> bool:
        if not cells <= self._open or (piece.pinned and cells not in piece.pinned):
            return False
        if piece.colors is None or not self.colors:
            return True
        return all(self.colors.get(cell) is None or self.colors[cell] in piece.colors for cell in cells)

    @cached_property
    def covering(self) -> Mapping[Cell, tuple[int, ...]]:
        """For each cell, the numbers of the placements that cover it."""
        found: dict[Cell, list[int]] = {cell: [] for cell in self.cells}
        for number, placement in enumerate(self.placements):
            for cell in placement.cells:
                found[cell].append(number)
        return {cell: tuple(numbers) for cell, numbers in found.items()}

    @cached_property
    def copies_settled(self) -> bool:
        """True if the number of cells determines the number of copies: a single piece covers the whole board."""
        if len(self.pieces) != 1 or len(self.must_cover) < len(self.coverable):
            return False
        (piece,) = self.pieces
        copies, rest = divmod(len(self.coverable), piece.size)
        return not rest and piece.least <= copies and (piece.most is None or copies <= piece.most)

    # -- contradictions -------------------------------------------------------------------------------------------------

    def contradictions(self) -> list[str]:
        """Reasons, by counting, why no tiling exists; empty if counting shows nothing."""
        found = []
        placed = {placement.piece for placement in self.placements}
        for number, piece in enumerate(self.pieces):
            if piece.least > 0 and number not in placed:
                found.append(f"piece {named(piece.name)} fits nowhere")
        least = sum(piece.least * piece.size for piece in self.pieces)
        bounds = [piece.most * piece.size for piece in self.pieces if piece.most is not None]
        if least > len(self.coverable):
            found.append(f"the pieces need at least {least} cells, but the board has {len(self.coverable)}")
        if len(bounds) == len(self.pieces) and sum(bounds) < len(self.must_cover):
            found.append(f"the pieces cover at most {sum(bounds)} cells, but {len(self.must_cover)} must be covered")
        bare = [cell for cell in sorted(self.must_cover) if not self.covering[cell]]
        if bare:
            found.append(f"no piece can cover the cell {bare[0]}" + (f" and {len(bare) - 1} more" if len(bare) > 1 else ""))
        return found


def box(*sides: int) -> dict[Cell, str]:
    """A rectangle or box of cells that must be covered."""
    return dict.fromkeys(product(*map(range, sides)), COVERED)


# -- arguments from counting and coloring -------------------------------------------------------------------------------


MOST_STATES = 100_000
"""The most states of the search; with more, the argument gives no result."""


MOST_WORK = 10 * MOST_STATES
"""The most steps of the search."""

State = tuple[int, ...]
"""A choice of pieces: its number of cells, the difference of the two colors (0 without coloring), its copies in each group."""


def color(lattice: Lattice, cell: Cell) -> int:
    """1 or -1, different for neighbors; not for the hexagonal lattice."""
    odd = cell[0] % 3 == 1 if lattice is TRIANGULAR else sum(cell) % 2
    return -1 if odd else 1


def uneven(puzzle: Tiling) -> str | None:
    """The reason why the numbers of cells, or of cells of each color, exclude a tiling; None if they do not."""
    colored = _can_be_colored(puzzle)
    reachable = _reachable(puzzle, puzzle.groups, colored=colored)
    if reachable is None:
        return None
    least, most = len(puzzle.must_cover), len(puzzle.coverable)
    needed = [group.least for group in puzzle.groups]
    choices = [state for state in reachable if state[0] >= least and all(map(ge, state[2:], needed))]
    if not choices:
        allowed = " that the groups allow" if puzzle.groups else ""
        return f"no choice of the pieces{allowed} has {most if least == most else f'{least} to {most}'} cells"
    board = abs(sum(color(puzzle.lattice, cell) for cell in puzzle.coverable)) if colored else 0
    if not colored or any(difference == board for _, difference, *_ in choices):
        return None
    colors = f"{board} more cells of one color than of the other" if board else "equally many cells of both colors"
    return f"in a chessboard coloring, the board has {colors}, but no choice of the pieces has"


def open_groups(puzzle: Tiling) -> list[PieceGroup]:
    """The groups whose bounds do not follow from the number of cells and the bounds of the pieces."""
    return [group for group in puzzle.groups if not _is_settled(puzzle, group)]


def _is_settled(puzzle: Tiling, group: PieceGroup) -> bool:
    """True if every choice of pieces that fills the board respects the bounds of the group."""
    free = PieceGroup(group.pieces, len(puzzle.coverable) + 1, None)  # counts all copies
    reachable = _reachable(puzzle, (free,), colored=False)
    return reachable is not None and all(
        group.least <= count and (group.most is None or count <= group.most)
        for cells, _, count in reachable
        if cells >= len(puzzle.must_cover)
    )


def _can_be_colored(puzzle: Tiling) -> bool:
    """True if all cells must be covered and neighbors have different colors: not hexagonal, no ring of odd length."""
    if puzzle.lattice is HEXAGONAL or (puzzle.lattice is not TRIANGULAR and any(period and period % 2 for period in puzzle.wrap)):
        return False  # on triangles, rings of any length preserve the coloring
    return len(puzzle.must_cover) == len(puzzle.coverable)


def _reachable(puzzle: Tiling, groups: Sequence[PieceGroup], *, colored: bool) -> set[State] | None:
    """The states of all choices of pieces that fit on the board and respect the upper bounds of groups; None for more than
    `MOST_STATES`. In a group without `most`, counts stop at `least`."""
    room = len(puzzle.coverable)
    states, work = {(0, 0, *(0 for _ in groups))}, 0
    caps = [group.least if group.most is None else group.most + 1 for group in groups]
    bounds = [group.least if group.most is None else group.most for group in groups]
    for number, piece in enumerate(puzzle.pieces):
        more = abs(sum(color(puzzle.lattice, cell) for cell in piece.shape)) if colored else 0
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
    """A piece on the board: its number in the puzzle and its cells in ascending order."""

    piece: int
    cells: tuple[Cell, ...]


Board = tuple[Laid, ...]
"""The pieces on the board in ascending order. Copies of a piece are not distinguished."""


def make_board(laid: Iterable[tuple[int, Iterable[Cell]]]) -> Board:
    """A board in normal form."""
    return tuple(sorted(Laid(piece, tuple(sorted(cells))) for piece, cells in laid))


def check_board(puzzle: Tiling, board: Board) -> list[str]:
    """The violated rules as text; empty for a solution."""
    return [*_cell_faults(puzzle, board), *_count_faults(puzzle, board), *_shape_faults(puzzle, board)]


def _cell_faults(puzzle: Tiling, board: Board) -> list[str]:
    times = Counter(cell for laid in board for cell in laid.cells)
    faults = [f"cell {cell} is covered {times[cell]} times" for cell in sorted(cell for cell in times if times[cell] > 1)]
    outside = sorted(times.keys() - puzzle.coverable)
    faults += [f"cell {cell} is not on the board" for cell in outside if cell not in puzzle.board]
    faults += [f"cell {cell} is covered but must stay empty" for cell in outside if cell in puzzle.board]
    faults += [f"cell {cell} is not covered" for cell in sorted(puzzle.must_cover - times.keys())]
    for laid in board:
        colors = puzzle.pieces[laid.piece].colors
        if colors is not None:
            wrong = [cell for cell in laid.cells if puzzle.colors.get(cell) not in (None, *colors)]
            faults += [f"piece {puzzle.pieces[laid.piece].name} covers cell {cell}, which has another color" for cell in wrong]
    return faults


def _count_faults(puzzle: Tiling, board: Board) -> list[str]:
    used = Counter(laid.piece for laid in board)
    counts = [(f"piece {p.name} is used {used[n]} times", used[n], p.least, p.most) for n, p in enumerate(puzzle.pieces)]
    for n, group in enumerate(puzzle.groups, start=1):
        copies = sum(used[number] for number in group.pieces)
        counts.append((f"of the pieces of group {n}, {copies} are used", copies, group.least, group.most))
    return [
        f"{what}, expected {f'at least {least}' if most is None else f'{least} to {most}'}"
        for what, count, least, most in counts
        if count < least or (most is not None and count > most)
    ]


def _shape_faults(puzzle: Tiling, board: Board) -> list[str]:
    """Each piece must have its shape in an allowed orientation, and lie in a place where it is pinned."""
    faults: list[str] = []
    for laid in (laid for laid in board if laid not in puzzle.proper):  # boards of a puzzle share placements
        piece, before = puzzle.pieces[laid.piece], len(faults)
        if not _has_shape(laid.cells, puzzle.orientations[laid.piece], puzzle.wrap, puzzle.lattice.period):
            faults.append(f"the cells {', '.join(map(str, laid.cells))} do not have the shape of piece {piece.name}")
        if piece.pinned and frozenset(laid.cells) not in piece.pinned:
            faults.append(f"piece {piece.name} does not lie in a place where it is pinned")
        if len(faults) == before:
            puzzle.proper.add(laid)
    return faults


def _has_shape(cells: tuple[Cell, ...], shapes: tuple[tuple[Cell, ...], ...], wrap: tuple[int | None, ...], period: int) -> bool:
    """True if a translation, also around the ring, maps one of `shapes` to `cells`."""
    target = set(cells)
    rings = wrap or (None,) * len(cells[0])
    firsts = cells if any(wrap) else (min(cells),)  # without a ring, translations preserve the order of cells
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

    If the puzzle has labels, each entry has the labels of its cells (null for a cell without a label), and a last entry with the
    piece null has the cells that stay empty.
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
    """The number of the piece, among those with one name, that has the shape of these cells. Names need not be unique."""
    if not numbers:
        raise ValueError("found a piece that is not in the puzzle")
    fitting = (n for n in numbers if _has_shape(cells, puzzle.orientations[n], puzzle.wrap, puzzle.lattice.period))
    return numbers[0] if len(numbers) == 1 else next(fitting, numbers[0])


def differences(puzzle: Tiling, board: Board, other: Board) -> list[str]:
    """The pieces that lie in different places on the two boards."""
    gone, come = sorted(Counter(board) - Counter(other)), sorted(Counter(other) - Counter(board))
    return [
        f"{lead}piece {puzzle.pieces[laid.piece].name} on {' '.join(','.join(map(str, cell)) for cell in laid.cells)}"
        for lead, pieces in (("", gone), ("or ", come))
        for laid in pieces
    ]
