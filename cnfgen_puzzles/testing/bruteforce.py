"""All models of a small formula by splitting and unit propagation: independent of every solver, and slow."""

from __future__ import annotations

from collections.abc import Iterator

from cnfgen_puzzles.formula import Cnf


def models(cnf: Cnf) -> Iterator[frozenset[int]]:
    """Every total model, as the set of its true literals."""
    clauses = [frozenset(clause) for clause in cnf.clauses()]
    yield from _extend(clauses, frozenset(), range(1, cnf.num_variables + 1))


def _extend(clauses: list[frozenset[int]], chosen: frozenset[int], variables: range) -> Iterator[frozenset[int]]:
    propagated = propagate(clauses, chosen)
    if propagated is None:
        return
    clauses, chosen = propagated
    free = next((variable for variable in variables if variable not in chosen and -variable not in chosen), None)
    if free is None:
        yield chosen
        return
    for literal in (free, -free):
        yield from _extend(clauses, chosen | {literal}, variables)


def propagate(clauses: list[frozenset[int]], chosen: frozenset[int]) -> tuple[list[frozenset[int]], frozenset[int]] | None:
    """The clauses that `chosen` and its unit consequences leave open, and those consequences; None on a contradiction."""
    true = set(chosen)
    while True:
        open_clauses: list[frozenset[int]] = []
        units: set[int] = set()
        for clause in clauses:
            if clause & true:
                continue
            rest = frozenset(literal for literal in clause if -literal not in true)
            if not rest:
                return None
            if len(rest) == 1:
                units |= rest
            open_clauses.append(rest)
        if any(-unit in units for unit in units):
            return None
        if not units:
            return open_clauses, frozenset(true)
        true |= units
        clauses = open_clauses
