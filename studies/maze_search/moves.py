"""Moves of a search for short maze strings: one step of annealing or one SAT window, which runs in a worker process.

    made = make(Move(SHORTEN, "thin", "3x3", "*" * 78, seed=1, seconds=60.0, deadline=time.monotonic() + 60, start=string))

Times are processor time. `searching.py` chooses moves and keeps their results.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage

from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.families import find_family
from cnfgen_puzzles.families.maze.model import BLOCKED, THIN
from cnfgen_puzzles.families.maze.puzzle import FREE, Mazes, MazeString
from cnfgen_puzzles.families.maze.sets import ARTICLE, EVERY, grid_of, mazes_of
from cnfgen_puzzles.pipeline.cegar import CegarLoop
from cnfgen_puzzles.solving.process import Limits
from studies.maze_search.annealing import LocalSearch, anneal, hot_for
from studies.mazes.cases import verified
from studies.mazes.dominance import undominated

DESCENT, SHORTEN, WANDER, WINDOW, OTHERS, REPAIR = "descent", "shorten", "wander", "window", "others", "repair"
METHODS = (DESCENT, SHORTEN, WANDER, WINDOW, OTHERS, REPAIR)

NO_TIME = "no time"
"""The verdict on a window that was not tried; the others are those of the CEGAR loop."""

WARM, LUKEWARM = 0.5, (0.1, 0.4)
"""The parts of the temperature of a descent for shortening and for wandering."""

MOST_REDUCED = 16
"""The number of cells of the largest grid whose mazes are reduced by dominance: it removes 10% of blocked 4x4, 5% of 5x4."""

MOST_IN_VAIN = 200
"""Wandering ends after this many consecutive returns to known strings."""

MOST_OTHERS, MOST_WANDERED = 8, 100
"""The most strings that are kept of one window with as many letters, and of one walk."""


@dataclass(frozen=True)
class Move:
    """A move: its method, its pattern, and its first string."""

    method: str
    kind: str
    size: str
    pattern: str
    seed: int
    seconds: float
    deadline: float
    start: str | None = None

    @property
    def origin(self) -> str:
        """The first string of a move that needs one."""
        if self.start is None:
            raise CnfgenError(f"{self.method} needs a first string")
        return self.start


@dataclass
class Made:
    """The result of a move: `solved` are strings that solve all mazes; `best` is the best string, which fails in `cost` mazes."""

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


@lru_cache(maxsize=4)
def mazes_to_solve(kind: str, size: str) -> Mazes:
    """The mazes for trying strings: as few as all reductions leave. In large grids, dominance takes longer than it saves."""
    if grid_of(size).cells > MOST_REDUCED:
        return mazes_of(kind, size, ARTICLE)
    mazes = mazes_of(kind, size, EVERY)
    return undominated(mazes) if kind == BLOCKED else mazes


def make(move: Move) -> Made:
    """Makes the move and measures its processor time, including that of the solver."""
    begun = _processor_time()
    free = move.pattern.count(FREE)
    made = Made(move.method, move.kind, move.size, len(move.pattern), free, move.seed, start=move.start)
    puzzle = MazeString(mazes_to_solve(move.kind, move.size), move.pattern)
    {WINDOW: _refill, OTHERS: _refill, REPAIR: _refill, WANDER: _wander}.get(move.method, _descend)(move, puzzle, made)
    made.solved = [verified(move.kind, move.size, string) for string in dict.fromkeys(made.solved)]
    made.seconds = round(_processor_time() - begun, 2)
    return made


def _descend(move: Move, puzzle: MazeString, made: Made) -> None:
    hot = hot_for(puzzle.mazes) * (1 if move.start is None else WARM)
    trial = anneal(
        puzzle, move.seconds, Random(move.seed), move.start, hot=hot, clock=time.process_time, deadline=move.deadline
    )  # fmt: skip
    made.best, made.cost, made.tried = trial.string, trial.cost, trial.tried
    made.solved = [] if trial.cost else [trial.string]


def _wander(move: Move, puzzle: MazeString, made: Made) -> None:
    """Walks from one string that solves all mazes to others, and keeps new ones up to symmetry."""
    random = Random(move.seed)
    temperature = hot_for(puzzle.mazes) * random.uniform(*LUKEWARM)
    walk = LocalSearch(puzzle, random, move.origin)
    walk.sort()
    seen = {canonical(puzzle.mazes, move.origin)}
    begun = time.process_time()
    in_vain = 0
    while time.process_time() < begun + move.seconds and time.monotonic() < move.deadline:
        walk.go(10 * walk.engine.stride, temperature)
        form = canonical(puzzle.mazes, walk.best.string)
        in_vain += 1
        if form not in seen:
            in_vain = 0
            seen.add(form)
            made.solved.append(walk.best.string)
        if len(seen) > MOST_WANDERED or in_vain > MOST_IN_VAIN:
            break
    made.best, made.cost, made.tried = walk.best.string, walk.best.cost, walk.best.tried


def _refill(move: Move, puzzle: MazeString, made: Made) -> None:
    seconds = min(move.seconds, move.deadline - time.monotonic())
    if seconds <= 0:
        made.verdict = NO_TIME
        return
    loop = CegarLoop(find_family("maze"), puzzle, limits=Limits(wall=seconds), seed=move.seed)
    for string in map(str, loop.boards()):
        if string != move.start:
            made.solved.append(string)
            made.best, made.cost = string, 0
        if len(made.solved) == (MOST_OTHERS if move.method == OTHERS else 1):
            break
    made.verdict = loop.status
    made.tried = loop.rounds


def canonical(mazes: Mazes, string: str) -> str:
    """The canonical form of a string under the symmetries that fix start and goal (`blocked`), or all (`thin`)."""
    goal = mazes.grid.cells - 1
    kept = [s for s in mazes.grid.symmetries if mazes.kind == THIN or (s.cells[0] == 0 and s.cells[goal] == goal)]
    return min(symmetry.string(string) for symmetry in kept)


def opened(string: str, offset: int, window: int, replace: int, random: Random) -> str:
    """The pattern with `replace` free steps for the `window` letters from `offset` on; it continues at the front after the
    end."""
    if (front := offset + window - len(string)) <= 0:
        return string[:offset] + FREE * replace + string[offset + window :]
    at_front = min(replace, max(0, front - random.randint(0, window - replace)))
    return FREE * at_front + string[front:offset] + FREE * (replace - at_front)


def _processor_time() -> float:
    return sum(usage.ru_utime + usage.ru_stime for usage in map(getrusage, (RUSAGE_SELF, RUSAGE_CHILDREN)))
