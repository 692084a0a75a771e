"""The tiling puzzle: a board, pieces, and where the pieces can lie.

Not here: named piece sets (`piecesets.py`), symmetry (`symmetry.py`), boards with pieces on them (`board.py`), files
(`formats/`), clauses (`encode/`), pictures (`pictures/`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from math import prod
from operator import add, sub

from cnfgen_puzzles.common.inputlimits import checked_amount
from cnfgen_puzzles.families.shown import Puzzle
from cnfgen_puzzles.families.tiling.model.lattice import Cell, Lattice, Matrix, turned
from cnfgen_puzzles.families.tiling.model.pieces import Piece, PieceGroup

COVERED = "covered"
"""A cell that must be covered."""
OPTIONAL = "optional"
"""A cell that may be covered or stay empty. What is no cell of the board stays empty."""

EMPTY = "empty"
"""A cell that is shown with the board and that nothing may cover, such as the date on a calendar."""

TOLD = 6
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
    def _empty(self) -> frozenset[Cell]:
        return frozenset(cell for cell, kind in self.board.items() if kind == EMPTY)

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
        if not cells <= self.board.keys():
            return False
        if self._empty and not self._empty.isdisjoint(cells):
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
        return ", ".join(names[:TOLD]) + (f" and {len(names) - TOLD} more" if len(names) > TOLD else "")


def box(*sides: int) -> dict[Cell, str]:
    """A board that is a rectangle or a box, all of it to be covered."""
    return dict.fromkeys(product(*map(range, sides)), COVERED)


def image(matrix: Matrix, offset: Cell, cell: Cell) -> Cell:
    """A cell turned and moved."""
    return tuple(map(add, turned(matrix, cell), offset))
