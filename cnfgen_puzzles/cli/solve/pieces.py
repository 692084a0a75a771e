"""solve-puzzle for puzzles that are solved piece by piece: the settings of the loop, its progress, the pieces as a file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cnfgen_puzzles.cli.common import say, write_text
from cnfgen_puzzles.cli.progress import Ticker
from cnfgen_puzzles.pipeline.refine import Interrupted, LoopOutcome, Round
from cnfgen_puzzles.pipeline.solve import Outcome
from cnfgen_puzzles.pipeline.unique import Uniqueness

SHOWN = 100
"""Characters of a board on a line of progress."""


def by_pieces(call: Callable[..., Outcome | Uniqueness], values: dict[str, Any], ticker: Ticker) -> Outcome | Uniqueness | None:
    """What the call gives, with the loop's settings; None on Ctrl-C, which is told."""
    settings = {"add": values["add"], "choice": values["choose"], "state": values["state"]}
    settings |= {} if values["unique"] else {"search": values["search"]}
    try:
        answer = call(**settings, progress=lambda round: ticker.show(round_line(round)))
    except Interrupted as stopped:
        kept = f"; the same command goes on with the state in {values['state']}" if values["state"] else ""
        ticker.say(f"interrupted {stopped}{kept}")
        return None
    last = answer.outcomes[-1] if isinstance(answer, Uniqueness) else answer
    if isinstance(last, LoopOutcome):
        write_pieces(last, values["pieces_out"])
    return answer


def write_pieces(outcome: LoopOutcome, output: str | None) -> None:
    """The pieces of the formula as a puzzle file where asked for; told too where they were kept beside the state."""
    loop = outcome.loop
    paths = []
    if output and loop.refinement.added:
        write_text(output, loop.pieces_text())
        paths.append(output)
    for path in [*paths, *([outcome.sufficient] if outcome.sufficient else [])]:
        say(f"{len(loop.refinement.added)} {loop.refinement.pieces} written to {path}", err=True)


def round_line(round: Round) -> str:
    """A round of the loop on a line of progress."""
    conflicts = "" if round.conflicts is None else f", {round.conflicts} conflicts"
    text = str(round.board)
    shown = text if len(text) <= SHOWN and "\n" not in text else "a board"
    found = "" if round.board is None else f": {shown} fails {round.broken}"
    size = f"{round.added} {round.pieces}, {round.variables} variables, {round.clauses} clauses{conflicts}"
    return f"round {round.number}, {size}{found}"
