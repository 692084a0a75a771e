"""The published numbers of the 28 sample puzzles of the survey, from the table `published.csv`."""

from __future__ import annotations

import csv
from dataclasses import dataclass

from studies.nonogram_survey.survey import SHIPPED


@dataclass(frozen=True)
class Published:
    """`variables`, `clauses`, and `user_seconds` are from the article. `solutions` (one, several) are from other programs."""

    puzzle: str
    variables: int
    clauses: int
    user_seconds: float
    solutions: str


def published() -> list[Published]:
    """A row for each puzzle, in the order of the article."""
    with (SHIPPED / "published.csv").open(encoding="utf-8") as table:
        return [
            Published(row["puzzle"], int(row["variables"]), int(row["clauses"]), float(row["user_seconds"]), row["solutions"])
            for row in csv.DictReader(table)
        ]
