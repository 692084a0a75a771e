"""The encodings of connectivity, cycles, and islands against brute force on small grids, and cycles against OEIS A140517."""

from itertools import combinations, product, takewhile

import pytest
from pysat.solvers import Solver

from cnfgen_puzzles.families.grid.genres.hashikake import exact_bridges
from cnfgen_puzzles.families.grid.genres.hitori import FAMILY as HITORI
from cnfgen_puzzles.families.grid.layer.connectivity import DIAGONAL_FOREST, LAZY, RANK, TAPS, TREE_COTREE
from cnfgen_puzzles.families.grid.layer.constraints import GridFormula, lines_at
from cnfgen_puzzles.families.grid.layer.cuts import SizedSet
from cnfgen_puzzles.families.links.pieces import orientations, piece_cells
from cnfgen_puzzles.families.squares import components, neighbors
from cnfgen_puzzles.formula.formula import FALSE

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


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("outside", [False, True])
@pytest.mark.parametrize(("height", "width"), [(1, 4), (4, 1), (2, 3), (3, 3)])
def test_connected_sets_are_those_of_flood_fill(encoding, outside, height, width):
    formula = GridFormula(height, width)
    block = formula.bools("x")
    formula.connected({cell: block[cell] for cell in formula.cells}, encoding, outside=outside)

    def fits(members):
        parts = components(members)
        if not outside:
            return len(parts) <= 1
        return all(any(r in (0, height - 1) or c in (0, width - 1) for r, c in part) for part in parts)

    expected = {frozenset(block[cell] for cell in members) for members in subsets(formula.cells) if fits(members)}
    assert models(formula, block.variables) == expected


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


@pytest.mark.parametrize("length", [1, 2, 3, 6])
def test_an_arc_has_at_most_two_changes_around_the_ring(length):
    formula = GridFormula(1, length)
    ring = list(formula.bools("x").variables)
    formula.single_arc(ring)
    rings = product((False, True), repeat=length)
    fitting = [each for each in rings if sum(a != b for a, b in zip(each, each[1:] + each[:1], strict=True)) <= 2]
    assert models(formula, ring) == {frozenset(v for v, true in zip(ring, each, strict=True) if true) for each in fitting}
    assert len(models(formula, range(1, formula.num_variables + 1))) == len(fitting)


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


def test_ranks_have_one_model_for_each_solution():
    formula = GridFormula(3, 3)
    formula.single_cycle(4, 4, RANK)
    assert len(models(formula, range(1, formula.num_variables + 1))) == 213


@pytest.mark.parametrize("sizes", [{(0, 0): 3, (2, 2): 2}, {(1, 1): 5}, {(0, 1): -2, (2, 0): 1}, {(0, 0): -2, (1, 2): 0}, {}])
@pytest.mark.parametrize("encoding", [TREE_COTREE, RANK])
def test_islands_are_those_of_flood_fill(sizes, encoding):
    formula = GridFormula(3, 3)
    block = formula.bools("x")
    formula.islands({cell: block[cell] for cell in formula.cells}, sizes, encoding)

    def fits(members):
        named = [[sizes[cell] for cell in part if cell in sizes] + [len(part)] for part in components(members)]
        return set(sizes) <= set(members) and all(len(each) == 2 and each[0] in (each[1], -2, 0) for each in named)

    expected = {frozenset(block[cell] for cell in members) for members in subsets(formula.cells) if fits(members)}
    assert models(formula, block.variables) == expected
    if encoding == RANK:
        assert len(models(formula, range(1, formula.num_variables + 1))) == len(expected)


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


@pytest.mark.parametrize(("starts", "steps"), [([(0, 0)], 2), ([(0, 0), (2, 2)], 3), ([(1, 1)], 0), ([(0, -1), (0, 1)], 9)])
def test_cells_are_reached_by_short_paths(starts, steps):
    formula = GridFormula(3, 3)
    cells = formula.subset("x")
    reached = formula.reached(cells, starts, steps)
    results = [reached.get(cell, FALSE) for cell in formula.cells]
    for members in subsets(formula.cells):
        near = set(starts) & set(members) if steps else set()
        for _ in range(steps - 1):
            near |= {other for cell in near for other in neighbors(cell) if other in members}
        with Solver("glucose4", bootstrap_with=list(formula.clauses())) as solver:
            solver.solve([variable if cell in members else -variable for cell, variable in cells.items()])
            true = set(solver.get_model())
            assert {cell for cell, literal in zip(formula.cells, results, strict=True) if literal in true} == near
    assert len(models(formula, range(1, formula.num_variables + 1))) == 2**9


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize(("height", "width"), [(1, 3), (2, 2), (2, 3), (3, 2)])
def test_lines_without_cycle_and_connected_lines_are_those_of_flood_fill(encoding, height, width):
    def parts(cells, edges):
        return len(components(cells, lambda cell: [b if a == cell else a for a, b in edges if cell in (a, b)]))

    for acyclic in (False, True):
        formula = GridFormula(height, width)
        lines = formula.lines()
        used = {cell: formula.iff_or(lines_at(lines, cell)) for cell in formula.cells}
        if acyclic:
            formula.acyclic(lines, encoding)
        else:
            formula.connected_by(lines, used, encoding)
        expected = set()
        for chosen in subsets(list(lines)):
            cells = {cell for edge in chosen for cell in edge}
            count = parts(cells, chosen)
            if count == len(cells) - len(chosen) if acyclic else count <= 1:
                expected.add(frozenset(lines[edge] for edge in chosen))
        assert models(formula, formula.blocks["line"].variables) == expected


@pytest.mark.sample(5)
@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize(("height", "width"), [(1, 3), (2, 2), (2, 4), (3, 3), (4, 3)])
def test_diagonals_without_cycle_are_those_that_join_two_trees_each(encoding, height, width):
    formula = GridFormula(height, width)
    falling = formula.subset("x")
    formula.acyclic_diagonals(falling, encoding)
    expected = set()
    for chosen in subsets(formula.cells):
        root, trees = {}, True
        for r, c in formula.cells:
            ends = [(r, c), (r + 1, c + 1)] if (r, c) in chosen else [(r, c + 1), (r + 1, c)]
            for k, end in enumerate(ends):
                while end in root:
                    end = root[end]
                ends[k] = end
            if ends[0] == ends[1]:
                trees = False
                break
            root[ends[0]] = ends[1]
        if trees:
            expected.add(frozenset(falling[cell] for cell in chosen))
    assert models(formula, formula.projection) == expected
    if encoding == RANK:
        assert len(models(formula, range(1, formula.num_variables + 1))) == len(expected)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_cycle_may_be_empty(encoding):
    formula = GridFormula(2, 2)
    formula.single_cycle(3, 3, encoding, empty=True)
    assert len(models(formula, formula.blocks["inside"].variables)) == 13 + 1


@pytest.mark.parametrize("total", range(6))
def test_visible_counts_are_those_of_walking(total):
    formula = GridFormula(3, 3)
    cells = formula.subset("x")
    ways = [[(0, 1)], [(1, 0)], [(1, 2), (0, 2)], [(2, 1), (2, 0), (2, 2)]]
    formula.visible_count([[cells[cell] for cell in way] for way in ways], total)

    def fits(members):
        return sum(len(list(takewhile(members.__contains__, way))) for way in ways) == total

    expected = {frozenset(cells[cell] for cell in members) for members in subsets(formula.cells) if fits(members)}
    assert models(formula, cells.values()) == expected
    assert len(models(formula, range(1, formula.num_variables + 1))) == len(expected)


@pytest.mark.parametrize("total", [0, 1, 2, 3, 4])
def test_rising_counts_are_those_of_walking(total):
    formula = GridFormula(1, 3)
    number = formula.ints("number", {(0, 0): (1, 2, 3), (0, 1): (2, 3), (0, 2): (1, 2, 4)})
    formula.rising_count(list(number.values()), total)
    lines = product(*number.values())
    fits = [line for line in lines if sum(n > max([0, *line[:k]]) for k, n in enumerate(line)) == total]
    expected = {frozenset(number[0, c][n] for c, n in enumerate(line)) for line in fits}
    assert models(formula, formula.projection) == expected
    assert len(models(formula, range(1, formula.num_variables + 1))) == len(expected)


def test_no_two_touching_cells():
    formula = GridFormula(3, 3)
    block = formula.bools("x")
    formula.no_two_touching({cell: block[cell] for cell in formula.cells})
    apart = [m for m in subsets(formula.cells) if all(max(abs(a - c), abs(b - d)) > 1 for (a, b), (c, d) in combinations(m, 2))]
    assert models(formula, block.variables) == {frozenset(block[cell] for cell in members) for members in apart}


@pytest.mark.sample(4)
@pytest.mark.parametrize("corners", [False, True])
@pytest.mark.parametrize("bank", [("11g", "11g"), ("21o", "11g"), ("22s", "11g", "11g"), ("21o", "21o"), ()])
def test_pieces_are_the_parts_of_flood_fill(bank, corners):
    formula = GridFormula(3, 4)
    block = formula.bools("x")
    pieces = [orientations(piece_cells(piece)) for piece in bank]
    formula.pieces({cell: block[cell] for cell in formula.cells}, pieces, corners=corners)

    def around(cell):
        return ((cell[0] + i, cell[1] + j) for i, j in product((-1, 0, 1), repeat=2))

    def fits(members):
        parts = components(members)
        apart = not corners or len(components(members, around)) == len(parts)
        return apart and sorted(orientations(part)[0] for part in parts) == sorted(piece[0] for piece in pieces)

    expected = {frozenset(block[cell] for cell in members) for members in subsets(formula.cells) if fits(members)}
    assert models(formula, block.variables) == expected
    assert len(models(formula, range(1, formula.num_variables + 1))) == len(expected)


@pytest.mark.parametrize(("start", "total"), [((0, 0), 3), ((1, 1), 4), ((0, 1), 0), ((1, 0), 9)])
def test_parts_beside_a_cell_are_those_of_flood_fill(start, total):
    formula = GridFormula(3, 3)
    block = formula.bools("x", [cell for cell in formula.cells if cell != start])
    cells = {cell: block[cell] for cell in formula.cells if cell != start}
    formula.parts_beside(cells, start, total, dict.fromkeys(cells, 9))

    def fits(members):
        return sum(len(part) for part in components(members) if part.intersection(neighbors(start))) == total

    expected = {frozenset(block[cell] for cell in members) for members in subsets(list(cells)) if fits(members)}
    assert models(formula, block.variables) == expected
    assert len(models(formula, range(1, formula.num_variables + 1))) == len(expected)


@pytest.mark.parametrize("total", [0, 3, 6, 7, 11, 20])
def test_sums_are_those_of_addition(total):
    formula = GridFormula(1, 3)
    number = formula.ints("number", {(0, 0): (0, 1, 5), (0, 1): (2, 3), (0, 2): (1, 2, 3)})
    formula.sum_of(list(number.values()), total)
    lines = [line for line in product(*number.values()) if sum(line) == total]
    expected = {frozenset(number[0, c][n] for c, n in enumerate(line)) for line in lines}
    assert models(formula, formula.projection) == expected
    assert len(models(formula, range(1, formula.num_variables + 1))) == len(expected)


def test_counts_are_those_of_counting():
    formula = GridFormula(1, 4)
    block = formula.bools("x")
    least = formula.counts(block.variables)
    for true in models(formula, range(1, formula.num_variables + 1)):
        count = len(true.intersection(block.variables))
        assert [literal in true if literal > 0 else -literal not in true for literal in least] == [k < count for k in range(4)]


def test_divisions_into_rectangles_are_published():
    """OEIS A116694: divisions of a board of n x n cells into rectangles."""
    for side, divisions in [(1, 1), (2, 8), (3, 322)]:
        formula = GridFormula(side, side)
        corners = product(range(side), repeat=2)
        formula.division((r, c, h + 1, w + 1) for r, c in corners for h, w in product(range(side - r), range(side - c)))
        assert len(models(formula, formula.projection)) == divisions
        assert len(models(formula, range(1, formula.num_variables + 1))) == divisions


@pytest.mark.parametrize(("height", "width"), [(1, 4), (2, 2), (2, 3)])
def test_sizes_of_regions_are_those_of_flood_fill(height, width):
    formula = GridFormula(height, width)
    number = formula.ints("number", dict.fromkeys(formula.cells, range(1, height * width + 1)))
    formula.region_sizes(number, {((0, 0), (0, 1))})
    expected = set()
    for line in product(range(1, height * width + 1), repeat=height * width):
        board = dict(zip(formula.cells, line, strict=True))
        parts = components(board, lambda cell, board=board: [o for o in neighbors(cell) if board.get(o) == board[cell]])
        if board[0, 0] != board[0, 1] and all(len(part) == board[min(part)] for part in parts):
            expected.add(frozenset(number[cell][value] for cell, value in board.items()))
    assert models(formula, formula.projection) == expected


@pytest.mark.parametrize("number", range(10))
@pytest.mark.parametrize("directions", range(5))
def test_bridges_of_an_island_are_those_with_this_sum(number, directions):
    """A direction has one bridge if its first variable is true, and two if both are."""
    formula = GridFormula(1, 2 * directions or 1)
    ends = list(formula.bools("x", [(0, k) for k in range(2 * directions)]).variables)
    formula.add_clauses((-two, one) for one, two in zip(ends[::2], ends[1::2], strict=True))
    exact_bridges(formula, ends, number)
    sums = [each for each in product(range(3), repeat=directions) if sum(each) == number]
    expected = {frozenset(end for k, count in enumerate(each) for end in ends[2 * k : 2 * k + count]) for each in sums}
    assert models(formula, ends) == expected


@pytest.mark.parametrize("encoding", [LAZY, TREE_COTREE])
@pytest.mark.parametrize(("height", "width"), [(1, 1), (1, 2), (1, 3), (3, 1), (1, 4), (2, 2), (2, 3), (3, 3), (3, 4)])
def test_shaded_cells_do_not_touch_and_leave_the_others_connected(encoding, height, width):
    formula = GridFormula(height, width)
    shaded = HITORI.shades(formula, encoding)
    expected = set()
    for members in subsets(formula.cells):
        touch = any(other in members for cell in members for other in neighbors(cell))
        if members and not touch and len(components(set(formula.cells) - set(members))) <= 1:
            expected.add(frozenset(shaded[cell] for cell in members))
    assert models(formula, list(shaded.values())) == expected
