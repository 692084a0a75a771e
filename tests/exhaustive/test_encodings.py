"""Every encoding of every family, with all its options, on all small puzzles: its models are exactly the solutions.

`make test` takes a small sample of the puzzles, spread over all ranges, and `make test-release` a larger one;
`scripts/check/compare_encodings.py` takes all.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from exhaustive.comparing import Comparison, Range, Tally, alone, projected_models, tallies, variants
from exhaustive.table import ranges_of

from cnfgen_puzzles.families import Encoding, Option, family_names, find_family
from cnfgen_puzzles.families.nonogram.puzzle import Nonogram
from cnfgen_puzzles.formula import Formula

NAMES = family_names()  # those of other packages too
EVERY = [pytest.param(name, one, id=f"{name}-{n}") for name in NAMES for n, one in enumerate(ranges_of(find_family(name)))]


SAMPLE = 5
"""The sampling factor of `make test`, in addition to the step of a range."""


@pytest.mark.sample(39)
@pytest.mark.parametrize(("name", "one"), EVERY)
def test_models_are_exactly_the_solutions(name, one):
    family = find_family(name)
    found = tallies(family, one, one.step * (SAMPLE if one.step > 1 else 1))
    assert {encoding for encoding, _ in found} == set(family.encodings)
    assert all(tally.puzzles for tally in found.values())


@pytest.mark.release
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("name", "one"), EVERY)
def test_models_are_exactly_the_solutions_of_more(name, one):
    tallies(find_family(name), one, one.step)


# -- the comparison itself ----------------------------------------------------------------------------------------------


def test_options_are_all_tried():
    options = (
        Option("a", "", "x", choices=("y", "x")),
        Option("b", "", False, bool),
        Option("n", "", 3, int, most=4),
        Option("t", ""),
    )
    found = variants(Encoding("e", "", Formula, options))
    assert found[0] == {"a": "x", "b": False, "n": 3, "t": None}
    assert {(each["a"], each["b"], each["n"], each["t"]) for each in found} == {
        (a, b, 3, None) for a in "xy" for b in (False, True)
    }
    assert [each["k"] for each in variants(Encoding("e", "", Formula, (Option("k", "", None, int, least=1),)))] == [1, 3]


def test_models_of_all_variables_and_of_the_projection():
    formula = Formula()
    some = formula.grid("some", 2)
    formula.projection = some.variables
    formula.add(1, 2)
    assert {frozenset({1}), frozenset({2}), frozenset({1, 2})} == set(projected_models(formula)[0])
    assert projected_models(formula)[1]
    formula.auxiliary(2)  # free: no clause has them
    found, single = projected_models(formula)
    assert len(found) == 3 and not single
    formula.add()
    assert projected_models(formula) == ([], True)
    assert projected_models(Formula()) == ([frozenset()], True)


SOME = Nonogram(((1,), (1,)), ((1,), (1,)))  # two boards


def damaged(build):
    """The differences of an encoding that loses, adds or duplicates boards."""
    family = find_family("nonogram")
    key = ranges_of(family)[0].key
    boards = frozenset({((True, False), (False, True)), ((False, True), (True, False))})
    from exhaustive.comparing import Case

    one = Comparison(family, Range("some", lambda: iter(()), key), Case(SOME, lambda: boards, alone))
    return one.compare(Encoding("order", "", build), {})


def changed(clauses, auxiliary=0, drop=0):
    def build(puzzle):
        formula = find_family("nonogram").encode(puzzle)
        if drop:
            made = Formula(formula.num_variables, blocks=formula.blocks, projection=formula.projection)
            made.add_clauses(list(formula.clauses())[:-drop])
            formula = made
        formula.auxiliary(auxiliary)
        formula.add_clauses(clauses)
        return formula

    return build


def test_a_wrong_encoding_is_found():
    assert damaged(changed([])) == Tally(1, 2)
    with pytest.raises(AssertionError, match="lost"):
        damaged(changed([[1]]))
    with pytest.raises(AssertionError, match="two models are one board"):
        damaged(changed([], auxiliary=1))
    with pytest.raises(AssertionError, match="breaks the rules"):
        damaged(changed([], drop=8))
    with pytest.raises(AssertionError, match="lost"):
        damaged(changed([[1], [-1]]))
    with pytest.raises(AssertionError, match="symmetric"):
        damaged(lambda puzzle: replace(changed([[1]])(puzzle), up_to="up to nothing"))
