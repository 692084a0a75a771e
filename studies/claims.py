"""Published claims, the environment of their measurements, and verdicts.

Each study has a module `claims` with `STUDY: Study`; `reproduce.py` lists the studies and measures the claims.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

SAME, DIFFERS, OPEN, TIMED, OWN = "same", "differs", "not decided yet", "time of another machine", "counted here"
"""The verdicts. Times are shown beside each other and not compared. A count of this project is no claim of a publication."""
COUNTED = "counted by this project"
"""In the source of such a count."""


@dataclass(frozen=True)
class Place:
    """The environment of a measurement."""

    folder: Path
    """A folder for states and certificates, kept between runs."""
    puzzles: Path | None = None
    """The user's copies of puzzles that cannot be redistributed."""
    jobs: int = 1
    """The number of processes."""


@dataclass(frozen=True)
class Measured:
    """The result of a measurement, in the words of the claim; `value` None: not decided, because of a limit or a missing program.

    `evidence` states what the value is based on; `why`, the reason for a difference from the claim or for no decision.
    """

    value: str | None
    evidence: str
    why: str = ""


@dataclass(frozen=True)
class Claim:
    """A row of the table. `measure` can be pickled; `seconds` is an estimate for one core; a `full` claim is measured only on
    request."""

    key: str
    """Unique and stable: `study/claim`."""
    source: str
    text: str
    claimed: str
    measure: Callable[[Place], Measured]
    seconds: float
    full: bool = False
    is_time: bool = False

    def verdict(self, value: str | None) -> str:
        """The verdict on the claim for a measured value."""
        if value is not None and self.is_time:
            return TIMED
        same = OWN if COUNTED in self.source else SAME
        return OPEN if value is None else same if value == self.claimed else DIFFERS


@dataclass(frozen=True)
class Study:
    """The claims about one subject; `about` introduces them in one sentence."""

    title: str
    about: str
    claims: tuple[Claim, ...]
