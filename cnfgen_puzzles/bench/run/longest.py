"""How long the runs of a suite take at most, from their limits alone.

Not here: making formulas and checking models, which take what they take and have no limit.
"""

from __future__ import annotations

from collections.abc import Iterable

from cnfgen_puzzles.bench.run.job import solver_of
from cnfgen_puzzles.bench.suite.plan import Suite, Task, proof_limits

ENDING = 0.5
"""Seconds that a run may go on beyond a limit: until it is looked at, for its last words, until all of its processes are gone."""


def longest(suite: Suite, tasks: Iterable[Task], cores: int) -> float | None:
    """Seconds that these runs take at most on so many cores, None if a limit on wall time is missing.

    Runs of equally many cores are handed out one after the other to whoever is free, so that the last one begins when at most
    all others, spread evenly, have ended (Graham 1966); those of more cores begin after those of fewer.
    """
    by_width: dict[int, list[float]] = {}
    for task in tasks:
        seconds = longest_run(suite, task)
        if seconds is None:
            return None
        by_width.setdefault(cores // min(task.solver.cores, cores), []).append(seconds)
    return sum((sum(runs) - max(runs)) / width + max(runs) for width, runs in by_width.items())


def longest_run(suite: Suite, task: Task) -> float | None:
    """Seconds of one run at most, with the check of its proof where there may be one."""
    wall = suite.limits.wall
    if wall is None:
        return None
    seconds = wall + ENDING
    if suite.proofs and solver_of(task.solver).proof_arguments:
        check = proof_limits(suite.limits).wall
        if check is None:
            return None
        seconds += check + ENDING
    return seconds
