"""Scrambled formulas have the same models up to the renaming, which can be undone; a seed always has the same effect."""

import json
from array import array
from dataclasses import replace

import pytest
from counting.enumerating import cnf_of
from hypothesis import given
from hypothesis import strategies as st

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.formula import Formula, VariableMap
from cnfgen_puzzles.formula.scramble import Renaming, scramble
from cnfgen_puzzles.formula.varmap import identity
from cnfgen_puzzles.testing import models as every_model


def models(cnf):
    """All models as sets of literals, by brute force."""
    return map(frozenset, every_model(cnf))


@st.composite
def formulas(draw):
    count = draw(st.integers(0, 5))
    literals = st.integers(1, count).flatmap(lambda v: st.sampled_from((v, -v))) if count else st.nothing()
    clauses = st.lists(literals, max_size=4) if count else st.just([])
    return cnf_of(count, draw(st.lists(clauses, max_size=8)))


@given(formulas(), st.integers(0, 2**40))
def test_the_same_models_up_to_renaming(cnf, seed):
    before = array("i", cnf.literals)
    scrambled, renaming = scramble(cnf, seed)
    assert cnf.literals == before
    assert (scrambled.num_variables, scrambled.num_clauses) == (cnf.num_variables, cnf.num_clauses)
    undone = [frozenset(renaming.undo(model)) for model in models(scrambled)]
    assert len(set(undone)) == len(undone)
    assert set(undone) == set(models(cnf))
    assert {frozenset(renaming.apply(model)) for model in models(cnf)} == set(models(scrambled))


@given(formulas(), st.integers(0, 99))
def test_the_same_clauses_up_to_renaming(cnf, seed):
    scrambled, renaming = scramble(cnf, seed)
    expected = [list(renaming.apply(clause)) for clause in cnf.clauses()]
    found = list(scrambled.clauses())
    assert sorted(map(sorted, found)) == sorted(map(sorted, expected))


@given(st.integers(0, 200), st.integers(0, 99))
def test_the_seed_determines_the_renaming(count, seed):
    renaming = Renaming(seed, count)
    again = Renaming.from_json(renaming.to_json(), count)
    literals = [literal for variable in range(1, count + 1) for literal in (variable, -variable)]
    assert list(again.apply(literals)) == list(renaming.apply(literals))
    assert sorted(abs(image) for image in renaming.apply(range(1, count + 1))) == list(range(1, count + 1))


def test_a_variable_without_a_value_is_false():
    """False in the scrambled formula can be true in the original: the model is completed before the renaming is undone."""
    renaming = Renaming(1, 20)
    silent = {-variable for variable in range(1, 21)}
    assert renaming.undo([]) == renaming.undo(silent)
    assert any(literal > 0 for literal in renaming.undo([]))


def test_a_seed_always_gives_the_same_scrambling():
    """Maps identify a renaming by its seed, so these values must not change with the version of Python."""
    cnf = cnf_of(6, [[1, -2, 3], [4, 5], [-6], [2, -5, 6, 1]])
    scrambled, renaming = scramble(cnf, 2024)
    assert list(renaming.images[1:7]) == [-6, 3, 4, 1, -5, 2]
    assert list(scrambled.clauses()) == [[-5, 1], [-2], [2, -6, 3, 5], [4, -6, -3]]
    assert list(scramble(cnf, 2025)[0].clauses()) != list(scrambled.clauses())


def test_a_scrambled_formula_is_another_one():
    cnf = cnf_of(30, [[1 + k % 30, -1 - (7 * k + 3) % 30] for k in range(40)])
    assert len({scramble(cnf, seed)[0].checksum() for seed in range(20)} | {cnf.checksum()}) == 21


def test_a_map_reverts_its_renaming():
    formula = Formula()
    cell = formula.grid("cell", 2, 2)
    formula.add(cell[0, 0])
    formula.add(-cell[0, 1])
    formula.projection = list(cell.variables)[:2]
    vmap = VariableMap.of(formula, family="f", encoding="e", options={}, puzzle={})
    cnf, renaming = scramble(formula, 3)
    renamed = VariableMap.from_json(replace(vmap, formula=identity(cnf), renaming=renaming).to_json(), "map")
    assert renamed.formula == identity(cnf) != vmap.formula
    assert json.loads(renamed.to_json())["version"] == 2 and json.loads(vmap.to_json())["version"] == 1
    (shown,) = renamed.projection_comments()
    assert shown.split()[2:-1] == sorted((str(abs(renaming.images[variable])) for variable in (1, 2)), key=int)
    for model in models(cnf):
        assert {1, -2} <= set(renamed.original(model))
    assert vmap.original([1, -2]) == [1, -2]


def test_a_damaged_renaming_is_refused():
    formula = Formula()
    vmap = VariableMap.of(formula, family="f", encoding="e", options={}, puzzle={})
    cnf, renaming = scramble(formula, 3)
    text = replace(vmap, formula=identity(cnf), renaming=renaming).to_json()
    for damage in (
        ('"seed":3', '"seed":"x"'),
        ('"seed":3,', ""),
        ('"signs":true', '"signs":false'),
        ('"renaming":{', '"renaming":[{'),
    ):
        with pytest.raises(InputError, match="variable map"):
            VariableMap.from_json(text.replace(*damage), "map")
