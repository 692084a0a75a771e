"""What is published of the survey's 28 sample puzzles: the table `published.csv`, read."""

from __future__ import annotations

import csv
from dataclasses import dataclass

from studies.nonogram_survey.survey import SHIPPED


@dataclass(frozen=True)
class Published:
    """`variables`, `clauses` and `user_seconds` are the article's. `solutions` (one, several) is what other programs found."""

    puzzle: str
    variables: int
    clauses: int
    user_seconds: float
    solutions: str


def published() -> list[Published]:
    """A row a puzzle, in the article's order."""
    with (SHIPPED / "published.csv").open(encoding="utf-8") as table:
        return [
            Published(row["puzzle"], int(row["variables"]), int(row["clauses"]), float(row["user_seconds"]), row["solutions"])
            for row in csv.DictReader(table)
        ]
