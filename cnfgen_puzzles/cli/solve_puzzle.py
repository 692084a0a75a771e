"""solve-puzzle: the whole pipeline in one command. The options become a request (`pipeline/request.py`), which `pipeline/api.py`
answers."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

import click

from cnfgen_puzzles.cli.boards import JSON, PICTURES, Display, view_options, view_options_named
from cnfgen_puzzles.cli.certificates import certificate_params, certificate_wanted, tell_certificate
from cnfgen_puzzles.cli.common import (
    EXIT_CODES,
    EXIT_HELP,
    INTERRUPTED,
    SECONDS,
    FileName,
    Name,
    SectionedCommand,
    checker_param,
    engine_help,
    engine_summaries,
    limit_params,
    say,
    solver_titles,
    version_option,
)
from cnfgen_puzzles.cli.families import FamilyGroup, encoding_section, examples, puzzle_sections, read_named
from cnfgen_puzzles.cli.progress import Ticker
from cnfgen_puzzles.cli.solve.requests import solve_request_named
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.families import Family, Puzzle
from cnfgen_puzzles.pipeline.answer import Outcome, Uniqueness
from cnfgen_puzzles.pipeline.api import solve_request, unique_request
from cnfgen_puzzles.pipeline.portfolio import AUTO
from cnfgen_puzzles.pipeline.request import ADDED_AT_ONCE, CEGAR_SOLVER
from cnfgen_puzzles.pipeline.symmetries import UP_TO
from cnfgen_puzzles.solving.incremental import SOLVERS as INCREMENTAL

# -- options --------------------------------------------------------------------------------------------------------------


def family_command(family: Family) -> click.Command:
    return SectionedCommand(
        family.name,
        callback=lambda **values: solve_puzzle(family, values),
        help=f"Solve {family.summary} and show the board.",
        short_help=family.summary,
        sections={
            **puzzle_sections(family, " Without --generate that of the solver.", several=True),
            **encoding_section(family),
            "Answer": answer_params(),
            "Evidence": evidence_params(),
            "Solver and limits": solver_params(family),
            **pieces_section(family),
            "Search for all boards": enumeration_params(),
            "Collections": collection_params(),
            "Output": [*view_options(family), click.Option(["--quiet", "-q"], is_flag=True, help="No measurements.")],
        },
        examples=examples("solve-puzzle", family, "", "--unique", f"-o board{picture_of(family)}"),
        closing=EXIT_HELP,
    )


def picture_of(family: Family) -> str:
    """The ending of a file in which a board is shown as well as can be."""
    suffixes = [view.suffix for view in family.views.values()]
    return next((suffix for suffix in PICTURES if suffix in suffixes), ".txt")


def answer_params() -> list[click.Parameter]:
    """What is asked for besides one board."""
    return [
        click.Option(["--unique", "-u"], is_flag=True, help="Tell whether the board is the only one; if not, show a second."),
        click.Option(["--all", "-a", "all_boards"], is_flag=True, help="Show all boards, each as it is found."),
        click.Option(["--count", "-c"], is_flag=True, help="Tell how many boards there are."),
        click.Option(["--limit"], type=click.IntRange(min=1), metavar="N", help="Stop after N boards. [--all, --count]"),
        click.Option(
            ["--up-to"],
            type=Name("convention", UP_TO),
            metavar="WHAT",
            help=f"Which boards are one. {'; '.join(f'{name}: up to {told}' for name, told in UP_TO.items())}. [--all, --count]",
        ),
        click.Option(["--raw"], is_flag=True, help="Tell symmetric boards apart: --up-to nothing. [--all, --count]"),
    ]


def evidence_params() -> list[click.Parameter]:
    """What an answer must rest on."""
    return [
        click.Option(
            ["--no-proof"], is_flag=True, help="Take 'none' and 'the only one' on the solver's word: no proof is checked."
        ),
        click.Option(
            ["--certify"], is_flag=True, help="'None' and 'the only one' need a checked proof, however long that takes."
        ),
        checker_param(),
        *certificate_params(),
    ]


def solver_params(family: Family) -> list[click.Parameter]:
    """--solver, its seed, and limits."""
    by_pieces = family.refinement is not None

    def names() -> dict[str, str]:
        return solver_titles() | (dict.fromkeys(INCREMENTAL, "python-sat's") if by_pieces else {})

    taken = " Also --seed, without --generate." if family.generators else ""
    seeds = ["--solver-seed"] if family.generators else ["--seed", "--solver-seed"]
    return [
        click.Option(
            ["--solver", "-s"],
            type=Name("solver", names, others=True),
            multiple=True,
            metavar="SOLVER",
            help=solver_help(family),
        ),
        click.Option([*seeds, "solver_seed"], type=int, metavar="N", help=f"Seed for the solver's random choices.{taken}"),
        *limit_params(),
    ]


SEVERAL = "Several with commas between them work side by side: the first checked answer counts."


def solver_help(family: Family) -> str:
    """What --solver takes."""
    if family.refinement is None:
        return (
            f"One of `run-cnf --list`, such as 'kissat --sat'. {SEVERAL} [{AUTO}: the best that is there, joined after a second]"
        )
    listed = ", ".join(INCREMENTAL)
    return f"One of python-sat's ({listed}), or of `run-cnf --list`, run anew each round. {SEVERAL} [{CEGAR_SOLVER}]"


def pieces_section(family: Family) -> dict[str, list[click.Parameter]]:
    """What the loop takes, for a family whose puzzles are solved piece by piece."""
    if family.refinement is None:
        return {}
    pieces, choices = family.refinement.pieces, dict(family.refinement.choices)
    listed = "; ".join(f"{name}: {summary}" for name, summary in choices.items())
    which = f"Which {pieces} of those that fail. {listed}."
    params: list[click.Parameter] = [
        click.Option(["--add"], type=click.IntRange(min=1), metavar="K", help=f"Add so many {pieces} a round. [{ADDED_AT_ONCE}]"),
        click.Option(["--choose"], type=Name(f"choice of {pieces}", choices), metavar="NAME", help=which),
        click.Option(["--search"], type=SECONDS, metavar="SECONDS", help="Before the solver, look for a board by local search."),
        click.Option(
            [f"--{pieces}-out", "pieces_out"],
            type=FileName(),
            metavar="FILE",
            help=f"Write the {pieces} that suffice for the answer.",
        ),
    ]
    return {f"Solving by some of the {pieces}": params}


def enumeration_params() -> list[click.Parameter]:
    """How --all and --count search."""
    return [
        click.Option(
            ["--engine"],
            type=Name("engine", engine_summaries, others=True),
            metavar="ENGINE",
            help=engine_help(),
        ),
        click.Option(
            ["--jobs", "-j"], type=click.IntRange(min=1), metavar="N", help="Processes side by side; by default one a core."
        ),
        click.Option(
            ["--state"],
            type=click.Path(file_okay=False),
            metavar="FOLDER",
            help="Keep what is done here, so that the same command continues it.",
        ),
        click.Option(["--scheduler"], metavar="ADDRESS", help="Search on the workers of this Dask scheduler."),
    ]


def collection_params() -> list[click.Parameter]:
    """What goes with several files, folders and files of several puzzles."""
    return [
        click.Option(
            ["--jsonl"],
            type=FileName(),
            metavar="FILE",
            help="Answer every puzzle of the files and folders by a line of JSON in FILE (-: standard output); the same command "
            "goes on where it was ended. Also with --unique, --count, --jobs, limits for each.",
        ),
    ]


def settle_seed(values: dict[str, Any]) -> None:
    """--seed is that of the puzzle with --generate, and else of the solver; --solver-seed always of the solver."""
    if values.get("generate") or values.get("seed") is None:
        return
    if values["solver_seed"] is not None:
        raise InputError("found --seed and --solver-seed without --generate, expected one of them")
    values["solver_seed"], values["seed"] = values["seed"], None


def check_options(family: Family, values: dict[str, Any]) -> None:
    """Options that contradict each other are a mistake."""
    given = {name for name, value in values.items() if value not in (None, False)}
    if {"all_boards", "count"} <= given:
        raise InputError("found --all and --count: --all tells the number, too")
    loop = {"add": "--add", "choose": "--choose", "search": "--search", "pieces_out": "--...-out"}
    if given & {"all_boards", "count"}:
        names = ["unique", "certify", "no_proof", "checker"]
        names += ["limit", "state", "scheduler"] if "certificate" in given and values["count"] else []
        names += ["certificate", "replace_certificate"] if not values["count"] else []
        single = {name: f"--{name.replace('_', '-')}" for name in names}
        single["solver_seed"] = "--seed"
        for name, option in (single | loop).items():
            if name in given:
                which = "--count --certificate" if name in ("limit", "state", "scheduler") else "--all or --count"
                raise InputError(f"{option} does not go with {which}")
        if "keep_proofs" in given and "certificate" not in given:
            raise InputError("found --keep-proofs without --certificate")
        if values["count"] and values["view"] not in (None, JSON):
            raise InputError(f"--as {values['view']} shows boards; --count only tells how many there are")
        return
    for name in ("raw", "up_to", "engine", "jobs", "state", "scheduler", "limit", "keep_proofs"):
        fits = (name == "state" and family.refinement is not None) or (name == "jobs" and is_collection(values))
        if name in given and not fits:
            raise InputError(f"--{name.replace('_', '-')} needs --all or --count")
    if {"certificate", "no_proof"} <= given:
        raise InputError("found --certificate and --no-proof: a certificate needs the proof")
    if "replace_certificate" in given and "certificate" not in given:
        raise InputError("found --replace-certificate without --certificate")
    if {"certify", "no_proof"} <= given:
        raise InputError("found --certify and --no-proof, expected one of them")
    if {"checker", "no_proof"} <= given:
        raise InputError("found --checker and --no-proof, expected one of them")
    if {"search", "unique"} <= given:
        raise InputError("--search finds one board, it does not go with --unique")


def is_collection(values: dict[str, Any]) -> bool:
    """Whether the call is for a collection: several files, a folder, or a file of answers."""
    files = values["file"]
    return len(files) > 1 or values["jsonl"] is not None or (len(files) == 1 and os.path.isdir(files[0]))


# -- one board, or whether it is the only one -------------------------------------------------------------------------------


def solve_puzzle(family: Family, values: dict[str, Any]) -> int:
    """Do what the user asked for; the exit code."""
    settle_seed(values)
    named = values["solver"]
    values["solver"] = named if len(named) > 1 else next(iter(named), None)
    check_options(family, values)
    if is_collection(values):
        from cnfgen_puzzles.cli.solve.collection import solve_collection  # loads all that counts and distributes

        return solve_collection(family, values)
    values["file"] = next(iter(values["file"]), None)
    display = Display(family, values["view"], values["output"], **view_options_named(family, values))
    if values["all_boards"] or values["count"]:
        from cnfgen_puzzles.cli.solve.allboards import enumerate_boards  # loads all that counts

        return enumerate_boards(family, display, values)
    order = certificate_wanted(family, values)
    puzzle = read_named(family, values)
    request = replace(solve_request_named(family, values), puzzle=puzzle, certificate=order)
    ask = unique_request if values["unique"] else solve_request
    with Ticker() as ticker:
        if family.refinement is None:
            answer: Outcome | Uniqueness | None = ask(request)
        else:
            from cnfgen_puzzles.cli.solve.cegar import answer_by_cegar  # only for families that need it

            answer = answer_by_cegar(ask, request, values, ticker)
    if answer is None:
        return INTERRUPTED
    tell(answer, puzzle, display, quiet=values["quiet"])
    if order is not None:
        tell_certificate(order, quiet=values["quiet"])
    if answer.mus is not None and answer.mus.interrupted:
        return INTERRUPTED
    return 1 if answer.failed else EXIT_CODES[answer.status]


def tell(answer: Outcome | Uniqueness, puzzle: Puzzle, display: Display, *, quiet: bool) -> None:
    """The boards, what is true of the puzzle, and what was measured."""
    if display.view is None:
        display.write_json(answer.to_json())
    else:
        display.show(puzzle, answer.boards)
        if isinstance(answer, Uniqueness) or not answer.boards:  # a board speaks for itself
            say(answer.sentence(), err=display.takes_stdout)
        if answer.mus is not None:
            display.show_contradiction(answer.mus)
    for alarm in answer.alarms:
        say(f"ALARM: {alarm}", err=True)
    if not quiet:
        for line in answer.measured():
            say(line, err=True)


COMMAND = FamilyGroup(
    "solve-puzzle",
    make=family_command,
    help="""Solve a puzzle: encode it, run a solver, check the answer and show the board.

    The family is guessed from FILE where it is not named. Puzzles also come by options (tiling --board ... --pieces ...) and at
    random (--generate ...).""",
    examples=[
        "solve-puzzle cat.nin",
        "solve-puzzle cat.nin --unique --certify",
        "solve-puzzle cat.nin --solver cadical -o cat.svg",
        "solve-puzzle cat.nin --solver 'kissat --sat,minisat-core'",
        "solve-puzzle nonogram --generate blobs --size 15 --seed 7",
        "solve-puzzle tiling --board 6x10 --pieces pentominoes --count",
        "solve-puzzle tiling --board 3x20 --pieces pentominoes --all -o sheet.svg",
    ],
)
version_option(COMMAND)
