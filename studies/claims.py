"""What a published claim is, where it is measured, and what a measurement says of it.

Each study has a module `claims` with `CLAIMS: tuple[Claim, ...]`; `reproduce.py` lists the studies and measures the claims.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

SAME, DIFFERS, OPEN = "same", "differs", "not decided yet"
"""The verdicts."""


@dataclass(frozen=True)
class Place:
    """Where a claim is measured."""

    folder: Path
    """Its own (made by whoever needs it), kept between runs, for states and certificates."""
    puzzles: Path | None = None
    """The user's own copy of puzzles that may not be redistributed."""
    jobs: int = 1
    """Processes that it may use."""


@dataclass(frozen=True)
class Measured:
    """What was measured, in the words of the claim; `value` None: not decided, a limit was met or something needed is not there.

    `evidence` says what the value rests on and nothing more; `why`, why it is not what is claimed, or why it is not decided.
    """

    value: str | None
    evidence: str
    why: str = ""


@dataclass(frozen=True)
class Claim:
    """A row of the table. `measure` can be pickled; `seconds`: about, on one core; `full`: measured only where asked for."""

    key: str
    """Unique and stable: `study/claim`."""
    source: str
    text: str
    claimed: str
    measure: Callable[[Place], Measured]
    seconds: float
    full: bool = False

    def verdict(self, value: str | None) -> str:
        """What a measured value says of the claim."""
        return OPEN if value is None else SAME if value == self.claimed else DIFFERS
