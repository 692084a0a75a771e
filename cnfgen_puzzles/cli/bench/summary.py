"""What `bench-cnf run` shows when all runs are made: tables, where everything is, what won where, and alarms."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import click

from cnfgen_puzzles.bench.analyse.results import SCORED, Record, read_results
from cnfgen_puzzles.bench.show.tables import alarms, notes, render, score_table, sentence
from cnfgen_puzzles.bench.suite.plan import Suite

REPORT = "report.html"


def show_summary(suite: Suite, results: Path, *, report: bool) -> int:
    """Print it all; the exit code."""
    read = read_results([results], None if report else (*SCORED, "warnings"))
    wanted = {task.key for task in suite.tasks}
    records = [record for record in read.records if record["key"] in wanted]
    revoked = [record for record in read.revoked if record["key"] in wanted]
    found = alarms(records, revoked)
    for line in found:
        click.echo(line, err=True)
    click.echo(render(score_table(records)))
    click.echo(f"\nCPU limit {suite.limits.cpu:g} s a run; results: {results}")
    if report:
        write_report = import_module("cnfgen_puzzles.bench.show.report").write_report
        click.echo(f"report: {write_report(records, results.with_name(REPORT), results.parent, suite.name, revoked=revoked)}")
    click.echo(sentence(records))
    for note in [*notes(records), *disturbed(records)]:
        click.echo(f"note: {note}", err=True)
    if found:
        click.echo("ALARM: answers disagree, see above the table", err=True)
    return 1 if found or any(record["status"] == "WRONG" for record in records) else 0


def disturbed(records: list[Record]) -> list[str]:
    warned = [record for record in records if record["warnings"]]
    example = f" (such as: {warned[0]['warnings'][0]})" if warned else ""
    return [f"{len(warned)} of {len(records)} runs were measured on a disturbed machine{example}"] if warned else []
