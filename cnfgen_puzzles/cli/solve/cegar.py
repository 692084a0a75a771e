"""solve-puzzle with the CEGAR loop: progress, interruption, and the file of lazy constraints."""

from __future__ import annotations

from dataclasses import replace

from cnfgen_puzzles.cli.app import say, write_text
from cnfgen_puzzles.cli.progress import show_progress
from cnfgen_puzzles.pipeline.answer import Answer
from cnfgen_puzzles.pipeline.api import solve_request
from cnfgen_puzzles.pipeline.cegar import CegarAnswer, CegarInterrupted
from cnfgen_puzzles.pipeline.request import Round, SolveRequest

SHOWN = 100
"""The longest board on a line of progress, in characters."""


def answer_by_cegar(request: SolveRequest, output: str | None) -> Answer | None:
    """The answer; None on Ctrl-C, after printing the state of the loop. Rounds are shown as progress.

    The lazy constraints of the final formula go to the file `output`. Messages name the files that contain them.
    """
    try:
        answer = solve_request(replace(request, progress=lambda found: show_progress(round_line(found))))
    except CegarInterrupted as stopped:
        kept = f"; the same command resumes from the state in {request.state}" if request.state else ""
        say(f"interrupted {stopped}{kept}", err=True)
        return None
    last = answer.searches[-1]
    if isinstance(last, CegarAnswer):
        loop, paths = last.loop.refinement, [str(last.sufficient)] if last.sufficient else []
        if output and loop.added:
            write_text(output, last.loop.constraints_text())
            paths.insert(0, output)
        for path in paths:
            say(f"{len(loop.added)} {loop.noun} written to {path}", err=True)
    return answer


def round_line(round: Round) -> str:
    """A line of progress: a round of the CEGAR loop."""
    conflicts = "" if round.conflicts is None else f", {round.conflicts} conflicts"
    text = str(round.board)
    shown = text if round.board is not None and len(text) <= SHOWN and "\n" not in text else "a board"
    found = "" if round.board is None and not round.broken else f": {shown} violates {round.broken}"
    size = f"{round.added} {round.noun}, {round.variables} variables, {round.clauses} clauses{conflicts}"
    return f"round {round.number}, {size}{found}"
