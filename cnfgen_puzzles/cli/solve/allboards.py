"""solve-puzzle --all and --count: boards as they are found, or how many there are. Loads all that counts."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from cnfgen_puzzles.cli.boards import Display
from cnfgen_puzzles.cli.common import EXIT_CODES, INTERRUPTED, limits_named, say
from cnfgen_puzzles.cli.families import read_named
from cnfgen_puzzles.cli.progress import Ticker
from cnfgen_puzzles.cli.solve.requests import count_request_named
from cnfgen_puzzles.families import Family
from cnfgen_puzzles.pipeline.answer import MusResult
from cnfgen_puzzles.pipeline.api import solutions_of
from cnfgen_puzzles.pipeline.count import Count, Solutions, count
from cnfgen_puzzles.pipeline.mus import bounded, extract_mus
from cnfgen_puzzles.pipeline.request import MusRequest
from cnfgen_puzzles.solving.cluster import ClusterExecutor, open_executor
from cnfgen_puzzles.solving.pool import LocalExecutor


def enumerate_boards(family: Family, display: Display, values: dict[str, Any]) -> int:
    """Show all boards or count them; the exit code."""
    if values["certificate"] is not None:
        from cnfgen_puzzles.cli.certificates import certify_boards  # seldom needed, and slow to load

        return certify_boards(family, display, values)
    if not values["count"]:
        display.check_sheet()
    puzzle = read_named(family, values)
    with open_workers(values["scheduler"]) as executor, Ticker() as ticker:
        solutions: Solutions = solutions_of(
            replace(
                count_request_named(family, values), puzzle=puzzle, listed=not values["count"], jobs=values["jobs"],
                state=values["state"], executor=executor,
                progress=lambda found: ticker.show(count_line(found, solutions.doing)),
            )
        )  # fmt: skip
        if values["count"]:
            sys.set_int_max_str_digits(0)  # a number may have more than Python writes without being told to
            count(solutions)
        else:
            display.show_all(solutions, ticker)
        found = solutions.count()
        none = found.complete and not found.solutions
        within = bounded(limits_named(values), found.seconds)
        why = extract_mus(MusRequest(family=family, puzzle=puzzle, encoding=values["encoding"], limits=within)) if none else None
    tell_count(solutions, why, display, values)
    if found.interrupted:
        return INTERRUPTED
    if not found.complete:
        return EXIT_CODES["UNKNOWN"]
    return EXIT_CODES["SATISFIABLE" if found.solutions else "UNSATISFIABLE"]


@contextlib.contextmanager
def open_workers(scheduler: str | None) -> Iterator[LocalExecutor | ClusterExecutor | None]:
    """The workers of the scheduler, if one is named."""
    if scheduler is None:
        yield None
        return
    with open_executor(scheduler) as executor:
        if not executor.jobs:
            say(f"{scheduler}: no workers yet, waiting for the first", err=True)
        yield executor


def count_line(found: Count, doing: str) -> str:
    """How many were found so far and what is being done, on a line of progress."""
    if doing and not found.solutions:
        return f"{found.engine}: {doing}"
    parts = f", {found.parts_done} of {found.parts} parts done" if found.parts > 1 else ""
    return f"{found.engine}: {found.solutions} solutions so far{parts}" + (f", {doing}" if doing else "")


def tell_count(solutions: Solutions, why: MusResult | None, display: Display, values: dict[str, Any]) -> None:
    """The number in words and how it was found; and why there is none."""
    found = solutions.count()
    if values["count"] and display.view is None:
        display.write_json(found.to_json() | ({"contradiction": why.to_json()} if why else {}))
    else:
        say(found.sentence(), err=display.takes_stdout)
        if why is not None:
            say(why.sentence(), err=display.takes_stdout)
    if not values["quiet"]:
        say(solutions.measured(), err=True)
