"""bench-cnf merge: one result file from those of several machines."""

from __future__ import annotations

from pathlib import Path

import click

from cnfgen_puzzles.bench.analyse.results import merge, read_runs
from cnfgen_puzzles.bench.run.store import RESULTS
from cnfgen_puzzles.bench.show.tables import alarms
from cnfgen_puzzles.cli.bench.outputs import PATHS
from cnfgen_puzzles.cli.common import say, version_option
from cnfgen_puzzles.common.errors import InputError

MOST_CONFLICTS = 20


@click.command(
    "merge",
    help=f"""Merge result files, or those of result FOLDERs, into one. Each record keeps the machine that it was made on.

    A run that several files have is kept once; where outcomes differ, the newest is kept and that is told. With
    opposite verdicts (satisfiable, unsatisfiable) both stay, and every command says so.

    \b
    Examples:
      bench-cnf sample:bench -o results/node1
      bench-cnf sample:bench -o results/node2
      bench-cnf merge results/node1 results/node2 -o results/both

    An OUTPUT that does not end in .jsonl is a folder, for its {RESULTS}.
    Exits with 1 if two answers disagree, with 2 for a mistake.""",
)
@PATHS
@click.option("--output", "-o", "target", required=True, metavar="OUTPUT", type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Replace a result file that is there.")
@version_option
def command(paths: tuple[Path, ...], target: Path, force: bool) -> int:
    if target.suffix != ".jsonl":
        target = target / RESULTS
    if target.exists() and not force:
        raise InputError("is there already; --force replaces it", source=str(target))
    done = merge(paths, target)
    results = read_runs([target], all_runs=True)
    found = alarms(results.records, results.revoked)
    for line in (*found, *(f"note: {note}" for note in done.notes)):
        say(line, err=True)
    for conflict in done.conflicts[:MOST_CONFLICTS]:
        say(f"conflict: {conflict}", err=True)
    if len(done.conflicts) > MOST_CONFLICTS:
        say(f"conflict: and {len(done.conflicts) - MOST_CONFLICTS} more", err=True)
    say(f"{target}: {done.runs} runs; {done.repeated} were there more than once, {len(done.conflicts)} with different outcomes")
    return 1 if found else 0
