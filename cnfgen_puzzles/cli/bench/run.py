"""bench-cnf run: run the missing runs of a suite, and print the scores."""

from __future__ import annotations

import contextlib
import shlex
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from cnfgen_puzzles.bench import SuiteResults, run_suite
from cnfgen_puzzles.bench.record import Record
from cnfgen_puzzles.bench.run.execution import RERUN, Execution
from cnfgen_puzzles.bench.run.shares import SCRIPT, SHARES
from cnfgen_puzzles.bench.show.tables import alarm_lines, render, run_notes, score_table, sentence
from cnfgen_puzzles.cli.app import say, say_lines, version_option
from cnfgen_puzzles.cli.bench.outputs import FOLDER, SUITE, say_notes
from cnfgen_puzzles.cli.errors import INTERRUPTED
from cnfgen_puzzles.cli.help import DocumentedCommand
from cnfgen_puzzles.cli.params import COUNT, JOBS, flag, param
from cnfgen_puzzles.cli.progress import Progress
from cnfgen_puzzles.solving.run import ERROR, FAILED


class SuiteProgress(Progress):
    """The progress of a suite, with a line for each failed run."""

    failed = 0

    def add(self, record: Record) -> None:
        """Add a finished run."""
        self.done += 1
        if record["status"] in FAILED:
            self.failed += 1
            place = " ".join(str(record[name]) for name in ("solver", "instance", "encoding") if record.get(name))
            output = f" (output: {record['kept']})" if record.get("kept") else ""
            say(f"{record['status']}: {place}: {record['reason']}{output}", err=True)
        failed = f", {self.failed} failed" if self.failed else ""
        line = f"{self.done} of {self.total} runs{failed}, {self.spent} spent, about {self.left} left"
        self.show(line, f"{record['solver']} {Path(record['instance']).name} {record['status'].lower()}")


def show_summary(results: SuiteResults, *, report: bool) -> int:
    """Print the results and return the exit code."""
    records, path = results.records, results.path
    say_notes(alarm_lines(results.alarms), ())
    say_lines(render(score_table(records)))
    say("")
    say(f"CPU limit {results.suite.limits.cpu:g} s per run; results: {path}")
    if report:
        from cnfgen_puzzles.bench.show.report import write_report

        page = write_report(records, path.with_name("report.html"), path.parent, results.suite.name, found=results.alarms)
        say(f"report: {page}")
    say(sentence(records))
    say_notes((), run_notes(records))
    if results.alarms:
        say("ALARM: some answers are wrong; see the lines above the table", err=True)
    if nothing := bool(records) and all(record["status"] == ERROR for record in records):
        say("nothing was measured: every run is an ERROR; --rerun failed repeats them", err=True)
    return 1 if results.alarms or nothing else 0


@click.command(
    "run",
    cls=DocumentedCommand,
    help="""Run every solver on every instance of a SUITE (YAML), check every answer, and print tables.

    Results go to FOLDER/runs.jsonl, one JSON object per run. The same command again runs only the missing runs. Ctrl-C finishes
    the runs in progress and stops; a second Ctrl-C stops at once.""",
    params=[
        SUITE,
        param("--output", "-o", "folder", type=FOLDER, metavar="FOLDER",
              help="Write results and CNF files to this folder.  [default: results/NAME]"),
        flag("--fresh", help="Discard earlier results and repeat all runs."),
        param("--rerun", multiple=True, metavar="WHAT",
              help=f"Repeat these runs: {', '.join(RERUN)}, or the label of a solver. The newest result counts."),
        param("--jobs", "-j", type=JOBS, metavar="N", help="Use N cores for runs; by default as in the suite."),
        param("--scheduler", metavar="ADDRESS", help="Run on the workers of this Dask scheduler."),
        param("--slurm-array", "shares", type=COUNT, metavar="N",
              help="Make no runs; divide them among N tasks of a Slurm job array, and write FOLDER/array.sh."),
        param("--share", type=COUNT, metavar="K", help="Make the runs of task K of --slurm-array, on any machine."),
        flag("--other-binaries", help="Allow workers with other binaries of a solver than this machine. [--scheduler]"),
        flag("--strict", help="Refuse to run on a machine that is busy, swaps, or cannot enforce the limits."),
        flag("--fsync", "durable", help="Flush each result to the disk."),
        flag("--report", help="Write FOLDER/report.html at the end."),
    ],
    common=("--output", "--fresh", "--jobs", "--rerun"),
    examples=[
        "bench-cnf sample:bench --report",
        "bench-cnf run sample:bench -o results/today --jobs 2",
        "bench-cnf run sample:bench --rerun failed --rerun kissat",
    ],
    closing="Exit codes: 0 finished; 1 a wrong answer, a disagreement, or only errors; 2 mistake in the suite; 130 interrupted.",
)  # fmt: skip
@version_option
def command(suite_file: Path, folder: Path | None, report: bool, **options: Any) -> int:
    if report:
        from cnfgen_puzzles.bench.show.report import check_packages

        check_packages()
    results = run_suite(
        suite_file, folder, whole=report, warn=lambda text: say(f"warning: {text}", err=True), guard=watch_runs, **options
    )
    if results.shares:
        suite, place = (shlex.quote(str(path)) for path in (suite_file, results.path.parent))
        say(f"{results.path.with_name(SHARES)}: {results.shares} shares. To run them, and to collect their results afterwards:")
        say_lines(f"sbatch {place}/{SCRIPT}\nbench-cnf run {suite} -o {place}")
        return 0
    runs = len(results.suite.tasks)
    if results.halted:
        say(f"interrupted: {len(results.records)} of {runs} runs are in {results.path}; the same command resumes", err=True)
        return INTERRUPTED
    if not results.made:
        say(f"{runs} of {runs} runs are in {results.path} already; --rerun or --fresh repeats them", err=True)
    return show_summary(results, report=report)


@contextlib.contextmanager
def watch_runs(execution: Execution) -> Iterator[None]:
    """Show progress. The first Ctrl-C or SIGTERM finishes the runs in progress, the second one stops at once."""
    total = len(execution.suite.tasks)
    existing = total - len(execution.tasks)
    if existing:
        say(f"{existing} of {total} runs are in {execution.store.path} already", err=True)
    with SuiteProgress(total, "run", before=existing) as progress:

        def halt(_number: int, _frame: Any) -> None:
            if execution.halted:
                raise KeyboardInterrupt
            execution.halt()
            runs, wall = execution.in_flight, execution.suite.limits.wall
            names = "a run in progress is finished first" if runs == 1 else f"{runs} runs in progress are finished first"
            most = f", which takes {wall:g} s at most" if wall is not None else ""
            say(f"interrupted: {names + most if runs else 'no run is in progress'}; interrupt again to stop at once", err=True)

        execution.report = progress.add
        before = {number: signal.signal(number, halt) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        except KeyboardInterrupt:
            say("stopping now: the runs in progress are not recorded", err=True)
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
