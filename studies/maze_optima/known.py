"""The grids whose shortest string is known, with published results, and bounds for others. The rest of the study decides them
again."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cnfgen_puzzles.families.maze.model import BLOCKED, LETTERS, THIN
from studies.mazes.cases import PUBLISHED


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
    KnownCase(THIN, "4x1", 34, 6, 2),
    KnownCase(THIN, "2x2", 100, 11, 4, "N"),
    KnownCase(THIN, "3x2", 1842, 25, 2, "NE"),
    KnownCase(BLOCKED, "2x1", 1, 1, 1),
    KnownCase(BLOCKED, "3x1", 1, 2, 1),
    KnownCase(BLOCKED, "4x1", 1, 3, 1),
    KnownCase(BLOCKED, "2x2", 3, 3),
    KnownCase(BLOCKED, "3x2", 8, 5),
    KnownCase(BLOCKED, "4x2", 20, 7, 4),
    KnownCase(BLOCKED, "3x3", 51, 11, 2),
    KnownCase(BLOCKED, "4x3", 295, 17, 3),
    KnownCase(BLOCKED, "4x4", 3828, 29, 34),
)


@dataclass(frozen=True)
class KnownBounds:
    """A case with bounds: the stored certificate refutes `least` - 1 letters, and the `string` solves all mazes.

    The checkers take about this many seconds.
    """

    kind: str
    size: str
    least: int
    string: str
    seconds: float

    @property
    def certificate(self) -> Path:
        """Found by the exhaustive search, restricted to some of the mazes."""
        return Path(__file__).parent / "certificates" / f"{self.kind}-{self.size}-{self.least - 1}.json"


BOUNDS = (
    KnownBounds(THIN, "4x2", 33, "SWWWENWNEEESWSWWENWSWNWSWNESESWWSEEENESWNENWWWSE", 5.0),
    KnownBounds(THIN, "3x3", 37, PUBLISHED, 25.0),
    KnownBounds(BLOCKED, "5x4", 37, "EEEWSEESEESEENNNESESESWSSWSSNWWWSWWSESSEESNESEESEES", 50.0),
)
