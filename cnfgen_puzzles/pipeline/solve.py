"""From a puzzle to an answer that holds: one board, whether it is the only one, or that there is none.

Every board has been checked twice when it leaves here: its model against the formula (by `solving`), and the board against the
rules of the puzzle. With `certify` an UNSAT answer has a DRAT proof that an independent checker has verified.
"""

from __future__ import annotations

import tempfile
from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path

from cnfgen_puzzles.evidence.proofs import ProofCheck, check_proof
from cnfgen_puzzles.families import Board, Family, Puzzle
from cnfgen_puzzles.formula import Cnf, VariableMap, write_dimacs
from cnfgen_puzzles.ground.errors import CnfgenError, InputError
from cnfgen_puzzles.pipeline.instance import Instance, puzzle_of
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.run import Run, run_solver
from cnfgen_puzzles.solving.table import Solver, find_solver

PREFERRED = ("kissat", "cadical", "glucose", "lingeling", "minisat")
"""The solvers to choose from when the user names none, best first (docs/encodings.md)."""

ONE, SEVERAL, NONE, UNDECIDED = "one", "several", "none", "undecided"


class BrokenBoard(CnfgenError):
    """A model that satisfies the formula stands for a board that breaks the rules: the map or an encoding is at fault."""


@dataclass(frozen=True)
class Outcome:
    """What came of solving `cnf`, which is the instance's or that with a board blocked.

    `board` is there where the status is SATISFIABLE, `proof` where UNSATISFIABLE was to be certified.
    """

    run: Run
    cnf: Cnf
    board: Board | None = None
    proof: ProofCheck | None = None

    @property
    def status(self) -> str:
        return self.run.status


@dataclass(frozen=True)
class Uniqueness:
    """How many boards: ONE, SEVERAL (then `other` is a second one), NONE, or UNDECIDED within the limits."""

    verdict: str
    first: Outcome
    second: Outcome | None = None

    @property
    def outcomes(self) -> list[Outcome]:
        return [outcome for outcome in (self.first, self.second) if outcome]


def pick_solver(name: str | None = None, *, proof: bool = False) -> Solver:
    """The solver of that name, or the first of PREFERRED that is there (and can write proofs, where one is asked for)."""
    if name:
        return find_solver(name)
    for candidate in map(find_solver, PREFERRED):
        if candidate.available() and (candidate.proof_format or not proof):
            return candidate
    raise InputError(f"none of the solvers {', '.join(PREFERRED)} is there; `make solvers` builds them")


def decode(vmap: VariableMap, model: Collection[int], name: str = "the variable map") -> tuple[Family, Puzzle, Board]:
    """The board that a model stands for, checked against the rules of its puzzle; BrokenBoard says which it breaks."""
    family, puzzle = puzzle_of(vmap, name)
    return family, puzzle, checked_board(family, puzzle, vmap, model)


def checked_board(family: Family, puzzle: Puzzle, vmap: VariableMap, model: Collection[int]) -> Board:
    """As `decode`, for a puzzle that is at hand."""
    board = family.decode(puzzle, vmap.blocks, {literal for literal in vmap.original(model) if literal > 0})
    broken = family.check(puzzle, board)
    if broken:
        shown = "; ".join(broken[:3]) + (f"; and {len(broken) - 3} more" if len(broken) > 3 else "")
        raise BrokenBoard(f"the board of this model breaks the rules of the puzzle: {shown}")
    return board


def solve(
    instance: Instance,
    solver: Solver,
    *,
    limits: Limits | None = None,
    seed: int | None = None,
    certify: bool = False,
) -> Outcome:
    """One board of the instance, or that there is none."""
    return _solve(instance, instance.cnf, solver, limits, seed, certify)


def unique(
    instance: Instance,
    solver: Solver,
    *,
    limits: Limits | None = None,
    seed: int | None = None,
    certify: bool = False,
) -> Uniqueness:
    """Whether the instance has one board, several or none; each of the two calls runs under `limits`."""
    first = solve(instance, solver, limits=limits, seed=seed, certify=certify)
    if first.status != SATISFIABLE:
        return Uniqueness(NONE if first.status == UNSATISFIABLE else UNDECIDED, first)
    blocked = with_blocked(instance.cnf, instance.map.projection, first.run.model)
    second = _solve(instance, blocked, solver, limits, seed, certify)
    verdict = {SATISFIABLE: SEVERAL, UNSATISFIABLE: ONE}.get(second.status, UNDECIDED)
    return Uniqueness(verdict, first, second)


def with_blocked(cnf: Cnf, projection: Collection[int], model: Collection[int]) -> Cnf:
    """`cnf` and the clause that forbids every model that agrees with `model` on the projection set."""
    true = {literal for literal in model if literal > 0}
    blocked = Cnf(cnf.num_variables, cnf.num_clauses + 1, cnf.literals[:])
    blocked.literals.extend(-variable if variable in true else variable for variable in projection)
    blocked.literals.append(0)
    return blocked


def _solve(instance: Instance, cnf: Cnf, solver: Solver, limits: Limits | None, seed: int | None, certify: bool) -> Outcome:
    with tempfile.TemporaryDirectory(prefix="cnfgen-solve-") as folder:
        cnf_file, proof_file = Path(folder) / "instance.cnf", Path(folder) / "proof.drat"
        with cnf_file.open("wb") as stream:
            write_dimacs(cnf, stream)
        run = run_solver(solver, cnf_file, cnf=cnf, limits=limits, seed=seed, proof=proof_file if certify else None)
        outcome = Outcome(run, cnf)
        if run.status == SATISFIABLE:
            board = checked_board(instance.family, instance.puzzle, instance.map, run.model)
            outcome = replace(outcome, board=board)
        elif run.status == UNSATISFIABLE and certify:
            checked = check_proof(cnf_file, proof_file, limits, cnf=cnf, proof_format=solver.proof_format)
            outcome = replace(outcome, proof=checked)
    return outcome
