"""What solve-puzzle does with --all and --count: every board, shown as it is found, or how many there are."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click

from cnfgen_puzzles.cli.common import EXIT_CODES, INTERRUPTED, output_stream
from cnfgen_puzzles.cli.families import encoding_options_named, read_named
from cnfgen_puzzles.counting import AUTO, ENGINES
from cnfgen_puzzles.distribution.executors import ClusterExecutor, open_executor
from cnfgen_puzzles.families import Family, View
from cnfgen_puzzles.ground.errors import InputError
from cnfgen_puzzles.pipeline import count as pipeline
from cnfgen_puzzles.pipeline.count import Count, Search, Solution, counting_instance
from cnfgen_puzzles.pipeline.instance import Instance
from cnfgen_puzzles.solving.process import Limits

JSON = "json"
PICTURES = ("svg", "png")
SAY_EVERY = 10.0  # seconds between two lines of progress where stderr is no terminal


def enumeration_params() -> list[click.Parameter]:
    """--all, --count and what goes with them."""
    engines = "; ".join(f"{name}: {summary}" for name, summary in ENGINES.items())
    return [
        click.Option(["--all", "-a", "all_boards"], is_flag=True, help="Show all boards, each as it is found."),
        click.Option(["--count", "-c"], is_flag=True, help="Tell how many boards there are."),
        click.Option(["--raw"], is_flag=True, help="Tell boards apart that a symmetry maps to each other. [--all, --count]"),
        click.Option(["--engine"], metavar="ENGINE", help=f"How to find them, by default the first that can: {engines}."),
        click.Option(["--jobs", "-j"], type=click.IntRange(min=1), help="Processes side by side; by default one a core."),
        click.Option(["--state"], metavar="FOLDER", help="Keep what is done here, so that the same command continues it."),
        click.Option(["--scheduler"], metavar="ADDRESS", help="Search on the workers of this Dask scheduler. [--all, --count]"),
        click.Option(["--limit"], type=click.IntRange(min=1), metavar="N", help="Stop after N boards."),
    ]


def is_asked_for(values: dict[str, Any]) -> bool:
    """Whether this is an enumeration; a mistake if the options contradict each other."""
    asked = values["all_boards"] or values["count"]
    if values["all_boards"] and values["count"]:
        raise InputError("found --all and --count: --all tells the number, too")
    foreign = ("unique", "certify", "seed") if asked else ("raw", "engine", "jobs", "state", "scheduler", "limit")
    for name in foreign:
        if values[name] not in (None, False):
            raise InputError(f"--{name} does not go with --all or --count" if asked else f"--{name} needs --all or --count")
    return asked


def enumerate_puzzle(family: Family, values: dict[str, Any]) -> int:
    """Show all boards or count them; returns the exit code."""
    show = _shower(family, values)  # a mistake in the call shows before the work
    given, engine = encoding_options_named(family, values), values["engine"] or AUTO
    instance = counting_instance(
        family, read_named(family, values), values["encoding"], given,
        engine=engine, solver=values["solver"], raw=values["raw"],
    )  # fmt: skip
    with _executor(values) as executor:
        return _enumerate(instance, executor, show, values)


@contextlib.contextmanager
def _executor(values: dict[str, Any]) -> Iterator[ClusterExecutor | None]:
    """The workers of the scheduler, if one is named."""
    if values["scheduler"] is None:
        yield None
        return
    with open_executor(values["scheduler"]) as executor:
        if not executor.jobs:
            click.echo(f"{values['scheduler']}: no workers yet, waiting for the first", err=True)
        yield executor


def _enumerate(
    instance: Instance, executor: ClusterExecutor | None, show: Callable[[Search], None], values: dict[str, Any]
) -> int:
    progress = Progress(quiet=values["quiet"] or (values["all_boards"] and not values["output"]))
    search = Search(
        instance,
        values["engine"] or AUTO,
        solver=values["solver"],
        jobs=values["jobs"],
        state=Path(values["state"]) if values["state"] else None,
        limits=Limits(cpu=values["cpu"], wall=values["wall"], memory=values["memory"]),
        most=values["limit"],
        raw=values["raw"],
        progress=progress.say,
        executor=executor,
    )
    with progress:
        show(search)
    return _tell(search.count(), values, instance.map.encoding)


def _tell(count: Count, values: dict[str, Any], encoding: str) -> int:
    """The number in words and how it was found; returns the exit code."""
    if values["count"] and values["view"] == JSON:
        with output_stream(values["output"]) as stream:
            stream.write((json.dumps(dataclasses.asdict(count), indent=2) + "\n").encode())
    else:
        taken = values["all_boards"] and values["view"] in (JSON, *PICTURES) and values["output"] in (None, "-")
        click.echo(count.sentence(), err=taken)
    if not values["quiet"]:
        click.echo(f"{count.engine}, {encoding}: {count.seconds:.2f} s, {count.cpu:.2f} s CPU", err=True)
    if count.reason == pipeline.INTERRUPTED:
        return INTERRUPTED
    if not count.complete:
        return EXIT_CODES["UNKNOWN"]
    return EXIT_CODES["SATISFIABLE" if count.solutions else "UNSATISFIABLE"]


# -- boards -------------------------------------------------------------------------------------------------------------


def _shower(family: Family, values: dict[str, Any]) -> Callable[[Search], None]:
    """What takes the solutions from the search: it counts, streams or draws one sheet."""
    output, name = values["output"], values["view"]
    if values["count"]:
        if name not in (None, JSON):
            raise InputError(f"--as {name} shows boards; --count only tells how many there are")
        return lambda search: _exhaust(search)
    if name == JSON:
        return lambda search: _stream(search, output, _as_json)
    to_terminal = sys.stdout.isatty() and not output
    view = family.view(name or ("ansi" if to_terminal else "text"))
    if view.name in PICTURES:
        if view.sheet is None:
            raise InputError(f"the view {view.name} of {family.name} cannot show many boards on one sheet")
        return lambda search: _sheet(search, view, output)
    return lambda search: _stream(search, output, lambda number, solution, found: _as_text(view, number, solution, found))


def _found(search: Search) -> Iterator[Solution]:
    """The solutions until Ctrl-C: what has been found is shown all the same."""
    try:
        yield from search
    except KeyboardInterrupt:
        return


def _exhaust(search: Search) -> None:
    for _ in _found(search):
        pass


def _stream(search: Search, output: str | None, draw: Callable[[int, Solution, Search], str]) -> None:
    with output_stream(output) as stream:
        for number, solution in enumerate(_found(search), start=1):
            stream.write(draw(number, solution, search).encode())
            stream.flush()


def _sheet(search: Search, view: View, output: str | None) -> None:
    boards = [solution.board for solution in _found(search)]
    if boards:
        drawing = view.sheet(search.instance.puzzle, boards)
        with output_stream(output) as stream:
            stream.write(drawing if isinstance(drawing, bytes) else drawing.encode())


def _as_json(number: int, solution: Solution, search: Search) -> str:
    board = search.instance.family.board_to_json(search.instance.puzzle, solution.board)
    return json.dumps({"solution": number, "orbit": solution.orbit, "board": board}, separators=(",", ":")) + "\n"


def _as_text(view: View, number: int, solution: Solution, search: Search) -> str:
    orbit = f", one of {solution.orbit} by symmetry" if solution.orbit > 1 else ""
    return f"Solution {number}{orbit}:\n\n{view.draw(search.instance.puzzle, solution.board, None)}\n"


# -- progress -----------------------------------------------------------------------------------------------------------


class Progress:
    """On stderr: a bar in a terminal, a line now and then elsewhere."""

    def __init__(self, quiet: bool):
        self._quiet = quiet
        self._bar = None
        self._last = time.monotonic()

    def __enter__(self) -> Progress:
        if not self._quiet and sys.stderr.isatty():
            from tqdm import tqdm

            self._bar = tqdm(unit=" solutions", leave=False)
        return self

    def __exit__(self, *_) -> None:
        if self._bar is not None:
            self._bar.close()

    def say(self, count: Count) -> None:
        parts = f"{count.parts_done} of {count.parts} parts done" if count.parts > 1 else ""
        if self._bar is not None:
            self._bar.set_postfix_str(parts, refresh=False)
            self._bar.update(count.solutions - self._bar.n)
        elif not self._quiet and time.monotonic() - self._last >= SAY_EVERY:
            self._last = time.monotonic()
            told = f"{count.solutions} solutions so far" + (f", {parts}" if parts else "")
            click.echo(f"{told}, {count.seconds:.0f} s", err=True)
