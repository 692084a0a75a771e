"""The truth about a small puzzle, by means that share no code with the package: this folder imports nothing from it.

The judge sees only the `Truth` of an oracle. If a search would take too long, the value is unknown.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from typing import Any

MOST_WORK = 400_000
"""The most steps of a search: about two seconds."""


class TooLong(Exception):
    """The search exceeded its limit."""


class Truth(ABC):
    """The truth about one puzzle."""

    def __init__(self, count: int | None, exists: bool | None = None):
        self.count = count
        """The number of solutions, with symmetric ones counted separately; None if unknown."""
        self.exists = count > 0 if count is not None else exists
        """Whether a solution exists; None if unknown."""

    @abstractmethod
    def key(self, board: Any) -> Hashable:
        """A key that distinguishes the boards of the puzzle; `board` is the JSON that the commands write."""

    @abstractmethod
    def broken(self, board: Any) -> str:
        """The rule that the board breaks; empty for a solution."""

    def to_json(self) -> dict[str, Any]:
        return {"count": self.count, "exists": self.exists}
