"""bench-cnf: run a suite of puzzles, encodings and solvers, and show who solved what."""

from __future__ import annotations

import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from tabulate import tabulate
from tqdm import tqdm

from cnfgen_puzzles.bench.execute import execute
from cnfgen_puzzles.bench.scores import Score, disagreements, scores
from cnfgen_puzzles.bench.store import Store
from cnfgen_puzzles.bench.suite import Suite, read_suite
from cnfgen_puzzles.cli.common import run, version_option
from cnfgen_puzzles.solving.table import find_solver

RESULTS = "runs.jsonl"
LOG_SECONDS = 15
"""Between two lines of progress where nobody watches."""


@click.command(
    "bench-cnf",
    help="""Run every solver on every instance of a SUITE (YAML), check every answer, and print a table.

    Results are kept in FOLDER/runs.jsonl, one JSON object a run; the same command again makes only the runs that are missing.

    \b
    Example:
      bench-cnf instances/suites/default.yaml

    Exits with 0, with 1 if an answer was wrong or two answers disagree, with 2 for a mistake in the suite.""",
)
@click.argument("suite_file", metavar="SUITE", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--output", "-o", "folder", type=click.Path(file_okay=False, path_type=Path), metavar="FOLDER",
              help="Where results and CNF files go; by default results/NAME.")  # fmt: skip
@click.option("--fresh", is_flag=True, help="Forget earlier results and make all runs again.")
@version_option
def command(suite_file: Path, folder: Path | None, fresh: bool) -> int:
    suite = without_missing_solvers(read_suite(suite_file))
    folder = folder or Path("results") / suite.name
    if fresh:
        shutil.rmtree(folder, ignore_errors=True)
    store = Store(folder / RESULTS)
    wanted = {task.key for task in suite.tasks}
    there = sum(entry["key"] in wanted for entry in store.entries)
    if there:
        click.echo(f"{there} of {len(wanted)} runs are in {store.path} already; --fresh makes them again", err=True)
    with progress_bar(len(wanted), there) as bar:
        execute(suite, store, folder, lambda result: show_progress(bar, result))
    results = [entry for entry in store.entries if entry["key"] in wanted]
    click.echo(score_table(scores(results)))
    click.echo(f"\nCPU limit {suite.limits.cpu:g} s a run; times in seconds, all runs together; results: {store.path}")
    return report_faults(results)


def without_missing_solvers(suite: Suite) -> Suite:
    """The suite less the solvers that are not there, each told; InputError if none is."""
    missing = {name for name in suite.solvers if not find_solver(name).available()}
    for name in sorted(missing):
        click.echo(f"warning: the solver {name} is not there, its runs are left out (`make solvers` builds it)", err=True)
    if len(missing) == len(suite.solvers):
        find_solver(suite.solvers[0]).locate()  # says where it looked
    return replace(suite, tasks=tuple(task for task in suite.tasks if task.solver not in missing))


def progress_bar(total: int, done: int) -> tqdm:
    """Live in a terminal; a line now and then in a log."""
    live = sys.stderr.isatty()
    interval = 0.2 if live else LOG_SECONDS
    return tqdm(
        total=total, initial=done, unit="run", dynamic_ncols=live, smoothing=0.1, mininterval=interval, maxinterval=interval
    )


def show_progress(bar: tqdm, result: dict[str, Any]) -> None:
    """Count the run; a failed one is told at once."""
    if result["status"] in ("WRONG", "ERROR"):
        bar.write(f"{result['status']}: {result['key']}: {result['reason']} (output: {result['kept']})")
    bar.set_postfix_str(f"{result['solver']} {Path(result['instance']).name} {result['status'].lower()}", refresh=False)
    bar.update()


def score_table(table: list[Score]) -> str:
    """Encoding by encoding, the best solver first; seconds are CPU and wall time of all runs together, PAR-2 is a mean."""
    rows = []
    for s in table:
        counts = [f"{s.solved}/{s.runs}", s.sat, s.unsat, s.failed or ""]
        usage = [f"{s.par2:.3f}", f"{s.cpu:.2f}", f"{s.wall:.2f}", f"{s.memory / 2**20:.0f}"]
        rows.append([s.group, s.solver, *counts, *usage])
    headers = ["encoding", "solver", "solved", "sat", "unsat", "failed", "PAR-2", "CPU", "wall", "peak MiB"]
    return tabulate(rows, headers=headers, disable_numparse=True, colalign=("left", "left", *["right"] * 8))


def report_faults(results: list[dict[str, Any]]) -> int:
    """Say what cannot be trusted; the exit code."""
    contradictions = disagreements(results)
    for contradiction in contradictions:
        click.echo(f"ALARM: solvers disagree on {contradiction}", err=True)
    wrong = any(result["status"] == "WRONG" for result in results)
    return 1 if contradictions or wrong else 0


def main() -> None:
    run(command)
