"""What counting needs to know of tilings: their symmetry group, the same problem as an exact cover, and how to split it.

All of it over the variables of a formula at hand, so placements that an encoding left out are left out here.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from cnfgen_puzzles.families.capabilities import Symmetry
from cnfgen_puzzles.families.tiling.model.colouring import open_groups
from cnfgen_puzzles.families.tiling.model.pieces import PieceGroup
from cnfgen_puzzles.families.tiling.model.puzzle import Tiling
from cnfgen_puzzles.families.tiling.model.symmetry import Form, SymmetryGroup
from cnfgen_puzzles.formula import Block
from cnfgen_puzzles.formula.exactcover import ExactCover


def variables_of(puzzle: Tiling, place: Block) -> dict[int, int]:
    """The variable of each placement (by its number) that has one."""
    number = {placement.key: p for p, placement in enumerate(puzzle.placements)}
    return {number[key]: variable for key, variable in place.items()}


class TilingSymmetry(Symmetry):
    """The symmetries of the board, of each of its parts, that map the set of pieces to itself."""

    def __init__(self, puzzle: Tiling, place: Block, *, reflections: bool = True):
        self._group = SymmetryGroup(puzzle, reflections=reflections)
        self._variable = variables_of(puzzle, place)
        self._placement = {variable: p for p, variable in self._variable.items()}
        self.order = self._group.order
        kind, none = ("symmetries", "no symmetry") if reflections else ("rotations", "no rotation")
        self.convention = none if self.order == 1 else f"up to the {self.order} {kind} of board and pieces"

    def canonical(self, true: Collection[int]) -> tuple[Form, int]:
        return self._group.canonical([self._placement[variable] for variable in true])

    def permutations(self) -> list[dict[int, int]] | None:
        """None for a formula that leaves out a placement and keeps one that is symmetric to it."""
        number, found = self._variable, []
        for element in self._group.elements():
            moved = {number[p]: number.get(q, 0) for p, q in element.items() if p in number}
            if 0 in moved.values():
                return None
            found.append(moved)
        return found


def exact_cover(puzzle: Tiling, place: Block) -> ExactCover:
    """Items are the cells, pieces that are used at most once and groups of which one piece may be; what else is bounded is
    counted."""
    cell_name = {cell: ",".join(map(str, cell)) for cell in puzzle.coverable}
    groups = open_groups(puzzle)
    alone: list[tuple[str, tuple[int, ...], int]] = [
        (f"piece:{n}", (n,), piece.least) for n, piece in enumerate(puzzle.pieces) if piece.most == 1
    ]
    alone += [(f"group:{n}", group.pieces, group.least) for n, group in enumerate(groups) if group.most == 1]
    items: dict[int, list[str]] = {n: [] for n in range(len(puzzle.pieces))}
    for name, numbers, _ in alone:
        for number in numbers:
            items[number].append(name)
    needed = [name for name, _, least in alone if least == 1]
    spare = [name for name, _, least in alone if least == 0]
    must = [cell_name[cell] for cell in puzzle.coverable if cell in puzzle.must_cover]
    may = [cell_name[cell] for cell in puzzle.coverable if cell not in puzzle.must_cover]
    variables = variables_of(puzzle, place)
    placements = [puzzle.placements[p] for p in variables]
    options = [[*items[placement.piece], *(cell_name[cell] for cell in sorted(placement.cells))] for placement in placements]
    counted = _counted(puzzle, variables, [group for group in groups if group.most != 1])
    return ExactCover([*needed, *must], [*spare, *may], options, list(variables.values()), counted)


def _counted(
    puzzle: Tiling, variables: Mapping[int, int], groups: Sequence[PieceGroup]
) -> list[tuple[frozenset[int], int, int | None]]:
    """Bounds that are neither items nor settled by the number of cells."""
    found = []
    for group in groups:
        mine = frozenset(v for p, v in variables.items() if puzzle.placements[p].piece in group.pieces)
        found.append((mine, group.least, group.most))
    for number, piece in enumerate(() if puzzle.copies_settled else puzzle.pieces):
        room = len(puzzle.coverable) // piece.size
        most = None if piece.most is None or piece.most >= room else piece.most
        if piece.most == 1 or (piece.least == 0 and most is None):
            continue
        mine = frozenset(v for p, v in variables.items() if puzzle.placements[p].piece == number)
        found.append((mine, piece.least, most))
    return found


def cubes(puzzle: Tiling, place: Block) -> Sequence[tuple[int, ...]] | None:
    """A cube for each placement of one piece (that is used exactly once; the one with the fewest), else of those on one cell."""
    variables = variables_of(puzzle, place)
    groups: list[list[int]] = []
    for number, piece in enumerate(puzzle.pieces):
        if (piece.least, piece.most) == (1, 1):
            groups.append([v for p, v in variables.items() if puzzle.placements[p].piece == number])
    if not groups:
        groups = [[variables[p] for p in puzzle.covering[cell] if p in variables] for cell in sorted(puzzle.must_cover)]
    return [(variable,) for variable in min(groups, key=len)] if groups else None
