"""bench-cnf diff: compare two sets of results, regressions first."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from cnfgen_puzzles.bench.analyse.diff import CONFLICT, LOST, RATIO, SECONDS, SLOWER, WRONG_NOW, Diff, diff
from cnfgen_puzzles.bench.analyse.scores import DEFAULT_GROUPS, MARK, named_groups
from cnfgen_puzzles.bench.show.difftable import programs, text, to_json
from cnfgen_puzzles.cli.app import say_lines, version_option, write_text
from cnfgen_puzzles.cli.bench.outputs import PAR, SEED, TIME, describe_filters, read_selected, selection
from cnfgen_puzzles.cli.help import DocumentedCommand
from cnfgen_puzzles.common.errors import InputError


@click.command(
    "diff",
    cls=DocumentedCommand,
    help="""Compare two result folders (or files): regressions of NEW first, then improvements, with paired tests.

    Instances are paired by the hash of their formula, solvers and encodings by name. A regression is a wrong answer, an opposite
    verdict, more lost solves than allowed, more slower instances than allowed, or a solver that is significantly worse.""",
    common=("--filter", "--allow-lost", "--json"),
    examples=[
        "bench-cnf sample:bench -o results/main",
        "bench-cnf sample:bench -o results/branch",
        "bench-cnf diff results/main results/branch",
        "bench-cnf diff results/main results/branch --markdown comment.md --by family",
        "bench-cnf diff results/main results/main --map glucose=kissat --allow-lost 2",
    ],
    closing="Exit codes: 0 no regression, 1 regression, 2 mistake.",
)
@click.argument("old", metavar="OLD", type=click.Path(exists=True, path_type=Path))
@click.argument("new", metavar="NEW", type=click.Path(exists=True, path_type=Path))
@click.option("--map", "mapped", multiple=True, metavar="OLD=NEW",
              help="Compare only this solver (or encoding) of OLD with that of NEW. Repeatable.")  # fmt: skip
@selection
@click.option("--by", default=DEFAULT_GROUPS[0], show_default=True, metavar="GROUP", help="Group by this property or feature.")
@TIME
@PAR
@click.option("--ratio", type=click.FloatRange(min=1), default=RATIO, show_default=True,
              metavar="N",
              help="Report an instance as slower or faster if its times differ by this factor ...")  # fmt: skip
@click.option("--seconds", type=click.FloatRange(min=0), default=SECONDS, show_default=True,
              metavar="N",
              help="... and by this many seconds.")  # fmt: skip
@click.option("--allow-lost", type=click.IntRange(min=0), metavar="N", default=0, show_default=True,
              help="Allow this many lost solves.")  # fmt: skip
@click.option("--allow-slower", type=click.IntRange(min=0), metavar="N",
              help="Allow this many slower instances; by default any number.")  # fmt: skip
@click.option("--worse", metavar="N", type=click.FloatRange(min=1), default=1.0, show_default=True,
              help="Call a significantly worse solver a regression from this PAR ratio on.")  # fmt: skip
@click.option("--most", metavar="N", type=click.IntRange(min=1), default=20, show_default=True,
              help="List at most this many instances.")  # fmt: skip
@click.option("--markdown", "markdown_file", metavar="FILE",
              help="Write the comparison as Markdown to this file (-: standard output).")  # fmt: skip
@click.option("--json", "json_file", metavar="FILE", help="Write the comparison as JSON to this file (-: standard output).")
@SEED
@version_option
def command(
    old: Path,
    new: Path,
    mapped: tuple[str, ...],
    by: str,
    allow_lost: int,
    allow_slower: int | None,
    worse: float,
    most: int,
    markdown_file: str | None,
    json_file: str | None,
    filters: tuple[str, ...],
    features: tuple[str, ...],
    all_runs: bool,
    **settings: Any,
) -> int:
    selected: dict[str, Any] = {"filters": filters, "features": features, "all_runs": all_runs}
    then, now = (read_selected([path], **selected) for path in (old, new))
    [group] = named_groups([by], [*then.records, *now.records])
    names = dict(pair.partition("=")[::2] for pair in mapped)
    if len(names) < len(mapped) or not all((*names, *names.values())):
        raise InputError(f"found --map {' '.join(mapped)}, expected OLD=NEW, each old name once")
    found = diff(then.records, now.records, names, by=group, **settings)
    found.notes += [describe_filters(filters)] if filters else []
    faults = regressions(found, allow_lost, allow_slower, worse)
    alarmed = [{instance[1:] for instance, _ in side.alarms} for side in (then, now)]  # of all runs, whatever the filters select
    if alarmed[1] - alarmed[0]:
        faults.append(f"alarms on {len(alarmed[1] - alarmed[0])} instances, on which OLD has none")
    solvers = [pair.solver.replace(MARK, "").split(" -> ") for pair in found.pairs]
    sides = {
        "OLD": [str(old), *programs(then.records, (names[0] for names in solvers))],
        "NEW": [str(new), *programs(now.records, (names[-1] for names in solvers))],
    }
    if markdown_file:
        write_text(markdown_file, text(found, faults, sides, most, "markdown"))
    if json_file:
        write_text(json_file, json.dumps(to_json(found, faults, sides), indent=1, ensure_ascii=False) + "\n")
    if "-" not in (markdown_file, json_file):
        say_lines(text(found, faults, sides, most).rstrip("\n"))
    return 1 if faults else 0


def regressions(found: Diff, allow_lost: int, allow_slower: int | None, worse: float) -> list[str]:
    """The regressions that exceed the allowed numbers, as sentences."""
    counts = {kind: len(found.of([kind])) for kind in (WRONG_NOW, CONFLICT, LOST, SLOWER)}
    faults = [f"{counts[WRONG_NOW]} wrong answers or errors"] if counts[WRONG_NOW] else []
    faults += [f"{counts[CONFLICT]} opposite verdicts"] if counts[CONFLICT] else []
    faults += [f"{counts[LOST]} lost solves ({allow_lost} allowed)"] if counts[LOST] > allow_lost else []
    if allow_slower is not None and counts[SLOWER] > allow_slower:
        faults.append(f"{counts[SLOWER]} slower instances ({allow_slower} allowed)")
    for group in (*found.totals, *found.groups):
        ratio = 1 / group.comparison.par_ratio.value
        if group.verdict == "clearly worse" and ratio >= worse:
            faults.append(
                f"{group.solver}{f' on {group.name}' if group.name else ''} is significantly worse (PAR ratio {ratio:.2f})"
            )
    return faults
