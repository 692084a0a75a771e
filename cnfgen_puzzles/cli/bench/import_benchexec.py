"""bench-cnf import-benchexec: results of BenchExec and logs of runexec as a result folder."""

from __future__ import annotations

from pathlib import Path

import click

from cnfgen_puzzles.bench.benchexec.results import import_results, summary
from cnfgen_puzzles.cli.app import say, version_option
from cnfgen_puzzles.cli.help import DocumentedCommand


@click.command(
    "import-benchexec",
    cls=DocumentedCommand,
    help="""Import result files of BenchExec (.xml, .xml.bz2) and the output of runexec into a result folder.

    The verdicts of imported runs are claimed, not verified. scores, plot, report, and diff read the folder. Runs of tasks
    from export-benchexec have the names of the suite.""",
    examples=[
        "bench-cnf import-benchexec results/*.xml.bz2 -o results/benchexec",
        "runexec --timelimit 60 -- kissat x.cnf > kissat/x.log",
        "bench-cnf import-benchexec kissat/*.log --cpu-limit 60 -o results/runexec",
    ],
    closing="Exit codes: 0 imported, 2 unreadable file.",
)
@click.argument("files", metavar="FILE...", nargs=-1, required=True,
                type=click.Path(exists=True, dir_okay=False, path_type=Path))  # fmt: skip
@click.option("--output", "-o", "folder", required=True, metavar="FOLDER", type=click.Path(file_okay=False, path_type=Path),
              help="Add the runs to the results in this folder.")  # fmt: skip
@click.option("--solver", default="", metavar="NAME", help="Name the solver of runexec logs. [default: the folder of the log]")
@click.option("--cpu-limit", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS",
              help="Set the CPU time limit of runexec logs; PAR-2 needs it.")  # fmt: skip
@version_option
def command(files: tuple[Path, ...], folder: Path, solver: str, cpu_limit: float | None) -> int:
    imported = import_results(files, folder, solver=solver, cpu_limit=cpu_limit)
    for note in imported.notes:
        say(f"note: {note}", err=True)
    say(f"{folder}: {summary(imported)}")
    return 0
