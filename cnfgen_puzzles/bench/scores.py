"""From results to scores: solved, PAR-2, time, memory of each solver; and the alarm when two answers cannot both be right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

DECIDED = ("SATISFIABLE", "UNSATISFIABLE")
FAILED = ("WRONG", "ERROR")

Result = dict[str, Any]


@dataclass(frozen=True)
class Score:
    """What one solver did on one group of runs: numbers of runs, seconds summed over them, and the highest peak in bytes."""

    group: str
    solver: str
    runs: int
    sat: int
    unsat: int
    failed: int
    par2: float
    cpu: float
    wall: float
    memory: int

    @property
    def solved(self) -> int:
        return self.sat + self.unsat


def par(results: Sequence[Result], k: int = 2) -> float:
    """PAR-k in seconds: the mean of CPU times, an unsolved run counted as k times its limit (SAT competitions use k = 2)."""
    costs = [result["cpu"] if result["status"] in DECIDED else k * result["limits"]["cpu"] for result in results]
    return sum(costs) / len(costs)


def scores(results: Iterable[Result]) -> list[Score]:
    """One score for each encoding and solver, the best first."""
    groups: dict[tuple[str, str], list[Result]] = {}
    for result in results:
        groups.setdefault((f"{result['family']} {result['encoding']}", result["solver"]), []).append(result)
    table = [_score(group, solver, runs) for (group, solver), runs in groups.items()]
    return sorted(table, key=lambda score: (score.group, -score.solved, score.par2))


def _score(group: str, solver: str, runs: list[Result]) -> Score:
    statuses = Counter(result["status"] for result in runs)
    return Score(
        group,
        solver,
        len(runs),
        statuses["SATISFIABLE"],
        statuses["UNSATISFIABLE"],
        sum(statuses[status] for status in FAILED),
        par(runs),
        sum(result["cpu"] for result in runs),
        sum(result["wall"] for result in runs),
        max(result["memory"] for result in runs),
    )


def disagreements(results: Iterable[Result]) -> list[str]:
    """Puzzles that one run satisfies (with a model that was checked) and another calls unsatisfiable: someone is wrong."""
    claims: dict[tuple[str, str], dict[str, set[str]]] = {}
    for result in results:
        if result["status"] in DECIDED:
            found = claims.setdefault((result["family"], result["instance"]), {})
            found.setdefault(result["status"], set()).add(f"{result['solver']} ({result['encoding']})")
    return [
        f"{instance}: satisfiable by {', '.join(sorted(found['SATISFIABLE']))}; "
        f"unsatisfiable by {', '.join(sorted(found['UNSATISFIABLE']))}"
        for (_, instance), found in claims.items()
        if len(found) == 2
    ]
