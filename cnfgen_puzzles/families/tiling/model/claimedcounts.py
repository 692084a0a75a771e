"""What a puzzle file claims of the number of its solutions, and by whom: kept in `Tiling.about`.

Nothing here is believed: neither the reader nor an encoding looks at a claim. `studies/pentominoes` counts again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

UP_TO_SYMMETRY, UP_TO_ROTATIONS = "up to symmetry", "up to rotations"
CONVENTIONS = (UP_TO_SYMMETRY, UP_TO_ROTATIONS)
"""What is told apart: solutions that no symmetry of board and pieces, or no rotation among these, makes equal."""
SATISFIABLE, UNSATISFIABLE = "satisfiable", "unsatisfiable"

PREFIX = "claims."


@dataclass(frozen=True)
class Claims:
    """`solutions` by the `convention`, `raw` without any, whether there is a solution at all, and the source."""

    solutions: int | None = None
    convention: str = UP_TO_SYMMETRY
    raw: int | None = None
    verdict: str | None = None
    source: str | None = None

    def fault(self) -> str | None:
        """Why the claims contradict each other; None if they do not."""
        counts = [count for count in (self.solutions, self.raw) if count is not None]
        if any(count < 0 for count in counts):
            return "found a negative number of solutions, expected at least 0"
        if self.solutions is not None and self.raw is not None and not self.solutions <= self.raw <= 1000 * self.solutions:
            return f"found {self.solutions} solutions {self.convention} of {self.raw} in all, expected fewer than in all"
        if self.verdict and any((count == 0) != (self.verdict == UNSATISFIABLE) for count in counts):
            return f"found the verdict {self.verdict} beside {counts[0]} solutions, expected the one that fits"
        return None

    def about(self) -> dict[str, str]:
        """The entries of `Tiling.about` that say this."""
        default = Claims()
        known = {field.name: getattr(self, field.name) for field in fields(self)}
        said = {name: value for name, value in known.items() if value is not None and value != getattr(default, name)}
        return {PREFIX + name: str(value) for name, value in said.items()}


def claims_of(about: Mapping[str, str]) -> Claims | None:
    """The claims among the entries of `Tiling.about`; None if there are none."""
    said = {key.removeprefix(PREFIX): value for key, value in about.items() if key.startswith(PREFIX)}
    known = {field.name for field in fields(Claims)}
    values: dict[str, Any] = {
        name: int(text) if name in ("solutions", "raw") else text for name, text in said.items() if name in known
    }
    return Claims(**values) if values else None
