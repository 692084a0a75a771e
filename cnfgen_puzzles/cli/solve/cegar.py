"""solve-puzzle with the CEGAR loop: progress, interruption, and the file of lazy constraints."""

from __future__ import annotations

from dataclasses import replace

from cnfgen_puzzles.cli.app import say, write_text
from cnfgen_puzzles.common.activity import update_activity
from cnfgen_puzzles.pipeline.answer import Answer
from cnfgen_puzzles.pipeline.api import solve_request
from cnfgen_puzzles.pipeline.cegar import CegarAnswer, CegarLoop
from cnfgen_puzzles.pipeline.request import SolveRequest

SHOWN = 100
"""The longest board on a line of progress, in characters."""


def answer_by_cegar(request: SolveRequest, output: str | None) -> Answer | None:
    """The answer; None on Ctrl-C, after printing the state of the loop. Rounds are shown as progress.

    The lazy constraints of the final formula go to the file `output`.
    """
    try:
        answer = solve_request(replace(request, progress=lambda loop: update_activity(round_line(loop))))
    except KeyboardInterrupt as stopped:
        kept = f"; the same command resumes from the state in {request.state}" if request.state else ""
        say(f"{f'interrupted {stopped}'.strip()}{kept}", err=True)
        return None
    last = answer.searches[-1]
    if output and isinstance(last, CegarAnswer) and (added := last.loop.refinement.added):
        write_text(output, last.loop.constraints_text())
        say(f"{len(added)} {last.loop.refinement.noun} written to {output}", err=True)
    return answer


def round_line(loop: CegarLoop) -> str:
    """A line of progress: a round of the CEGAR loop."""
    refinement, text = loop.refinement, str(loop.board)
    conflicts = "" if loop.conflicts is None else f", {loop.conflicts} conflicts"
    shown = text if loop.board is not None and len(text) <= SHOWN and "\n" not in text else "a board"
    found = "" if loop.board is None and not loop.broken else f": {shown} violates {loop.broken}"
    formula = refinement.formula
    size = f"{len(refinement.added)} {refinement.noun}, {formula.num_variables} variables, {formula.num_clauses} clauses"
    return f"round {loop.rounds}, {size}{conflicts}{found}"
