"""Judges claims: by the oracle, and by comparison with each other.

A false claim is WRONG if the command vouches for it, and TOLD if the command reports it as the claim of a program that is a liar
in this event. A claim that the oracle cannot decide is OPEN, and so is an answer that was left open.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from soak.oracle import Truth

RIGHT, WRONG, TOLD, OPEN = "right", "wrong", "told", "open"
BOARD, NONE, ONE, SEVERAL, COUNT, SOME = "board", "none", "only one", "several", "count", "at least"
"""The kinds of claims: a board (`boards`), none, the only one (`boards`), at least two (`boards`), = or >= `number`."""
KINDS = (BOARD, NONE, ONE, SEVERAL, COUNT, SOME)
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
    """RIGHT, WRONG, TOLD or OPEN, and the reason why it is not right."""
    if broken := _broken_boards(claim, truth):
        return WRONG, broken  # boards are checked by the commands: nobody else's word is in them
    false = _false(claim, truth)
    if false is None:
        return OPEN, ""
    if not false:
        return RIGHT, ""
    return (TOLD if liar and claim.evidence == WORD and claim.kind in (NONE, ONE) else WRONG), false


def _broken_boards(claim: Statement, truth: Truth) -> str:
    for board in claim.boards:
        try:
            broken = truth.broken(board)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            broken = f"a board that is none ({type(error).__name__}): {board!r:.200}"
        if broken:
            return broken
    if len({truth.key(board) for board in claim.boards}) < len(claim.boards):
        return "the same board twice"
    return ""


def _false(claim: Statement, truth: Truth) -> str | None:
    """The error of a claim whose boards are right; empty if there is none, None if unknown."""
    count = truth.count
    if claim.kind in (BOARD, SEVERAL):
        return ""
    if claim.kind == NONE:
        return None if truth.exists is None else "there is a solution" if truth.exists else ""
    if count is None:
        return None
    if claim.kind == ONE:
        return "" if count == 1 or (claim.limited and count) else f"there are {count} solutions"
    if claim.kind == SOME:
        return "" if claim.number <= count else f"found {claim.number} solutions of {count}"
    return "" if claim.number == count else f"counted {claim.number} solutions of {count}"


def disagreements(claims: Iterable[Statement]) -> list[str]:
    """Contradictory claims of honest solvers, also for puzzles that no oracle decides."""
    claims = list(claims)
    least, most = 0, None
    said: list[str] = []
    for claim in claims:
        low = {BOARD: 1, NONE: 0, ONE: 1, SEVERAL: 2}.get(claim.kind, claim.number)
        high = {NONE: 0, ONE: None if claim.limited else 1, COUNT: claim.number}.get(claim.kind)
        if low > (low if most is None else most) or (high is not None and high < least):
            said.append(f"{claim.who} says {claim.kind}, others have at least {least} and at most {most}")
        least = max(least, low)
        most = high if most is None else most if high is None else min(most, high)
    return said
