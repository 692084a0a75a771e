"""bench-cnf scores: tables and JSON of solved instances, times, and paired tests."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from cnfgen_puzzles.bench.analyse.scores import (
    DEFAULT_GROUPS,
    GROUPS,
    default_groups,
    group_scores,
    named_groups,
    without_other_limit,
)
from cnfgen_puzzles.bench.show.tables import (
    FORMATS,
    alarm_lines,
    compare_tables,
    notes,
    render,
    score_tables,
    sentence,
    size_table,
)
from cnfgen_puzzles.cli.app import check_suffix, say, version_option, write_text
from cnfgen_puzzles.cli.bench.outputs import PAR, PATHS, SEED, TIME, describe_filters, read_selected, selection
from cnfgen_puzzles.cli.help import DocumentedCommand
from cnfgen_puzzles.common.errors import InputError, printable

ALL = "all"


@click.command(
    "scores",
    cls=DocumentedCommand,
    help=f"""Print tables of result FOLDERs or files: solved, PAR-k, unique solves, the virtual best solver.

    GROUPS are names such as family,encoding,size ({", ".join(GROUPS)}, version), or features of the instances (author, year, as
    in the CSV files of the suite or of --features); {ALL} is one group of everything.""",
    common=("--output", "--json"),
    examples=[
        "bench-cnf sample:bench",
        "bench-cnf scores results/sample",
        "bench-cnf scores results/sample --by family,size --par 10",
        "bench-cnf scores results/sample --sizes --format markdown",
        "bench-cnf scores results/sample --compare kissat glucose",
        "bench-cnf scores results/sample --encodings order direct --filter family=nonogram",
    ],
    closing="Exit codes: 0 printed, 1 an answer is wrong or two disagree, 2 mistake.",
)
@PATHS
@click.option("--by", metavar="GROUPS", help=f"Group by these names, separated by commas.  [default: {','.join(DEFAULT_GROUPS)}]")
@PAR
@TIME
@click.option("--other-limit", type=click.Choice(["unsolved", "omit"]), default="unsolved", show_default=True,
              help="Count runs that the limit on the other time ended (wall time, if CPU time is scored) as unsolved, or omit "
              "their formulas for all solvers.")  # fmt: skip
@click.option("--compare", nargs=2, metavar="A B",
              help="Compare two solvers: speed-up and PAR ratio with intervals, paired tests.")  # fmt: skip
@click.option("--encodings", nargs=2, metavar="A B", help="Compare two encodings in the same way.")
@click.option("--hosts", nargs=2, metavar="A B", help="Compare two hosts that made the same runs.")
@click.option("--sizes", is_flag=True, help="Print one row per group: sizes of formulas, and PAR-k of each solver.")
@selection
@click.option("--format", type=click.Choice(list(FORMATS)), default="plain", show_default=True,
              help="Write tables in this format.")  # fmt: skip
@SEED
@click.option("--output", "-o", metavar="FILE", help="Write to this file instead of standard output.")
@click.option("--json", "as_json", is_flag=True, help="Print the scores, and the tables of other options, as JSON.")
@version_option
def command(
    paths: tuple[Path, ...],
    by: str | None,
    k: float,
    time: str,
    other_limit: str,
    sizes: bool,
    format: str,
    seed: int,
    output: str | None,
    as_json: bool,
    compare: tuple[str, str] | None,
    encodings: tuple[str, str] | None,
    hosts: tuple[str, str] | None,
    **selected: Any,
) -> int:
    suffix = ".json" if as_json else {"markdown": ".md", "latex": ".tex"}.get(format, ".txt")
    check_suffix(output, suffix, "use --json for JSON, `bench-cnf plot` for pictures, `bench-cnf report` for HTML")
    results = read_selected(paths, **selected)
    records = without_other_limit(results.records, time) if other_limit == "omit" else results.records
    omitted = len(results.records) - len(records)
    if not records:
        raise InputError("--other-limit omit leaves no runs: that limit ended a run on each formula", source=str(paths[0]))
    groups = (
        list(default_groups(records))
        if by is None
        else named_groups([name.strip() for name in by.split(",") if by != ALL], records)
    )
    found = alarm_lines(results.alarms)
    for note in notes(records, groups):
        say(f"note: {note}", err=True)
    pairs = {"solver": compare, "encoding": encodings, "host": hosts}
    if any(pairs.values()):
        tables = [
            table
            for what, pair in pairs.items() if pair
            for table in compare_tables(records, what, *pair, groups, k=k, time=time, seed=seed)
        ]  # fmt: skip
    elif sizes:
        tables = [size_table(records, groups, k=k, time=time)]
    else:
        tables = [] if as_json else score_tables(records, groups, k=k, time=time)
    if as_json:
        entry = {
            "scores": 1, "by": groups, "par": k, "time": time, "other_limit": other_limit, "omitted": omitted,
            "filters": list(selected["filters"]), "alarms": found,
            "groups": [
                {
                    "group": dict(zip(groups, group.values, strict=False)),
                    "solvers": [
                        {"solved": score.solved, **{name: value for name, value in asdict(score).items() if name != "values"}}
                        for score in group.scores
                    ],
                    "virtual_best": asdict(group.best),
                }
                for group in group_scores(records, groups, k=k, time=time)
            ],
            "tables": [{"title": table.title, "headers": list(table.headers), "rows": table.rows} for table in tables],
        }  # fmt: skip
        write_text(output, json.dumps(entry, indent=1) + "\n")
        return 1 if found else 0
    lines = [*found] if format != "plain" or output else []
    lines += [describe_filters(selected["filters"])] if selected["filters"] else []
    lines += [f"{omitted} runs are omitted: the limit on the other time ended a run on their formulas."] if omitted else []
    parts = [*(mark_line(line, format) for line in lines), *(render(table, format) for table in tables)]
    if not (any(pairs.values()) or sizes):
        parts.append(mark_line(sentence(records, k=k, time=time, seed=seed), format))
    write_text(output, "\n\n".join(parts) + "\n")
    return 1 if found else 0


def mark_line(line: str, format: str) -> str:
    """A line of text between tables."""
    line = printable(line)
    return f"% {line}" if format == "latex" else f"**{line}**" if format == "markdown" and line.startswith("ALARM") else line
