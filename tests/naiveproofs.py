"""Formulas and proofs for tests: files, truth tables, random proofs, and a checker too simple to be wrong."""

from __future__ import annotations

import functools
import operator
from array import array

from cnfgen_puzzles.formula import Cnf, write_dimacs


def cnf_of(clauses, variables=0):
    variables = max([variables, *(abs(literal) for clause in clauses for literal in clause)])
    return Cnf(variables, len(clauses), array("i", [literal for clause in clauses for literal in [*clause, 0]]))


def write_cnf(path, clauses):
    """A file of these clauses, or of a `Cnf`."""
    with path.open("wb") as stream:
        write_dimacs(clauses if isinstance(clauses, Cnf) else cnf_of(clauses), stream)
    return path


def random_clauses(choice, variables, number):
    """Clauses of two or three literals."""
    names = range(1, variables + 1)
    return [[choice.choice((1, -1)) * name for name in choice.sample(names, choice.randint(2, 3))] for _ in range(number)]


def text_of(steps):
    return "".join(" ".join([*(["d"] if deletes else []), *map(str, clause), "0\n"]) for deletes, clause in steps)


def bytes_of(steps):
    """The same in the binary format."""
    written = bytearray()
    for deletes, clause in steps:
        written += b"d" if deletes else b"a"
        for literal in [*clause, 0]:
            number = 2 * abs(literal) + (literal < 0)
            while number > 127:
                written.append(number & 127 | 128)
                number >>= 7
            written.append(number)
    return bytes(written)


def satisfiable(clauses):
    """By truth tables, as integers with a bit for every assignment."""
    top = max((abs(literal) for clause in clauses for literal in clause), default=0)
    everywhere = (1 << (1 << top)) - 1
    where = {}
    for variable in range(1, top + 1):
        period = 1 << (variable - 1)
        where[variable] = everywhere // ((1 << period) + 1) << period & everywhere
        where[-variable] = everywhere ^ where[variable]
    return (
        functools.reduce(
            operator.and_, (functools.reduce(operator.or_, map(where.get, clause), 0) for clause in clauses), everywhere
        )
        > 0
    )


# -- a naive checker: every lemma is checked when it comes, by sets ---------------------------------------------------------


def follows_by_units(clauses, false):
    false = set(false)
    if any(-literal in false for literal in false):
        return True
    while True:
        rests = [clause - false for clause in clauses]
        if not all(rests):
            return True
        new = {-literal for rest in rests if len(rest) == 1 for literal in rest} - false
        if any(-literal in false for literal in new):
            return True
        if not new:
            return False
        false |= new
        if any(-literal in false for literal in false):
            return True


def may_be_added(clauses, lemma):
    if follows_by_units(clauses, lemma):
        return True
    with_negation = [clause for clause in clauses if lemma and -lemma[0] in clause]
    return bool(lemma) and all(follows_by_units(clauses, {*lemma, *clause} - {-lemma[0]}) for clause in with_negation)


def made_proof(choice, clauses, most=40):
    """A random correct proof: lemmas that follow or can be added on their first literal, with old and new variables."""
    there = [frozenset(clause) for clause in clauses]
    top = max(abs(literal) for clause in clauses for literal in clause)
    steps, given_up = [], 0
    while not follows_by_units(there, ()) and given_up < most:
        variables = choice.sample(range(1, top + 2), choice.randint(1, min(3, top + 1)))
        lemma = [choice.choice((1, -1)) * variable for variable in variables]
        if not may_be_added(there, lemma):
            given_up += 1
            continue
        steps.append((False, lemma))
        there.append(frozenset(lemma))
    if follows_by_units(there, ()):
        return [*steps, (False, [])]
    return None
