"""bench-cnf report: write an HTML file with scores, plots, runs, and boards, for any browser, without network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cnfgen_puzzles.bench.analyse.results import result_files
from cnfgen_puzzles.cli.app import check_suffix, say, version_option
from cnfgen_puzzles.cli.bench.outputs import PATHS, SCORING, SELECTION, describe_filters, filter_mark, read_selected
from cnfgen_puzzles.cli.help import DocumentedCommand
from cnfgen_puzzles.cli.params import param


@click.command(
    "report",
    cls=DocumentedCommand,
    help="""Write an HTML report of the results in FOLDERs or files: summary, scores, plots, a table of all runs, and boards.

    The file is self-contained and never uses the network. Of more than 20,000 runs, it lists a part, and says which.""",
    params=[
        PATHS,
        param("--output", "-o", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Write to this file; by default report.html in the first result folder, plus the filters."),
        param("--title", help="Set the heading; by default the name of the suite."),
        *SELECTION,
        *SCORING,
    ],
    examples=[
        "bench-cnf sample:bench",
        "bench-cnf report results/sample",
        "bench-cnf report results/sample --filter 'solver=kissat*'   # writes report.solver=kissat_.html",
    ],
    closing="Exit codes: 0 written, 1 an answer is wrong or two disagree, 2 mistake.",
)  # fmt: skip
@version_option
def command(paths: tuple[Path, ...], output: Path | None, title: str | None, **selected: Any) -> int:
    check_suffix(str(output) if output else None, ".html", "the report is HTML")
    from cnfgen_puzzles.bench.show.report import write_report  # plots take a second to load

    folders = list(dict.fromkeys(path.parent for path in result_files(paths)))
    read = read_selected(paths, **selected)
    target = output or folders[0] / f"report{filter_mark(selected['filters'])}.html"
    only = describe_filters(selected["filters"])
    say(str(write_report(read.records, target, folders, title, found=read.alarms, only=only, rules=read.rules)))
    return 1 if read.alarms else 0
