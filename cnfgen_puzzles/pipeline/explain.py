"""A puzzle explained: by the family's thought, checked by its rules, and with a solver's conflicts beside it where asked for."""

from __future__ import annotations

import json
from array import array
from dataclasses import replace
from typing import Any

from cnfgen_puzzles.families import Family, Puzzle, find_family
from cnfgen_puzzles.families.explaining import DEPTH, LOOKS, Explaining, Explanation
from cnfgen_puzzles.ground.activity import doing
from cnfgen_puzzles.ground.errors import CnfgenError, InputError
from cnfgen_puzzles.pipeline.instance import make_instance
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE
from cnfgen_puzzles.solving.incremental.session import open_session
from cnfgen_puzzles.solving.process import Limits


def explain(
    family: str | Family,
    puzzle: Puzzle,
    *,
    depth: int = DEPTH,
    looks: int = LOOKS,
    most: int | None = None,
    solver: str | None = None,
    limits: Limits | None = None,
) -> Explanation:
    """The puzzle solved as a person would, step by step; from its known cells on, where it has some.

    `depth`: so many assumptions are made within each other at most, 0 for none. `looks`: so many lines are looked at for them at
    most. `most`: end after so many steps that decide a cell; 1 gives a hint. `solver`: one of python-sat's, whose
    conflicts are counted too, under `limits`. A family that has no such thing is an InputError.
    """
    chosen = find_family(family) if isinstance(family, str) else family
    explaining = explaining_of(chosen)
    for name, number, least in (("depth", depth, 0), ("looks", looks, 0), ("most", 1 if most is None else most, 1)):
        if not isinstance(number, int) or isinstance(number, bool) or number < least:
            raise InputError(f"found {name}={number!r}, expected a whole number from {least} on")
    if argument := chosen.impossible(puzzle):
        return Explanation(puzzle, (), UNSATISFIABLE, f"no solution: {argument}", chosen.blank(puzzle))
    with doing("solving by thought"):
        found = explaining.explain(puzzle, depth=depth, looks=looks, most=most)
    if found.status == SATISFIABLE and (broken := chosen.check(puzzle, found.board)):
        raise CnfgenError(f"the steps lead to a board that breaks the rules: {'; '.join(broken)}")
    if solver is None:
        return found
    with doing(f"{solver} is solving"):
        counted = conflicts(chosen, puzzle, solver, limits)
    return replace(found, difficulty={**found.difficulty, **counted})


def explaining_of(family: Family) -> Explaining:
    """How puzzles of the family are explained; InputError where they are not."""
    if family.explaining is None:
        raise InputError(f"found the family {family.name}, whose puzzles are not explained")
    return family.explaining


def conflicts(family: Family, puzzle: Puzzle, solver: str, limits: Limits | None = None) -> dict[str, Any]:
    """The conflicts of an incremental solver until it has a board and knows whether there is another."""
    instance = make_instance(family, puzzle)
    with open_session(solver, limits) as session:
        session.add_flat(instance.cnf.literals)
        step = session.solve()
        if step.status == SATISFIABLE:
            signs = set(step.model)
            other = [-variable if variable in signs else variable for variable in instance.projection]
            session.add_flat(array("i", [*other, 0]))
            step = session.solve()
    if step.status not in (SATISFIABLE, UNSATISFIABLE):
        return {"solver": solver, "conflicts": None, "solver ended": step.reason or step.status}
    if "conflicts" not in step.statistics:
        raise InputError(
            f"{solver} counts no conflicts, expected another of python-sat's solvers, such as cadical195 or glucose4"
        )
    return {"solver": solver, "conflicts": step.statistics["conflicts"]}


def explanation_to_json(family: Family, explanation: Explanation) -> dict[str, Any]:
    """All that is known, for programs; what the steps' fields are: docs/hints.md."""
    board = explaining_of(family).board_to_json(explanation.puzzle, explanation.board)
    named = {"family": family.name, "puzzle": family.describe(explanation.puzzle)}
    return {**named, **explanation.to_json(), "steps": [step.fields for step in explanation.steps], "board": board}


def explanation_lines(family: Family, explanation: Explanation) -> list[str]:
    """JSON one object a line: the steps, then all the rest."""
    whole = explanation_to_json(family, explanation)
    steps = whole.pop("steps")
    return [json.dumps(entry, separators=(",", ":")) for entry in [*steps, whole]]
