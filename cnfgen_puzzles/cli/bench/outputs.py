"""Common parts of the commands that read results: options, the selection of runs, and protected files.

The commands overwrite neither the results nor the plan and the suites of a result folder.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from cnfgen_puzzles.bench.analyse.results import Results, read_results, result_files
from cnfgen_puzzles.bench.analyse.rules import CHOICES, TIMES, Rules, listed
from cnfgen_puzzles.bench.planfile import PLAN, read_plans
from cnfgen_puzzles.bench.show.tables import alarm_lines
from cnfgen_puzzles.cli.app import say
from cnfgen_puzzles.cli.params import flag, param
from cnfgen_puzzles.common.errors import InputError, unknown_name
from cnfgen_puzzles.common.files import register_input
from cnfgen_puzzles.common.showing import numbered

LONGEST = 80
"""The longest filter in the name of a file, in characters."""
FOLDER = click.Path(file_okay=False, path_type=Path)
PATHS = click.Argument(["paths"], metavar="FOLDER|FILE...", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
SUITE = click.Argument(["suite_file"], metavar="SUITE", type=click.Path(dir_okay=False, path_type=Path))
RULES = {name.replace("_", "-"): name for name in CHOICES}
SCORING = (
    param("--time", type=click.Choice(list(TIMES)), default="cpu", help="Score, compare, or plot this time.  [default: cpu]"),
    param("--par", metavar="K", type=click.FloatRange(min=1), default=2,
          help="Count K times the limit for an unsolved run.  [default: 2]"),
    param("--rule", "chosen", multiple=True, metavar="RULE=VALUE",
          help="Set a rule; the first value is the default: "
          f"{', '.join('='.join((name, '|'.join(CHOICES[field]))) for name, field in RULES.items())}. Repeatable."),
)  # fmt: skip
"""The options of `read_selected` that decide how runs count."""
SELECTION = (
    param("--filter", "filters", multiple=True, metavar="NAME=VALUE",
          help="Read only these runs: family=nonogram, solver=kissat,glucose*, status!=TIMEOUT. Repeatable."),
    param("--features", multiple=True, metavar="CSV",
          help="Join features of instances from this file, for groups and filters. Repeatable."),
    flag("--all-runs", help="Include runs that are no longer in the suite."),
)  # fmt: skip
"""The options of `read_selected`."""


def read_selected(
    paths: Sequence[Path], *, time: str = "cpu", par: float = 2, chosen: Iterable[str] = (), **selected: Any
) -> Results:
    """The selected runs and their rules; InputError if there are none. Alarms of all runs, and notes, go to stderr."""
    pairs = [text.partition("=")[::2] for text in chosen]
    for name, _ in pairs:
        if name not in RULES:
            raise InputError(unknown_name("rule", name, RULES))
    protect(paths)
    results = read_results(paths, rules=Rules(par, time, **{RULES[name]: value for name, value in pairs}), **selected)
    if not results.records:
        which = " that match the filters and rules" if selected["filters"] or results.omitted else ""
        raise InputError(f"found no runs{which}", source=str(paths[0]))
    say_notes(alarm_lines(results.alarms), results.notes)
    if results.missing:
        say_notes((), [f"{numbered(len(results.missing), 'run')} of the suite missing: {listed(results.missing)}"])
    return results


def say_notes(alarms: Iterable[str], notes: Iterable[str]) -> None:
    for line in (*alarms, *(f"note: {note}" for note in notes)):
        say(line, err=True)


def protect(paths: Iterable[Path]) -> None:
    """Register the files of these results and their suites as inputs, which no output may overwrite."""
    for file in result_files(paths):
        plans = read_plans(file.parent)
        for path in (file, file.with_name(PLAN), *(plan.file for plan in plans.values() if plan.file)):
            register_input(path)


def filter_mark(filters: Iterable[str]) -> str:
    """The part of a file name for filtered results: `.family=nonogram.solver=kissat`; empty without filters.

    >>> filter_mark(["family=nonogram", "solver!=mini*"]), filter_mark([])
    ('.family=nonogram.solver!=mini_', '')
    """
    mark = "".join("." + re.sub(r"[^\w=!,+-]+", "_", text) for text in sorted(filters))
    return mark if len(mark) <= LONGEST else f"{mark[: LONGEST - 9]}.{zlib.crc32(mark.encode()):08x}"


def describe_filters(filters: Iterable[str]) -> str:
    """The sentence about the filters in a caption."""
    return f"Only runs with {', '.join(filters)}." if filters else ""
