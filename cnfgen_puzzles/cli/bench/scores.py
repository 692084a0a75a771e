"""bench-cnf scores: tables and JSON of solved instances, times, and paired tests."""

from __future__ import annotations

import json
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Any

import click

from cnfgen_puzzles.bench.analyse.rules import run_counts
from cnfgen_puzzles.bench.analyse.scores import DEFAULT_GROUPS, GROUPS, default_groups, group_scores, named_groups
from cnfgen_puzzles.bench.show import tables
from cnfgen_puzzles.cli.app import check_suffix, version_option, write_text
from cnfgen_puzzles.cli.bench.outputs import PATHS, SCORING, SELECTION, describe_filters, read_selected, say_notes
from cnfgen_puzzles.cli.help import DocumentedCommand
from cnfgen_puzzles.cli.params import OUTPUT_HELP, flag, param

ALL = "all"
PAIRS = {"compare": "solver", "encodings": "encoding", "hosts": "host"}  # options that compare two of these


def pair(name: str, help: str) -> click.Option:
    return click.Option([name], nargs=2, metavar="A B", help=help)


@click.command(
    "scores",
    cls=DocumentedCommand,
    help=f"""Print tables of result FOLDERs or files: solved, PAR-k, unique solves, the virtual best solver.

    GROUPS are names such as family,encoding,size ({", ".join(GROUPS)}, version), or features of the instances (author, year, as
    in the CSV files of the suite or of --features); {ALL} is one group of everything.""",
    params=[
        PATHS,
        param("--by", metavar="GROUPS",
              help=f"Group by these names, separated by commas.  [default: {','.join(DEFAULT_GROUPS)}]"),
        *SCORING,
        pair("--compare", "Compare two solvers: speed-up and PAR ratio with intervals, paired tests."),
        pair("--encodings", "Compare two encodings in the same way."),
        pair("--hosts", "Compare two hosts that made the same runs."),
        flag("--sizes", help="Print one row per group: sizes of formulas, and PAR-k of each solver."),
        *SELECTION,
        param("--format", type=click.Choice(list(tables.FORMATS)), default="plain",
              help="Write tables in this format.  [default: plain]"),
        param("--output", "-o", metavar="FILE", help=OUTPUT_HELP),
        flag("--json", "as_json", help="Print the scores, and the tables of other options, as JSON."),
    ],
    common=("--output", "--json"),
    examples=[
        "bench-cnf sample:bench",
        "bench-cnf scores results/sample",
        "bench-cnf scores results/sample --by family,size --par 10",
        "bench-cnf scores results/sample --rule wrong-answer=unsolved --rule other-limit=omit",
        "bench-cnf scores results/sample --sizes --format markdown",
        "bench-cnf scores results/sample --compare kissat glucose",
        "bench-cnf scores results/sample --encodings order direct --filter family=nonogram",
    ],
    closing="Exit codes: 0 printed, 1 an answer is wrong or two disagree, 2 mistake.",
)  # fmt: skip
@version_option
def command(
    paths: tuple[Path, ...],
    by: str | None,
    sizes: bool,
    format: str,
    output: str | None,
    as_json: bool,
    filters: tuple[str, ...],
    **options: Any,
) -> int:
    suffix = ".json" if as_json else {"markdown": ".md", "latex": ".tex"}.get(format, ".txt")
    check_suffix(output, suffix, "use --json for JSON, `bench-cnf plot` for pictures, `bench-cnf report` for HTML")
    pairs = {what: given for name, what in PAIRS.items() if (given := options.pop(name))}
    results = read_selected(paths, whole=False, filters=filters, **options)
    records, rules = results.records, results.rules
    names = [name.strip() for name in by.split(",") if by != ALL] if by else []
    groups = list(default_groups(records, rules)) if by is None else named_groups(names, records)
    found = tables.alarm_lines(results.alarms)
    if pairs:
        compared = (tables.compare_tables(records, what, a, b, groups, rules=rules) for what, (a, b) in pairs.items())
        shown = [table for each in compared for table in each]
    elif sizes:
        shown = [tables.size_table(records, groups, rules=rules)]
    else:
        shown = [] if as_json else tables.score_tables(records, groups, rules=rules)
    say_notes((), tables.notes(records))
    if as_json:
        entry = {
            "scores": 1, "by": groups, **asdict(rules), "omitted": results.omitted, "missing": results.missing,
            "filters": list(filters), "alarms": found, "notes": run_counts(records, rules),
            "groups": [group.to_json(groups) for group in group_scores(records, groups, rules=rules)],
            "tables": [{"title": table.title, "headers": list(table.headers), "rows": table.rows} for table in shown],
        }  # fmt: skip
        write_text(output, json.dumps(entry, indent=1) + "\n")
    else:
        lines = [*found] if format != "plain" or output else []
        lines += [describe_filters(filters)] if filters else []
        closing = (tables.sentence(records, rules=rules) for _ in range(not (pairs or sizes)))  # takes long
        write_text(output, tables.document(chain(lines, shown, closing), format))
    return 1 if found else 0
