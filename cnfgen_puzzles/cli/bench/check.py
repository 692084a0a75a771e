"""bench-cnf check: show the runs of a suite, how many are missing, and their longest time. It runs no solver."""

from __future__ import annotations

import json
from pathlib import Path

import click

from cnfgen_puzzles.bench.run.overview import Overview
from cnfgen_puzzles.bench.runsuite import FOLDER as RESULTS
from cnfgen_puzzles.bench.suite.reader import read_suite
from cnfgen_puzzles.cli.app import say, say_lines, table_of
from cnfgen_puzzles.cli.bench.outputs import FOLDER, SUITE, say_notes
from cnfgen_puzzles.cli.help import DocumentedCommand
from cnfgen_puzzles.cli.params import JOBS, flag, param


@click.command(
    "check",
    cls=DocumentedCommand,
    help="""Show the runs of a SUITE by family, encoding, and solver, how many are missing, and the longest time for these.""",
    params=[
        SUITE,
        param("--output", "-o", "folder", type=FOLDER, metavar="FOLDER",
              help="Read the results from this folder.  [default: results/NAME]"),
        param("--jobs", "-j", type=JOBS, metavar="N", help="Use N cores for runs; by default as in the suite."),
        flag("--formulas", help="Write all missing formulas, and show their sizes."),
        flag("--list", "listed", help="List each run on a line."),
        flag("--json", "as_json", help="Print the runs with their states as JSON."),
    ],
    common=("--output", "--list"),
    examples=[
        "bench-cnf check sample:bench",
        "bench-cnf check sample:bench --formulas   # write the CNF files, and show their sizes",
    ],
    closing="Exit codes: 0 runnable, 1 a solver is missing or a formula cannot be made, 2 mistake in the suite.",
)  # fmt: skip
def command(suite_file: Path, folder: Path | None, jobs: int | None, formulas: bool, listed: bool, as_json: bool) -> int:
    suite = read_suite(suite_file)
    found = Overview(suite, folder or RESULTS / suite.name, jobs)
    rows, headers = found.solvers()
    if as_json:
        runs = [{"key": json.loads(task.key), "state": state} for task, state in found.states()]
        entry = {"check": 1, "suite": suite.name, "cores": found.cores, "longest_seconds": found.seconds}
        say_lines(json.dumps(entry | {"faults": found.faults, "runs": runs}, indent=1))
        return 1 if found.faults else 0
    say(f"{suite.name}: {suite.description}" if suite.description else suite.name)
    say(found.limits())
    parts = [table_of(*found.instances()), table_of(rows, headers, disable_numparse=[4])]
    parts += [table_of(*found.formulas())] if formulas else []
    parts += ["\n".join(f"{state} {task.key}" for task, state in found.states())] if listed else []
    for part in (*parts, found.duration()):
        say_lines(f"\n{part}")
    say_notes((), [*suite.notes, *found.notes])
    for fault in found.faults:
        say(f"warning: {fault}", err=True)
    return 1 if found.faults else 0
