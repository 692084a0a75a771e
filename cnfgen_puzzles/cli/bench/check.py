"""bench-cnf check: show the runs of a suite, how many are missing, and their longest time. It runs no solver."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import click
from tqdm import tqdm

from cnfgen_puzzles.bench.record import limits_text
from cnfgen_puzzles.bench.run.execution import CNF_FOLDER, longest, missing_tasks, other_version, without_missing_solvers
from cnfgen_puzzles.bench.run.formulacache import Formulas
from cnfgen_puzzles.bench.run.machine import cores_for_runs
from cnfgen_puzzles.bench.runs import RESULTS, latest_records
from cnfgen_puzzles.bench.runsuite import FOLDER
from cnfgen_puzzles.bench.suite.plan import Suite, Task
from cnfgen_puzzles.bench.suite.reader import read_suite
from cnfgen_puzzles.cli.app import say, say_lines, table_of
from cnfgen_puzzles.cli.help import DocumentedCommand
from cnfgen_puzzles.cli.params import JOBS
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.evidence.checkers import CHECKERS
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE


@click.command(
    "check",
    cls=DocumentedCommand,
    help="""Show the runs of a SUITE by family, encoding, and solver, how many are missing, and the longest time for these.""",
    common=("--output", "--list"),
    examples=[
        "bench-cnf check sample:bench",
        "bench-cnf check sample:bench --formulas   # write the CNF files, and show their sizes",
    ],
    closing="Exit codes: 0 runnable, 1 a solver is missing or a formula cannot be made, 2 mistake in the suite.",
)
@click.argument("suite_file", metavar="SUITE", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--output", "-o", "folder", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER",
              help="Read the results from this folder.  [default: results/NAME]")  # fmt: skip
@click.option("--jobs", "-j", type=JOBS, metavar="N", help="Use N cores for runs; by default as in the suite.")
@click.option("--formulas", is_flag=True, help="Write all missing formulas, and show their sizes.")
@click.option("--list", "listed", is_flag=True, help="List each run on a line.")
@click.option("--json", "as_json", is_flag=True, help="Print the runs with their states as JSON.")
def command(suite_file: Path, folder: Path | None, jobs: int | None, formulas: bool, listed: bool, as_json: bool) -> int:
    suite = read_suite(suite_file)
    folder = folder or FOLDER / suite.name
    runnable, missing = without_missing_solvers(suite)
    left = missing_tasks(runnable, latest_records(folder / RESULTS))
    cores, notes = cores_for_runs(jobs or suite.jobs)
    todo = {task.key for task in left}
    states = {
        task.key: "cannot" if task.solver.label in missing else "left" if task.key in todo else "done" for task in suite.tasks
    }
    table, faults = solver_table(suite, left, missing)
    if as_json:
        runs = [{"key": json.loads(key), "state": state} for key, state in states.items()]
        seconds = longest(runnable, left, len(cores)) if left else 0
        entry = {"check": 1, "suite": suite.name, "cores": len(cores), "longest_seconds": seconds, "faults": faults, "runs": runs}
        say_lines(json.dumps(entry, indent=1))
        return 1 if faults else 0
    say(f"{suite.name}: {suite.description}" if suite.description else suite.name)
    counts = {
        "seeds": len({task.seed for task in suite.tasks} - {None}),
        "scramblings": len({task.scramble for task in suite.tasks} - {None}),
        "repetitions": max(task.repetition for task in suite.tasks),
    }
    facts = [f"{suite.jobs} cores", *(f"{count} {name}" for name, count in counts.items() if count > (name == "repetitions"))]
    facts += [f"proofs are checked{f' by {CHECKERS[suite.checker].title}' if suite.checker else ''}"] if suite.proofs else []
    say(f"limits of a run: {limits_text(vars(suite.limits))}{' (wall by default)' * suite.wall_by_default}; {'; '.join(facts)}")
    parts = [instance_table(suite, left), table]
    if formulas:
        of_formulas, broken = formula_table(suite, folder)
        parts.append(of_formulas)
        faults += broken
    parts += ["\n".join(f"{state} {key}" for key, state in states.items())] if listed else []
    for part in (*parts, duration_sentence(runnable, left, folder, len(cores))):
        say_lines(f"\n{part}")
    for line in (*(f"note: {note}" for note in (*suite.notes, *notes)), *(f"warning: {fault}" for fault in faults)):
        say(line, err=True)
    return 1 if faults else 0


def instance_table(suite: Suite, left: list[Task]) -> str:
    """Runs by family and encoding."""

    def group(task: Task) -> tuple[str, str]:
        return task.instance.family, task.encoding.label if task.encoding else ""

    rows = []
    for key, runs, todo in _count_by(suite.tasks, left, group):
        tasks = [task for task in suite.tasks if group(task) == key]
        instances = {task.instance for task in tasks}
        known = Counter(instance.expected for instance in instances)
        rows.append([*key, len(instances), known[SATISFIABLE], known[UNSATISFIABLE], runs, todo])
    rows.append(["all", "", len({task.instance for task in suite.tasks}), "", "", len(suite.tasks), len(left)])
    return table_of(rows, ["family", "encoding", "instances", "known sat", "known unsat", "runs", "left"])


def solver_table(suite: Suite, left: list[Task], missing: Mapping[str, InputError]) -> tuple[str, list[str]]:
    """Runs by solver, and the faults: solvers that are missing, do not start, or have another version."""
    rows, faults = [], []
    for choice, runs, todo in _count_by(suite.tasks, left, lambda task: task.solver):
        if choice.label in missing:
            program, version = "missing", ""
            faults.append(f"{missing[choice.label]}; {runs} runs are impossible")
        else:
            solver = choice.found()
            executable = solver.locate()
            program, version = str(executable), "unknown"
            try:
                version = solver.version_line(executable)
            except CnfgenError as error:
                faults.append(f"{error}; its runs are tried anyway")
            if fault := other_version(choice, executable):
                faults.append(f"{fault}: `bench-cnf run` refuses the suite")
        rows.append([choice.label, runs, todo, choice.cores, version, program])
    return table_of(rows, ["solver", "runs", "left", "cores", "version", "program"], disable_numparse=[4]), faults


def formula_table(suite: Suite, folder: Path) -> tuple[str, list[str]]:
    """The size of each formula, which is written if it is missing; and the faults."""
    formulas = Formulas(suite.folder, folder / CNF_FOLDER)
    unique = list({task.formula_key: task for task in suite.tasks}.values())
    rows, faults = [], []
    for task in tqdm(unique, unit="formula", disable=not sys.stderr.isatty(), leave=False):
        try:
            made = formulas.get(task)
        except CnfgenError as error:
            faults.append(f"{task.instance.family} {task.instance.name}: {error}")
            continue
        label = task.encoding.label if task.encoding else ""
        size = ", ".join(f"{value} {name}" for name, value in made.size.items() if name not in made.identity)
        mark = "" if task.scramble is None else task.scramble
        counts = (made.identity["variables"], made.identity["clauses"])
        rows.append([task.instance.family, task.instance.name, size, label, mark, *counts, f"{made.seconds:.2f}"])
    return table_of(rows, ["family", "instance", "size", "encoding", "scramble", "variables", "clauses", "seconds"]), faults


def duration_sentence(suite: Suite, left: list[Task], folder: Path, cores: int) -> str:
    """The number of missing runs, and their longest time on this number of cores."""
    if not left:
        return f"All {len(suite.tasks)} runs are in {folder / RESULTS}."
    message = f"{len(left)} of {len(suite.tasks)} runs are missing: "
    most = longest(suite, left, cores)
    if most is not None:
        limited = "wall limit, as does the check of its proof" if suite.proofs else "wall limit"
        message += f"at most {timedelta(seconds=round(most))} on {cores} core{'s' * (cores > 1)}, if each reaches its {limited}; "
    if suite.limits.cpu:
        message += f"{timedelta(seconds=round(suite.limits.cpu * len(left) / cores))} if each reaches its CPU time limit; "
    return f"{message}in addition to encoding and checking models."


def _count_by(tasks: Iterable[Task], left: Iterable[Task], key: Callable[[Task], Any]) -> list[tuple[Any, int, int]]:
    """Each group of tasks with its number of runs and of missing runs, in the order of the suite."""
    todo = Counter(map(key, left))
    return [(group, runs, todo[group]) for group, runs in Counter(map(key, tasks)).items()]
