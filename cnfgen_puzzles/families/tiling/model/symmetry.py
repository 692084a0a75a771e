"""The symmetries of a tiling puzzle: those of its board that map its set of pieces to itself.

Such a symmetry turns every solution into a solution, so solutions come in orbits, and one placement of one piece in each orbit
of its placements is enough to reach every orbit of solutions.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from cnfgen_puzzles.families.tiling.model.lattice import Cell, Matrix, turned
from cnfgen_puzzles.families.tiling.model.pieces import Shape
from cnfgen_puzzles.families.tiling.model.puzzle import Placement, Tiling, image
from cnfgen_puzzles.ground.inputlimits import checked_amount

Solution = frozenset[int]
"""Numbers of placements."""

_Kind = tuple[frozenset[Shape], int, int | None, frozenset[str] | None]


@dataclass(frozen=True)
class Symmetry:
    """One symmetry: a matrix and a translation of the board's cells, and the permutation of placements that it makes."""

    matrix: Matrix
    offset: Cell
    placements: tuple[int, ...]
    """`placements[p]` is the number of the placement onto which placement p is moved."""

    def move(self, solution: Iterable[int]) -> Solution:
        return frozenset(self.placements[p] for p in solution)


def symmetries(puzzle: Tiling, *, reflections: bool = True) -> tuple[Symmetry, ...]:
    """The symmetry group of the puzzle, the identity first; without `reflections` only its rotations and translations."""
    lattice = puzzle.lattice
    number_of = {(p.piece, p.cells): n for n, p in enumerate(puzzle.placements)}
    found: dict[tuple[int, ...], Symmetry] = {}
    for matrix in lattice.symmetries if reflections else lattice.rotations:
        offsets = list(_offsets(puzzle, matrix))
        steps = len(offsets) * (len(puzzle.board) + len(puzzle.placements))
        checked_amount("steps", steps, found=f"{len(offsets)} ways to move {len(puzzle.board)} cells onto each other")
        for offset in offsets:
            moved = {cell: puzzle.canonical(image(matrix, offset, cell)) for cell in puzzle.cells}
            pieces = _piece_permutation(puzzle, matrix) if _keeps_board(puzzle, moved) else None
            if pieces is None:
                continue
            permutation = _permutation(puzzle.placements, pieces, moved, number_of)
            if permutation is not None:
                found.setdefault(permutation, Symmetry(matrix, offset, permutation))
    return tuple(found.values())


def _offsets(puzzle: Tiling, matrix: Matrix) -> Iterable[Cell]:
    """The translations after `matrix` that can map the board onto itself: the corners must meet, or any cell on a ring."""
    turned_cells = [turned(matrix, cell) for cell in puzzle.cells]
    period = puzzle.lattice.period
    if not any(puzzle.wrap):
        corner = [min(axis) for axis in zip(*puzzle.cells, strict=True)]
        turned_corner = [min(axis) for axis in zip(*turned_cells, strict=True)]
        offset = tuple(a - b for a, b in zip(corner, turned_corner, strict=True))
        return [offset] if not any(step % period for step in offset) else []
    if not _keeps_rings(puzzle, matrix):
        return []
    first = turned_cells[0]
    offsets = {tuple(a - b for a, b in zip(cell, first, strict=True)) for cell in puzzle.cells}
    return sorted(offset for offset in offsets if not any(step % period for step in offset))


def _keeps_rings(puzzle: Tiling, matrix: Matrix) -> bool:
    """Whether going once around every ring stays going around rings after the turn."""
    for axis, length in enumerate(puzzle.wrap):
        if length:
            around = tuple(length if i == axis else 0 for i in range(puzzle.lattice.dimension))
            if any(puzzle.canonical(turned(matrix, around))):
                return False
    return True


def _keeps_board(puzzle: Tiling, moved: dict[Cell, Cell]) -> bool:
    """Whether the cells land on cells of the same kind and colour, each on one."""
    if len(set(moved.values())) != len(moved):
        return False
    return all(
        puzzle.board.get(target) == puzzle.board[cell] and puzzle.colours.get(target) == puzzle.colours.get(cell)
        for cell, target in moved.items()
    )


def _piece_permutation(puzzle: Tiling, matrix: Matrix) -> list[int] | None:
    """For each piece the piece that its image is, used equally often and free to do the same; None if some image is no piece."""
    lattice = puzzle.lattice
    known: dict[_Kind, list[int]] = {}
    for number in range(len(puzzle.pieces)):
        known.setdefault(_kind(puzzle, number, frozenset(puzzle.orientations[number])), []).append(number)
    result = []
    for number, _ in enumerate(puzzle.pieces):
        shapes = frozenset(lattice.normal(turned(matrix, cell) for cell in shape) for shape in puzzle.orientations[number])
        candidates = known.get(_kind(puzzle, number, shapes))
        if not candidates:
            return None
        result.append(candidates.pop(0))
    return result


def _kind(puzzle: Tiling, number: int, shapes: frozenset[Shape]) -> _Kind:
    """What must be equal for one piece to stand for another (places that are pinned are compared by the placements)."""
    piece = puzzle.pieces[number]
    return shapes, piece.least, piece.most, piece.colours


def _permutation(
    placements: tuple[Placement, ...],
    pieces: list[int],
    moved: dict[Cell, Cell],
    number_of: dict[tuple[int, frozenset[Cell]], int],
) -> tuple[int, ...] | None:
    """Where each placement goes; None if one goes nowhere (a pinned piece)."""
    try:
        return tuple([number_of[pieces[p.piece], frozenset([moved[cell] for cell in p.cells])] for p in placements])
    except KeyError:
        return None


def canonical(solution: Iterable[int], group: tuple[Symmetry, ...]) -> tuple[int, ...]:
    """The least of the images of a solution: the same for two solutions exactly if a symmetry maps one to the other."""
    numbers = frozenset(solution)
    return min(tuple(sorted(symmetry.move(numbers))) for symmetry in group)


def orbits(numbers: Iterable[int], group: tuple[Symmetry, ...]) -> list[tuple[int, ...]]:
    """The orbits of some placements, each in ascending order, by their least placements."""
    left, found = set(numbers), []
    for number in sorted(left):
        if number in left:
            orbit = {symmetry.placements[number] for symmetry in group}
            found.append(tuple(sorted(orbit)))
            left -= orbit
    return found
