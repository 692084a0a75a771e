"""The explanation of a puzzle: deductions by the family, checked by its rules, and on request the conflicts of a solver."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator
from functools import cache
from typing import Any

from cnfgen_puzzles.common.activity import doing
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.families import Board, Family, Puzzle
from cnfgen_puzzles.families.capabilities import DEPTH, LOOKS, Explanation
from cnfgen_puzzles.pipeline.instance import checked_board, make_instance
from cnfgen_puzzles.pipeline.request import MusRequest, family_of
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE
from cnfgen_puzzles.solving.incremental import is_installed
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.session import open_session

BOARD_SOLVER = "glucose4"
"""The solver of python-sat that finds boards; it follows preferred phases."""
FINDING = 10_000
"""Conflicts per board."""
FOUND = 200
"""Boards at most."""
FINDING_LIMITS = Limits(cpu=10.0, wall=20.0)
"""The limits for all boards together."""


def explain(
    puzzle: Puzzle,
    *,
    depth: int | None = None,
    looks: int | None = None,
    most: int | None = None,
    solver: str | None = None,
    limits: Limits | None = None,
) -> Explanation:
    """Solve the puzzle step by step, as a person would, starting from its known cells.

    `depth`: the most nested assumptions, 0 for none. `looks`: the most lines that are examined for assumptions. `most`: stop
    after this number of steps that decide a cell; 1 gives a hint. `solver`: a solver of python-sat whose conflicts are counted as
    well, under `limits`. InputError for a family without explanations.

    If the deductions take long or end early, a solver finds boards. A value that is true in a board cannot be refuted, and a cell
    that differs between two boards cannot be decided. A hint for a half-filled puzzle first states whether it has a board.
    """
    family = family_of("explain", puzzle)
    if family.explaining is None:
        raise InputError(f"found the family {family.name}, whose puzzles are not explained")
    depth, looks = DEPTH if depth is None else depth, LOOKS if looks is None else looks
    for name, number, least in (("depth", depth, 0), ("looks", looks, 0), ("most", 1 if most is None else most, 1)):
        if not isinstance(number, int) or isinstance(number, bool) or number < least:
            raise InputError(f"found {name}={number!r}, expected a whole number from {least} on")
    given = family.givens is not None and family.givens.count(puzzle) > 0
    boards = cache(lambda: tuple(differing_boards(family, puzzle)))
    if argument := family.impossible(puzzle):
        found = Explanation(puzzle, (), UNSATISFIABLE, f"no solution: {argument}", family.blank(puzzle))
    elif most == 1 and given and boards() == (None,):
        found = Explanation(puzzle, (), UNSATISFIABLE, "no solution", family.blank(puzzle))
    else:
        with doing("solving by thought"):
            found = family.explaining(puzzle, depth=depth, looks=looks, most=most, boards=lambda: filter(None, boards()))
    if found.status == UNSATISFIABLE and given:
        found = found._replace(sentence=f"{found.sentence}\n{contradicting(family, puzzle)}")
    if found.status == SATISFIABLE and (broken := family.check(puzzle, found.board)):
        raise CnfgenError(f"the steps lead to a board that breaks the rules: {'; '.join(broken)}")
    if solver is None:
        return found
    with doing(f"{solver} is solving"):
        return found._replace(difficulty={**found.difficulty, **conflicts(family, puzzle, solver, limits)})


def differing_boards(family: Family, puzzle: Puzzle) -> Iterator[Board | None]:
    """Boards of the puzzle, each of which differs from all boards before it in a new place, as long as there are any and the
    limits allow it. A single None means that the puzzle has no board."""
    if not is_installed():
        return
    instance = make_instance(family, puzzle)
    new = {sign * variable for variable in instance.projection for sign in (1, -1)}
    with open_session(BOARD_SOLVER, FINDING_LIMITS) as session, doing(f"{BOARD_SOLVER} is looking for boards"):
        session.add_flat(instance.cnf.literals)
        for number in range(FOUND):
            session.prefer(sorted(new, key=abs))
            step = session.solve(budget=FINDING)
            if step.status != SATISFIABLE:
                if step.status == UNSATISFIABLE and not number:
                    yield None
                return
            yield checked_board(family, puzzle, instance.map, step.model)
            true = set(step.model)
            new = {literal for literal in new if (literal > 0) != (abs(literal) in true)}
            session.add([sorted(new)])


def contradicting(family: Family, puzzle: Puzzle) -> str:
    """The description of a minimal unsatisfiable set of a half-filled puzzle without a board."""
    from cnfgen_puzzles.pipeline.mus import bound_limits, extract_mus  # seldom needed

    try:
        found = extract_mus(MusRequest(family=family, puzzle=puzzle, limits=bound_limits(None, 0.0)))
    except InputError as error:  # no solver is installed
        return f"What of it contradicts is not known: {error.message}"
    assert found is not None
    return found.sentence()


def conflicts(family: Family, puzzle: Puzzle, solver: str, limits: Limits | None = None) -> dict[str, Any]:
    """The conflicts of an incremental solver until it has found a board and decided whether there is another one."""
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
    """The explanation as JSON; docs/how-to/hints.md describes the fields."""
    board = [[None if cell is None else int(cell) for cell in row] for row in explanation.board]
    about = {"family": family.name, "puzzle": family.describe(explanation.puzzle)}
    return {**about, **explanation.to_json(), "steps": [step.fields for step in explanation.steps], "board": board}


def explanation_lines(family: Family, explanation: Explanation) -> list[str]:
    """The explanation as JSON lines: one object for each step, and one for the rest."""
    whole = explanation_to_json(family, explanation)
    return [json.dumps(entry, separators=(",", ":")) for entry in [*whole.pop("steps"), whole]]
