"""What is true of a small puzzle, found by means that share no code with the package: nothing here imports from it.

`Truth` is all that the judge sees of an oracle. Where a search would take too long, the oracle says so and is silent.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from typing import Any

MOST_WORK = 400_000
"""Steps of a search before it is given up: about two seconds."""


class TooLong(Exception):
    """The search was given up."""


class Truth(ABC):
    """What is true of one puzzle."""

    def __init__(self, count: int | None, exists: bool | None = None):
        self.count = count
        """How many solutions there are, symmetric ones told apart; None where that is not known."""
        self.exists = count > 0 if count is not None else exists
        """Whether there is one; None where that is not known."""

    @abstractmethod
    def key(self, board: Any) -> Hashable:
        """What tells the boards of the puzzle apart; `board` is as the commands write it in JSON."""

    @abstractmethod
    def broken(self, board: Any) -> str:
        """Which rule the board breaks; empty if it is a solution."""

    def to_json(self) -> dict[str, Any]:
        return {"count": self.count, "exists": self.exists}
