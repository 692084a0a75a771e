"""Exactly the dead ends are excluded: compared with plain search and with the definition."""

from itertools import combinations

import pytest
from families.tiling.smallpuzzles import PUZZLES, solutions
from pysat.solvers import Solver

from cnfgen_puzzles.families.tiling import FAMILY
from cnfgen_puzzles.families.tiling.deadends import dead_ends as dead_ends_of
from cnfgen_puzzles.families.tiling.puzzle import open_groups
from cnfgen_puzzles.formula import dead_ends


def dead_ends_in(puzzle):
    """The placements that remain, and the pairs that exclude each other."""
    kept, later = dead_ends_of(puzzle, range(len(puzzle.placements)))
    return set(kept), [(p, q) for p, others in later for q in others]


def check_nothing_is_lost(puzzle, truth):
    kept, pairs = dead_ends_in(puzzle)
    excluded = set(map(frozenset, pairs))
    for solution in truth:
        assert solution <= kept
        assert not any(frozenset(pair) in excluded for pair in combinations(solution, 2))


def clash(puzzle, groups, p, q):
    """By the rules: two placements of which at most one is used."""
    one, other = puzzle.placements[p], puzzle.placements[q]
    if one.cells & other.cells or (one.piece == other.piece and puzzle.pieces[one.piece].most == 1):
        return True
    return any(group.most == 1 and {one.piece, other.piece} <= set(group.pieces) for group in groups)


def needs(puzzle):
    """By the rules: placements of which at least one is used."""
    everything = range(len(puzzle.placements))
    yield from ({p for p in everything if cell in puzzle.placements[p].cells} for cell in puzzle.must_cover)
    for number, piece in enumerate(puzzle.pieces):
        if piece.least:
            yield {p for p in everything if puzzle.placements[p].piece == number}
    for group in open_groups(puzzle):
        if group.least:
            yield {p for p in everything if puzzle.placements[p].piece in group.pieces}


@pytest.mark.parametrize("name", PUZZLES)
def test_all_immediate_dead_ends_are_found(name):
    """Each placement and each pair that the definition excludes in the first round."""
    puzzle = PUZZLES[name]
    kept, excluded = dead_ends_in(puzzle)
    groups = open_groups(puzzle)
    everything, needed = range(len(puzzle.placements)), list(needs(puzzle))
    clashing = [{o for o in everything if clash(puzzle, groups, o, p)} for p in everything]
    for p, q in combinations(everything, 2):
        if q in clashing[p]:
            assert (p, q) not in excluded
        elif any(need <= clashing[p] | clashing[q] for need in needed if need.isdisjoint({p, q})):
            assert not {p, q} <= kept or (p, q) in excluded


@pytest.mark.parametrize("name", ["dominoes", "L-trominoes", "a ring"])
def test_each_clause_follows_by_unit_propagation(name):
    """Each clause follows from the formula without dead-end elimination and the clauses before it, so a checker verifies it."""
    puzzle = PUZZLES[name]
    plain, more = FAMILY.encode(puzzle), FAMILY.encode(puzzle, starving=True)
    place, number = more.blocks["place"], {p.key: n for n, p in enumerate(puzzle.placements)}
    variable = dict(plain.blocks["place"].items())
    kept, pairs = dead_ends_in(puzzle)
    assert len(pairs) > 10
    assert {number[key] for key in dict(place.items())} == kept
    clauses = set(map(frozenset, more.clauses()))
    assert all(frozenset(-place[puzzle.placements[each].key] for each in pair) in clauses for pair in pairs)
    of = [variable[placement.key] for placement in puzzle.placements]
    with Solver("minisat22", bootstrap_with=[list(clause) for clause in plain.clauses()]) as solver:
        waiting = [*((of[p],) for p in range(len(of)) if p not in kept), *((of[p], of[q]) for p, q in pairs)]
        while waiting:
            left = [assumed for assumed in waiting if solver.propagate(assumed)[0]]
            believed = set(waiting) - set(left)
            assert believed, f"{len(left)} of {len(waiting)} clauses do not follow"
            for assumed in believed:
                solver.add_clause([-literal for literal in assumed])
            waiting = left


def test_the_search_stops_at_its_step_limit(monkeypatch):
    """The dead ends found so far are correct: a subset of all."""
    puzzle = PUZZLES["in space"]
    all_of_them = set(dead_ends_in(puzzle)[1])
    monkeypatch.setattr(dead_ends, "MOST_WORK", 10 * len(puzzle.placements) * len(puzzle.must_cover))
    assert set(dead_ends_in(puzzle)[1]) < all_of_them
    check_nothing_is_lost(puzzle, solutions(puzzle))
