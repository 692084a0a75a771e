"""Judges claims by all solutions of the puzzle.

A false claim is WRONG if the command vouches for it, and TOLD if the command reports it as the claim of a program that is a liar
in this event.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from soak.puzzles import Truth

RIGHT, WRONG, TOLD = "right", "wrong", "told"
BOARD, NONE, ONE, SEVERAL, COUNT, SOME = "board", "none", "only one", "several", "count", "at least"
"""The kinds of claims: a board (`boards`), none, the only one (`boards`), at least two (`boards`), = or >= `number`."""
WORD, PROOF = "word", "proof"


@dataclass(frozen=True)
class Statement:
    """A claim of a command about the puzzle, with its evidence and the program behind it."""

    kind: str
    who: str
    boards: tuple[Any, ...] = field(default=(), repr=False)
    number: int = 0
    evidence: str = WORD
    limited: bool = False
    """Whether the claim is about some of the solutions only ('up to' a convention)."""

    def to_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "who": self.who, "number": self.number, "evidence": self.evidence}


def judged(claim: Statement, truth: Truth, *, liar: bool) -> tuple[str, str]:
    """RIGHT, WRONG, or TOLD, and the reason why it is not right."""
    if broken := _broken_boards(claim, truth):
        return WRONG, broken  # boards are checked by the commands: nobody else's word is in them
    false = _false(claim, truth.count)
    if not false:
        return RIGHT, ""
    return (TOLD if liar and claim.evidence == WORD and claim.kind in (NONE, ONE) else WRONG), false


def _broken_boards(claim: Statement, truth: Truth) -> str:
    keys = []
    for board in claim.boards:
        try:
            keys.append(truth.key(board))
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            return f"a board that is none ({type(error).__name__}): {board!r:.200}"
    if wrong := [key for key in keys if key not in truth.solutions]:
        return f"a board that is no solution: {wrong[0]!r:.200}"
    return "the same board twice" if len(set(keys)) < len(keys) else ""


def _false(claim: Statement, count: int) -> str:
    """The error of a claim whose boards are right, about a puzzle with `count` solutions; empty if there is none."""
    if claim.kind == NONE:
        return "there is a solution" if count else ""
    if claim.kind == ONE:
        return "" if count == 1 or (claim.limited and count) else f"there are {count} solutions"
    if claim.kind == SOME:
        return "" if claim.number <= count else f"found {claim.number} solutions of {count}"
    if claim.kind == COUNT:
        return "" if claim.number == count else f"counted {claim.number} solutions of {count}"
    return ""
