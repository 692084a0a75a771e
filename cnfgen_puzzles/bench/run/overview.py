"""The state of a suite before its runs, for `bench-cnf check`: which runs are missing, their longest time, and faults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from cnfgen_puzzles.bench.record import limits_text
from cnfgen_puzzles.bench.run.execution import longest, missing_tasks, other_version, without_missing_solvers
from cnfgen_puzzles.bench.run.formulacache import CNF_FOLDER, Formulas
from cnfgen_puzzles.bench.run.machine import cores_for_runs
from cnfgen_puzzles.bench.run.shares import results_of_shares
from cnfgen_puzzles.bench.runs import RESULTS, latest_records
from cnfgen_puzzles.bench.suite.plan import Suite, Task, solver_of
from cnfgen_puzzles.common.activity import doing
from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.evidence.checkers import CHECKERS
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE

Table = tuple[list[list[Any]], Sequence[str]]
"""Rows and headers."""


class Overview:
    """The missing runs of a suite whose results are in `folder`. `faults` are sentences about solvers and formulas."""

    def __init__(self, suite: Suite, folder: Path, jobs: int | None = None):
        self.suite, self.folder = suite, folder
        self.faults: list[str] = []
        self.runnable, self.missing = without_missing_solvers(suite)
        latest = latest_records(folder / RESULTS)
        for path in results_of_shares(folder):
            latest |= latest_records(path)
        self.left = missing_tasks(self.runnable, latest)
        cores, self.notes = cores_for_runs(jobs or suite.jobs)
        self.cores = len(cores)
        self.seconds = longest(self.runnable, self.left, self.cores)
        """The longest time of the missing runs."""

    def states(self) -> Iterator[tuple[Task, str]]:
        """The runs, each with `done`, `left`, or `cannot`."""
        todo = set(self.left)
        for task in self.suite.tasks:
            yield task, "cannot" if task.solver.label in self.missing else "left" if task in todo else "done"

    def limits(self) -> str:
        """The limits of a run, and the numbers of cores, seeds, scramblings, and repetitions."""
        suite = self.suite
        counts = {
            "seeds": len({task.seed for task in suite.tasks} - {None}),
            "scramblings": len({task.scramble for task in suite.tasks} - {None}),
            "repetitions": max(task.repetition for task in suite.tasks),
        }
        facts = [f"{suite.jobs} cores", *(f"{n} {name}" for name, n in counts.items() if n > (name == "repetitions"))]
        facts += [f"proofs are checked{f' by {CHECKERS[suite.checker].title}' if suite.checker else ''}"] if suite.proofs else []
        return f"limits of a run: {limits_text(vars(suite.limits))}{' (wall by default)' * suite.wall_by_default}; " + "; ".join(
            facts
        )

    def instances(self) -> Table:
        """Runs by family and encoding."""
        groups: dict[tuple[str, str], list[Task]] = {}
        for task in self.suite.tasks:
            groups.setdefault((task.instance.family, task.encoding.label if task.encoding else ""), []).append(task)
        todo, rows = set(self.left), []
        for key, tasks in groups.items():
            instances = {task.instance for task in tasks}
            known = Counter(instance.expected for instance in instances)
            counts = (len(instances), known[SATISFIABLE], known[UNSATISFIABLE], len(tasks), len(todo.intersection(tasks)))
            rows.append([*key, *counts])
        every = {task.instance for task in self.suite.tasks}
        rows.append(["all", "", len(every), "", "", len(self.suite.tasks), len(self.left)])
        return rows, ["family", "encoding", "instances", "known sat", "known unsat", "runs", "left"]

    def solvers(self) -> Table:
        """Runs by solver. Faults: solvers that are missing, do not start, or have another version."""
        rows = []
        todo = Counter(task.solver for task in self.left)
        for choice, runs in Counter(task.solver for task in self.suite.tasks).items():
            program, version = "missing", ""
            if choice.label in self.missing:
                self.faults.append(f"{self.missing[choice.label]}; {runs} runs are impossible")
            else:
                solver = solver_of(choice)
                executable = solver.locate()
                program, version = str(executable), "unknown"
                try:
                    version = solver.version_line(executable)
                except CnfgenError as error:
                    self.faults.append(f"{error}; its runs are tried anyway")
                if fault := other_version(choice, executable):
                    self.faults.append(f"{fault}: `bench-cnf run` refuses the suite")
            rows.append([choice.label, runs, todo[choice], choice.cores, version, program])
        return rows, ["solver", "runs", "left", "cores", "version", "program"]

    def formulas(self) -> Table:
        """The size of each formula, which is written if it is missing. Faults: formulas that cannot be made."""
        formulas = Formulas(self.suite.folder, self.folder / CNF_FOLDER)
        rows = []
        for task in {task.formula_key: task for task in self.suite.tasks}.values():
            try:
                with doing(f"making the formula of {task.instance.name}"):
                    made = formulas.get(task)
            except CnfgenError as error:
                self.faults.append(f"{task.instance.family} {task.instance.name}: {error}")
                continue
            size = ", ".join(f"{value} {name}" for name, value in made.size.items() if name not in made.identity)
            words = [task.instance.family, task.instance.name, size, task.encoding.label if task.encoding else ""]
            counts = (made.identity["variables"], made.identity["clauses"])
            rows.append([*words, "" if task.scramble is None else task.scramble, *counts, f"{made.seconds:.2f}"])
        return rows, ["family", "instance", "size", "encoding", "scramble", "variables", "clauses", "seconds"]

    def duration(self) -> str:
        """The number of missing runs, and their longest time."""
        left, runs = len(self.left), len(self.runnable.tasks)
        if not left:
            return f"All {runs} runs are in {self.folder / RESULTS}."
        limited = "wall limit, as does the check of its proof" if self.suite.proofs else "wall limit"
        most, cores = timedelta(seconds=round(self.seconds)), f"{self.cores} core{'s' * (self.cores > 1)}"
        cpu = timedelta(seconds=round((self.suite.limits.cpu or 0) * left / self.cores))
        return (
            f"{left} of {runs} runs are missing: at most {most} on {cores}, if each reaches its {limited}; {cpu} if each reaches "
            "its CPU time limit; in addition to encoding and checking models."
        )
