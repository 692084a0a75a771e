"""solve-puzzle: solve, count, and enumerate puzzles. Its options become a request for `pipeline/api.py`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import click

from cnfgen_puzzles.cli.app import say, say_lines
from cnfgen_puzzles.cli.boards import JSON, PICTURES, Display, view_options
from cnfgen_puzzles.cli.certificates import certificate_params, order_certificate, report_certificate
from cnfgen_puzzles.cli.errors import EXIT_HELP, FAILED, INTERRUPTED, exit_code_of
from cnfgen_puzzles.cli.families import (
    FamilyGroup,
    Sections,
    choose_encoding,
    choose_puzzle,
    encoding_section,
    examples,
    puzzle_sections,
)
from cnfgen_puzzles.cli.help import DocumentedCommand, option_word
from cnfgen_puzzles.cli.params import (
    COUNT,
    EXIT_CODE,
    JOBS,
    LIMITS,
    FileName,
    Name,
    checker_param,
    engine_help,
    engine_summaries,
    flag,
    param,
    pick_given,
    setting_param,
    solver_titles,
)
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.sources import Source, open_source
from cnfgen_puzzles.families import Family, Puzzle
from cnfgen_puzzles.families.detection import addresses_of
from cnfgen_puzzles.pipeline.answer import UNIQUE, Answer
from cnfgen_puzzles.pipeline.api import solve_request
from cnfgen_puzzles.pipeline.instance import UP_TO
from cnfgen_puzzles.pipeline.portfolio import AUTO
from cnfgen_puzzles.pipeline.request import ADDED_AT_ONCE, CEGAR_SOLVER, NEED_PROOF, CountRequest, SolveRequest, settings_of
from cnfgen_puzzles.solving.incremental import SOLVERS as INCREMENTAL
from cnfgen_puzzles.solving.process import Limits

# -- options --------------------------------------------------------------------------------------------------------------

SOLVES, COUNTS = settings_of(SolveRequest), settings_of(CountRequest)
LISTS = "[--all, --count]"
ANSWER: list[click.Parameter] = [
    flag("--unique", "-u", help="Determine whether the solution is unique; if not, show a second one."),
    flag("--all", "-a", "all_boards", help="Show all solutions as they are found."),
    flag("--count", "-c", help="Count the solutions."),
    setting_param(COUNTS["most"], "--limit", note=LISTS),
    setting_param(COUNTS["up_to"], "--up-to", note=LISTS, type=Name("convention", UP_TO), metavar="WHAT"),
    setting_param(COUNTS["raw"], "--raw", note=LISTS),
]
EVIDENCE = [
    flag("--no-proof", help="Do not check proofs: 'no solution' and 'unique' are not independently verified."),
    setting_param(SOLVES["certify"], "--certify"),
    checker_param(),
    *certificate_params(),
]
ENUMERATION: list[click.Parameter] = [
    param("--engine", type=Name("engine", engine_summaries, others=True), metavar="ENGINE", help=engine_help()),
    setting_param(COUNTS["jobs"], "--jobs", "-j", type=JOBS),
    setting_param(COUNTS["state"], "--state"),
    param("--scheduler", metavar="ADDRESS", help="Run the search on the workers of this Dask scheduler."),
]
COLLECTION: list[click.Parameter] = [
    param(
        "--jsonl",
        type=FileName(),
        help="Write one JSON line for each puzzle of the files and folders (-: to standard output). The same command resumes an "
        "interrupted one. Accepts --unique, --count, --jobs, and limits for each puzzle.",
    ),
    flag("--contradictions", help="Also list contradictory clues of puzzles without a solution, as for a single puzzle."),
]


COMMON = (
    "--known",
    "--generate",
    "--unique",
    "--all",
    "--count",
    "--certify",
    "--certificate",
    "--solver",
    "--time",
    "--as",
    "--output",
)
"""The options that `--help` shows for every family."""


def family_command(family: Family) -> click.Command:
    suffixes = [view.suffix for view in family.views.values()]
    picture = next((suffix for suffix in PICTURES if suffix in suffixes), ".txt")
    return DocumentedCommand(
        family.name,
        callback=lambda **values: solve_puzzle(family, values),
        help=f"Solve {family.summary} and show the solution.",
        short_help=family.summary,
        sections={
            **puzzle_sections(family, " Without --generate, set the seed of the solver.", several=True),
            **encoding_section(family),
            "Answer": ANSWER,
            "Evidence": EVIDENCE,
            **solver_sections(family),
            "Counting and enumerating": ENUMERATION,
            "Collections": COLLECTION,
            "Output": [
                *view_options(family),
                flag("--quiet", "-q", help="Do not print measurements."),
                flag("--open", "open_page", help="Open the puzzle in the browser page of this checkout (`make page`)."),
                EXIT_CODE,
            ],
        },
        common=COMMON,
        examples=examples("solve-puzzle", family, "", "--unique", f"-o board{picture}"),
        closing=EXIT_HELP,
    )


def solver_sections(family: Family) -> Sections:
    """--solver, its seed, and limits; and the options of the CEGAR loop, for a family that uses it."""
    loop = family.refinement
    several = "Several, separated by commas, run as a portfolio: the first checked answer counts."
    default = f"By default ({AUTO}) the best installed solver starts, and others join after a second."
    solver = f"Use this solver of `run-cnf --list`, such as kissat or 'kissat --sat'. {several} {default}"
    if loop is not None:
        listed = ", ".join(INCREMENTAL)
        solver = f"Use this solver of python-sat ({listed}), or one of `run-cnf --list`, restarted in each round."
        solver += f" {several}  [default: {CEGAR_SOLVER}]"

    def titles() -> dict[str, str]:
        return solver_titles() | ({} if loop is None else dict.fromkeys(INCREMENTAL, "in python-sat"))

    seeds = ["--solver-seed"] if family.generators else ["--seed", "--solver-seed"]
    seed = "Without --generate, --seed does the same." if family.generators else ""
    sections: Sections = {
        "Solver and limits": [
            param("--solver", "-s", type=Name("solver", titles, others=True), multiple=True, metavar="SOLVER", help=solver),
            setting_param(SOLVES["seed"], *seeds, note=seed, into="solver_seed"),
            *LIMITS,
        ]
    }
    if loop is not None:
        pieces = loop.noun
        sections["CEGAR loop"] = [
            param("--add", type=COUNT, metavar="K", help=f"Add K {pieces} in each round.  [default: {ADDED_AT_ONCE}]"),
            param(
                f"--{pieces}-out", "pieces_out", type=FileName(), help=f"Write the {pieces} that the formula contains in the end."
            ),
        ]
    return sections


ALONE = (
    "all_boards", "certificate", "exit_code", "generate", "keep_proofs", "open_page", "output", "pieces_out",
    "replace_certificate", "scheduler", "state", "view",
)  # fmt: skip
"""Options for a single puzzle."""
NAMES = {"all_boards": "all", "most": "limit", "open_page": "open", "view": "as", "pieces_out": "...-out"}
"""Options by the names of their values, if these differ."""

SOLVING = ("unique", "certify", "no_proof", "contradictions", "solver_seed", "add", "pieces_out")
COUNTING = ("raw", "up_to", "engine", "jobs", "state", "scheduler", "most", "keep_proofs")
"""Options for a solution, and for all solutions; the former do not go with --all and --count, and the latter need them."""


def check_options(family: Family, values: Mapping[str, Any], collection: bool) -> None:
    """InputError for options of another question than the one that is asked. The requests refuse settings that conflict."""
    given = {name for name, value in values.items() if value not in (None, False)}

    def refuse(names: Iterable[str], message: str) -> None:
        for name in filter(given.__contains__, names):
            raise InputError(message.format(option_word("seed" if name == "solver_seed" else NAMES.get(name, name))))

    if "no_proof" in given:
        refuse(NEED_PROOF, "found {} and --no-proof, expected one of them")
    if "certificate" not in given:
        refuse(["replace_certificate"], "found {} without --certificate")
    if not given & {"all_boards", "count"}:
        if not collection:
            refuse(["contradictions"], "{} is for several puzzles; for one puzzle, contradictory clues are always listed")
        allowed = {"state": family.refinement is not None, "jobs": collection}
        refuse([name for name in COUNTING if not allowed.get(name)], "{} needs --all or --count")
        return
    if {"all_boards", "count"} <= given:
        raise InputError("found --all and --count, expected one of them: --all prints the number, too")
    refuse(SOLVING, "{} cannot be combined with --all or --count")
    if values["all_boards"]:
        refuse(["certificate"], "{} cannot be combined with --all")
    if "certificate" in given:
        refuse(["most", "state", "scheduler"], "{} cannot be combined with --count --certificate")
    else:
        refuse(["keep_proofs", "checker"], "found {} without --certificate")
    view, output = values["view"], values["output"]
    if values["count"] and view not in (None, JSON):
        raise InputError(f"--as {view} shows solutions, but --count prints only their number; omit --as, or use --all")
    if values["count"] and view is None and output not in (None, "-") and not output.endswith(".json"):
        raise InputError("--count prints only a number; use --as json with -o, or --all", source=output)


# -- requests --------------------------------------------------------------------------------------------------------


def make_request(family: Family, values: Mapping[str, Any]) -> SolveRequest | CountRequest:
    """The request of the options, without a puzzle and without a certificate."""
    counts = values["all_boards"] or values["count"]
    given = {name: values[name] for name in (COUNTS if counts else SOLVES) if values.get(name) is not None} | {
        "options": choose_encoding(family, values),
        "limits": Limits(cpu=values["cpu"], wall=values["wall"], memory=values["memory"]),
    }
    if counts:
        return CountRequest(family=family, listed=values["all_boards"], **given)
    given |= {"seed": values["solver_seed"], "certificate": None, "unique": values["unique"], "proof": not values["no_proof"]}
    return SolveRequest(family=family, **given)


def solve_puzzle(family: Family, values: dict[str, Any]) -> int:
    """Run the command and return its exit code."""
    if not values.get("generate") and values.get("seed") is not None:  # then it is the seed of the solver
        if values["solver_seed"] is not None:
            raise InputError("found --seed and --solver-seed without --generate, expected one of them")
        values["solver_seed"], values["seed"] = values["seed"], None
    paths, quiet = values["file"], values["quiet"]
    context = click.get_current_context()
    collection = len(paths) > 1 or values["jsonl"] is not None or any(map(os.path.isdir, paths))
    if paths and not collection and "url" in family.formats and values["number"] is None:
        context.obj = context.find_object(Source) or open_source(paths[0])
        collection = len(addresses_of(context.obj)) > 1
    opened = {paths[0]: found} if paths and (found := context.find_object(Source)) else {}
    check_options(family, values, collection)
    values["solver"] = () if values["solver"] == (AUTO,) and collection else values["solver"]
    request = make_request(family, values)
    if collection:
        for name in filter(values.get, ALONE):
            raise InputError(f"{option_word(NAMES.get(name, name))} is for one puzzle, but there are several")
        from cnfgen_puzzles.cli.solve.collection import solve_collection  # loads counting and workers

        if isinstance(request, SolveRequest):
            request = replace(request, mus=values["contradictions"])
        options = pick_given(values, family.options)
        return solve_collection(
            request,
            paths,
            options,
            jsonl=values["jsonl"],
            jobs=values["jobs"],
            quiet=quiet,
            opened=opened,
        )
    values["file"] = next(iter(paths), None)
    display = Display(family, values)
    choice = choose_puzzle(family, values)
    order = order_certificate(choice, values)
    puzzle = choice.read()
    if values["open_page"]:
        from cnfgen_puzzles.cli.playpage import open_page  # loads a web server

        return open_page(family, puzzle)
    if isinstance(request, CountRequest):
        from cnfgen_puzzles.cli.solve import allboards  # loads counting

        request = replace(request, puzzle=puzzle)
        if order is None:
            return allboards.enumerate_boards(
                request, display, scheduler=values["scheduler"], quiet=quiet, as_solvers=values["exit_code"]
            )
        keep, checker = values["keep_proofs"], values["checker"]
        return allboards.certify_boards(
            request, order, display, keep=keep, checker=checker, quiet=quiet, as_solvers=values["exit_code"]
        )
    request = replace(request, puzzle=puzzle, certificate=order)
    if not family.uses_cegar(request.encoding):
        answer: Answer | None = solve_request(request)
    else:
        from cnfgen_puzzles.cli.solve.cegar import answer_by_cegar  # only for families that need it

        answer = answer_by_cegar(request, values["pieces_out"])
    if answer is None:
        return INTERRUPTED
    show_answer(answer, puzzle, display, quiet=quiet)
    if order is not None:
        report_certificate(order, quiet=quiet)
    if answer.mus is not None and answer.mus.interrupted:
        return INTERRUPTED
    return FAILED if answer.failed else exit_code_of(answer.status, as_solvers=values["exit_code"])


def show_answer(answer: Answer, puzzle: Puzzle, display: Display, *, quiet: bool) -> None:
    """Print the boards, the verdict, and the measurements."""
    if display.view is None:
        display.write_json(answer.to_json())
    else:
        display.show_boards(puzzle, answer.boards)
        if answer.kind == UNIQUE or not answer.boards:  # a board needs no sentence
            say_lines(answer.sentence(), err=display.takes_stdout)
        if answer.remark:
            say_lines(answer.remark, err=display.takes_stdout)
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
    help="""Solve a puzzle: encode it, run a solver, check the answer, and show the solution.

    Without FAMILY, the family is detected from FILE. Options define puzzles as well (tiling --board ... --pieces ...), and
    --generate makes random ones.""",
    examples=[
        "solve-puzzle sample:cat",
        "solve-puzzle sample:cat --unique --certify",
        "solve-puzzle slither/5/5/cbcbcddad --unique",
        "solve-puzzle sample:cat --solver glucose -o cat.svg",
        "solve-puzzle sample:cat --solver 'kissat --sat,glucose'",
        "solve-puzzle nonogram --generate blobs --size 15 --seed 7",
        "solve-puzzle tiling --board 6x10 --pieces pentominoes --count",
        "solve-puzzle tiling --board 3x20 --pieces pentominoes --all -o sheet.svg",
    ],
)
