"""One board of a puzzle by one call of a solver, or the answer that there is none; the answer names its evidence.

Every board is checked twice: `solving` checks the model against the formula, and this package checks the board against the rules
of the puzzle. An UNSAT answer has a proof that an independent checker has verified, or states that it is not verified.
"""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from cnfgen_puzzles.common.activity import doing
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.files import scratch_folder
from cnfgen_puzzles.evidence.checkers import proving
from cnfgen_puzzles.evidence.evidence import ARGUMENT, MODEL, Evidence
from cnfgen_puzzles.evidence.proofs import ProofCheck, certified, check_proof, ready_checker
from cnfgen_puzzles.families import Family, Puzzle
from cnfgen_puzzles.formula import Cnf, write_dimacs
from cnfgen_puzzles.pipeline.answer import Answer, FormulaAnswer, Status
from cnfgen_puzzles.pipeline.instance import Instance, checked_board
from cnfgen_puzzles.pipeline.phase import TEXTS, PhaseFlip
from cnfgen_puzzles.pipeline.request import ProofPolicy
from cnfgen_puzzles.solving.answers import UNSATISFIABLE
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.run import PRIVATE_COPY, Run, run_solver
from cnfgen_puzzles.solving.table import Solver, find_solver, how_to_get

PREFERRED = ("kissat", "cadical", "glucose", "lingeling", "minisat", "pysat")
"""The default solvers, best first (docs/explanation/encodings.md)."""

CHECK_SECONDS, CHECK_FACTOR = 10.0, 5.0
"""The CPU time of a check that is not required: this many seconds, or this many times the solving time if that is more."""
NO_PROOFS = "it writes no proofs"
WAITING = 4
"""The limit of elapsed time of such a check, as a multiple of its CPU time: other programs must not change the result."""


class FormulaTask(NamedTuple):
    """A question about an instance's formula, or (`cnf`) about that with blocked boards, to one solver or a portfolio.

    The search starts near the model `phase` (`phase.py`). The check of a proof that is not required takes at most `check_seconds`
    (None: see `limits_of_check`); a required check has the `limits` of the solver. `checker` is its name (None: the first
    installed one). The proof is written to `proof_to`, if that is given, in the usual format of the solver.
    """

    cnf: Cnf | None = None
    phase: Collection[int] = ()
    limits: Limits | None = None
    seed: int | None = None
    threads: int | None = None
    proof: ProofPolicy = ProofPolicy.BOUNDED
    checker: str | None = None
    check_seconds: float | None = None
    proof_to: Path | None = None


def decide_by_argument(family: Family, puzzle: Puzzle, encoding: str | None = None) -> Answer | None:
    """The outcome if an argument of the family proves that there is no board; otherwise None."""
    name, argument = family.encoding(encoding).name, family.impossible(puzzle)
    if argument is None:
        return None
    evidence = Evidence(ARGUMENT, argument)
    return Answer(family=family, puzzle=puzzle, encoding=name, status=Status.UNSATISFIABLE, basis=evidence)


def plain_board(instance: Instance) -> Answer | None:
    """The board that the family finds without a solver, with its model checked like that of a solver; None if it finds none."""
    if instance.map.renaming is not None:
        return None
    true = instance.family.plain_model(instance.puzzle, instance.map.blocks)
    if true is None:
        return None
    model = tuple(variable if variable in true else -variable for variable in range(1, instance.cnf.num_variables + 1))
    broken = instance.cnf.falsified_clause(model)
    if broken is not None and instance.changed:
        return None
    if broken is not None:
        raise CnfgenError(f"the model that the family {instance.family.name} finds by itself falsifies clause {broken}")
    board = checked_board(instance.family, instance.puzzle, instance.map, model)
    return Answer(
        family=instance.family, puzzle=instance.puzzle, encoding=instance.map.encoding, status=Status.SATISFIABLE, board=board,
        model=model, basis=Evidence(MODEL),
    )  # fmt: skip


def pick_solver(name: str | None = None, *, proof: bool = False) -> Solver:
    """The solver with that name, or the first installed solver of PREFERRED (with `proof`, the first that writes proofs)."""
    if name:
        return find_solver(name)
    for candidate in map(find_solver, PREFERRED):
        if candidate.available() and (candidate.proof_format or not proof):
            return candidate
    wanted = PREFERRED[0]
    able = " that writes proofs" if proof else ""
    raise InputError(f"no solver{able} is installed (searched for {', '.join(PREFERRED)}): {how_to_get(find_solver(wanted))}")


class CheckedRun(NamedTuple):
    """The run of a solver on `cnf`, the result of the proof checker, and the evidence of the verdict.

    If several solvers ran, `others` are the runs of the others, and `alarms` their faults: a wrong model, a refused proof, a
    contradictory verdict.
    """

    run: Run
    cnf: Cnf
    check: ProofCheck | None = None
    evidence: Evidence | None = None
    others: tuple[Run, ...] = ()
    alarms: tuple[str, ...] = ()

    @property
    def cpu(self) -> float:
        """The CPU time of all runs in seconds, without that of the checkers."""
        return sum(run.measurement.cpu for run in (self.run, *self.others))


def solve(instance: Instance, solver: Solver, task: FormulaTask = FormulaTask()) -> FormulaAnswer:  # noqa: B008
    """One board of the instance, or the answer that there is none, by one call of the solver."""
    return answer_of(instance, run_on_instance(instance, solver, task))


def answer_of(instance: Instance, found: CheckedRun) -> FormulaAnswer:
    """The answer for the puzzle, with the checked board of a model."""
    run = found.run
    board = None if run.model is None else checked_board(instance.family, instance.puzzle, instance.map, run.model)
    reasons = () if run.decided else map(why_open, (run, *found.others))
    return FormulaAnswer(
        family=instance.family, puzzle=instance.puzzle, encoding=instance.map.encoding, status=Status(run.status),
        reason="; ".join(dict.fromkeys(reasons)), board=board, model=run.model, basis=found.evidence, proof=found.check,
        alarms=found.alarms, instance=instance, run=run, cnf=found.cnf, others=found.others,
    )  # fmt: skip


def run_on_instance(instance: Instance, solver: Solver, task: FormulaTask) -> CheckedRun:
    """`run_checked` on the formula of the instance, or of the task; a solver that reads the variable map gets it."""
    comments = instance.map.to_comments() if solver.reads_map else ()
    return run_checked(instance.cnf if task.cnf is None else task.cnf, solver, task, comments=comments)


def run_checked(
    cnf: Cnf, solver: Solver, task: FormulaTask, *, file: Path | None = None, comments: Iterable[str] = ()
) -> CheckedRun:
    """Run the solver on the formula and check its answer. `file` contains the formula, if it exists already; otherwise the solver
    gets a new file with these comments."""
    required = task.proof is ProofPolicy.REQUIRED
    wanted = required or (task.proof is ProofPolicy.BOUNDED and bool(solver.proof_format))
    if wanted:
        solver = proving(solver, task.checker) if task.proof_to is None else solver
        proof_format = solver.proof_format or "text"
        checker = ready_checker(task.checker, proof_format)  # report errors before hours of solving
    flips = task.phase and not solver.reads_map and (not wanted or solver.proof_format in TEXTS)
    flip = PhaseFlip(task.phase, cnf.num_variables) if flips else None
    flipped = flip.apply(cnf) if flip else cnf
    check, own = None, file is None
    with scratch_folder("solve") as folder:
        proof = task.proof_to or folder / "proof.drat"
        written = proof if wanted or (task.proof_to and task.proof is ProofPolicy.NONE) else None
        if file is None:
            file = folder / "instance.cnf"
            with file.open("wb") as stream:
                write_dimacs(flipped, stream, comments)
        run = run_solver(solver, file, cnf=flipped, limits=task.limits, seed=task.seed, threads=task.threads, proof=written)
        run = flip.restore(run, cnf, proof) if flip else run
        if run.status == UNSATISFIABLE and wanted:
            within = task.limits if required else limits_of_check(run, task.check_seconds, checker.patience)
            with doing(f"checking the proof of {solver.name}"):
                unchanged = own and not comments and flip is None and run.confinement != PRIVATE_COPY
                check = check_proof(
                    file, proof, within, cnf=cnf, in_place=unchanged, proof_format=proof_format, checker=task.checker
                )
        why_none = NO_PROOFS if task.proof is ProofPolicy.BOUNDED and not solver.proof_format else ""
        run, evidence = certified(run, check, why_none=why_none, required=required)
        if check is not None and check.refused:
            run = replace(run, kept=_keep_refused(cnf, proof))
    return CheckedRun(run, cnf, check, evidence)


def limits_of_check(run: Run, seconds: float | None = None, patience: int = 1) -> Limits:
    """The limits of the check of a proof that is not required; `patience` is the checker's."""
    seconds = patience * max(CHECK_SECONDS, CHECK_FACTOR * run.measurement.cpu) if seconds is None else seconds
    return Limits(cpu=seconds, wall=WAITING * seconds, memory=run.limits.memory)


def _keep_refused(cnf: Cnf, proof: Path) -> Path:
    """Keep the formula and its refused proof for the user."""
    import tempfile  # for faults only

    kept = Path(tempfile.mkdtemp(prefix="cnfgen-kept-"))
    with (kept / "instance.cnf").open("wb") as stream:
        write_dimacs(cnf, stream)
    if proof.is_file():
        shutil.copyfile(proof, kept / proof.name)
    return kept


def why_open(run: Run) -> str:
    """The reason why a run has not decided its formula, and the place of its output if it failed."""
    kept = f"; its output is kept in {run.kept}" if run.kept else ""
    return f"{run.solver.name}: {run.status}, {run.reason}{kept}"
