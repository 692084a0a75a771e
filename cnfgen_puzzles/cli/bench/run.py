"""bench-cnf run: make the runs of a suite that are missing, show who solved what."""

from __future__ import annotations

import contextlib
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from cnfgen_puzzles.bench.run.backends import Cluster, Local
from cnfgen_puzzles.bench.run.execution import (
    KEPT_FOLDER,
    RERUN,
    Execution,
    binaries,
    check_rerun,
    has_other_limits,
    missing_tasks,
    without_missing_solvers,
)
from cnfgen_puzzles.bench.run.machine import cores_for_runs, warnings_before
from cnfgen_puzzles.bench.run.store import Store
from cnfgen_puzzles.bench.suite.plan import Suite
from cnfgen_puzzles.bench.suite.reader import read_suite
from cnfgen_puzzles.cli.bench.progress import SuiteProgress
from cnfgen_puzzles.cli.bench.summary import show_summary
from cnfgen_puzzles.cli.common import INTERRUPTED, run, version_option
from cnfgen_puzzles.ground.errors import InputError

RESULTS = "runs.jsonl"


@click.command(
    "run",
    help="""Run every solver on every instance of a SUITE (YAML), check every answer, and print tables.

    Results are kept in FOLDER/runs.jsonl, one JSON object a run; the same command again makes only the runs that are missing.
    Ctrl-C finishes the runs in flight and stops; a second one stops at once.

    \b
    Examples:
      bench-cnf instances/suites/default.yaml
      bench-cnf run suite.yaml -o results/today --jobs 8 --strict
      bench-cnf run suite.yaml --rerun failed --rerun kissat
      bench-cnf run suite.yaml --scheduler tcp://head:8786 --report

    Exits with 0, with 1 if an answer was wrong or two answers disagree, with 2 for a mistake in the suite, with 130 if it was
    interrupted.""",
)
@click.argument("suite_file", metavar="SUITE", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--output", "-o", "folder", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER",
              help="Where results and CNF files go; by default results/NAME.")  # fmt: skip
@click.option("--fresh", is_flag=True, help="Forget earlier results and make all runs again.")
@click.option("--rerun", multiple=True, metavar="WHAT",
              help=f"Make runs again: {', '.join(RERUN)}, or a solver's label. The newest result counts.")  # fmt: skip
@click.option("--jobs", "-j", type=click.IntRange(min=1), metavar="N", help="Cores that runs may use; by default the suite says.")
@click.option("--scheduler", metavar="ADDRESS", help="Make the runs on the workers of this Dask scheduler.")
@click.option(
    "--other-binaries", is_flag=True, help="Workers may have other programs of a solver than this machine. [--scheduler]"
)
@click.option("--strict", is_flag=True, help="Refuse to measure on a machine that is busy, swaps or cannot hold the limits.")
@click.option("--fsync", "durable", is_flag=True, help="Wait until the disk has each result.")
@click.option("--report", is_flag=True, help="Write FOLDER/report.html at the end.")
@version_option
def command(suite_file: Path, folder: Path | None, **options: Any) -> int:
    suite, missing = without_missing_solvers(read_suite(suite_file))
    for label in missing:
        warn(f"the solver {label} is not there, its runs are left out (`make solvers` builds it)")
    for note in suite.notes:
        warn(note)
    check_rerun(suite, options["rerun"])
    programs = binaries(suite)
    folder = folder or Path("results") / suite.name
    with Store(folder / RESULTS, fresh=options["fresh"], durable=options["durable"]) as store:
        if options["fresh"]:
            shutil.rmtree(folder / KEPT_FOLDER, ignore_errors=True)
        (folder / KEPT_FOLDER).mkdir(parents=True, exist_ok=True)
        interrupted = make_runs(suite, folder, store, programs, options)
        if interrupted:
            made = sum(task.key in store.latest for task in suite.tasks)
            told = f"{made} of {len(suite.tasks)} runs are in {store.path}"
            click.echo(f"interrupted: {told}; the same command goes on", err=True)
            return INTERRUPTED
        return show_summary(suite, store.path, report=options["report"])


def make_runs(suite: Suite, folder: Path, store: Store, programs: dict[str, str], options: dict[str, Any]) -> bool:
    """Make what is missing; whether it was interrupted."""
    tasks = missing_tasks(suite, store.latest, options["rerun"])
    tell_what_is_there(suite, store, len(tasks), bool(options["rerun"]))
    if not tasks:
        return False
    with (
        open_place(suite, folder, programs, options) as place,
        SuiteProgress(len(suite.tasks), len(suite.tasks) - len(tasks)) as told,
    ):
        execution = Execution(suite, folder, store, place, tasks=tasks, report=told.add)
        with interruptible(execution, told):
            try:
                execution.run()
            except KeyboardInterrupt:
                told.say("stopping now: the runs in flight are not recorded")
                place.stop()
                return True
        return execution.halted


def tell_what_is_there(suite: Suite, store: Store, missing: int, rerun: bool) -> None:
    there = len(suite.tasks) - missing
    if there:
        hint = "" if missing else "; --rerun or --fresh makes runs again"
        click.echo(f"{there} of {len(suite.tasks)} runs are in {store.path} already{hint}", err=True)
    found = (store.latest.get(task.key) for task in suite.tasks)
    other = sum(record is not None and has_other_limits(suite, record) for record in found)
    if other and not rerun:
        warn(f"{other} results in {store.path} were made under other limits: these runs are made again")


@contextlib.contextmanager
def open_place(suite: Suite, folder: Path, programs: dict[str, str], options: dict[str, Any]) -> Iterator[Local | Cluster]:
    """Where the runs are made: cores of this machine after a look at it, or the cluster's workers after a look at them."""
    kept = (folder / KEPT_FOLDER).absolute()
    most_threads = max(choice.threads or 1 for choice in suite.solvers)
    if options["scheduler"]:
        with Cluster(options["scheduler"], programs, kept=kept, other_binaries=options["other_binaries"]) as cluster:
            workers = cluster.check_workers(most_threads)
            click.echo(
                f"{workers} workers at {options['scheduler']}" if workers else "no workers yet: waiting for some", err=True
            )
            yield cluster
        return
    jobs = options["jobs"] or suite.jobs
    cores, warnings = cores_for_runs(jobs)
    if most_threads > len(cores):
        raise InputError(f"found a solver of {most_threads} threads, {len(cores)} cores can be used", source=suite.name)
    warnings += warnings_before(len(cores), suite.limits)
    for warning in warnings:
        warn(warning)
    if warnings and options["strict"]:
        raise InputError("nothing is measured on this machine now, for the reasons above", source="--strict")
    with Local(cores, kept) as place:
        yield place


# -- interrupts ---------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def interruptible(execution: Execution, told: SuiteProgress) -> Iterator[None]:
    """Ctrl-C or SIGTERM: once to end after the runs in flight, twice to end now."""

    def handle(_number: int, _frame: Any) -> None:
        if execution.halted:
            raise KeyboardInterrupt
        execution.halt()
        told.say(f"interrupted: {what_flies(execution)}; once more to stop now")

    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def what_flies(execution: Execution) -> str:
    """How many runs are waited for, and for how long at most."""
    count, limits = len(execution.in_flight), execution.suite.limits
    if not count:
        return "no run is in flight"
    names = "a run in flight is" if count == 1 else f"{count} runs in flight are"
    if limits.wall is not None:
        return f"{names} finished, {limits.wall:g} s at most"
    return f"{names} finished, at most {limits.cpu:g} s of CPU time each" if limits.cpu is not None else f"{names} finished"


def warn(text: str) -> None:
    click.echo(f"warning: {text}", err=True)


def main() -> None:
    run(command)
