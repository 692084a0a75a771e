"""The requests that the options of solve-puzzle make, still without a puzzle: for one puzzle, and for each of a collection."""

from __future__ import annotations

from typing import Any

from cnfgen_puzzles.cli.common import limits_named
from cnfgen_puzzles.cli.families import encoding_options_named
from cnfgen_puzzles.families import Family
from cnfgen_puzzles.pipeline.request import CountRequest, SolveRequest, proof_policy, solver_names


def solve_request_named(family: Family, values: dict[str, Any]) -> SolveRequest:
    """What the options ask, without a puzzle."""
    cegar = {"add": values["add"], "choice": values["choose"], "search": values["search"]} if family.refinement else {}
    return SolveRequest(
        family=family, encoding=values["encoding"], options=encoding_options_named(family, values),
        solver=solver_names(values["solver"]),
        limits=limits_named(values), seed=values["solver_seed"], proof=proof_policy(not values["no_proof"], values["certify"]),
        checker=values["checker"], **cegar,
    )  # fmt: skip


def count_request_named(family: Family, values: dict[str, Any]) -> CountRequest:
    """What the options ask, without a puzzle."""
    return CountRequest(
        family=family, encoding=values["encoding"], options=encoding_options_named(family, values),
        solver=solver_names(values["solver"]),
        limits=limits_named(values), engine=values["engine"], most=values["limit"], raw=values["raw"], up_to=values["up_to"],
        listed=False,
    )  # fmt: skip
