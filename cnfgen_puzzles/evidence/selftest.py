"""Runs every installed solver on formulas with known answers, in the same way as formulas of users.

The formulas are a satisfiable and an unsatisfiable one, one without clauses, and one with a single clause. If the solver writes
proofs, the built-in checker verifies one. `run` checks the models. A checker must verify a correct proof and refuse several wrong
ones. `cnf-solvers check`, `doctor`, and `install` call these tests.
"""

from __future__ import annotations

import functools
import itertools
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tabulate import tabulate

from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.common.files import scratch_folder
from cnfgen_puzzles.evidence.checkers import BUILT_IN, CHECKERS
from cnfgen_puzzles.evidence.proofs import check_proof, checker_fault
from cnfgen_puzzles.formula import Formula, write_dimacs
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE
from cnfgen_puzzles.solving.executables import log_of
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.run import run_solver
from cnfgen_puzzles.solving.table import Solver, how_to_get

LIMITS = Limits(cpu=20, wall=20)
TESTS = ("SAT", "UNSAT", "empty", "one clause", "proof")
OK, BAD, NONE = "✓", "✗", "–"


@dataclass(frozen=True)
class Report:
    """The results for one solver: whether it is installed, a mark for each of TESTS, and its errors."""

    solver: Solver
    found: bool
    marks: tuple[str, ...] = (NONE,) * len(TESTS)
    version: str = ""
    failures: tuple[str, ...] = ()

    @property
    def works(self) -> bool:
        return self.found and not self.failures

    def to_json(self) -> dict[str, Any]:
        """The report as JSON; a test that did not run is null."""
        results = {test: None if mark == NONE else mark == OK for test, mark in zip(TESTS, self.marks, strict=True)}
        named = {"name": self.solver.name, "installed": self.found, "version": self.version, "works": self.works}
        return {**named, "tests": results, "failures": list(self.failures)}


def check_solver(solver: Solver, folder: Path, limits: Limits = LIMITS) -> Report:
    """Test one solver under these limits for each run; `folder` is for the formulas and proofs."""
    try:
        if not (solver.executable or solver.fault or solver.available()):
            return Report(solver, found=False)
        executable = solver.locate()
        silent = replace(solver, version_arguments=())  # a program that hangs would also hang when asked for its version
        results: dict[str, str] = {}
        if solver.kind == "checker":  # of the checkers, that which is this program alone, and a format that it reads
            alone = (
                (each, name)
                for each in CHECKERS.values()
                for name in each.formats
                if [step.program().name for step in each.formats[name]] == [solver.name]
            )
            results = {"proof": checker_fault(*found)} if (found := next(alone, None)) else {}
        for test, formula, expected in () if solver.kind == "checker" else FORMULAS:
            results[test] = _wrong_answer(silent, folder, formula(), expected, limits)
            if "TIMEOUT" in results[test]:  # a program that hangs does so on every formula
                break
        else:
            if solver.proof_arguments and solver.kind != "checker":
                results["proof"] = _wrong_proof(silent, folder, limits)
        version = "" if any(results.values()) else solver.version_line(executable)
    except CnfgenError as error:  # the environment names a missing executable, or the program does not print its version
        return Report(solver, found=True, failures=(str(error),))
    marks = tuple(NONE if test not in results else BAD if results[test] else OK for test in TESTS)
    failures = tuple(f"{test}: {reason}" for test, reason in results.items() if reason)
    return Report(solver, True, marks, version, failures)


def fault_of(solver: Solver, program: Path) -> str:
    """The error of a program when it runs as `solver`; empty if there is none. An installation calls this first."""
    before = os.environ.get(solver.variable)
    os.environ[solver.variable] = str(program)  # every lookup of the solver finds this program
    try:
        return "; ".join(next(iter(check_all([solver]))).failures)
    finally:
        if before is None:
            del os.environ[solver.variable]
        else:
            os.environ[solver.variable] = before


def pigeons(birds: int, holes: int) -> Formula:
    """The pigeonhole formula: satisfiable if there are enough holes, otherwise hard for its size."""
    formula = Formula()
    sits = formula.grid("sits", birds, holes)
    for bird in range(birds):
        formula.add_clause(sits[bird, hole] for hole in range(holes))
    for hole in range(holes):
        for one, other in itertools.combinations(range(birds), 2):
            formula.add(-sits[one, hole], -sits[other, hole])
    return formula


def one_clause() -> Formula:
    """A formula with one unit clause and two variables without clauses."""
    formula = Formula()
    formula.add(-formula.grid("x", 3)[1])
    return formula


FORMULAS: tuple[tuple[str, Callable[[], Formula], str], ...] = (
    ("SAT", functools.partial(pigeons, 6, 6), SATISFIABLE),
    ("UNSAT", functools.partial(pigeons, 6, 5), UNSATISFIABLE),
    ("empty", Formula, SATISFIABLE),
    ("one clause", one_clause, SATISFIABLE),
)


def _write(formula: Formula, folder: Path) -> Path:
    path = folder / "formula.cnf"
    with path.open("wb") as stream:
        write_dimacs(formula, stream)
    return path


def _wrong_answer(solver: Solver, folder: Path, formula: Formula, expected: str, limits: Limits) -> str:
    """The error in the solver's answer to `formula`; empty if there is none."""
    run = run_solver(solver, _write(formula, folder), cnf=formula, limits=limits)
    if run.status == expected:
        return ""
    return f"says {run.status}, expected {expected}" + (f": {run.reason}" if run.reason else "")


def _wrong_proof(solver: Solver, folder: Path, limits: Limits) -> str:
    formula, proof = pigeons(6, 5), folder / "proof"
    proof.unlink(missing_ok=True)
    path = _write(formula, folder)
    run = run_solver(solver, path, cnf=formula, limits=limits, proof=proof)
    if run.status != UNSATISFIABLE:
        return f"says {run.status} when asked for a proof: {run.reason}"
    return check_proof(path, proof, LIMITS, cnf=formula, proof_format=solver.proof_format, checker=BUILT_IN.name).reason


def check_all(solvers: Iterable[Solver]) -> Iterator[Report]:
    """The report on each solver, one after another."""
    with scratch_folder("selftest") as folder:
        for solver in solvers:
            yield check_solver(solver, Path(folder))


def table(reports: Sequence[Report]) -> str:
    """The reports as text: one line per solver, then one line per error or missing program."""
    rows, remarks = [], []
    for report in reports:
        solver = report.solver
        rows.append([solver.name, report.version if report.found else "not installed", *report.marks])
        remarks += [f"{BAD} {solver.name}: {failure}" for failure in report.failures]
        if not report.found and (solver.build or solver.get):
            log = log_of(solver.name)
            remarks.append(f"{NONE} {solver.name} is not installed: {how_to_get(solver)}" + (f"; its log: {log}" if log else ""))
    columns = ("left", "left", *("center",) * len(TESTS))
    text = tabulate(rows, headers=["solver", "version", *TESTS], colalign=columns, disable_numparse=True)
    return "\n".join((text, *remarks))
