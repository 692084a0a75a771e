"""Shared by the tests of enumeration: brute force over projected models, small formulas with auxiliary variables."""

from __future__ import annotations

import itertools
from array import array

from hypothesis import strategies as st

from cnfgen_puzzles.counting.problem import Parts, Problem
from cnfgen_puzzles.counting.splitting import Divider
from cnfgen_puzzles.formula import Cnf, Formula
from cnfgen_puzzles.formula.exactcover import ExactCover
from cnfgen_puzzles.testing import models


def projected(problem: Problem) -> set[frozenset[int]]:
    """All solutions, by brute force."""
    wanted = set(problem.projection)
    return {frozenset(literal for literal in model if literal in wanted) for model in models(problem.cnf)}


def divided(problem: Problem, at_least: int) -> Parts:
    """The parts of the search, divided until there are so many, or none can be divided."""
    parts, divider = Parts(), Divider(problem)
    while len(parts) < at_least:
        choices = ((number, divider.choices(parts[number])[:-1]) for number in parts.numbers())
        number, literals = next((choice for choice in choices if choice[1]), (0, []))
        if not literals:
            break
        parts.divide(number, literals)
    return parts


def cnf_of(num_variables: int, clauses) -> Cnf:
    return Cnf(num_variables, len(clauses), array("i", [literal for clause in clauses for literal in (*clause, 0)]))


def queens(n: int) -> Cnf:
    """A solution is found at once; counting those of 12 or 13 takes more than a minute."""
    cell = {key: place for place, key in enumerate(itertools.product(range(n), repeat=2), start=1)}
    attacks = [
        [-cell[r, c], -cell[s, d]]
        for (r, c), (s, d) in itertools.combinations(cell, 2)
        if r == s or c == d or abs(r - s) == abs(c - d)
    ]
    return cnf_of(n * n, [*attacks, *([cell[r, c] for c in range(n)] for r in range(n))])


def permutations(n: int) -> Problem:
    """n! solutions: a true cell in every row and every column."""
    formula = Formula()
    cell = formula.grid("cell", n, n)
    for i in range(n):
        formula.exactly_one(cell.below(i), "pairwise")
        formula.exactly_one([cell[r, i] for r in range(n)], "product")
    return Problem(formula, cell.variables, antichain=True)


@st.composite
def problems(draw):
    """Random formulas of up to nine variables, with a random projection set."""
    n = draw(st.integers(1, 9))
    literal = st.integers(1, n).flatmap(lambda v: st.sampled_from([v, -v]))
    clauses = draw(st.lists(st.lists(literal, min_size=1, max_size=4), max_size=20))
    projection = sorted(draw(st.sets(st.integers(1, n))))
    return Problem(cnf_of(n, clauses), projection)


def cover_problem(cover: ExactCover) -> Problem:
    """The exact cover problem as a formula as well: pairwise, with one variable for each option."""
    n = max(cover.variables, default=0)
    formula = Formula(n)
    for item in (*cover.primary, *cover.secondary):
        variables = [v for v, option in zip(cover.variables, cover.options, strict=True) if item in option]
        if item in cover.primary:
            formula.add(*variables)
        formula.at_most_one(variables, "pairwise")
    for variables, least, most in cover.counted:
        formula.at_least_k(sorted(variables), least)
        if most is not None:
            formula.at_most_k(sorted(variables), most)
    formula.projection = sorted(cover.variables)
    return Problem(formula, formula.projection, cover, cover.antichain)


@st.composite
def covers(draw):
    """Random exact cover problems with secondary items, options without a primary item, and bounds on chosen options."""
    items = [f"i{number}" for number in range(draw(st.integers(0, 5)))]
    primary = [item for item in items if draw(st.integers(0, 2))]
    option = st.lists(st.sampled_from(items), unique=True, max_size=3) if items else st.just([])
    options = draw(st.lists(option, max_size=9))
    variables = list(range(1, len(options) + 1))
    counted = []
    if variables and draw(st.booleans()):
        among = draw(st.sets(st.sampled_from(variables), min_size=1))
        least = draw(st.integers(0, len(among)))
        counted = [(frozenset(among), least, draw(st.none() | st.integers(least, len(among))))]
    return ExactCover(primary, [item for item in items if item not in primary], options, variables, counted)
