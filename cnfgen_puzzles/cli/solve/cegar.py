"""solve-puzzle for puzzles that the CEGAR loop solves: its progress, what Ctrl-C tells, the lazy constraints as a file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from cnfgen_puzzles.cli.common import say, write_text
from cnfgen_puzzles.cli.progress import Ticker
from cnfgen_puzzles.pipeline.answer import Outcome, Uniqueness
from cnfgen_puzzles.pipeline.cegar import CegarInterrupted, CegarOutcome
from cnfgen_puzzles.pipeline.request import Round, SolveRequest

SHOWN = 100
"""Characters of a board on a line of progress."""


def answer_by_cegar(
    ask: Callable[[SolveRequest], Outcome | Uniqueness], request: SolveRequest, values: dict[str, Any], ticker: Ticker
) -> Outcome | Uniqueness | None:
    """The answer, with the rounds as progress; None on Ctrl-C, after saying how far the loop came."""
    try:
        answer = ask(replace(request, state=values["state"], progress=lambda found: ticker.show(round_line(found))))
    except CegarInterrupted as stopped:
        kept = f"; the same command goes on with the state in {values['state']}" if values["state"] else ""
        ticker.say(f"interrupted {stopped}{kept}")
        return None
    last = answer.outcomes[-1]
    if isinstance(last, CegarOutcome):
        write_pieces(last, values["pieces_out"])
    return answer


def write_pieces(outcome: CegarOutcome, output: str | None) -> None:
    """Write the lazy constraints of the formula as a puzzle file where asked for; tell also where the state has them."""
    refinement, paths = outcome.loop.refinement, []
    if output and refinement.added:
        write_text(output, outcome.loop.constraints_text())
        paths.append(output)
    for path in [*paths, *([outcome.sufficient] if outcome.sufficient else [])]:
        say(f"{len(refinement.added)} {refinement.noun} written to {path}", err=True)


def round_line(round: Round) -> str:
    """A round of the CEGAR loop on a line of progress."""
    conflicts = "" if round.conflicts is None else f", {round.conflicts} conflicts"
    text = str(round.board)
    shown = text if len(text) <= SHOWN and "\n" not in text else "a board"
    found = "" if round.board is None else f": {shown} fails {round.broken}"
    size = f"{round.added} {round.noun}, {round.variables} variables, {round.clauses} clauses{conflicts}"
    return f"round {round.number}, {size}{found}"
