"""bench-cnf export, merge, export-benchexec, import-benchexec: results and suites in other files and formats."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import click

from cnfgen_puzzles.bench.analyse import results as reader
from cnfgen_puzzles.bench.benchexec.results import import_results
from cnfgen_puzzles.bench.benchexec.tasks import export_suite
from cnfgen_puzzles.bench.runs import RESULTS
from cnfgen_puzzles.bench.show.export import WRITERS
from cnfgen_puzzles.bench.show.tables import alarm_lines
from cnfgen_puzzles.bench.suite.reader import read_suite
from cnfgen_puzzles.cli.app import check_suffix, output_stream, say, version_option
from cnfgen_puzzles.cli.bench.outputs import FOLDER, PATHS, SELECTION, SUITE, read_selected, say_notes
from cnfgen_puzzles.cli.help import DocumentedCommand
from cnfgen_puzzles.cli.params import flag, param
from cnfgen_puzzles.common.errors import InputError


@click.command(
    "export",
    cls=DocumentedCommand,
    help="""Write the runs of result FOLDERs or files as a table, one row per run.

    Nested fields become columns such as cnf.variables. A FILE of - is standard output. With pandas:
    pandas.read_csv("runs.csv"); with R: read.csv("runs.csv").""",
    params=[
        PATHS,
        param("--csv", metavar="FILE", help="Write comma-separated values."),
        param("--parquet", metavar="FILE", help="Write typed columns, for polars, pandas, R, and DuckDB."),
        param("--json", metavar="FILE", help="Write a list of objects, nested as in the result file."),
        *SELECTION,
    ],
    examples=[
        "bench-cnf sample:bench",
        "bench-cnf export results/sample --csv runs.csv",
        "bench-cnf export results/sample --parquet runs.parquet",
        "bench-cnf export results/sample --filter family=tiling --json runs.json",
    ],
    closing="Exit codes: 0 written, 1 an answer is wrong or two disagree, 2 mistake.",
)
@version_option
def export(paths: tuple[Path, ...], **options: Any) -> int:
    names = {form: name for form in WRITERS if (name := options.pop(form))}
    if not names:
        raise InputError("found no output, expected --csv, --parquet, or --json with a file")
    results = read_selected(paths, **options)
    for form, name in names.items():
        with output_stream(name) as stream:
            WRITERS[form](results.records, stream)
        if name != "-":
            say(f"{name}: {len(results.records)} runs", err=True)
    return 1 if results.alarms else 0


@click.command(
    "merge",
    cls=DocumentedCommand,
    help=f"""Merge result FOLDERs or files into one file. Each record keeps the machine of its run.

    A run that several files contain is kept once for each host. If the outcomes of a host differ, the newest one is kept, and a
    message says so. Opposite verdicts are both kept, and every command reports them. An OUTPUT without the suffix .jsonl is a
    folder for {RESULTS}.""",
    params=[
        PATHS,
        click.Option(["--output", "-o", "target"], required=True, metavar="OUTPUT", type=click.Path(path_type=Path),
                     help="Write to this file or folder."),
        flag("--force", help="Overwrite an existing result file."),
    ],
    examples=[
        "bench-cnf sample:bench -o results/node1",
        "bench-cnf sample:bench -o results/node2",
        "bench-cnf merge results/node1 results/node2 -o results/both",
    ],
    closing="Exit codes: 0 merged, 1 an answer is wrong or two disagree, 2 mistake.",
)  # fmt: skip
@version_option
def merge(paths: tuple[Path, ...], target: Path, force: bool) -> int:
    check_suffix(str(target), ".jsonl", "the output is a result file or a folder")
    if target.suffix != ".jsonl":
        target = target / RESULTS
    if target.exists() and not force:
        raise InputError("exists already; --force overwrites it", source=str(target))
    done = reader.merge(paths, target)
    found = alarm_lines(reader.read_results([target], all_runs=True, whole=False).alarms)
    for line in (*found, *done.messages()):
        say(line, err=True)
    say(f"{target}: {len(done.found)} runs; {done.repeated} repeated, {len(done.conflicts)} of them with different outcomes")
    return 1 if found else 0


@click.command(
    "export-benchexec",
    cls=DocumentedCommand,
    help="""Export a suite for BenchExec (https://github.com/sosy-lab/benchexec).

    The folder gets the CNF files, task definitions with the expected verdicts of the suite, one benchmark definition for each
    solver, and its tool info. The command prints how to run them.""",
    params=[
        SUITE,
        click.Option(["--output", "-o", "folder"], required=True, metavar="FOLDER", type=FOLDER,
                     help="Write to this folder: a new one, or that of an earlier export."),
    ],
    examples=[
        "bench-cnf export-benchexec sample:bench -o exported",
        "bench-cnf import-benchexec exported/results/*.xml.bz2 -o results/benchexec",
    ],
    closing="Exit codes: 0 exported, 2 mistake in the suite.",
)  # fmt: skip
@version_option
def export_benchexec(suite_file: Path, folder: Path) -> int:
    exported = export_suite(read_suite(suite_file), folder)
    say_notes((), exported.notes)
    say(f"{folder}: {exported.tasks} tasks. To run them:")
    say(f"cd {shlex.quote(str(folder))}; export PYTHONPATH=.")
    for path, programs in exported.benchmarks.items():
        search = f"PATH={shlex.quote(str(programs))}:$PATH " if programs else ""
        say(f"{search}benchexec {shlex.quote(path.name)}")
    return 0


@click.command(
    "import-benchexec",
    cls=DocumentedCommand,
    help="""Import result files of BenchExec (.xml, .xml.bz2) and the output of runexec into a result folder.

    The verdicts of imported runs are claimed, not verified. scores, plot, report, and diff read the folder. Runs of tasks
    from export-benchexec have the names of the suite.""",
    params=[
        click.Argument(["files"], metavar="FILE...", nargs=-1, required=True,
                       type=click.Path(exists=True, dir_okay=False, path_type=Path)),
        click.Option(["--output", "-o", "folder"], required=True, metavar="FOLDER", type=FOLDER,
                     help="Add the runs to the results in this folder."),
        param("--solver", default="", metavar="NAME", help="Name the solver of runexec logs. [default: the folder of the log]"),
        param("--cpu-limit", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS",
              help="Set the CPU time limit of runexec logs; PAR-2 needs it."),
    ],
    examples=[
        "bench-cnf import-benchexec results/*.xml.bz2 -o results/benchexec",
        "runexec --timelimit 60 -- kissat x.cnf > kissat/x.log",
        "bench-cnf import-benchexec kissat/*.log --cpu-limit 60 -o results/runexec",
    ],
    closing="Exit codes: 0 imported, 2 unreadable file.",
)  # fmt: skip
@version_option
def import_benchexec(files: tuple[Path, ...], folder: Path, solver: str, cpu_limit: float | None) -> int:
    statuses, notes = import_results(files, folder, solver=solver, cpu_limit=cpu_limit)
    say_notes((), notes)
    counts = ", ".join(f"{count} {status}" for status, count in sorted(statuses.items()))
    say(f"{folder}: {statuses.total()} runs ({counts or 'none'}); their verdicts are claimed, not verified")
    return 0
