"""solve-puzzle for puzzles that the CEGAR loop solves: its progress, what Ctrl-C tells, the lazy constraints as a file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from cnfgen_puzzles.cli.common import say, write_text
from cnfgen_puzzles.cli.progress import Ticker
from cnfgen_puzzles.pipeline.answer import Outcome, Uniqueness
from cnfgen_puzzles.pipeline.cegar import CegarInterrupted, CegarOutcome
from cnfgen_puzzles.pipeline.request import Round, SolveRequest

SHOWN = 100
"""Characters of a board on a line of progress."""


def answer_by_cegar(
    ask: Callable[[SolveRequest], Outcome | Uniqueness], request: SolveRequest, ticker: Ticker, output: str | None
) -> Outcome | Uniqueness | None:
    """The answer, with the rounds as progress; None on Ctrl-C, after saying how far the loop came.

    The lazy constraints of the formula go to the puzzle file `output`, and it is told where else the state has them.
    """
    try:
        answer = ask(replace(request, progress=lambda found: ticker.show(round_line(found))))
    except CegarInterrupted as stopped:
        kept = f"; the same command goes on with the state in {request.state}" if request.state else ""
        ticker.say(f"interrupted {stopped}{kept}")
        return None
    last = answer.outcomes[-1]
    if isinstance(last, CegarOutcome):
        loop, paths = last.loop.refinement, [str(last.sufficient)] if last.sufficient else []
        if output and loop.added:
            write_text(output, last.loop.constraints_text())
            paths.insert(0, output)
        for path in paths:
            say(f"{len(loop.added)} {loop.noun} written to {path}", err=True)
    return answer


def round_line(round: Round) -> str:
    """A round of the CEGAR loop on a line of progress."""
    conflicts = "" if round.conflicts is None else f", {round.conflicts} conflicts"
    text = str(round.board)
    shown = text if len(text) <= SHOWN and "\n" not in text else "a board"
    found = "" if round.board is None else f": {shown} fails {round.broken}"
    size = f"{round.added} {round.noun}, {round.variables} variables, {round.clauses} clauses{conflicts}"
    return f"round {round.number}, {size}{found}"
