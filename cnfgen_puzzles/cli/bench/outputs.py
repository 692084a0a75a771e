"""Common parts of the commands that read results: the selection of runs, and protected files.

The commands do not overwrite the results, the suite, or other files of a result folder.
"""

from __future__ import annotations

import os
import re
import sys
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from cnfgen_puzzles.bench.analyse.results import Results, read_runs, result_files
from cnfgen_puzzles.bench.planfile import PLAN, read_plans, same_file
from cnfgen_puzzles.bench.record import Record
from cnfgen_puzzles.bench.run.execution import CNF_FOLDER, KEPT_FOLDER
from cnfgen_puzzles.bench.run.store import RESULTS
from cnfgen_puzzles.bench.runs import Runs, tallied
from cnfgen_puzzles.bench.show.tables import alarm_lines
from cnfgen_puzzles.cli.app import say
from cnfgen_puzzles.common.digests import digest_of_file
from cnfgen_puzzles.common.errors import InputError

LONGEST = 80
"""The longest filter in the name of a file, in characters."""

PATHS = click.argument("paths", metavar="FOLDER|FILE...", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
FILTERS = click.option(
    "--filter",
    "filters",
    multiple=True,
    metavar="NAME=VALUE",
    help="Read only these runs: family=nonogram, solver=kissat,glucose*, status!=TIMEOUT. Repeatable.",
)
FEATURES = click.option(
    "--features",
    multiple=True,
    metavar="CSV",
    help="Join features of instances from this file, for groups and filters. Repeatable.",
)
ALL_RUNS = click.option("--all-runs", is_flag=True, help="Include runs that are no longer in the suite.")


def read_selected(paths: Sequence[Path], filters: Sequence[str], features: Sequence[str], *, all_runs: bool) -> Results[Runs]:
    """The selected runs; InputError if there are none. Alarms of all runs, and notes, go to stderr."""
    results = read_runs(paths, filters, features, all_runs=all_runs)
    if not results.records:
        raise InputError("found no runs" + (" that match the filters" if filters else ""), source=str(paths[0]))
    for line in (*alarm_lines(results.alarms), *(f"note: {note}" for note in results.notes)):
        say(line, err=True)
    return results


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


LOCK = f"{RESULTS}.lock"


class OutputGuard:
    """The protected files of these results, and of the suites that their records name."""

    def __init__(self, paths: Iterable[Path], records: Iterable[Record] = ()):
        self._files = result_files(paths)
        self._folders = {path.parent for path in self._files}
        self._kept = [path.with_name(name) for path in self._files for name in (path.name, f"{path.name}.lock", PLAN)]
        self._suites = [plan.file for folder in self._folders for plan in read_plans(folder).values() if plan.file]
        self._digests = {record.get("suite_sha256") for record, _ in tallied(records, "suite_sha256")} - {None, ""}

    def check(self, target: str | Path | None) -> None:
        """InputError if writing to `target` (None and `-`: standard output) would overwrite results."""
        if target is None or str(target) == "-":
            if any(_is_stdout(path) for path in (*self._kept, *self._suites)):
                raise InputError("standard output goes to a file of these results, expected another file")
            return
        path = Path(target)
        if what := self._what(path):
            raise InputError(f"the output is {what}, expected another file", source=str(target))

    def _what(self, path: Path) -> str:
        if any(same_file(path, kept) for kept in self._kept):
            return "a file of these results"
        if any(same_file(path, suite) for suite in self._suites) or self._is_suite(path):
            return "the suite of these results"
        real = Path(os.path.realpath(path))
        if real.name in (RESULTS, LOCK, PLAN) and (real.exists() or any(same_file(real.parent, f) for f in self._folders)):
            return "the name of a result file"
        for folder in self._folders:
            for name in (CNF_FOLDER, KEPT_FOLDER):
                if any(same_file(parent, folder / name) for parent in real.parents):
                    return f"a place in the folder {folder / name}, which belongs to these results"
        return ""

    def _is_suite(self, path: Path) -> bool:
        """Whether the file has the checksum of a suite of these records."""
        try:
            return path.is_file() and digest_of_file(path) in self._digests
        except OSError:
            return False


def _is_stdout(path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(sys.stdout.fileno()), path.stat())
    except (OSError, ValueError, AttributeError):  # no such file, or no real standard output
        return False
