"""Encodings of tilings as CNF.

There is one variable for each placement, place[piece, orientation, *offset]; these variables are the projection set. A solution
is a set of placements that covers every cell that must be covered exactly once and every other cell at most once, and that
respects the bounds on the copies of each piece and each group. The encodings differ in the encoding of 'at most one', which is
also their name (docs/explanation/cardinality.md):

* `pairwise` is the encoding of the first article: one clause for each cell, and one binary clause for each pair of placements
  that exclude each other, even if they share several cells; and one clause for each piece, which the article added later.
* `sequential` is the encoding of the second article (the default of PySAT): exactly one placement for each cell and each piece,
  by a sequential counter.
* `product` is the default; it has the fewest clauses.

These options remove symmetric solutions or useless placements, or add implied clauses:

* `symmetry=representatives` keeps, for one piece, one placement of each orbit under the symmetry group of the puzzle (see
  `representatives`). The formula still has at least one solution of each orbit.
* `regions` removes placements that cut off a region that cannot be filled, and adds a binary clause for each such pair.
* `starving` (the option `--dead-ends`) is dead-end elimination: it removes placements that leave a cell or a piece without any
  placement, and adds a binary clause for each such pair.

Example: dominoes on a 2x2 square. Placements 1 and 2 are horizontal, 3 and 4 are vertical:

>>> from cnfgen_puzzles.families.lattice import SQUARE
>>> from cnfgen_puzzles.families.tiling.pieces import Piece
>>> from cnfgen_puzzles.families.tiling.puzzle import Tiling, box
>>> puzzle = Tiling(SQUARE, box(2, 2), (Piece("domino", ((0, 0), (0, 1)), 0, None),))
>>> [sorted(placement.cells) for placement in puzzle.placements]
[[(0, 0), (0, 1)], [(1, 0), (1, 1)], [(0, 0), (1, 0)], [(0, 1), (1, 1)]]
>>> list(exact_cover(puzzle, "pairwise").clauses())
[[1, 3], [1, 4], [2, 3], [2, 4], [-1, -3], [-1, -4], [-2, -3], [-2, -4]]
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial

from cnfgen_puzzles.families.capabilities import Symmetry
from cnfgen_puzzles.families.family import Encoding
from cnfgen_puzzles.families.options import Option
from cnfgen_puzzles.families.tiling.deadends import Regions, dead_ends
from cnfgen_puzzles.families.tiling.pieces import Piece
from cnfgen_puzzles.families.tiling.puzzle import Tiling, open_groups
from cnfgen_puzzles.families.tiling.symmetry import Form, SymmetryGroup
from cnfgen_puzzles.formula import Block, Formula
from cnfgen_puzzles.formula.cardinality import AT_MOST_ONE, DEFAULT_K
from cnfgen_puzzles.formula.exactcover import ExactCover

COUNTERS = ("sequential", "totalizer")
"""The encodings that are also used for at most k; the others have as many clauses as a binomial coefficient of k."""

ALL, REPRESENTATIVES = "all", "representatives"


def exact_cover(puzzle: Tiling, amo: str, symmetry: str = ALL, regions: bool = False, starving: bool = False) -> Formula:
    """The formula of the puzzle with the at-most-one encoding `amo`.

    Variables: one for each placement, and those of the at-most-one encoding. Number of clauses with `pairwise`: cells that must
    be covered, plus pairs of placements that exclude each other, plus pieces that must be used.
    """
    group = SymmetryGroup(puzzle) if symmetry == REPRESENTATIVES else None
    kept = kept_placements(puzzle, group)
    left_out = len(kept) < len(puzzle.placements)
    finder = Regions(puzzle) if regions else None
    if finder:
        kept = sorted(set(kept) - set(finder.dead_placements(kept)))
    pairs = finder.dead_pairs(kept) if finder else iter(())
    later: list[tuple[int, list[int]]] = []
    if starving:
        kept, later = dead_ends(puzzle, kept, pairs)
        pairs = iter(())
    formula = Formula(up_to=f"up to the {group.order} symmetries of board and pieces" if group and left_out else "")
    place = formula.keyed("place", (puzzle.placements[p].key for p in kept))
    formula.projection = place.variables
    variable = dict(zip(kept, place.variables, strict=True))
    _cells_are_covered(formula, puzzle, variable, amo)
    if amo == "pairwise":
        _exclude_each_other(formula, puzzle, variable)
    _pieces_are_used(formula, puzzle, variable, amo)
    _groups_are_bounded(formula, puzzle, variable, amo)
    for p, q in pairs:
        formula.add(-variable[p], -variable[q])
    for p, others in later:
        formula.implies_each(variable[p], [-variable[q] for q in others])
    return formula


def kept_placements(puzzle: Tiling, group: SymmetryGroup | None) -> list[int]:
    """The numbers of the placements that get a variable: all, or enough for at least one solution of each orbit of the
    group."""
    everything = range(len(puzzle.placements))
    if group is None or group.order < 2:
        return list(everything)
    dropped = {p for orbits in representatives(puzzle, group) for orbit in orbits for p in orbit[1:]}
    return [p for p in everything if p not in dropped]


def representatives(puzzle: Tiling, group: SymmetryGroup) -> list[list[tuple[int, ...]]]:
    """Orbits of placements of some pieces such that the first members of the orbits suffice.

    The orbits of the first piece are those under the symmetries that fix this piece (a mirror image can be another piece). On a
    board of several parts, other pieces follow, with the symmetries that move only parts where no earlier representative lies.
    The pieces must be used exactly once; without such a piece, the list is empty. A piece without symmetric placements is
    preferred, because then every solution is found once; among these, the piece with the fewest orbits.
    """
    once = [n for n, piece in enumerate(puzzle.pieces) if (piece.least, piece.most) == (1, 1)]
    laid = sorted({placement.piece for placement in puzzle.placements}.intersection(once))
    if not laid:
        return []
    orbits = {piece: group.orbits(piece) for piece in laid}

    def merit(piece: int) -> tuple[bool, int]:
        return any(len(orbit) < group.order for orbit in orbits[piece]), len(orbits[piece]) * group.changing(piece)

    found: list[list[tuple[int, ...]]] = []
    parts = set(group.parts)
    while laid:
        best = min(laid, key=merit)
        found.append(orbits[best])
        laid.remove(best)
        parts -= {group.part_of[orbit[0]] for orbit in orbits[best]}
        orbits = {piece: group.orbits(piece, parts) for piece in laid} if parts else {}
        laid = [piece for piece in orbits if any(len(orbit) > 1 for orbit in orbits[piece])]
    return found


# -- cells and pieces ---------------------------------------------------------------------------------------------------


def _cells_are_covered(formula: Formula, puzzle: Tiling, variable: Mapping[int, int], amo: str) -> None:
    """Some placement covers each cell that must be covered. At most one covers a cell; `pairwise` adds these clauses for all
    cells at once (`_exclude_each_other`)."""
    for cell in puzzle.coverable:
        literals = _variables(puzzle.covering[cell], variable)
        if cell not in puzzle.must_cover:
            if amo != "pairwise":
                formula.at_most_one(literals, amo)
        elif amo == "pairwise":
            formula.add_clause(literals)
        else:
            formula.exactly_one(literals, amo)


def _exclude_each_other(formula: Formula, puzzle: Tiling, variable: Mapping[int, int]) -> None:
    """A clause for each pair of placements that share a cell or belong to one piece that is used at most once."""
    same: dict[int, list[int]] = {}
    for p in variable:
        same.setdefault(puzzle.placements[p].piece, []).append(p)
    for p, literal in variable.items():
        placement = puzzle.placements[p]
        excluded = {q for cell in placement.cells for q in puzzle.covering[cell]}
        if puzzle.pieces[placement.piece].most == 1:
            excluded |= set(same[placement.piece])
        for other in sorted(variable[q] for q in excluded if q > p and q in variable):
            formula.add(-literal, -other)


def _pieces_are_used(formula: Formula, puzzle: Tiling, variable: Mapping[int, int], amo: str) -> None:
    """The bounds on the copies of each piece."""
    for piece, literals in _open_pieces(puzzle, variable):
        if piece.most != 1:
            fitting = len(puzzle.coverable) // piece.size
            _bound(formula, literals, piece.least, piece.most, fitting, amo if amo in COUNTERS else DEFAULT_K)
        elif amo == "pairwise":
            if piece.least:
                formula.add_clause(literals)
        elif piece.least:
            formula.exactly_one(literals, amo)
        else:
            formula.at_most_one(literals, amo)


def _bound(formula: Formula, literals: list[int], least: int, most: int | None, fitting: int, amk: str) -> None:
    """Between `least` and `most` of the literals are true; at most `fitting` copies fit on the board."""
    if most is not None and most >= fitting:
        most = None
    if least == most:
        formula.exactly_k(literals, least, amk)
        return
    if least:
        formula.at_least_k(literals, least, amk)
    if most is not None:
        formula.at_most_k(literals, most, amk)


# -- groups -------------------------------------------------------------------------------------------------------------


def _groups_are_bounded(formula: Formula, puzzle: Tiling, variable: Mapping[int, int], amo: str) -> None:
    """The bounds of each group, unless the number of cells implies them.

    A piece that is used at most once is counted by one auxiliary variable, which is true exactly if one of its placements is
    used. This shortens the sum, and the placements determine the variable.
    """
    used: dict[int, list[int]] = {}
    literals_of = variables_by_piece(puzzle, variable)
    for group in open_groups(puzzle):
        for number in group.pieces:
            if number not in used:
                mine = literals_of[number]
                used[number] = _whether_used(formula, mine) if puzzle.pieces[number].most == 1 else mine
        literals = [literal for number in group.pieces for literal in used[number]]
        _bound(formula, literals, group.least, group.most, len(literals), amo if amo in COUNTERS else DEFAULT_K)


def _whether_used(formula: Formula, literals: list[int]) -> list[int]:
    """A list with one literal that is true exactly if one of `literals` is true; empty if `literals` is empty."""
    if len(literals) < 2:
        return literals
    (used,) = formula.auxiliary(1)
    formula.add(-used, *literals)
    for literal in literals:
        formula.add(-literal, used)
    return [used]


def variables_by_piece(puzzle: Tiling, variable: Mapping[int, int]) -> list[list[int]]:
    """For each piece, the variables of its placements."""
    found: list[list[int]] = [[] for _ in puzzle.pieces]
    for p, v in variable.items():
        found[puzzle.placements[p].piece].append(v)
    return found


def _open_pieces(puzzle: Tiling, variable: Mapping[int, int]) -> Iterable[tuple[Piece, list[int]]]:
    """Each piece, with its variables, unless the board alone determines its number of copies."""
    return () if puzzle.copies_settled else zip(puzzle.pieces, variables_by_piece(puzzle, variable), strict=True)


def _variables(placements: Iterable[int], variable: Mapping[int, int]) -> list[int]:
    return [variable[p] for p in placements if p in variable]


SYMMETRY = Option("symmetry", "keep all solutions, or at least one of each symmetry orbit", ALL, choices=(ALL, REPRESENTATIVES))
REGIONS = Option("regions", "exclude placements, and pairs, that cut off a region that cannot be filled", False, bool)
DEAD_ENDS = Option(
    "starving",
    "eliminate dead ends: placements, and pairs, that leave a cell or a piece without any placement",
    False,
    bool,
    command="dead-ends",
)

SUMMARIES = {
    "pairwise": "a binary clause for each pair of placements that exclude each other (first article)",
    "sequential": "exactly one by sequential counters (second article)",
    "product": "exactly one by the product encoding; has the fewest clauses",
}

ENCODINGS = {
    name: Encoding(
        name,
        SUMMARIES.get(name, f"exactly one by the {name} encoding"),
        partial(exact_cover, amo=name),
        (SYMMETRY, REGIONS, DEAD_ENDS),
    )
    for name in ("product", *(name for name in AT_MOST_ONE if name != "product"))
}


# -- counting -----------------------------------------------------------------------------------------------------------


def variables_of(puzzle: Tiling, place: Block) -> dict[int, int]:
    """The variables by the numbers of their placements."""
    number = {placement.key: p for p, placement in enumerate(puzzle.placements)}
    return {number[key]: variable for key, variable in place.items()}


class TilingSymmetry(Symmetry):
    """The symmetries of the board, or of its parts, that map the set of pieces to itself."""

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
        """The permutations of the variables; None if the formula keeps a placement but not all of its images."""
        number, found = self._variable, []
        for element in self._group.elements():
            moved = {number[p]: number.get(q, 0) for p, q in element.items() if p in number}
            if 0 in moved.values():
                return None
            found.append(moved)
        return found

    def transformation(self, element: Mapping[int, int]) -> str:
        return self._group.describe({self._placement[v]: self._placement[w] for v, w in element.items()})


def cover_of(puzzle: Tiling, place: Block) -> ExactCover:
    """The puzzle as an exact cover problem. Items are the cells, the pieces that are used at most once, and the groups of
    which at most one piece is used; other bounds become counts."""
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
    of_piece = variables_by_piece(puzzle, variables)
    counted = [
        (frozenset(variable for number in group.pieces for variable in of_piece[number]), group.least, group.most)
        for group in groups
        if group.most != 1
    ]
    for piece, mine in _open_pieces(puzzle, variables):
        room = len(puzzle.coverable) // piece.size
        most = None if piece.most is None or piece.most >= room else piece.most
        if piece.most != 1 and (piece.least or most is not None):
            counted.append((frozenset(mine), piece.least, most))
    return ExactCover([*needed, *must], [*spare, *may], options, list(variables.values()), counted)


def cubes_of(puzzle: Tiling, place: Block) -> Sequence[tuple[int, ...]] | None:
    """A cube for each placement of the piece with the fewest placements among those that are used exactly once; without such a
    piece, for each placement on one cell."""
    variables = variables_of(puzzle, place)
    of_piece = zip(puzzle.pieces, variables_by_piece(puzzle, variables), strict=True)
    groups = [mine for piece, mine in of_piece if (piece.least, piece.most) == (1, 1)]
    groups = groups or [_variables(puzzle.covering[cell], variables) for cell in sorted(puzzle.must_cover)]
    return [(variable,) for variable in min(groups, key=len)] if groups else None
