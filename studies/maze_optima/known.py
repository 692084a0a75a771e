"""The grids whose shortest string is known, with published results. The rest of the study decides them again.

For thin 3x3, only bounds are known (`claims.py`).
"""

from __future__ import annotations

from dataclasses import dataclass

from cnfgen_puzzles.families.maze.model import BLOCKED, LETTERS, THIN


@dataclass(frozen=True)
class KnownCase:
    """A known case: instances, optimum, and the number of strings of that length that begin with one of `first`."""

    kind: str
    size: str
    instances: int
    optimum: int
    strings: int | None = None
    first: str = LETTERS

    @property
    def case(self) -> str:
        return f"{self.kind} {self.size}"

    def counted(self, count: int | None) -> str:
        """A number of strings, and their first letters."""
        return "" if count is None else str(count) + (f" (first {' or '.join(self.first)})" if self.first != LETTERS else "")


TABLE = (
    KnownCase(THIN, "2x1", 2, 2),
    KnownCase(THIN, "3x1", 10, 4),
    KnownCase(THIN, "2x2", 100, 11, 4, "N"),
    KnownCase(THIN, "3x2", 1842, 25, 2, "NE"),
    KnownCase(BLOCKED, "2x2", 3, 3),
    KnownCase(BLOCKED, "3x2", 8, 5),
    KnownCase(BLOCKED, "3x3", 51, 11, 2),
    KnownCase(BLOCKED, "4x3", 295, 17, 3),
    KnownCase(BLOCKED, "4x4", 3828, 29, 34),
)
