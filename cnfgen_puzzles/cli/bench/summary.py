"""What `bench-cnf run` shows when all runs are made: tables, where everything is, what won where, and alarms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec

from cnfgen_puzzles.bench import SuiteResults
from cnfgen_puzzles.bench.record import Record
from cnfgen_puzzles.bench.runs import tallied
from cnfgen_puzzles.bench.show.tables import alarms, notes, render, score_table, sentence
from cnfgen_puzzles.cli.bench.outputs import Outputs
from cnfgen_puzzles.cli.common import say
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.solving.run import ERROR, WRONG

REPORT = "report.html"


def check_report() -> None:
    """InputError where the report could not be written in the end: known before hours of runs, not after them."""
    for module, name in (("jinja2", "Jinja2"), ("vl_convert", "vl-convert")):
        try:
            found = find_spec(module) is not None
        except ValueError:  # it was kept from being imported
            found = False
        if not found:
            raise InputError(f"the report needs {name}, which is not installed: pip install 'cnfgen-puzzles[bench]'")


def show_summary(results: SuiteResults, *, report: bool) -> int:
    """Print it all; the exit code."""
    records, suite, path = results.records, results.suite, results.path
    found = alarms(records, results.revoked)
    failed = Counter({record["solver"]: 0 for record, _ in tallied(records, "solver")})
    reasons: dict[str, str] = {}
    for record, runs in tallied(records, "solver", "status", "reason"):
        if record["status"] == ERROR:
            failed[record["solver"]] += runs
            reasons.setdefault(record["solver"], record["reason"])
    for line in found:
        say(line, err=True)
    say(render(score_table(records)))
    say(f"\nCPU limit {suite.limits.cpu:g} s a run; results: {path}")
    if report:
        write_report = import_module("cnfgen_puzzles.bench.show.report").write_report
        Outputs([path], records).check(path.with_name(REPORT))
        written = write_report(records, path.with_name(REPORT), path.parent, suite.name, revoked=results.revoked)
        say(f"report: {written}")
    say(sentence(records))
    errors = [f"{failed[name]} runs of {name} are ERROR (such as: {why})" for name, why in reasons.items()]
    for note in [*notes(records), *errors, *disturbed(records)]:
        say(f"note: {note}", err=True)
    if found:
        say("ALARM: some answers cannot be true, see above the table", err=True)
    nothing = bool(reasons) and failed.total() == len(records)
    if nothing:
        say("nothing was measured: every run is an ERROR; --rerun failed makes them again", err=True)
    return 1 if found or nothing or any(record["status"] == WRONG for record, _ in tallied(records, "status")) else 0


def disturbed(records: Sequence[Record]) -> list[str]:
    warned = [(record["warnings"], runs) for record, runs in tallied(records, "warnings") if record["warnings"]]
    example = f" (such as: {warned[0][0][0]})" if warned else ""
    count = sum(runs for _, runs in warned)
    return [f"{count} of {len(records)} runs were measured on a disturbed machine{example}"] if warned else []
