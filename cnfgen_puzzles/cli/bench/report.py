"""bench-cnf report: one HTML file with scores, plots, all runs and boards, for any browser and without network."""

from __future__ import annotations

from pathlib import Path

import click

from cnfgen_puzzles.bench.analyse.results import result_files
from cnfgen_puzzles.cli.bench.outputs import (
    ALL_RUNS,
    FEATURES,
    FILTERS,
    PATHS,
    OutputGuard,
    describe_filters,
    filter_mark,
    read_selected,
)  # fmt: skip
from cnfgen_puzzles.cli.common import say, version_option

REPORT = "report.html"


@click.command(
    "report",
    help="""Write one HTML file about the results in FOLDER (or in files that bench-cnf wrote): summary, scores, plots, a table of
    all runs that sorts and filters, and each instance with its board, outputs and command lines.

    The file needs nothing else and never uses the network. Of more than 20,000 runs it shows a part one by one, and says which.

    \b
    Examples:
      bench-cnf sample:bench
      bench-cnf report results/sample
      bench-cnf report results/sample --filter 'solver=kissat*'   # writes report.solver=kissat_.html""",
)
@PATHS
@click.option("--output", "-o", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="The report; by default report.html in the first result folder, with filters in its name.")  # fmt: skip
@click.option("--title", help="The heading of the report; by default it names the suite.")
@FILTERS
@FEATURES
@ALL_RUNS
@version_option
def command(
    paths: tuple[Path, ...],
    output: Path | None,
    title: str | None,
    filters: tuple[str, ...],
    features: tuple[str, ...],
    all_runs: bool,
) -> None:
    from cnfgen_puzzles.bench.show.report import write_report  # with plots, which take a second to load

    files = result_files(paths)
    folders = list(dict.fromkeys(path.parent for path in files))
    read = read_selected(files, filters, features, all_runs=all_runs)
    target = output or folders[0] / (filter_mark(filters).join((Path(REPORT).stem, Path(REPORT).suffix)))
    OutputGuard(files, read.records).check(target)
    say(str(write_report(read.records, target, folders, title, revoked=read.revoked, only=describe_filters(filters))))
