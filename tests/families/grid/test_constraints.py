"""Connectivity and cycles beyond the sizes of tests/exhaustive, which compares all constraints through the genres."""

from itertools import product

import pytest
from pysat.solvers import Solver

from cnfgen_puzzles.families.grid.layer.connectivity import DIAGONAL_FOREST, LAZY, RANK, TAPS, TREE_COTREE
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula
from cnfgen_puzzles.families.grid.layer.cuts import SizedSet
from cnfgen_puzzles.families.squares import components, neighbors

ENCODINGS = [TREE_COTREE, RANK, LAZY]


def models(formula, variables):
    """The models, each as the set of those of the variables that are true; lazy sets are cut until they are connected."""
    found = set()
    with Solver("glucose4", bootstrap_with=list(formula.clauses())) as solver:
        while solver.solve():
            true = {literal for literal in solver.get_model() if literal > 0}
            cuts = formula.cuts(true)
            for cut in cuts:
                clause = formula.clause_of(cut)
                assert not any(literal in true if literal > 0 else -literal not in true for literal in clause)
                solver.add_clause(clause)
            if not cuts:
                found.add(frozenset(true.intersection(variables)))
                solver.add_clause([-variable if variable in true else variable for variable in variables])
    return found


def subsets(cells):
    for chosen in product((False, True), repeat=len(cells)):
        yield [cell for cell, member in zip(cells, chosen, strict=True) if member]


@pytest.mark.parametrize(
    ("height", "width", "edge"),
    [(1, 1, 0), (1, 4, 0), (5, 1, 0), (2, 2, 0), (2, 3, 0), (5, 2, 0), (3, 3, 0), (3, 4, 0), (6, 6, 1), (5, 6, 1)],
)
def test_sets_whose_complement_is_a_diagonal_forest_are_those_of_flood_fill(height, width, edge):
    formula = GridFormula(height, width)
    shaded = formula.subset("shaded")
    formula.no_two_adjacent(shaded)
    formula.connected({cell: -literal for cell, literal in shaded.items()}, DIAGONAL_FOREST)
    free = list(product(range(edge, height - edge), range(edge, width - edge)))
    formula.forbid(literal for cell, literal in shaded.items() if cell not in free)

    def fits(members):
        alone = not any(other in members for cell in members for other in neighbors(cell))
        return alone and len(components(set(formula.cells).difference(members))) <= 1

    expected = {frozenset(shaded[cell] for cell in members) for members in subsets(free) if fits(members)}
    assert models(formula, shaded.values()) == expected


@pytest.mark.parametrize("bits", TAPS)
def test_shift_registers_have_the_longest_period(bits):
    state, period = (1,) + (0,) * (bits - 1), 0
    while not period or state != (1,) + (0,) * (bits - 1):
        state, period = (*state[1:], state[0] ^ state[TAPS[bits]]), period + 1
    assert period == 2**bits - 1


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_there_are_as_many_cycles_as_published(encoding):
    """OEIS A140517: simple cycles in a grid of n x n cells."""
    for side, cycles in [(1, 1), (2, 13), (3, 213)]:
        formula = GridFormula(side, side)
        formula.single_cycle(side + 1, side + 1, encoding)
        assert len(models(formula, formula.blocks["inside"].variables)) == cycles


@pytest.mark.parametrize("size", [2, 3, 4])
def test_cuts_of_sizes_follow_from_the_sizes_of_parts(size):
    """All cuts of three cells and more in 2x3 cells that are accepted, and the cuts of all sets with another part."""
    cells = {cell: k + 1 for k, cell in enumerate(product(range(2), range(3)))}
    sized = SizedSet(cells, size)
    sets = [set(members) for members in subsets(cells)]
    fitting = [each for each in sets if all(len(part) == size for part in components(each))]

    def clause_of(cut):
        try:
            return sized.clause(cut)
        except ValueError:
            return None

    for first, others, grows in product(cells, subsets(cells), (True, False)):
        places = [*first, *(-1, -1) * grows, *(n for cell in sorted(others) for n in cell)]
        if clause := clause_of(places):
            for each in fitting:
                assert any((literal > 0) == (list(cells)[abs(literal) - 1] in each) for literal in clause)
    for each in sets:
        true = {cells[cell] for cell in each}
        cuts = list(sized.cuts(true))
        assert bool(cuts) == (each not in fitting)
        assert all(not any((literal > 0) == (abs(literal) in true) for literal in sized.clause(cut)) for cut in cuts)


@pytest.mark.parametrize(
    "allowed", [set(), {(True, False, True, True)}, {p for p in product((False, True), repeat=4) if sum(p) == 2}]
)
def test_patterns_are_those_allowed_and_propagate(allowed):
    formula = GridFormula(2, 2)
    cells = formula.subset("x")
    formula.pattern(list(cells.values()), allowed)
    assert models(formula, cells.values()) == {
        frozenset(v for v, true in zip(cells.values(), p, strict=True) if true) for p in allowed
    }
    with Solver("glucose4", bootstrap_with=list(formula.clauses())) as solver:
        for known in product((None, False, True), repeat=4):
            fitting = [p for p in allowed if all(a in (None, b) for a, b in zip(known, p, strict=True))]
            assumed = [v if value else -v for v, value in zip(cells.values(), known, strict=True) if value is not None]
            assert solver.propagate(assumed)[0] == bool(fitting)


def test_divisions_into_rectangles_are_published():
    """OEIS A116694: divisions of a board of n x n cells into rectangles."""
    for side, divisions in [(1, 1), (2, 8), (3, 322)]:
        formula = GridFormula(side, side)
        corners = product(range(side), repeat=2)
        formula.division((r, c, h + 1, w + 1) for r, c in corners for h, w in product(range(side - r), range(side - c)))
        assert len(models(formula, formula.projection)) == divisions
        assert len(models(formula, range(1, formula.num_variables + 1))) == divisions
