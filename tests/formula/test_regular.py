"""The regular constraint: exactly the accepted words, and all documented clauses, including those for propagation only."""

from __future__ import annotations

from itertools import pairwise, product

from cnfgen_puzzles.formula import Formula
from cnfgen_puzzles.formula.regular import accepts
from cnfgen_puzzles.testing import models

LENGTH = 4
STEPS = {(0, False): 0, (0, True): 1, (1, False): 0}  # no two adjacent letters are true; state 1: the last letter was
ENTERED = [False, True]


def formula_of(length):
    formula = Formula()
    word = formula.grid("word", length).variables
    pairs = [(q, s) for q in range(length + 1) for s in (0, 1) if q or not s]
    block = formula.keyed("state", pairs)
    formula.projection = word
    accepts(
        formula,
        [(variable,) for variable in word],
        {pair: block[pair] for pair in pairs},
        lambda s, letter: STEPS.get((s, letter)),
        ENTERED,
    )
    return formula, word, pairs


def test_models_are_the_accepted_words_each_once():
    formula, word, _ = formula_of(LENGTH)
    found = [tuple(variable in model for variable in word) for model in models(formula)]
    expected = [letters for letters in product((False, True), repeat=LENGTH) if (True, True) not in pairwise(letters)]
    assert sorted(found) == sorted(expected)


def test_the_number_of_clauses():
    """One clause for the first state; two for each state but the last (its letters), two for each but the first (letter,
    predecessor); two for each letter. Most of them are implied and improve propagation."""
    formula, word, pairs = formula_of(LENGTH)
    before, after = [p for p in pairs if p[0] < LENGTH], [p for p in pairs if p[0]]
    assert formula.num_clauses == 1 + 2 * len(before) + 2 * len(after) + 2 * len(word)
    units = [clause for clause in formula.clauses() if len(clause) == 1]
    assert len(units) == 1 and units[0][0] > 0
