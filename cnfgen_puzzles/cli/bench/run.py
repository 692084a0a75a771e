"""bench-cnf run: make the runs of a suite that are missing, show who solved what."""

from __future__ import annotations

import contextlib
import signal
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from cnfgen_puzzles.bench import SuiteResults, run_suite
from cnfgen_puzzles.bench.record import Record
from cnfgen_puzzles.bench.run.execution import RERUN, Execution
from cnfgen_puzzles.bench.runs import tallied
from cnfgen_puzzles.bench.show.tables import alarms, notes, render, score_table, sentence
from cnfgen_puzzles.cli.bench.outputs import OutputGuard
from cnfgen_puzzles.cli.common import INTERRUPTED, JOBS, run, say, say_lines, version_option
from cnfgen_puzzles.cli.progress import Progress
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.solving.run import ERROR, FAILED, WRONG


class SuiteProgress(Progress):
    """Of the runs of a suite; those that failed are told, each in a line."""

    failed = 0

    def add(self, record: Record) -> None:
        """One more run is made."""
        self.done += 1
        if record["status"] in FAILED:
            self.failed += 1
            place = " ".join(str(record[name]) for name in ("solver", "instance", "encoding") if record.get(name))
            output = f" (output: {record['kept']})" if record.get("kept") else ""
            self.say(f"{record['status']}: {place}: {record['reason']}{output}")
        failed = f", {self.failed} failed" if self.failed else ""
        line = f"{self.done} of {self.total} runs{failed}, {self.spent} spent, about {self.left} left"
        self.show(line, f"{record['solver']} {Path(record['instance']).name} {record['status'].lower()}")


REPORT = "report.html"


def check_report() -> None:
    """InputError where the report could not be written in the end: known before hours of runs, not after them."""
    for module, name in (("jinja2", "Jinja2"), ("vl_convert", "vl-convert")):
        try:
            found = find_spec(module) is not None
        except ValueError:  # it was kept from being imported
            found = False
        if not found:
            raise InputError(f"the report needs {name}, which is not installed: pip install 'cnfgen-puzzles[bench]'")


def show_summary(results: SuiteResults, *, report: bool) -> int:
    """Print it all; the exit code."""
    records, suite, path = results.records, results.suite, results.path
    found = alarms(records, results.revoked)
    failed = Counter({record["solver"]: 0 for record, _ in tallied(records, "solver")})
    reasons: dict[str, str] = {}
    for record, runs in tallied(records, "solver", "status", "reason"):
        if record["status"] == ERROR:
            failed[record["solver"]] += runs
            reasons.setdefault(record["solver"], record["reason"])
    for line in found:
        say(line, err=True)
    say_lines(render(score_table(records)))
    say("")
    say(f"CPU limit {suite.limits.cpu:g} s a run; results: {path}")
    if report:
        from cnfgen_puzzles.bench.show.report import write_report

        OutputGuard([path], records).check(path.with_name(REPORT))
        written = write_report(records, path.with_name(REPORT), path.parent, suite.name, revoked=results.revoked)
        say(f"report: {written}")
    say(sentence(records))
    errors = [f"{failed[name]} runs of {name} are ERROR (such as: {why})" for name, why in reasons.items()]
    for note in [*notes(records), *errors, *describe_disturbances(records)]:
        say(f"note: {note}", err=True)
    if found:
        say("ALARM: some answers cannot be true, see above the table", err=True)
    nothing = bool(reasons) and failed.total() == len(records)
    if nothing:
        say("nothing was measured: every run is an ERROR; --rerun failed makes them again", err=True)
    return 1 if found or nothing or any(record["status"] == WRONG for record, _ in tallied(records, "status")) else 0


def describe_disturbances(records: Sequence[Record]) -> list[str]:
    warned = [(record["warnings"], runs) for record, runs in tallied(records, "warnings") if record["warnings"]]
    example = f" (such as: {warned[0][0][0]})" if warned else ""
    count = sum(runs for _, runs in warned)
    return [f"{count} of {len(records)} runs were measured on a disturbed machine{example}"] if warned else []


@click.command(
    "run",
    help="""Run every solver on every instance of a SUITE (YAML), check every answer, and print tables.

    Results are kept in FOLDER/runs.jsonl, one JSON object a run; the same command again makes only the runs that are missing.
    Ctrl-C finishes the runs in flight and stops; a second one stops at once.

    \b
    Examples:
      bench-cnf sample:bench --report
      bench-cnf run sample:bench -o results/today --jobs 2
      bench-cnf run sample:bench --rerun failed --rerun kissat

    Exits with 0, with 1 if an answer was wrong, two answers disagree or every run is an ERROR, with 2 for a mistake in the suite,
    with 130 if it was interrupted.""",
)
@click.argument("suite_file", metavar="SUITE", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--output", "-o", "folder", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER",
              help="Where results and CNF files go; by default results/NAME.")  # fmt: skip
@click.option("--fresh", is_flag=True, help="Forget earlier results and make all runs again.")
@click.option("--rerun", multiple=True, metavar="WHAT",
              help=f"Make runs again: {', '.join(RERUN)}, or a solver's label. The newest result counts.")  # fmt: skip
@click.option("--jobs", "-j", type=JOBS, metavar="N", help="Cores that runs may use; by default the suite says.")
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
        guard=watch_runs,
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
def watch_runs(execution: Execution) -> Iterator[None]:
    """Progress is shown while the runs are made, and an interrupt ends them: the first one softly, the second one now."""
    total = len(execution.suite.tasks)
    there = total - len(execution.tasks)
    if there:
        say(f"{there} of {total} runs are in {execution.store.path} already", err=True)
    with SuiteProgress(total, "run", before=there) as told, handle_interrupts(execution, told):
        execution.report = told.add
        try:
            yield
        except KeyboardInterrupt:
            told.say("stopping now: the runs in flight are not recorded")


# -- interrupts ---------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def handle_interrupts(execution: Execution, told: SuiteProgress) -> Iterator[None]:
    """Ctrl-C or SIGTERM: once to end after the runs in flight, twice to end now."""

    def handle(_number: int, _frame: Any) -> None:
        if execution.halted:
            raise KeyboardInterrupt
        execution.halt()
        told.say(f"interrupted: {describe_flight(execution)}; once more to stop now")

    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def describe_flight(execution: Execution) -> str:
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
