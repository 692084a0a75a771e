"""cnf-solvers: which solvers and proof checkers there are, and getting them; with or without a checkout.

`doctor` (the whole machine) has a module of its own.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click

from cnfgen_puzzles.cli.common import SECONDS, say, say_lines, table_of, version_option
from cnfgen_puzzles.cli.progress import Ticker
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.solving import executables, table
from cnfgen_puzzles.solving.executables import UNKNOWN_VERSION
from cnfgen_puzzles.solving.table import Solver, find_solver, load_solvers

if TYPE_CHECKING:
    from cnfgen_puzzles.solving.install import Ways

KINDS = {
    table.NAMED: "you",
    table.INSTALLED: "installed",
    table.WHEEL: "PyPI",
    table.SYSTEM: "PATH",
    table.MODULE: "Python",
}
"""Where a program comes from, as a person calls it."""


COMMAND = click.Group(
    "cnf-solvers",
    context_settings={"help_option_names": ["--help", "-h"]},
    help=f"""Solvers and proof checkers: which are there, and getting those that are not.

    \b
    Examples:
      cnf-solvers list
      cnf-solvers install kissat drat-trim
      cnf-solvers where kissat
      cnf-solvers check

    Programs are installed into the user's data folder (in a checkout: its solvers/), or the one that ${executables.FOLDER} names.
    Nothing needs root.""",
)
version_option(COMMAND)


# -- what there is ----------------------------------------------------------------------------------------------------------


@COMMAND.command(
    "list", help="Show every solver: its version, what it is, where it comes from, or how to get it. Needs no network."
)
@click.option("--licences", is_flag=True, help="Show the licence of each, and its home page.")
def list_solvers(licences: bool) -> None:
    solvers = load_solvers().values()
    if licences:
        rows, head = [[solver.name, solver.licence, solver.website] for solver in solvers], ["name", "licence", "website"]
    else:
        rows, head = [_row(solver) for solver in solvers], ["name", "version", "what", "from", "program, or how to get it"]
    say_lines(table_of(rows, head, disable_numparse=True))


def _row(solver: Solver) -> list[str]:
    """A solver in the list. What is wrong with it stands in its row, and the others are listed all the same."""
    what = "checker" if solver.kind == "checker" else "parallel solver" if solver.parallel else "solver"
    try:
        if solver.fault is not None:
            raise solver.fault
        place = table.find_program(solver)
    except CnfgenError as fault:
        return [solver.name, "", what, "wrong", str(fault)]
    if place is None or place.program is None:
        return [solver.name, "", what, "", f"not there: {table.how_to_get(solver)}"]
    try:
        version, remark = solver.version_line(place.program), _remark(solver, place)
    except CnfgenError as error:
        version, remark = UNKNOWN_VERSION, f"; DOES NOT RUN: {error}"
    program = place.title if place.kind == table.MODULE else place.program
    return [solver.name, version, what, KINDS[place.kind], f"{program}{remark}"]


def _remark(solver: Solver, place: table.Place) -> str:
    """What is to be said of an installed program."""
    from cnfgen_puzzles.solving.install import is_current, note_of

    if place.kind != table.INSTALLED or place.program is None or not solver.build:
        return ""
    home, note = place.program.parent.parent, note_of(place.program)
    if not is_current(solver, home):
        return f" (of an older recipe; `cnf-solvers install {solver.name}` renews it)"
    return " (ready-made)" if note and not note.get("source_sha256") else ""


@COMMAND.command(help="Tell which program is run as NAME, and why: all places in the order in which they are looked at.")
@click.argument("name")
@click.option("--path", "only_path", is_flag=True, help="Print nothing but the path of the program.")
def where(name: str, only_path: bool) -> int:
    solver = find_solver(name)
    if only_path:
        say(str(solver.locate()))
        return 0
    used = None
    try:
        for number, place in enumerate(table.search_program(solver), start=1):
            mark = "" if place.program is None else " (not used)" if used else " <- used"
            used = used or place.program
            program = "" if place.title == str(place.program) else f": {place.program or 'nothing'}"
            say(f"{number}. {place.title}{program}{mark}")
    except InputError as error:
        say(f"nothing after this: {error}")
        return error.exit_code if not used else 0
    if used is None:
        say(f"{name} is not there: {table.how_to_get(solver)}")
    return int(used is None)


@COMMAND.command(help="Run solvers (all that are there, or those of these names) on formulas whose answers are known.")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--any", "any_works", is_flag=True, help="Exit with 1 only if no solver at all works.")
def check(names: Sequence[str], any_works: bool) -> int:
    from cnfgen_puzzles.evidence import selftest

    return selftest.main([*names, *(["--any"] if any_works else [])])


# -- getting and removing ---------------------------------------------------------------------------------------------------


@COMMAND.command(
    help="""Install solvers and checkers: from source where this machine can build them, else ready-made.

    Sources are verified by their checksum. Each program is tried on formulas whose answers are known before it is installed.
    Where one fails, the others are installed all the same, and the exit code is 1."""
)
@click.argument("names", nargs=-1, metavar="NAME...")
@click.option("--all", "everything", is_flag=True, help="All that have a recipe for it.")
@click.option("--prebuilt", is_flag=True, help="Ready-made, without compiling.")
@click.option("--source", is_flag=True, help="From source and nothing else.")
@click.option("--force", is_flag=True, help="Also what is there already.")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Processes that compile at a time (default: one a core).")
@click.option(
    "--time", "seconds", type=SECONDS, metavar="SECONDS", help="Limit on the elapsed time of each build; 1800 unless told."
)
def install(
    names: Sequence[str], everything: bool, prebuilt: bool, source: bool, force: bool, jobs: int | None, seconds: float | None
) -> int:
    from cnfgen_puzzles.solving.install import PATIENCE, Ways

    if prebuilt and source:
        raise click.UsageError("--prebuilt and --source exclude each other")
    if bool(names) == everything:
        raise click.UsageError("name what is to be installed, or say --all")
    solvers = [solver for solver in load_solvers().values() if solver.build] if everything else _known(names)
    ways = Ways(
        source=not prebuilt, ready_made=not source, jobs=jobs or len(os.sched_getaffinity(0)), seconds=seconds or PATIENCE
    )  # fmt: skip
    failed = [solver.name for solver in solvers if not _install(solver, ways, force)]
    if failed and len(solvers) > 1:
        say(f"not installed: {', '.join(failed)}", err=True)
    return int(bool(failed))


def _install(solver: Solver, ways: Ways, force: bool) -> bool:
    """Whether it is installed now."""
    from cnfgen_puzzles.evidence.selftest import fault_of
    from cnfgen_puzzles.solving.install import install

    with Ticker() as ticker:
        ticker.show(solver.name)

        def tell(line: str) -> None:
            with ticker.aside():
                say(f"{solver.name}: {line}")

        if solver.licence and solver.licence != "MIT":
            tell(f"its licence: {solver.licence}")
        try:
            program = install(
                solver, executables.home(), say=tell, works=lambda path: fault_of(solver, path), ways=ways, force=force
            )
        except CnfgenError as error:
            first, *log = str(error).splitlines()
            for line in (f"{solver.name}: NOT INSTALLED: {first}", *(f"  {line.strip()}" for line in log)):
                ticker.say(line)
            return False
        try:
            if (used := table.find_program(solver)) is not None and used.program != program:
                tell(f"but {used.program} is run in its place ({used.title} goes before it)")
        except InputError as error:
            tell(f"but it is not run: {error}")
    return True


@COMMAND.command(help="Remove what `cnf-solvers install` has installed. A run that is under way goes on to its end.")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
def remove(names: Sequence[str]) -> int:
    from cnfgen_puzzles.solving.install import remove

    home, missing = executables.home(), 0
    for solver in _known(names):
        if remove(solver, home, lambda line, name=solver.name: say(f"{name}: {line}")):  # type: ignore[misc]  # a default in a lambda
            say(f"{solver.name}: removed from {home / 'bin'}")
            continue
        missing += 1
        try:
            place = table.find_program(solver)
        except InputError:
            place = None
        other = f"; {place.program} is not this command's to remove ({place.title})" if place else ""
        say(f"{solver.name}: not installed in {home / 'bin'}{other}", err=True)
    return 2 if missing else 0


def _known(names: Iterable[str]) -> list[Solver]:
    """The solvers of these names, each once; InputError before anything is done if there is one that nobody knows."""
    for name in names:
        if "/" in name:
            raise InputError(f"found the path {name!r}, expected the name of a solver (`cnf-solvers list` has them)")
    return [find_solver(name) for name in dict.fromkeys(names)]


@COMMAND.command(
    help="""What this machine has, what each thing is good for, and how to get what is missing.

    Solvers and checkers are tried, under limits: one that is `broken` is there and fails. Exits with 0 if a puzzle can be
    solved and its proof checked, else with 1 and the one command that helps on the last line.""",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def doctor(as_json: bool) -> int:
    from cnfgen_puzzles.cli.doctor import examine  # it looks at everything, and the other commands start without that

    return examine(as_json)
