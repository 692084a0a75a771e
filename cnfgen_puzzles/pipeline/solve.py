"""One board of a puzzle by one call of a solver, or that there is none: an answer that names what it rests on.

Every board has been checked twice when it leaves here: its model against the formula (by `solving`), and the board against the
rules of the puzzle. An UNSAT answer has a proof that an independent checker has verified, or says on whose word it rests.

`Outcome` is what any way of solving comes to, with its words; the way by a formula is here, the loop in `refine`.
"""

from __future__ import annotations

import shutil
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from cnfgen_puzzles.common import showing
from cnfgen_puzzles.common.activity import doing
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.scratch import scratch_folder
from cnfgen_puzzles.evidence.basis import ARGUMENT, MODEL, Evidence, evidence_json
from cnfgen_puzzles.evidence.checkers import pick_checker, proving
from cnfgen_puzzles.evidence.proofs import ProofCheck, certified, check_proof
from cnfgen_puzzles.families import Board, Family, Puzzle
from cnfgen_puzzles.families.family import html_of_board, shown_board
from cnfgen_puzzles.formula import Cnf, VariableMap, write_dimacs
from cnfgen_puzzles.pipeline.contradiction.result import Contradiction
from cnfgen_puzzles.pipeline.instance import DAMAGE, Instance, puzzle_of
from cnfgen_puzzles.pipeline.near import TEXTS, Signs
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE
from cnfgen_puzzles.solving.process import INTERRUPTED, Limits
from cnfgen_puzzles.solving.run import ERROR, WRONG, Run, record_of, run_solver, side_by_side, usage_of
from cnfgen_puzzles.solving.table import Solver, find_solver, how_to_get

PREFERRED = ("kissat", "cadical", "glucose", "lingeling", "minisat", "pysat")
"""The solvers to choose from when the user names none, best first (docs/encodings.md)."""

CHECK_SECONDS, CHECK_FACTOR = 10.0, 5.0
"""Unless a proof is required, its check takes at most so many seconds, or so many times the solving if that is more."""

SHOWN_FAULTS = 3
FAULT_WIDTH = 200


class BrokenBoard(CnfgenError):
    """A model that satisfies the formula stands for a board that breaks the rules: the map or an encoding is at fault."""


# -- what comes of it -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True, repr=False)
class Outcome(ABC):
    """Whether a puzzle has a board (another one, if some were found before).

    `status` is that of `solving.run`; `board` is there where it is SATISFIABLE; `evidence` says what the verdict rests on, None
    where there is none; `proof` is what the checker said; `reason` says in words why nothing was decided. `contradiction` is what
    of the puzzle contradicts the rest, where there is no board and something is given that might. `alarms` tell of other solvers,
    asked side by side, that were wrong.
    """

    family: Family
    puzzle: Puzzle
    encoding: str
    status: str
    reason: str = ""
    board: Board | None = None
    evidence: Evidence | None = None
    proof: ProofCheck | None = None
    contradiction: Contradiction | None = None
    alarms: tuple[str, ...] = ()

    def __repr__(self) -> str:
        told = "" if self.status == SATISFIABLE else self.sentence().partition("\n")[0]
        return showing.in_brackets(type(self).__name__, self.status, self.family.describe(self.puzzle), told)

    def _repr_html_(self) -> str:
        boards = [html_of_board(self.family, self.puzzle, board) for board in self.boards]
        told = [f"{self.family.describe(self.puzzle)}: {self.sentence()}", *self.measured()]
        return showing.words("\n".join(told)) + "".join(boards)

    @property
    def boards(self) -> list[Board]:
        """The board, if there is one."""
        return [] if self.board is None else [self.board]

    @property
    def failed(self) -> bool:
        """Whether a solver failed, its proof was refused, or a proof that was required is missing."""
        return self.status in (WRONG, ERROR)

    @property
    def grounds(self) -> str:
        """What UNSATISFIABLE rests on, as the end of a sentence."""
        return self.evidence.words() if self.evidence else ""

    def sentence(self) -> str:
        """What is true of the puzzle."""
        if self.status == SATISFIABLE:
            return "A solution."
        if self.status != UNSATISFIABLE:
            return f"Not decided: {self.reason}."
        return f"No solution{self.grounds}." + (f"\n{self.contradiction.sentence()}" if self.contradiction else "")

    def contradiction_json(self) -> dict[str, Any]:
        """The entry that says it, where there is something to say."""
        return {"contradiction": self.contradiction.to_json()} if self.contradiction else {}

    @abstractmethod
    def measured(self, *earlier: Self) -> list[str]:
        """Who decided it and what was used, a line each; with those `earlier` outcomes of the same puzzle."""

    @abstractmethod
    def to_json(self, *earlier: Self) -> dict[str, Any]:
        """Puzzle, answer, boards and work as JSON; with those `earlier` outcomes of the same puzzle."""


@dataclass(frozen=True, kw_only=True, repr=False)
class FormulaOutcome(Outcome):
    """The outcome of one run on `cnf`, which is the instance's formula or that with boards blocked.

    `others` are the runs that were side by side with it, ended or not.
    """

    run: Run
    cnf: Cnf
    others: tuple[Run, ...] = ()

    @property
    def model(self) -> tuple[int, ...] | None:
        """The true literals of its model, which was checked."""
        return self.run.model

    @property
    def cpu(self) -> float:
        """Seconds of processor time of all its solvers; without the check of the proof."""
        return sum(run.measurement.cpu for run in (self.run, *self.others))

    def measured(self, *earlier: Outcome) -> list[str]:
        each = (*earlier, self)
        ran = [one for one in each if isinstance(one, FormulaOutcome)]
        runs = [(one, run) for one in ran for run in (one.run, *one.others)]
        lines = [line for one in each if isinstance(one, PlainOutcome) for line in one.measured()]
        lines += [f"{run.solver.name}, {one.encoding}: {_came_to(run)}, {usage_of(run)}" for one, run in runs]
        if any(one.others for one in ran):
            lines.append(f"all solvers together: cpu {sum(one.cpu for one in ran):.3f} s")
        return lines

    def to_json(self, *earlier: Outcome) -> dict[str, Any]:
        each = (*earlier, self)
        ran = [one for one in each if isinstance(one, FormulaOutcome)]
        entry = {
            "family": self.family.name,
            "encoding": self.encoding,
            "puzzle": self.family.puzzle_to_json(self.puzzle),
            "status": each[0].status,
            "evidence": evidence_json(each[0].evidence),
            "boards": [self.family.board_to_json(self.puzzle, board) for one in each for board in one.boards],
            "runs": [record_of(one.run, one.cnf, proof=one.proof, evidence=evidence_json(one.evidence)) for one in ran],
            **self.contradiction_json(),
        }
        others = [(run, one.cnf) for one in ran for run in one.others]
        alarms = [alarm for one in each for alarm in one.alarms]
        return entry | side_by_side(sum(one.cpu for one in ran), others, alarms)


def _came_to(run: Run) -> str:
    """The status in words; of a run that another one's answer ended, that."""
    return "ended" if run.measurement.ended == INTERRUPTED else run.status.lower()


@dataclass(frozen=True, kw_only=True, repr=False)
class UnaidedOutcome(Outcome):
    """What was found without calling a solver."""

    def measured(self, *earlier: Self) -> list[str]:
        return []

    def to_json(self, *earlier: Self) -> dict[str, Any]:
        return {
            "family": self.family.name,
            "encoding": self.encoding,
            "puzzle": self.family.puzzle_to_json(self.puzzle),
            "status": self.status,
            "evidence": evidence_json(self.evidence),
            "boards": [self.family.board_to_json(self.puzzle, board) for board in self.boards],
            "runs": [],
            **self.contradiction_json(),
        }


class ArgumentOutcome(UnaidedOutcome):
    """That there is no board, by the family's argument."""


@dataclass(frozen=True, kw_only=True, repr=False)
class PlainOutcome(UnaidedOutcome):
    """A board that the family finds by itself; its `model` was checked against every clause, like a solver's."""

    model: tuple[int, ...]

    def measured(self, *earlier: Self) -> list[str]:
        return [f"no solver, {self.encoding}: satisfiable"]


def argued(family: Family, puzzle: Puzzle, encoding: str | None = None) -> ArgumentOutcome | None:
    """The outcome where an argument of the family proves that there is no board; None where it has none."""
    name, argument = family.encoding(encoding).name, family.impossible(puzzle)
    if argument is None:
        return None
    evidence = Evidence(ARGUMENT, argument)
    return ArgumentOutcome(family=family, puzzle=puzzle, encoding=name, status=UNSATISFIABLE, evidence=evidence)


def plain(instance: Instance) -> PlainOutcome | None:
    """The board that the family finds without a solver; None where it finds none."""
    if instance.map.renaming is not None:
        return None
    true = instance.family.plain_model(instance.puzzle, instance.map.blocks)
    if true is None:
        return None
    model = tuple(variable if variable in true else -variable for variable in range(1, instance.cnf.num_variables + 1))
    broken = instance.cnf.falsified_clause(model)
    if broken is not None:
        raise CnfgenError(f"the model that the family {instance.family.name} finds by itself falsifies clause {broken}")
    board = checked_board(instance.family, instance.puzzle, instance.map, model)
    return PlainOutcome(
        family=instance.family, puzzle=instance.puzzle, encoding=instance.map.encoding, status=SATISFIABLE, board=board,
        evidence=Evidence(MODEL), model=model,
    )  # fmt: skip


# -- how ------------------------------------------------------------------------------------------------------------------


def pick_solver(name: str | None = None, *, proof: bool = False) -> Solver:
    """The solver of that name, or the first of PREFERRED that is there (and can write proofs, where one is asked for)."""
    if name:
        return find_solver(name)
    for candidate in map(find_solver, PREFERRED):
        if candidate.available() and (candidate.proof_format or not proof):
            return candidate
    wanted = PREFERRED[0]
    able = " that writes proofs" if proof else ""
    raise InputError(f"no solver{able} is there (looked for {', '.join(PREFERRED)}): {how_to_get(find_solver(wanted))}")


def solve(
    instance: Instance,
    solver: Solver,
    *,
    limits: Limits | None = None,
    seed: int | None = None,
    proof: bool = True,
    certify: bool = False,
    check_seconds: float | None = None,
    checker: str | None = None,
    cnf: Cnf | None = None,
    near: Collection[int] = (),
    proof_to: Path | None = None,
) -> FormulaOutcome:
    """One board of the instance, or that there is none. `cnf` is its formula with boards blocked (`with_blocked`), `near` a model
    where the search shall begin (`pipeline/near.py`), which is for solvers that try false first.

    With `proof` that there is none is proved where the solver can, and checked within `check_seconds` (None: CHECK_SECONDS, or
    CHECK_FACTOR times the solving, and as many times that as the checker's `patience`) by the `checker` of that name (None: the
    first that is there). With `certify` an answer without a checked proof is an ERROR, and the check has the solver's `limits`.
    `proof_to` is where a verified proof goes; it is then in DRAT, which certificates are made of, whatever the checker reads.
    """
    cnf = instance.cnf if cnf is None else cnf
    why_none = "" if certify or not proof or solver.proof_format else "it writes no proofs"
    wanted = certify or (proof and not why_none)
    if wanted:
        solver = proving(solver, checker) if proof_to is None else solver
        proof_format = solver.proof_format or "text"
        pick_checker(checker, proof_format).locate(proof_format)  # before hours of solving
    signs = Signs(near) if near and not solver.reads_map and (not wanted or solver.proof_format in TEXTS) else None
    asked = signs.flipped(cnf) if signs else cnf
    with scratch_folder("solve") as folder:
        cnf_file, proof_file = Path(folder) / "instance.cnf", Path(folder) / "proof.drat"
        with cnf_file.open("wb") as stream:
            write_dimacs(asked, stream, instance.map.to_comments() if solver.reads_map else ())
        run = run_solver(solver, cnf_file, cnf=asked, limits=limits, seed=seed, proof=proof_file if wanted else None)
        run = signs.restored(run, cnf, proof_file) if signs else run
        return checked_outcome(
            instance, run, cnf, proof_file if wanted else None, limits=limits, certify=certify, why_none=why_none,
            check_seconds=check_seconds, checker=checker, proof_to=proof_to,
        )  # fmt: skip


def checked_outcome(
    instance: Instance,
    run: Run,
    cnf: Cnf,
    proof: Path | None,
    *,
    limits: Limits | None = None,
    certify: bool = False,
    why_none: str = "",
    check_seconds: float | None = None,
    checker: str | None = None,
    proof_to: Path | None = None,
) -> FormulaOutcome:
    """What a run on `cnf` has come to: its board checked against the rules, its `proof` by a checker.

    Without a proof `why_none` says why; the rest as of `solve`.
    """
    check, solver = None, run.solver
    if run.status == UNSATISFIABLE and proof is not None:
        patience = pick_checker(checker, solver.proof_format).patience
        within = limits if certify else limits_of_check(run, check_seconds, patience)
        with doing(f"checking the proof of {solver.name}"):
            check = check_proof(
                proof.with_name("instance.cnf"), proof, within, cnf=cnf, proof_format=solver.proof_format, checker=checker
            )
    run, evidence = certified(run, check, why_none=why_none, required=certify)
    if check is not None and check.verified and proof_to is not None and proof is not None:
        shutil.move(proof, proof_to)
    if check is not None and check.refused:
        run = replace(run, kept=_keep_refused(cnf, proof))
    board = None if run.model is None else checked_board(instance.family, instance.puzzle, instance.map, run.model)
    return FormulaOutcome(
        family=instance.family, puzzle=instance.puzzle, encoding=instance.map.encoding, status=run.status,
        reason="" if run.decided else why_open(run), board=board, evidence=evidence, proof=check, run=run, cnf=cnf,
    )  # fmt: skip


def limits_of_check(run: Run, seconds: float | None = None, patience: int = 1) -> Limits:
    """What the check of a proof that nobody required may use; `patience` is the checker's."""
    seconds = patience * max(CHECK_SECONDS, CHECK_FACTOR * run.measurement.wall) if seconds is None else seconds
    return Limits(cpu=seconds, wall=seconds, memory=run.limits.memory)


def _keep_refused(cnf: Cnf, proof: Path | None) -> Path:
    """The formula and its refused proof, where the user can look into them."""
    kept = Path(tempfile.mkdtemp(prefix="cnfgen-kept-"))
    with (kept / "instance.cnf").open("wb") as stream:
        write_dimacs(cnf, stream)
    if proof is not None and proof.is_file():
        shutil.move(proof, kept / proof.name)
    return kept


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
    """The board, which obeys the rules of the puzzle and shows itself; else BrokenBoard."""
    faults = family.check(puzzle, board)
    if faults:
        listed = "; ".join(f"{fault:.{FAULT_WIDTH}}" for fault in faults[:SHOWN_FAULTS]) + (
            f"; and {len(faults) - SHOWN_FAULTS} more" if faults[SHOWN_FAULTS:] else ""
        )
        raise BrokenBoard(f"the board of this model breaks the rules of the puzzle: {listed}")
    shown: Board = shown_board(family, puzzle, board)
    return shown
