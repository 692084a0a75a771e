"""bench-cnf report: one HTML file with scores, plots, all runs and boards, for any browser and without network."""

from __future__ import annotations

from pathlib import Path

import click

from cnfgen_puzzles.cli.common import say, version_option
from cnfgen_puzzles.common.errors import InputError

REPORT = "report.html"


@click.command(
    "report",
    help="""Write one HTML file about the results in FOLDER (or in files that bench-cnf wrote): summary, scores, plots, a table of
    all runs that sorts and filters, and each instance with its board, outputs and command lines.

    The file needs nothing else and never uses the network. Of more than 20,000 runs it shows a part one by one, and says which.

    \b
    Examples:
      bench-cnf report results/default
      bench-cnf report results/default --filter solver=kissat*      (into report.solver=kissat_.html)""",
)
@click.argument("results", metavar="FOLDER|FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--output", "-o", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="The report; by default report.html in the first result folder, with filters in its name.")  # fmt: skip
@click.option("--title", help="The heading of the report; by default it names the suite.")
@click.option("--filter", "filters", multiple=True, metavar="NAME=VALUE",
              help="Only runs such as family=nonogram, solver=kissat,glucose*; may be repeated.")  # fmt: skip
@click.option("--features", multiple=True, metavar="CSV", help="Join facts about instances; may be repeated.")
@click.option("--all-runs", is_flag=True, help="Count runs, too, that the suite no longer asks for.")
@version_option
def command(
    results: tuple[Path, ...],
    output: Path | None,
    title: str | None,
    filters: tuple[str, ...],
    features: tuple[str, ...],
    all_runs: bool,
) -> None:
    from cnfgen_puzzles.bench.analyse.results import read_runs, result_files
    from cnfgen_puzzles.bench.show.report import write_report
    from cnfgen_puzzles.cli.bench.outputs import OutputGuard, filter_mark, filter_told

    files = result_files(results)
    folders = list(dict.fromkeys(path.parent for path in files))
    read = read_runs(files, filters, features, all_runs=all_runs)
    for note in read.notes:
        say(f"note: {note}", err=True)
    if not read.records:
        told = " that pass the filters" if filters else ""
        raise InputError(f"found no runs to report{told}, expected at least one", source=str(results[0]))
    target = output or folders[0] / (filter_mark(filters).join((Path(REPORT).stem, Path(REPORT).suffix)))
    OutputGuard(files, read.records).check(target)
    say(str(write_report(read.records, target, folders, title, revoked=read.revoked, only=filter_told(filters))))
