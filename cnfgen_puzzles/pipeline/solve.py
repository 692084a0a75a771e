"""One board of a puzzle by one call of a solver, or that there is none: an answer that holds.

Every board has been checked twice when it leaves here: its model against the formula (by `solving`), and the board against the
rules of the puzzle. With `certify` an UNSAT answer has a DRAT proof that an independent checker has verified.

`Outcome` is what any way of solving comes to, with its words; the way by a formula is here, the loop in `refine`.
"""

from __future__ import annotations

import tempfile
from abc import ABC, abstractmethod
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from cnfgen_puzzles.evidence.proofs import CHECKER, ProofCheck, check_proof
from cnfgen_puzzles.families import Board, Family, Puzzle
from cnfgen_puzzles.formula import Cnf, VariableMap, write_dimacs
from cnfgen_puzzles.ground.errors import CnfgenError, InputError
from cnfgen_puzzles.pipeline.instance import DAMAGE, Instance, puzzle_of
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.record import record_of, usage_of
from cnfgen_puzzles.solving.run import ERROR, WRONG, Run, run_solver
from cnfgen_puzzles.solving.table import Solver, find_solver

PREFERRED = ("kissat", "cadical", "glucose", "lingeling", "minisat")
"""The solvers to choose from when the user names none, best first (docs/encodings.md)."""

SHOWN_FAULTS = 3
FAULT_WIDTH = 200


class BrokenBoard(CnfgenError):
    """A model that satisfies the formula stands for a board that breaks the rules: the map or an encoding is at fault."""


# -- what comes of it -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Outcome(ABC):
    """Whether a puzzle has a board (another one, if some were found before).

    `status` is that of `solving.run`; `board` is there where it is SATISFIABLE, `proof` where UNSATISFIABLE was to be certified
    and a proof was written, and `reason` says in words why neither was decided.
    """

    family: Family = field(repr=False)
    puzzle: Puzzle = field(repr=False)
    encoding: str
    status: str
    reason: str = ""
    board: Board | None = None
    proof: ProofCheck | None = None

    @property
    def boards(self) -> list[Board]:
        """The board, if there is one."""
        return [] if self.board is None else [self.board]

    @property
    def failed(self) -> bool:
        """Whether a solver failed or a proof was refused, so that nothing is certain."""
        return self.status in (WRONG, ERROR) or (self.proof is not None and not self.proof.verified)

    @property
    def evidence(self) -> str:
        """What UNSATISFIABLE rests on, as the end of a sentence."""
        return proved(self.proof)

    def sentence(self) -> str:
        """What is true of the puzzle."""
        if self.status == SATISFIABLE:
            return "A solution."
        return f"No solution{self.evidence}." if self.status == UNSATISFIABLE else f"Not decided: {self.reason}."

    @abstractmethod
    def measured(self, *earlier: Self) -> list[str]:
        """Who decided it and what was used, a line each; with those `earlier` outcomes of the same puzzle."""

    @abstractmethod
    def to_json(self, *earlier: Self) -> dict[str, Any]:
        """Puzzle, answer, boards and work as JSON; with those `earlier` outcomes of the same puzzle."""


@dataclass(frozen=True, kw_only=True)
class FormulaOutcome(Outcome):
    """The outcome of one run on `cnf`, which is the instance's formula or that with boards blocked."""

    run: Run
    cnf: Cnf = field(repr=False)

    def measured(self, *earlier: Self) -> list[str]:
        each = (*earlier, self)
        return [f"{one.run.solver.name}, {one.encoding}: {one.status.lower()}, {usage_of(one.run)}" for one in each]

    def to_json(self, *earlier: Self) -> dict[str, Any]:
        each = (*earlier, self)
        return {
            "family": self.family.name,
            "encoding": self.encoding,
            "puzzle": self.family.puzzle_to_json(self.puzzle),
            "status": each[0].status,
            "boards": [self.family.board_to_json(self.puzzle, board) for one in each for board in one.boards],
            "runs": [record_of(one.run, one.cnf, proof=one.proof) for one in each],
        }


def proved(proof: ProofCheck | None) -> str:
    """The verdict on a proof in brackets; nothing where none was asked for."""
    if proof is None:
        return ""
    return f" (proof checked by {CHECKER})" if proof.verified else f" (NOT PROVED: {proof.reason})"


# -- how ------------------------------------------------------------------------------------------------------------------


def pick_solver(name: str | None = None, *, proof: bool = False) -> Solver:
    """The solver of that name, or the first of PREFERRED that is there (and can write proofs, where one is asked for)."""
    if name:
        return find_solver(name)
    for candidate in map(find_solver, PREFERRED):
        if candidate.available() and (candidate.proof_format or not proof):
            return candidate
    raise InputError(f"none of the solvers {', '.join(PREFERRED)} is there; `make solvers` builds them")


def solve(
    instance: Instance,
    solver: Solver,
    *,
    limits: Limits | None = None,
    seed: int | None = None,
    certify: bool = False,
    cnf: Cnf | None = None,
) -> FormulaOutcome:
    """One board of the instance, or that there is none. `cnf` is its formula with boards blocked (`with_blocked`)."""
    cnf = instance.cnf if cnf is None else cnf
    with tempfile.TemporaryDirectory(prefix="cnfgen-solve-") as folder:
        cnf_file, proof_file = Path(folder) / "instance.cnf", Path(folder) / "proof.drat"
        with cnf_file.open("wb") as stream:
            write_dimacs(cnf, stream)
        run = run_solver(solver, cnf_file, cnf=cnf, limits=limits, seed=seed, proof=proof_file if certify else None)
        outcome = FormulaOutcome(
            family=instance.family, puzzle=instance.puzzle, encoding=instance.map.encoding,
            status=run.status, reason="" if run.decided else why_open(run), run=run, cnf=cnf,
        )  # fmt: skip
        if run.model is not None:
            return replace(outcome, board=checked_board(instance.family, instance.puzzle, instance.map, run.model))
        if run.status == UNSATISFIABLE and solver.proof_format and certify:
            checked = check_proof(cnf_file, proof_file, limits, cnf=cnf, proof_format=solver.proof_format)
            return replace(outcome, proof=checked)
    return outcome


def why_open(run: Run) -> str:
    """Why a run has not decided its formula, and where to look if that is a fault."""
    kept = f"; its output is kept in {run.kept}" if run.kept else ""
    return f"{run.solver.name}: {run.status}, {run.reason}{kept}"


def with_blocked(cnf: Cnf, projection: Collection[int], model: Collection[int]) -> Cnf:
    """`cnf` and the clause that forbids every model that agrees with `model` on the projection set."""
    true = {literal for literal in model if literal > 0}
    blocked = Cnf(cnf.num_variables, cnf.num_clauses + 1, cnf.literals[:])
    blocked.literals.extend(-variable if variable in true else variable for variable in projection)
    blocked.literals.append(0)
    return blocked


# -- boards ---------------------------------------------------------------------------------------------------------------


def decode(vmap: VariableMap, model: Collection[int], name: str = "the variable map") -> tuple[Family, Puzzle, Board]:
    """The board that a model stands for, checked against the rules of its puzzle; BrokenBoard says which it breaks."""
    family, puzzle = puzzle_of(vmap, name)
    try:
        return family, puzzle, checked_board(family, puzzle, vmap, model)
    except DAMAGE as error:
        told = f"the variables in this map do not fit its puzzle: {type(error).__name__}: {error!s:.200}"
        raise InputError(told, source=name) from None


def checked_board(family: Family, puzzle: Puzzle, vmap: VariableMap, model: Collection[int]) -> Board:
    """As `decode`, for a puzzle that is at hand."""
    board = family.decode(puzzle, vmap.blocks, {literal for literal in vmap.original(model) if literal > 0})
    return obeying(family, puzzle, board)


def obeying(family: Family, puzzle: Puzzle, board: Board) -> Board:
    """The board, which obeys the rules of the puzzle; else BrokenBoard."""
    faults = family.check(puzzle, board)
    if faults:
        shown = "; ".join(f"{fault:.{FAULT_WIDTH}}" for fault in faults[:SHOWN_FAULTS]) + (
            f"; and {len(faults) - SHOWN_FAULTS} more" if faults[SHOWN_FAULTS:] else ""
        )
        raise BrokenBoard(f"the board of this model breaks the rules of the puzzle: {shown}")
    return board
