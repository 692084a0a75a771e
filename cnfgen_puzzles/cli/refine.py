"""What solve-puzzle does with a family whose puzzles are solved piece by piece: the counterexample-guided loop."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from cnfgen_puzzles.cli.boards import difference_lines, is_picture, show_boards
from cnfgen_puzzles.cli.common import EXIT_CODES, INTERRUPTED, SECONDS, write_text
from cnfgen_puzzles.cli.families import encoding_options_named, read_named
from cnfgen_puzzles.families import Board, Family
from cnfgen_puzzles.ground.errors import InputError
from cnfgen_puzzles.pipeline.refine import ADDED_AT_ONCE, DEFAULT_SOLVER, INCREMENTAL, Loop, Round
from cnfgen_puzzles.pipeline.solve import Outcome
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.record import record_of, usage_of

JSON = "json"
SAY_EVERY = 10.0  # seconds between two lines of progress where stderr is no terminal
SHOWN = 100  # characters of a board on a line of progress


def solver_help(family: Family) -> str:
    """What --solver takes."""
    if family.refinement is None:
        return "One of `run-cnf --list`; by default the best that is there."
    return f"One of python-sat's ({', '.join(INCREMENTAL)}), or of `run-cnf --list`, run anew each round. [{DEFAULT_SOLVER}]"


def refinement_params(family: Family) -> list[click.Parameter]:
    """What the loop takes, for a family that has it."""
    if family.refinement is None:
        return []
    pieces, choices = family.refinement.pieces, family.refinement.choices
    listed = "; ".join(f"{name}: {summary}" for name, summary in choices.items())
    return [
        click.Option(["--add"], type=click.IntRange(min=1), metavar="K", help=f"Add so many {pieces} a round. [{ADDED_AT_ONCE}]"),
        click.Option(["--choose"], type=click.Choice(list(choices)), help=f"Which {pieces} of those that fail. {listed}."),
        click.Option(["--search"], type=SECONDS, metavar="SECONDS", help="Before the solver, look for a board by local search."),
        click.Option([f"--{pieces}-out", "pieces_out"], metavar="FILE", help=f"Write the {pieces} that suffice for the answer."),
    ]


def check_enumeration(values: dict[str, Any]) -> None:
    """--all and --count have a way of their own; what belongs to the loop is a mistake there."""
    for name, told in (("add", "add"), ("choose", "choose"), ("search", "search"), ("pieces_out", "...-out")):
        if values.get(name) is not None:
            raise InputError(f"--{told} does not go with --all or --count")


def refine_puzzle(family: Family, values: dict[str, Any]) -> int:
    """Solve the puzzle piece by piece, show what was found, and return the exit code."""
    options = encoding_options_named(family, values)
    limits = Limits(cpu=values["cpu"], wall=values["wall"], memory=values["memory"])
    with Progress(family, quiet=values["quiet"]) as progress:
        loop = Loop(
            family,
            read_named(family, values),
            values["encoding"],
            options,
            every=values["unique"],
            solver=values["solver"],
            add=values["add"] or ADDED_AT_ONCE,
            choice=values["choose"],
            seed=values["seed"],
            limits=limits,
            state=Path(values["state"]) if values["state"] else None,
            progress=progress.say,
        )
        if values["unique"] and values["search"]:
            raise InputError("--search finds one board, it does not go with --unique")
        if values["unique"] and not loop.refinement.keeps_all:
            raise InputError("--unique needs all solutions; the encoding, with these options, leaves out symmetric ones")
        boards = _boards(loop, 2 if values["unique"] else 1, values["search"])
    if loop.reason == "interrupted":
        return _interrupted(loop, values)
    proof = loop.certified(limits) if values["certify"] and loop.status == UNSATISFIABLE else None
    _write_pieces(loop, values)
    if values["view"] == JSON:
        write_text(values["output"], json.dumps(as_json(loop, boards, proof), indent=2) + "\n")
    else:
        show_boards(family, loop.puzzle, boards, values)
        for line in verdict(loop, boards, proof, unique=values["unique"]):
            click.echo(line, err=is_picture(values))
    if not values["quiet"]:
        click.echo(_measured(loop), err=True)
        if proof:
            click.echo(f"{proof.run.solver.name}, the final formula: {proof.status.lower()}, {usage_of(proof.run)}", err=True)
    if proof and not (proof.proof and proof.proof.verified):
        return 1
    return EXIT_CODES[SATISFIABLE if boards else loop.status]


def _boards(loop: Loop, count: int, search: float | None) -> list[Board]:
    """So many boards, or as many as there are; a loop that was stopped by Ctrl-C says so in its reason."""
    found = []
    boards = loop.boards()
    try:
        if search and (board := loop.search(search)) is not None:
            return [board]
        for board in boards:
            found.append(board)
            if len(found) == count:
                break
    except KeyboardInterrupt:
        loop.reason = "interrupted"
    finally:
        boards.close()
    return found


def _interrupted(loop: Loop, values: dict[str, Any]) -> int:
    kept = f"; the same command goes on with the state in {values['state']}" if values["state"] else ""
    click.echo(f"interrupted after {_told(loop)}{kept}", err=True)
    return INTERRUPTED


def _write_pieces(loop: Loop, values: dict[str, Any]) -> None:
    """The pieces of the formula as a puzzle file of its own: where asked for, and beside the state of a refutation."""
    paths = [values["pieces_out"]] if values["pieces_out"] else []
    format = next(iter(loop.family.formats.values()))
    if values["state"] and loop.status == UNSATISFIABLE:
        paths.append(str(Path(values["state"]) / f"sufficient{format.suffixes[0]}"))
    if paths and loop.refinement.added:
        text = loop.family.write(loop.refinement.part(), format.name)
        for path in paths:
            write_text(path, text)
            click.echo(f"{len(loop.refinement.added)} {loop.refinement.pieces} written to {path}", err=True)


# -- words --------------------------------------------------------------------------------------------------------------


def verdict(loop: Loop, boards: list[Board], proof: Outcome | None, *, unique: bool) -> Iterator[str]:
    """What is true of the puzzle, in a sentence or two."""
    added, pieces = len(loop.refinement.added), loop.refinement.pieces
    enough = f"{added} of {loop.refinement.total} {pieces} are enough to show it{_proved(proof)}"
    if len(boards) > 1:
        yield "Several solutions. Two of them differ in:"
        yield from difference_lines(loop.family, loop.puzzle, *boards[:2])
    elif boards and loop.status == UNSATISFIABLE:
        yield f"The only solution: {enough}."
    elif boards and unique:
        yield f"A solution; not decided whether it is the only one: {loop.reason}."
    elif loop.status == UNSATISFIABLE:
        yield f"No solution: {enough}."
    elif not boards:
        yield f"Not decided: {loop.reason}."


def _proved(outcome: Outcome | None) -> str:
    if outcome is None:
        return ""
    if outcome.proof is None:
        return f" (NOT PROVED: {outcome.run.solver.name}: {outcome.run.status}, {outcome.run.reason})"
    return " (proof checked by drat-trim)" if outcome.proof.verified else f" (NOT PROVED: {outcome.proof.reason})"


def _told(loop: Loop) -> str:
    rounds = f"{loop.rounds} round{'s' * (loop.rounds != 1)}"
    return f"{rounds}, {len(loop.refinement.added)} of {loop.refinement.total} {loop.refinement.pieces}"


def _measured(loop: Loop) -> str:
    if not loop.rounds:
        return f"local search: {loop.status.lower()}, {loop.seconds:.2f} s"
    size = f"{loop.refinement.formula.num_variables} variables, {loop.refinement.formula.num_clauses} clauses"
    return f"{loop.solver}, {loop.encoding.name}: {loop.status.lower()}, {_told(loop)}, {size}, {loop.seconds:.2f} s"


def as_json(loop: Loop, boards: list[Board], proof: Outcome | None) -> dict[str, Any]:
    """The answer as one object."""
    family, refinement = loop.family, loop.refinement
    entry = {
        "family": family.name,
        "encoding": loop.encoding.name,
        "options": loop.options,
        "puzzle": family.puzzle_to_json(loop.puzzle),
        "status": SATISFIABLE if boards else loop.status,
        "boards": [family.board_to_json(loop.puzzle, board) for board in boards],
        "complete": loop.status == UNSATISFIABLE,
        "solver": loop.solver,
        "rounds": loop.rounds,
        "seconds": round(loop.seconds, 3),
        "variables": refinement.formula.num_variables,
        "clauses": refinement.formula.num_clauses,
        refinement.pieces: refinement.added,
    }
    return entry | ({"certificate": record_of(proof.run, proof.cnf, proof=proof.proof)} if proof else {})


class Progress:
    """Rounds on stderr: a line that changes in a terminal, a line now and then elsewhere."""

    def __init__(self, family: Family, quiet: bool):
        self._pieces = family.refinement.pieces
        self._quiet = quiet
        self._bar = None
        self._last = time.monotonic()

    def __enter__(self) -> Progress:
        if not self._quiet and sys.stderr.isatty():
            from tqdm import tqdm

            self._bar = tqdm(bar_format="{desc}", leave=False)
        return self

    def __exit__(self, *_) -> None:
        if self._bar is not None:
            self._bar.close()

    def say(self, round: Round) -> None:
        if self._bar is not None:
            self._bar.set_description_str(self._line(round))
        elif not self._quiet and time.monotonic() - self._last >= SAY_EVERY:
            self._last = time.monotonic()
            click.echo(self._line(round), err=True)

    def _line(self, round: Round) -> str:
        conflicts = "" if round.conflicts is None else f", {round.conflicts} conflicts"
        text = str(round.board)
        shown = text if len(text) <= SHOWN and "\n" not in text else "a board"
        found = "" if round.board is None else f": {shown} fails {round.broken}"
        size = f"{round.added} {self._pieces}, {round.variables} variables, {round.clauses} clauses{conflicts}"
        return f"round {round.number}, {round.seconds:.0f} s, {size}{found}"
