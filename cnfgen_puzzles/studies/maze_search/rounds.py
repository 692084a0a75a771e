"""Rounds of a search for short maze strings: one step of annealing or one SAT window, as a worker process makes it.

    result = perform(Task(SHORTEN, "thin", "3x3", "*" * 78, seed=1, seconds=60.0, deadline=time.monotonic() + 60, start=string))

Which round comes next, and what is kept of it, is the affair of `scripts/maze_search.py`. Seconds are of processor time.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from functools import cache
from random import Random
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage

from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.maze.model import THIN
from cnfgen_puzzles.families.maze.model.puzzle import FREE, Mazes, MazeString
from cnfgen_puzzles.families.maze.refine.annealing import Walk, anneal, hot_for
from cnfgen_puzzles.ground.errors import CnfgenError
from cnfgen_puzzles.pipeline.refine import Loop
from cnfgen_puzzles.solving.process import Limits

DESCENT, SHORTEN, WANDER, WINDOW, OTHERS, REPAIR = "descent", "shorten", "wander", "window", "others", "repair"
METHODS = (DESCENT, SHORTEN, WANDER, WINDOW, OTHERS, REPAIR)

WARM, LUKEWARM = 0.5, (0.1, 0.4)
"""From which part of a descent's temperature strings are shortened, and at which ones they wander."""

MOST_IN_VAIN = 200
"""Wandering ends when it came back to known strings so many times in a row."""

MOST_OTHERS, MOST_WANDERED = 8, 100
"""How many strings are kept of one window refilled by as many letters, and of one walk."""


@dataclass(frozen=True)
class Task:
    """One round: what to do, with which pattern, from which string."""

    method: str
    kind: str
    size: str
    pattern: str
    seed: int
    seconds: float
    deadline: float
    start: str | None = None


@dataclass
class Result:
    """What came of a round: `solved` are strings that solve all, `best` is the best one and `cost` how many mazes it fails."""

    method: str
    kind: str
    size: str
    length: int
    window: int
    seed: int
    best: str | None = None
    cost: int | None = None
    tried: int = 0
    seconds: float = 0.0
    verdict: str = ""
    start: str | None = None
    solved: list[str] = field(default_factory=list)


@cache
def mazes_of(kind: str, size: str, reduce: str = "all") -> Mazes:
    return find_family("maze").read(None, kind=kind, size=size, reduce=reduce, length=0).mazes


def perform(task: Task) -> Result:
    """The round, with the processor time that it took here and in the solver's process."""
    begun = _processor_time()
    result = Result(
        task.method, task.kind, task.size, len(task.pattern), task.pattern.count(FREE), task.seed, start=task.start
    )  # fmt: skip
    puzzle = MazeString(mazes_of(task.kind, task.size), task.pattern)
    {WINDOW: _refill, OTHERS: _refill, REPAIR: _refill, WANDER: _wander}.get(task.method, _descend)(task, puzzle, result)
    result.solved = [string for string in dict.fromkeys(result.solved) if verified(task.kind, task.size, string)]
    result.seconds = round(_processor_time() - begun, 2)
    return result


def _descend(task: Task, puzzle: MazeString, result: Result) -> None:
    hot = hot_for(puzzle.mazes) * (1 if task.start is None else WARM)
    trial = anneal(
        puzzle, task.seconds, Random(task.seed), task.start, hot=hot, clock=time.process_time, deadline=task.deadline
    )  # fmt: skip
    result.best, result.cost, result.tried = trial.string, trial.cost, trial.tried
    result.solved = [] if trial.cost else [trial.string]


def _wander(task: Task, puzzle: MazeString, result: Result) -> None:
    """From one string that solves all to others; those not yet seen, up to symmetry, are kept."""
    random = Random(task.seed)
    temperature = hot_for(puzzle.mazes) * random.uniform(*LUKEWARM)
    walk = Walk(puzzle, random, task.start)
    walk.sort()
    seen = {canonical(puzzle.mazes, task.start)}
    begun = time.process_time()
    in_vain = 0
    while time.process_time() < begun + task.seconds and time.monotonic() < task.deadline:
        walk.go(10 * walk.stride, temperature)
        form = canonical(puzzle.mazes, walk.best.string)
        in_vain += 1
        if form not in seen:
            in_vain = 0
            seen.add(form)
            result.solved.append(walk.best.string)
        if len(seen) > MOST_WANDERED or in_vain > MOST_IN_VAIN:
            break
    result.best, result.cost, result.tried = walk.best.string, walk.best.cost, walk.best.tried


def _refill(task: Task, puzzle: MazeString, result: Result) -> None:
    seconds = min(task.seconds, task.deadline - time.monotonic())
    if seconds <= 0:
        result.verdict = "no time"
        return
    loop = Loop(find_family("maze"), puzzle, limits=Limits(wall=seconds), seed=task.seed)
    for string in loop.boards():
        if string != task.start:
            result.solved.append(string)
            result.best, result.cost = string, 0
        if len(result.solved) == (MOST_OTHERS if task.method == OTHERS else 1):
            break
    result.verdict = loop.status
    result.tried = loop.rounds


def verified(kind: str, size: str, string: str) -> bool:
    """True; an error if the string fails in some maze of the grid, none left out."""
    if not mazes_of(kind, size, "none").solves_all(string):
        raise CnfgenError(f"{string} fails: a reduction or the search is at fault")
    return True


def canonical(mazes: Mazes, string: str) -> str:
    """The same for a string and its images under the symmetries that keep start and goal (`blocked`), or all (`thin`)."""
    goal = mazes.grid.cells - 1
    kept = [s for s in mazes.grid.symmetries if mazes.kind == THIN or (s.cells[0] == 0 and s.cells[goal] == goal)]
    return min(symmetry.string(string) for symmetry in kept)


def opened(string: str, offset: int, window: int, replace: int, random: Random) -> str:
    """The pattern with `replace` free steps for the `window` letters from `offset` on; past the end it goes on at the front."""
    if (front := offset + window - len(string)) <= 0:
        return string[:offset] + FREE * replace + string[offset + window :]
    at_front = min(replace, max(0, front - random.randint(0, window - replace)))
    return FREE * at_front + string[front:offset] + FREE * (replace - at_front)


def _processor_time() -> float:
    return sum(usage.ru_utime + usage.ru_stime for usage in map(getrusage, (RUSAGE_SELF, RUSAGE_CHILDREN)))
