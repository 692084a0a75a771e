"""What every make-puzzle takes and does: the options for evidence and output, and many puzzles, one process a core."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

import click

from cnfgen_puzzles.cli.boards import PICTURES, view_for
from cnfgen_puzzles.cli.common import (
    SECONDS,
    FileName,
    Name,
    check_writable,
    checker_param,
    click_option,
    say,
    solver_titles,
    write_text,
)
from cnfgen_puzzles.cli.convert_puzzle import format_for, format_param
from cnfgen_puzzles.cli.making.jobs import Finished, MadeResult, written
from cnfgen_puzzles.cli.progress import Progress
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.families import Family, View
from cnfgen_puzzles.families.options import Option
from cnfgen_puzzles.solving.cluster import open_executor
from cnfgen_puzzles.solving.pool import Distributor

ENDINGS = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".svg", ".pbm", ".txt")
EXITS = (
    "Exits with 0 (each puzzle has one solution, proved), 1 (one has not, or a fault of ours), "
    "2 (a mistake in the call or the input)."
)


class Named(Protocol):
    """A puzzle to be made, in this process or in another."""

    @property
    def name(self) -> str:
        """What a file of it may be called, without an ending."""


# -- options --------------------------------------------------------------------------------------------------------------


def picture_params(options: Iterable[Option]) -> list[click.Parameter]:
    """The files of pictures, these options of how they become cells, and what the puzzle's file says of it."""
    return [
        click.Argument(["files"], metavar="[FILE]...", nargs=-1, type=FileName(lambda: ENDINGS)),
        *(click_option(option) for option in options),
        click.Option(["--title"], metavar="TEXT", help="What the puzzle is called."),
        click.Option(["--author"], metavar="TEXT", help="Who made it."),
    ]


def about_of(values: dict[str, Any]) -> dict[str, str]:
    """What the user says of the puzzle."""
    return {name: values[name] for name in ("title", "author") if values[name]}


def time_param(seconds: float, help: str) -> click.Option:
    """--time for the search."""
    return click.Option(
        ["--time", "seconds"], type=SECONDS, default=seconds, metavar="SECONDS", help=f"{help}  [default: {seconds:g}]"
    )


def evidence_params() -> list[click.Parameter]:
    """Who proves and who checks."""
    return [
        click.Option(
            ["--solver", "-s"],
            type=Name("solver", solver_titles, others=True),
            metavar="SOLVER",
            help="Which proves that there is no other solution; by default the best that is there.",
        ),
        checker_param(),
    ]


def output_params(family: Family, marked: str) -> list[click.Parameter]:
    """Where the puzzle goes, and how it is shown; `marked` is what its picture has besides."""
    return [
        click.Option(
            ["--output", "-o"], type=FileName(), metavar="FILE", help="Write the puzzle here; of several, in this folder."
        ),
        format_param(family, "Its format", ", in a folder what loses least"),
        click.Option(
            ["--picture"],
            type=FileName(),
            metavar="FILE",
            help=f"Draw the solution here{f', {marked}' if marked else ''}: .svg, .png or .txt.",
        ),
        click.Option(["--json", "as_json"], is_flag=True, help="Tell all as JSON; of several puzzles a line each."),
        click.Option(
            ["--jobs", "-j"], type=click.IntRange(min=1), metavar="N", help="Processes side by side; by default one a core."
        ),
        click.Option(["--quiet", "-q"], is_flag=True, help="Draw nothing, and show no progress."),
    ]


# -- one ------------------------------------------------------------------------------------------------------------------


def checked_output(family: Family, values: dict[str, Any]) -> tuple[str | None, View | None]:
    """The format of the puzzle's file and the view of its picture, if these are asked for; InputError before a minute of work."""
    output, wanted, picture = values["output"], values["to"], values["picture"]
    if wanted is not None and output is None:
        raise InputError("found --to and no -o, expected where the puzzle is to be written, as with -o -")
    if output is not None and wanted is None:
        wanted = format_for(family, output)
    drawn = view_for(family, None, picture) if picture else None
    if picture and drawn is None:
        raise InputError("found the ending .json, expected a picture: .svg, .png or .txt", source=picture)
    if output == "-" and values["as_json"]:
        raise InputError("found --json and -o -: both would be written to standard output")
    for file in (output, picture):
        if file not in (None, "-"):
            check_writable(Path(file))
    return wanted, drawn


def write_puzzle(result: MadeResult, wanted: str | None, output: str) -> None:
    """The puzzle as a file."""
    _, text, lost = written(result, wanted)
    if lost:
        say(f"note: {wanted} has no place for: {', '.join(lost)}", err=True)
    write_text(output, text)


def show(family: Family, puzzle: Any, board: Any, other: Any = None, *, aside: bool) -> None:
    """The board in the terminal; `aside`: where words go that are not the output."""
    drawn = view_for(family, "text" if aside else None, None)
    assert drawn is not None and drawn.suffix not in PICTURES
    click.echo(drawn.draw(puzzle, board, other), err=aside)


# -- many -----------------------------------------------------------------------------------------------------------------


def many(family: Family, jobs: Sequence[Named], finish: Callable[[Any, str | None], Finished], values: dict[str, Any]) -> int:
    """Make them, one process a core, write and tell each, and how many came to what; the exit code."""
    folder = checked_folder(jobs, values)
    right = changed = refused = 0
    for job, result in results(jobs, finish, values):
        if isinstance(result, CnfgenError):
            say(f"{job.name}: {result}", err=True)
            refused += isinstance(result, InputError)
            continue
        right += result.unique
        changed += bool(result.entry.get("changes"))
        if result.unique:
            suffix = next(iter(family.formats[result.format].suffixes), "")
            write_text(str(folder / f"{job.name}{suffix}"), result.text)
        if values["as_json"]:
            write_text(None, json.dumps(result.entry, separators=(",", ":")) + "\n")
        elif not values["quiet"] or not result.unique:
            say(f"{job.name}: {result.sentence}")
    told = [f"{right} of {len(jobs)} puzzles with one solution, proved"]
    told += [] if family.making is None else [f"{changed} of their pictures {'was' if changed == 1 else 'were'} changed"]
    told += [f"{refused} {'input was' if refused == 1 else 'inputs were'} refused"] if refused else []
    say(f"{'; '.join(told)}.", err=True)
    return 2 if refused else int(right < len(jobs))


def checked_folder(jobs: Sequence[Named], values: dict[str, Any]) -> Path:
    """The folder into which so many puzzles go; it is made."""
    if values["output"] is None or values["output"] == "-":
        raise InputError(f"found {len(jobs)} puzzles to make and no folder, expected -o FOLDER")
    if values["picture"]:
        raise InputError("found --picture, which is for one puzzle")
    folder = Path(values["output"])
    names = [job.name for job in jobs]
    if double := next((name for name in names if names.count(name) > 1), None):
        raise InputError(f"found two pictures called {double}, expected names that differ", source=str(folder))
    if folder.exists() and not folder.is_dir():
        raise InputError(f"found a file, expected a folder for {len(jobs)} puzzles", source=str(folder))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def results(
    jobs: Sequence[Named], finish: Callable[[Any, str | None], Finished], values: dict[str, Any]
) -> Iterator[tuple[Named, Finished | CnfgenError]]:
    """Each job with what came of it, as it comes."""
    waiting = iter(jobs)
    with (
        open_executor(None, values["jobs"]) as executor,
        Progress(quiet=values["quiet"], total=len(jobs), unit="puzzle") as progress,
    ):
        work = Distributor[Named](executor, lambda job: (finish, job, values["to"]), "puzzles")
        for done, event in enumerate(work.results(lambda: next(waiting, None)), start=1):
            progress.show(f"{done} of {len(jobs)} puzzles made", done=done)
            yield event.unit, event.error or event.value
