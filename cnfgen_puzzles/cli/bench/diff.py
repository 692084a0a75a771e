"""bench-cnf diff: compare two sets of results, regressions first."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from cnfgen_puzzles.bench.analyse.diff import RATIO, SECONDS, diff
from cnfgen_puzzles.bench.analyse.scores import DEFAULT_GROUPS, named_groups
from cnfgen_puzzles.bench.show.difftable import text, to_json
from cnfgen_puzzles.cli.app import say_lines, version_option, write_text
from cnfgen_puzzles.cli.bench.outputs import SCORING, SELECTION, describe_filters, read_selected
from cnfgen_puzzles.cli.help import DocumentedCommand
from cnfgen_puzzles.cli.params import param
from cnfgen_puzzles.common.errors import InputError

RESULTS = click.Path(exists=True, path_type=Path)


@click.command(
    "diff",
    cls=DocumentedCommand,
    help="""Compare two result folders (or files): regressions of NEW first, then improvements, with paired tests.

    Instances are paired by the hash of their formula, solvers and encodings by name. A regression is a wrong answer, an opposite
    verdict, more lost solves than allowed, more slower instances than allowed, or a solver that is significantly worse.""",
    params=[
        click.Argument(["old"], metavar="OLD", type=RESULTS),
        click.Argument(["new"], metavar="NEW", type=RESULTS),
        param("--map", "mapped", multiple=True, metavar="OLD=NEW",
              help="Compare only this solver (or encoding) of OLD with that of NEW. Repeatable."),
        *SELECTION,
        param("--by", default=DEFAULT_GROUPS[0], metavar="GROUP",
              help=f"Group by this property or feature.  [default: {DEFAULT_GROUPS[0]}]"),
        *SCORING,
        param("--ratio", type=click.FloatRange(min=1), default=RATIO, metavar="N",
              help=f"Report an instance as slower or faster if its times differ by this factor ...  [default: {RATIO}]"),
        param("--seconds", type=click.FloatRange(min=0), default=SECONDS, metavar="N",
              help=f"... and by this many seconds.  [default: {SECONDS}]"),
        param("--allow-lost", type=click.IntRange(min=0), default=0, help="Allow this many lost solves.  [default: 0]"),
        param("--allow-slower", type=click.IntRange(min=0), help="Allow this many slower instances; by default any number."),
        param("--worse", type=click.FloatRange(min=1), default=1.0, metavar="N",
              help="Call a significantly worse solver a regression from this PAR ratio on.  [default: 1.0]"),
        param("--markdown", metavar="FILE", help="Write the comparison as Markdown to this file (-: standard output)."),
        param("--json", "json_file", metavar="FILE",
              help="Write the comparison as JSON to this file (-: standard output)."),
    ],
    common=("--filter", "--allow-lost", "--json"),
    examples=[
        "bench-cnf sample:bench -o results/main",
        "bench-cnf sample:bench -o results/branch",
        "bench-cnf diff results/main results/branch",
        "bench-cnf diff results/main results/branch --markdown comment.md --by family",
        "bench-cnf diff results/main results/main --map glucose=kissat --allow-lost 2",
    ],
    closing="Exit codes: 0 no regression, 1 regression, 2 mistake.",
)  # fmt: skip
@version_option
def command(
    old: Path,
    new: Path,
    mapped: tuple[str, ...],
    by: str,
    allow_lost: int,
    allow_slower: int | None,
    worse: float,
    markdown: str | None,
    json_file: str | None,
    filters: tuple[str, ...],
    features: tuple[str, ...],
    all_runs: bool,
    ratio: float,
    seconds: float,
    **scoring: Any,
) -> int:
    selected = {"filters": filters, "features": features, "all_runs": all_runs, **scoring}
    then, now = (read_selected([path], whole=False, **selected) for path in (old, new))
    names = dict(pair.partition("=")[::2] for pair in mapped)
    if len(names) < len(mapped) or not all((*names, *names.values())):
        raise InputError(f"found --map {' '.join(mapped)}, expected OLD=NEW, each old name once")
    [group] = named_groups([by], [*then.records, *now.records])
    found = diff(then.records, now.records, names, by=group, rules=now.rules, ratio=ratio, seconds=seconds)
    found.notes += [describe_filters(filters)] if filters else []
    faults = found.regressions(allow_lost, allow_slower, worse)
    alarmed = [{instance[1:] for instance, _ in side.alarms} for side in (then, now)]  # of all runs, whatever the filters select
    if alarmed[1] - alarmed[0]:
        faults.append(f"alarms on {len(alarmed[1] - alarmed[0])} instances, on which OLD has none")
    sides = {"OLD": [str(old), *found.programs[0]], "NEW": [str(new), *found.programs[1]]}
    if markdown:
        write_text(markdown, text(found, faults, sides, "markdown"))
    if json_file:
        write_text(json_file, json.dumps(to_json(found, faults, sides), indent=1, ensure_ascii=False) + "\n")
    if "-" not in (markdown, json_file):
        say_lines(text(found, faults, sides).rstrip("\n"))
    return 1 if faults else 0
