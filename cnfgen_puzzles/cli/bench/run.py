"""bench-cnf run: make the runs of a suite that are missing, show who solved what."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from cnfgen_puzzles.bench import run_suite
from cnfgen_puzzles.bench.run.execution import RERUN, Execution
from cnfgen_puzzles.cli.bench.progress import SuiteProgress
from cnfgen_puzzles.cli.bench.summary import check_report, show_summary
from cnfgen_puzzles.cli.common import INTERRUPTED, run, say, version_option


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

    Exits with 0, with 1 if an answer was wrong, two answers disagree or every run is an ERROR, with 2 for a mistake in the suite,
    with 130 if it was interrupted.""",
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
def command(suite_file: Path, folder: Path | None, report: bool, **options: Any) -> int:
    if report:
        check_report()
    results = run_suite(
        suite_file,
        folder,
        whole=report,
        warn=lambda text: say(f"warning: {text}", err=True),
        guard=watched,
        **options,
    )
    if results.halted:
        told = f"{len(results.records)} of {len(results.suite.tasks)} runs are in {results.path}"
        say(f"interrupted: {told}; the same command goes on", err=True)
        return INTERRUPTED
    if not results.made:
        runs = len(results.suite.tasks)
        say(f"{runs} of {runs} runs are in {results.path} already; --rerun or --fresh makes runs again", err=True)
    return show_summary(results, report=report)


@contextlib.contextmanager
def watched(execution: Execution) -> Iterator[None]:
    """Progress is shown while the runs are made, and an interrupt ends them: the first one softly, the second one now."""
    total = len(execution.suite.tasks)
    there = total - len(execution.tasks)
    if there:
        say(f"{there} of {total} runs are in {execution.store.path} already", err=True)
    with SuiteProgress(total, there) as told, interruptible(execution, told):
        execution.report = told.add
        try:
            yield
        except KeyboardInterrupt:
            told.say("stopping now: the runs in flight are not recorded")


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


def main() -> None:
    run(command)
