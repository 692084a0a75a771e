"""bench-cnf export: write results as CSV, Parquet, or JSON, or for GBD."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cnfgen_puzzles.bench.analyse.results import read_results
from cnfgen_puzzles.bench.show.export import write_csv, write_gbd, write_json, write_parquet
from cnfgen_puzzles.bench.show.tables import alarm_lines
from cnfgen_puzzles.cli.app import output_stream, say, version_option
from cnfgen_puzzles.cli.bench.outputs import PATHS, protect, selection
from cnfgen_puzzles.cli.help import DocumentedCommand
from cnfgen_puzzles.common.errors import InputError

WRITERS = {"csv": write_csv, "parquet": write_parquet, "gbd": write_gbd, "json": write_json}


@click.command(
    "export",
    cls=DocumentedCommand,
    help="""Write the runs of result FOLDERs or files as a table, one row per run.

    Nested fields become columns such as cnf.variables. A FILE of - is standard output. With pandas:
    pandas.read_csv("runs.csv"); with R: read.csv("runs.csv").""",
    examples=[
        "bench-cnf sample:bench",
        "bench-cnf export results/sample --csv runs.csv",
        "bench-cnf export results/sample --parquet runs.parquet",
        "bench-cnf export results/sample --filter family=tiling --json runs.json",
        "bench-cnf export results/sample --gbd cnf_mine.csv   # then: gbd -d cnf_mine.csv get -r kissat glucose",
    ],
    closing="Exit codes: 0 written, 1 an answer is wrong or two disagree, 2 mistake.",
)
@PATHS
@click.option("--csv", metavar="FILE", help="Write comma-separated values.")
@click.option("--parquet", metavar="FILE", help="Write typed columns, for polars, pandas, R, and DuckDB.")
@click.option("--gbd", metavar="FILE", help="Write one row per instance with its GBD hash, as CSV for GBD.")
@click.option("--json", metavar="FILE", help="Write a list of objects, nested as in the result file.")
@selection
@version_option
def command(paths: tuple[Path, ...], **options: Any) -> int:
    names = {form: name for form in WRITERS if (name := options.pop(form))}
    if not names:
        raise InputError("found no output, expected --csv, --parquet, --gbd, or --json with a file")
    protect(paths)
    results = read_results(paths, **options)
    found = alarm_lines(results.alarms)
    for line in (*found, *(f"note: {note}" for note in results.notes)):
        say(line, err=True)
    for form, name in names.items():
        with output_stream(name) as stream:
            WRITERS[form](results.records, stream)
        if name != "-":
            say(f"{name}: {len(results.records)} runs", err=True)
    return 1 if found else 0
