"""bench-cnf merge: merge the result files of several machines."""

from __future__ import annotations

from pathlib import Path

import click

from cnfgen_puzzles.bench.analyse.results import merge, read_results
from cnfgen_puzzles.bench.run.store import RESULTS
from cnfgen_puzzles.bench.show.tables import alarm_lines
from cnfgen_puzzles.cli.app import check_suffix, say, version_option
from cnfgen_puzzles.cli.bench.outputs import PATHS
from cnfgen_puzzles.cli.help import DocumentedCommand
from cnfgen_puzzles.common.errors import InputError

MOST_CONFLICTS = 20


@click.command(
    "merge",
    cls=DocumentedCommand,
    help=f"""Merge result FOLDERs or files into one file. Each record keeps the machine of its run.

    A run that several files contain is kept once for each host. If the outcomes of a host differ, the newest one is kept, and a
    message says so. Opposite verdicts are both kept, and every command reports them. An OUTPUT without the suffix .jsonl is a
    folder for {RESULTS}.""",
    examples=[
        "bench-cnf sample:bench -o results/node1",
        "bench-cnf sample:bench -o results/node2",
        "bench-cnf merge results/node1 results/node2 -o results/both",
    ],
    closing="Exit codes: 0 merged, 1 an answer is wrong or two disagree, 2 mistake.",
)
@PATHS
@click.option("--output", "-o", "target", required=True, metavar="OUTPUT", type=click.Path(path_type=Path),
              help="Write to this file or folder.")  # fmt: skip
@click.option("--force", is_flag=True, help="Overwrite an existing result file.")
@version_option
def command(paths: tuple[Path, ...], target: Path, force: bool) -> int:
    check_suffix(str(target), ".jsonl", "the output is a result file or a folder")
    if target.suffix != ".jsonl":
        target = target / RESULTS
    if target.exists() and not force:
        raise InputError("exists already; --force overwrites it", source=str(target))
    done = merge(paths, target)
    found = alarm_lines(read_results([target], all_runs=True, whole=False).alarms)
    for line in (*found, *(f"note: {note}" for note in done.notes)):
        say(line, err=True)
    for conflict in done.conflicts[:MOST_CONFLICTS]:
        say(f"conflict: {conflict}", err=True)
    if len(done.conflicts) > MOST_CONFLICTS:
        say(f"conflict: and {len(done.conflicts) - MOST_CONFLICTS} more", err=True)
    if several := len(done.of_several_hosts):
        say(f"note: several hosts made {several} runs: tables separate them, and scores --hosts compares two", err=True)
    say(f"{target}: {len(done.found)} runs; {done.repeated} repeated, {len(done.conflicts)} of them with different outcomes")
    return 1 if found else 0
