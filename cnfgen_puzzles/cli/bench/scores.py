"""bench-cnf scores: who solved what, how fast, and what of it is more than chance."""

from __future__ import annotations

from pathlib import Path

import click

from cnfgen_puzzles.bench.analyse.scores import DEFAULT_GROUPS, GROUPS, encoding_of, named_groups
from cnfgen_puzzles.bench.runs import tallied
from cnfgen_puzzles.bench.show.tables import FORMATS, alarms, compare_tables, notes, render, score_tables, sentence, size_table
from cnfgen_puzzles.cli.bench.outputs import ALL_RUNS, FEATURES, FILTERS, PATHS, OutputGuard, describe_filters, read_selected
from cnfgen_puzzles.cli.common import say, version_option, write_text
from cnfgen_puzzles.common.errors import InputError, printable, unknown_name

ALL = "all"


@click.command(
    "scores",
    help=f"""Tables from result files, or from result FOLDERs: solved, PAR-k, unique solves, the virtual best solver.

    GROUPS are names such as family,encoding,size ({", ".join(GROUPS)}, version), or features of the instances (author, year, as
    the suite's or --features' CSV files have them); {ALL} puts everything together.

    \b
    Examples:
      bench-cnf sample:bench
      bench-cnf scores results/sample
      bench-cnf scores results/sample --by family,size --par 10
      bench-cnf scores results/sample --sizes --format markdown
      bench-cnf scores results/sample --compare kissat glucose
      bench-cnf scores results/sample --encodings order direct --filter family=nonogram

    Exits with 1 if two answers disagree, with 2 for a mistake.""",
)
@PATHS
@click.option("--by", metavar="GROUPS", help=f"What makes groups. [default: {','.join(DEFAULT_GROUPS)}]")
@click.option("--par", "k", metavar="K", type=click.FloatRange(min=1), default=2, show_default=True,
              help="A run that was not solved counts K times its limit.")  # fmt: skip
@click.option("--time", type=click.Choice(["cpu", "wall"]), default="cpu", show_default=True, help="Which time is scored.")
@click.option("--compare", nargs=2, metavar="A B", help="Two solvers: speed-up and PAR ratio with intervals, paired tests.")
@click.option("--encodings", nargs=2, metavar="A B", help="The same for two encodings.")
@click.option("--sizes", is_flag=True, help="One row a group: sizes of its formulas, PAR-k of each solver side by side.")
@FILTERS
@FEATURES
@click.option("--format", type=click.Choice(list(FORMATS)), default="plain", show_default=True)
@click.option("--seed", type=int, default=0, show_default=True, help="Of the bootstrap.")
@click.option("--output", "-o", metavar="FILE", help="Where the tables go; by default to standard output.")
@ALL_RUNS
@version_option
def command(
    paths: tuple[Path, ...],
    by: str | None,
    k: float,
    time: str,
    compare: tuple[str, str] | None,
    encodings: tuple[str, str] | None,
    sizes: bool,
    filters: tuple[str, ...],
    features: tuple[str, ...],
    format: str,
    seed: int,
    output: str | None,
    all_runs: bool,
) -> int:
    results = read_selected(paths, filters, features, all_runs=all_runs)
    records = results.records
    OutputGuard(paths, records).check(output)
    groups = list(DEFAULT_GROUPS) if by is None else named_groups([name.strip() for name in by.split(",") if by != ALL], records)
    found = alarms(records, results.revoked)
    for note in notes(records, groups):
        say(f"note: {note}", err=True)
    parts = [mark_line(line, format) for line in found] if format != "plain" or output else []
    parts += [mark_line(describe_filters(filters), format)] if filters else []
    if compare or encodings:
        solvers = {record["solver"] for record, _ in tallied(records, "solver")}
        kinds = {encoding_of(record) for record, _ in tallied(records, "encoding")}
        for what, pair, known in (("solver", compare, solvers), ("encoding", encodings, kinds)):
            if pair is None:
                continue
            a, b = pair
            for name in pair:
                if name not in known:
                    raise InputError(unknown_name(what, name, known))
            parts += [render(t, format) for t in compare_tables(records, what, a, b, groups, k=k, time=time, seed=seed)]
    elif sizes:
        parts.append(render(size_table(records, groups, k=k, time=time), format))
    else:
        parts += [render(table, format) for table in score_tables(records, groups, k=k, time=time)]
        parts.append(mark_line(sentence(records, k=k, time=time, seed=seed), format))
    write_text(output, "\n\n".join(parts) + "\n")
    return 1 if found else 0


def mark_line(line: str, format: str) -> str:
    """A line of text beside tables."""
    line = printable(line)
    return f"% {line}" if format == "latex" else f"**{line}**" if format == "markdown" and line.startswith("ALARM") else line
