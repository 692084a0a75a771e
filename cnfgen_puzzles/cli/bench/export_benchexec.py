"""bench-cnf export-benchexec: a suite as tasks, benchmark definitions, and tool info of BenchExec."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from cnfgen_puzzles.bench.benchexec.tasks import export_suite
from cnfgen_puzzles.bench.suite.reader import read_suite
from cnfgen_puzzles.cli.app import say, version_option
from cnfgen_puzzles.cli.help import DocumentedCommand


@click.command(
    "export-benchexec",
    cls=DocumentedCommand,
    help="""Export a suite for BenchExec (https://github.com/sosy-lab/benchexec).

    The folder gets the CNF files, task definitions with the expected verdicts of the suite, one benchmark definition for each
    solver, and tool info for solvers that BenchExec does not have. The command prints how to run them.""",
    examples=[
        "bench-cnf export-benchexec sample:bench -o exported",
        "bench-cnf import-benchexec exported/results/*.xml.bz2 -o results/benchexec",
    ],
    closing="Exit codes: 0 exported, 2 mistake in the suite.",
)
@click.argument("suite_file", metavar="SUITE", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--output", "-o", "folder", required=True, metavar="FOLDER", type=click.Path(file_okay=False, path_type=Path),
              help="Write to this folder: a new one, or that of an earlier export.")  # fmt: skip
@version_option
def command(suite_file: Path, folder: Path) -> int:
    exported = export_suite(read_suite(suite_file), folder)
    for note in exported.notes:
        say(f"note: {note}", err=True)
    say(f"{folder}: {exported.tasks} tasks. To run them:")
    say(f"cd {shlex.quote(str(folder))}; export PYTHONPATH=.")
    for path, programs in exported.benchmarks.items():
        search = f"PATH={shlex.quote(str(programs))}:$PATH " if programs else ""
        say(f"{search}benchexec {shlex.quote(path.name)}")
    return 0
