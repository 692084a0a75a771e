"""solve-puzzle: the whole road in one command, for a person."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import click

from cnfgen_puzzles.cli.boards import difference_lines, is_picture, show_boards
from cnfgen_puzzles.cli.common import EXIT_CODES, EXIT_HELP, limit_params, run, version_option, write_text
from cnfgen_puzzles.cli.enumerate import enumerate_puzzle, enumeration_params, is_asked_for
from cnfgen_puzzles.cli.families import FamilyGroup, encode_named, encoding_options, file_argument, read_named, reading_options
from cnfgen_puzzles.cli.refine import check_enumeration, refine_puzzle, refinement_params, solver_help
from cnfgen_puzzles.families import Family
from cnfgen_puzzles.pipeline.instance import Instance
from cnfgen_puzzles.pipeline.solve import ONE, SEVERAL, Outcome, Uniqueness, pick_solver, solve, unique
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.record import record_of, usage_of

JSON = "json"


def family_command(family: Family) -> click.Command:
    return click.Command(
        family.name,
        callback=lambda **values: solve_puzzle(family, values),
        help=f"Solve {family.summary} and show the board.\n\n{EXIT_HELP}",
        short_help=family.summary,
        params=[
            file_argument(family),
            click.Option(["--solver", "-s"], metavar="SOLVER", help=solver_help(family)),
            click.Option(["--unique", "-u"], is_flag=True, help="Tell whether the board is the only one; if not, show a second."),
            click.Option(["--certify"], is_flag=True, help="Check a DRAT proof of every 'there is none' with drat-trim."),
            *refinement_params(family),
            *enumeration_params(),
            *reading_options(family),
            *encoding_options(family),
            *limit_params(),
            click.Option(
                ["--as", "view"],
                type=click.Choice([*family.views, JSON]),
                help="How to show the board; by default ansi in a terminal, text elsewhere.",
            ),
            click.Option(["--output", "-o"], metavar="FILE", help="Write the board to this file (a second one beside it)."),
            click.Option(["--quiet", "-q"], is_flag=True, help="No measurements."),
        ],
    )


def solve_puzzle(family: Family, values: dict[str, Any]) -> int:
    """Solve what the user named, show it, and return the exit code."""
    by_pieces = family.refinement is not None
    if is_asked_for(values | ({"state": None} if by_pieces and not (values["all_boards"] or values["count"]) else {})):
        check_enumeration(values)
        return enumerate_puzzle(family, values)
    if by_pieces:
        return refine_puzzle(family, values)
    instance = encode_named(family, read_named(family, values), values)
    solver = pick_solver(values["solver"], proof=values["certify"])
    settings = {
        "limits": Limits(cpu=values["cpu"], wall=values["wall"], memory=values["memory"]),
        "seed": values["seed"],
        "certify": values["certify"],
    }
    answer = unique(instance, solver, **settings) if values["unique"] else solve(instance, solver, **settings)
    outcomes = answer.outcomes if isinstance(answer, Uniqueness) else [answer]
    if values["view"] == JSON:
        write_text(values["output"], json.dumps(as_json(instance, answer, outcomes), indent=2) + "\n")
    else:
        boards = [outcome.board for outcome in outcomes if outcome.board is not None]
        show_boards(family, instance.puzzle, boards, values)
        for line in verdict(instance, answer, outcomes):
            click.echo(line, err=is_picture(values))
    if not values["quiet"]:
        for outcome in outcomes:
            told = f"{outcome.run.solver.name}, {instance.map.encoding}: {outcome.status.lower()}, {usage_of(outcome.run)}"
            click.echo(told, err=True)
    return exit_code(outcomes)


def exit_code(outcomes: list[Outcome]) -> int:
    """That of the first outcome; 1 if a run failed or a proof was refused, for then nothing is certain."""
    failed = any(EXIT_CODES[outcome.status] == 1 or (outcome.proof and not outcome.proof.verified) for outcome in outcomes)
    return 1 if failed else EXIT_CODES[outcomes[0].status]


# -- words --------------------------------------------------------------------------------------------------------------


def verdict(instance: Instance, answer: Outcome | Uniqueness, outcomes: list[Outcome]) -> Iterator[str]:
    """What is true of the puzzle, in a sentence or two."""
    last = outcomes[-1]
    if outcomes[0].status == UNSATISFIABLE:
        yield f"No solution{_proved(last)}."
    elif outcomes[0].status != SATISFIABLE:
        yield f"Not decided: {_why(last)}."
    elif isinstance(answer, Uniqueness):
        if answer.verdict == ONE:
            yield f"The only solution{_proved(last)}."
        elif answer.verdict == SEVERAL:
            yield "Several solutions. Two of them differ in:"
            yield from difference_lines(instance.family, instance.puzzle, *[outcome.board for outcome in outcomes])
        else:
            yield f"A solution; not decided whether it is the only one: {_why(last)}."


def _proved(outcome: Outcome) -> str:
    if outcome.proof is None:
        return ""
    return " (proof checked by drat-trim)" if outcome.proof.verified else f" (NOT PROVED: {outcome.proof.reason})"


def _why(outcome: Outcome) -> str:
    run = outcome.run
    kept = f"; its output is kept in {run.kept}" if run.kept else ""
    return f"{run.solver.name}: {run.status}, {run.reason}{kept}"


def as_json(instance: Instance, answer: Outcome | Uniqueness, outcomes: list[Outcome]) -> dict[str, Any]:
    """The answer, its boards and its runs as one object."""
    family = instance.family
    boards = [family.board_to_json(instance.puzzle, outcome.board) for outcome in outcomes if outcome.board is not None]
    entry = {
        "family": family.name,
        "encoding": instance.map.encoding,
        "puzzle": family.puzzle_to_json(instance.puzzle),
        "status": outcomes[0].status,
        "boards": boards,
        "runs": [record_of(outcome.run, outcome.cnf, proof=outcome.proof) for outcome in outcomes],
    }
    return entry | ({"solutions": answer.verdict} if isinstance(answer, Uniqueness) else {})


COMMAND = FamilyGroup(
    "solve-puzzle",
    make=family_command,
    help="""Solve a puzzle: encode it, run a solver, check the answer and show the board.

    \b
    Examples:
      solve-puzzle nonogram cat.nin
      solve-puzzle nonogram cat.nin --unique --certify
      solve-puzzle nonogram cat.nin --solver cadical --as svg -o cat.svg
      solve-puzzle tiling --board 6x10 --pieces pentominoes --count
      solve-puzzle tiling --board 3x20 --pieces pentominoes --all --as svg -o sheet.svg""",
)
version_option(COMMAND)


def main() -> None:
    run(COMMAND)
