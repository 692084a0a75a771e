"""cnf-solvers: list, check, install, and remove solvers and proof checkers, with or without a checkout.

`doctor` (the whole machine) has its own module.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import click

from cnfgen_puzzles.cli.app import say, say_lines, table_of, version_option
from cnfgen_puzzles.cli.help import DocumentedGroup
from cnfgen_puzzles.cli.params import SECONDS
from cnfgen_puzzles.common.activity import doing
from cnfgen_puzzles.common.cores import usable_cores
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.solving import executables, table
from cnfgen_puzzles.solving.executables import UNKNOWN_VERSION
from cnfgen_puzzles.solving.table import Solver, find_solver, load_solvers

COMMAND = DocumentedGroup(
    "cnf-solvers",
    help=f"""List, check, install, and remove solvers and proof checkers.

    Programs are installed into the data folder of the user (in a checkout: its solvers/), or into the folder that
    ${executables.FOLDER} names. Root rights are not needed.""",
    examples=[
        "cnf-solvers list",
        "cnf-solvers install kissat drat-trim",
        "cnf-solvers where kissat",
        "cnf-solvers check",
    ],
)
version_option(COMMAND)
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


# -- list -------------------------------------------------------------------------------------------------------------------


@COMMAND.command(
    "list",
    help="List all solvers and checkers, with version, kind, format of proofs, origin, and program, or how to install it.",
)
@click.option("--licenses", is_flag=True, help="List the license and the home page of each.")
@JSON
def list_solvers(licenses: bool, as_json: bool) -> None:
    solvers = load_solvers().values()
    if as_json:
        say_lines(json.dumps([_entry(solver) for solver in sorted(solvers, key=lambda solver: solver.name)], indent=2))
        return
    if licenses:
        rows = [[solver.name, solver.licence, solver.website] for solver in solvers]
        say_lines(table_of(rows, ["name", "license", "website"], disable_numparse=True))
    else:
        say_lines(table_of_solvers())


def table_of_solvers() -> str:
    """All solvers and checkers: version, kind, format of proofs, origin, and program."""
    rows = [_row(_entry(solver)) for solver in load_solvers().values()]
    return table_of(rows, ["name", "version", "what", "proofs", "from", "program, or how to get it"], disable_numparse=True)


def _entry(solver: Solver) -> dict[str, Any]:
    """A solver in the list. An error of one solver is in its entry and does not affect the others."""
    kind = "checker" if solver.kind == "checker" else "parallel solver" if solver.parallel else "solver"
    entry = {
        "name": solver.name, "kind": kind, "installed": False, "version": "", "origin": "", "program": "", "proofs": "",
        "license": solver.licence, "website": solver.website, "note": "", "error": "", "help": "",
    }  # fmt: skip
    entry |= {"proofs": solver.proof_format} if kind != "checker" else {}
    try:
        if solver.fault is not None:
            raise solver.fault
        place = table.find_program(solver)
    except CnfgenError as fault:
        return entry | {"origin": "wrong", "error": str(fault)}
    if place is None or place.program is None:
        return entry | {"help": table.how_to_get(solver)}
    program = place.title if place.kind == table.MODULE else str(place.program)
    entry |= {"installed": True, "origin": place.kind, "program": program}
    try:
        return entry | {"version": solver.version_line(place.program), "note": _remark(solver, place)}
    except CnfgenError as error:
        return entry | {"version": UNKNOWN_VERSION, "error": str(error)}


def _row(entry: Mapping[str, Any]) -> list[str]:
    """The entry as a row of the table."""
    if not entry["installed"]:
        last = entry["error"] or f"not installed: {entry['help']}"
    else:
        last = f"{entry['program']}; DOES NOT RUN: {entry['error']}" if entry["error"] else entry["program"]
        last += f" ({entry['note']})" if entry["note"] else ""
    return [entry["name"], entry["version"], entry["kind"], entry["proofs"], entry["origin"], last]


def _remark(solver: Solver, place: table.Place) -> str:
    """A note about an installed program."""
    from cnfgen_puzzles.solving.install import is_current

    if place.kind != table.INSTALLED or place.program is None or not solver.build:
        return ""
    if not is_current(solver, place.program.parent.parent):
        return f"from an older recipe; `cnf-solvers install {solver.name}` updates it"
    return ""


@COMMAND.command(help="Show which program runs as NAME.")
@click.argument("name")
@JSON
def where(name: str, as_json: bool) -> int:
    solver = find_solver(name)
    used, places, fault = None, [], None
    try:
        for place in table.search_program(solver):
            used = used or place.program
            program = str(place.program) if place.program else None
            places.append({"place": place.title, "program": program, "used": program is not None and place.program is used})
    except InputError as error:
        fault = error
    if as_json:
        say_lines(json.dumps({"name": name, "program": used and str(used), "places": places}, indent=2))
    else:
        for number, each in enumerate(places, start=1):
            mark = " <- used" if each["used"] else " (not used)" if each["program"] else ""
            program = "" if each["place"] == each["program"] else f": {each['program'] or 'nothing'}"
            say(f"{number}. {each['place']}{program}{mark}")
        if fault is not None:
            say(f"the search ends here: {fault}")
        elif used is None:
            say(f"{name} is not installed: {table.how_to_get(solver)}")
    return 0 if used is not None else fault.exit_code if fault is not None else 1


@COMMAND.command(help="Test solvers and checkers on known formulas.\n\nWithout NAME, test all installed ones.")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@JSON
def check(names: Sequence[str], as_json: bool) -> int:
    from cnfgen_puzzles.evidence.selftest import check_all, table

    reports = list(check_all(map(find_solver, names) if names else load_solvers().values()))
    say_lines(json.dumps([report.to_json() for report in reports], indent=2) if as_json else table(reports))
    return int(any(report.failures for report in reports) or not any(report.found for report in reports))


# -- add, install, and remove ---------------------------------------------------------------------------------------------------


@COMMAND.command(
    help="""Add a version of a known solver, which `install` builds from your archive.

    Command line and build steps are those of SOLVER. The entry is in your solver file, and a copy of the archive is kept."""
)
@click.argument("name")
@click.option("--from", "archive", required=True, metavar="ARCHIVE", help="The sources: a tar or zip file, or its URL.")
@click.option("--like", required=True, metavar="SOLVER", help="The solver with the same command line and build steps.")
@click.option("--force", is_flag=True, help="Replace the entry of this name in the solver file.")
def add(name: str, archive: str, like: str, force: bool) -> None:
    from cnfgen_puzzles.solving.adding import add_solver

    version = add_solver(name, find_solver(like), archive, executables.home(), force=force)
    say(f"{name}: version {version} is added to {executables.user_file()}; build it with `cnf-solvers install {name}`")


@COMMAND.command(
    help="""Install solvers and checkers.

    They are built from source. The checksums of sources are verified. Each program is tested on formulas with known answers
    first. If one fails, the others are installed, and the exit code is 1."""
)
@click.argument("names", nargs=-1, metavar="NAME...")
@click.option("--all", "everything", is_flag=True, help="Install all solvers and checkers.")
@click.option("--force", is_flag=True, help="Reinstall installed programs.")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Compile with N processes; by default one per core.")
@click.option("--time", "seconds", type=SECONDS, metavar="SECONDS", help="Limit the elapsed time of each build.  [default: 1800]")
def install(names: Sequence[str], everything: bool, force: bool, jobs: int | None, seconds: float | None) -> int:
    if bool(names) == everything:
        raise click.UsageError("expected names of solvers, or --all")
    solvers = [solver for solver in load_solvers().values() if solver.build] if everything else _known(names)
    failed = [solver.name for solver in solvers if not _install(solver, force, jobs or len(usable_cores()), seconds)]
    if failed and len(solvers) > 1:
        say(f"not installed: {', '.join(failed)}", err=True)
    return int(bool(failed))


def _install(solver: Solver, force: bool, jobs: int, seconds: float | None) -> bool:
    """Install a solver; whether it is installed now."""
    from cnfgen_puzzles.evidence.selftest import fault_of
    from cnfgen_puzzles.solving.install import PATIENCE, install

    def report(line: str, *, err: bool = False) -> None:
        say(f"{solver.name}: {line}", err=err)

    with doing(solver.name):
        if solver.licence and solver.licence != "MIT":
            report(f"license: {solver.licence}")
        try:
            program = install(
                solver, executables.home(), say=report, works=lambda path: fault_of(solver, path), force=force, jobs=jobs,
                seconds=seconds or PATIENCE,
            )  # fmt: skip
        except CnfgenError as error:
            first, *log = str(error).splitlines()
            report(f"NOT INSTALLED: {first}", err=True)
            for line in log:
                say(f"  {line.strip()}", err=True)
            return False
        try:
            if (used := table.find_program(solver)) is not None and used.program != program:
                report(f"but {used.program} is used instead, since {used.title} takes precedence")
        except InputError as error:
            report(f"but it is not used: {error}")
    return True


@COMMAND.command(
    help="Remove installed programs.\n\nOnly programs that `cnf-solvers install` installed. Runs in progress finish."
)
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
        other = f"; this command does not remove {place.program} ({place.title})" if place else ""
        say(f"{solver.name}: not installed in {home / 'bin'}{other}", err=True)
    return 2 if missing else 0


def _known(names: Iterable[str]) -> list[Solver]:
    """The named solvers, each once; InputError for an unknown name."""
    for name in names:
        if "/" in name:
            raise InputError(f"found the path {name!r}, expected the name of a solver from `cnf-solvers list`")
    return [find_solver(name) for name in dict.fromkeys(names)]


@COMMAND.command(
    help="""Check the whole installation.

    Lists what works, what it is for, and how to get what is missing. Solvers and checkers run on small formulas under limits;
    `broken` means installed but failing. The exit code is 0 if a puzzle can be solved and its proof checked. Otherwise it is 1,
    and the last line has the command that helps.""",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def doctor(as_json: bool) -> int:
    from cnfgen_puzzles.cli.doctor import examine  # loads many modules

    return examine(as_json)
