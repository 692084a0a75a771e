"""Counterexample-guided solving: solve what was said so far, look which pieces of the puzzle the board breaks, say some of those.

    loop = Loop(family, puzzle, solver="cadical195")
    for board in loop.boards():          # each obeys all rules; the loop ends where there is no more, or at a limit
        ...
    loop.status, loop.rounds, loop.refinement.part()

The family brings the pieces (`Family.refinement`), a session of `solving` the answers. A board that leaves here was checked by
`Family.check` against the whole puzzle. UNSAT is said of the pieces added so far, hence of the puzzle; with them anyone can make
one formula, run another solver on it and have the proof checked: `certified`.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import time
from array import array
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from cnfgen_puzzles.counting.blocking import SOLVERS as INCREMENTAL
from cnfgen_puzzles.families import Board, Family, Puzzle
from cnfgen_puzzles.ground.atomicfiles import write_whole
from cnfgen_puzzles.ground.errors import CnfgenError, InputError
from cnfgen_puzzles.ground.suggestions import unknown_name
from cnfgen_puzzles.pipeline.instance import make_instance
from cnfgen_puzzles.pipeline.solve import BrokenBoard, Outcome, pick_solver, solve
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNKNOWN, UNSATISFIABLE
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.session import Session, Step, open_session
from cnfgen_puzzles.solving.table import Solver, find_solver, load_solvers

DEFAULT_SOLVER = "glucose4"
"""The incremental solver to use when the user names none and python-sat is there (docs/maze.md)."""

PROVING = "glucose"
"""The binary that refutes the final formula where the loop's solver writes no proof: its proofs are the fastest to check."""

ADDED_AT_ONCE = 10
STATE = "state.json"


@dataclass(frozen=True)
class Round:
    """The loop after an answer: `board` is what the solver found (None: there is none), `broken` how many pieces it breaks."""

    number: int
    added: int
    total: int
    variables: int
    clauses: int
    seconds: float
    conflicts: int | None = None
    board: Board | None = None
    broken: int = 0


class Loop:
    """A puzzle solved piece by piece, by the encoding with the family's `helpful_options` under those that are given.

    Unless `every` solution counts, these may leave out some that are symmetric to others.
    `add` broken pieces are added a round, by one of the refinement's `choices`. `state` is a folder in which the numbers of those
    added are kept after each round, so that the loop goes on there; `limits` are those of the session, and its wall time is
    the loop's as well. `progress` is told of every round. `status` is that of the last answer, with the `reason` of UNKNOWN.
    `cpu` is the processor time of the incremental solver, once the boards have ended; None with a binary.
    """

    def __init__(
        self,
        family: Family,
        puzzle: Puzzle,
        encoding: str | None = None,
        options: Mapping[str, Any] | None = None,
        *,
        every: bool = True,
        solver: str | None = None,
        add: int = ADDED_AT_ONCE,
        choice: str | None = None,
        seed: int | None = None,
        limits: Limits | None = None,
        state: Path | None = None,
        progress: Callable[[Round], None] | None = None,
    ):
        if family.refinement is None:
            raise InputError(f"puzzles of the family {family.name} are not solved piece by piece")
        if add < 1:
            raise InputError(f"found {add} {family.refinement.pieces} to add a round, expected at least 1")
        self.family, self.puzzle = family, puzzle
        self.encoding = family.encoding(encoding)
        known = {option.name for option in self.encoding.options}
        helpful = family.refinement.helpful_options(puzzle, every=every)
        self.options = {name: value for name, value in helpful.items() if name in known} | dict(options or {})
        self.refinement = family.refinement(puzzle, self.encoding, **self.options)
        self.choice = choice or next(iter(self.refinement.choices))
        if self.choice not in self.refinement.choices:
            raise InputError(unknown_name("choice", self.choice, self.refinement.choices))
        self.solver = solver or default_solver()
        self.status, self.reason, self.rounds, self.seconds = UNKNOWN, "", 0, 0.0
        self.cpu: float | None = None
        self._add, self._random, self._seed = add, Random(seed), seed
        self._limits = limits or Limits()
        self._progress = progress
        self._state = State(state, family, puzzle) if state else None
        if self._state:
            self.refinement.add(self._state.read(self.refinement.total))

    def boards(self) -> Generator[Board, None, None]:
        """Boards that differ in the projection set, each checked; ends with a `status` other than SATISFIABLE."""
        session = open_session(self.solver, self._limits)
        try:
            with session:
                yield from self._boards(session)
        finally:
            measurement = getattr(session, "measurement", None)
            self.cpu = measurement.cpu if measurement else None

    def _boards(self, session: Session) -> Iterator[Board]:
        begun = time.monotonic()
        sent = 0
        while True:
            literals = self.refinement.formula.literals
            session.add_flat(literals[sent:])
            sent = len(literals)
            step = session.solve()
            self.rounds += 1
            self.seconds = time.monotonic() - begun
            self.status, self.reason = step.status, step.reason
            if step.status != SATISFIABLE:
                self._tell(step)
                return
            true = {literal for literal in step.model if literal > 0}
            board = self.refinement.decode(true)
            if self._refined(board, step):
                if self._limits.wall and self.seconds > self._limits.wall:
                    self.status, self.reason = UNKNOWN, "wall time limit"
                    return
                continue
            yield self._checked(board)
            self._block(session, true)

    def search(self, seconds: float) -> Board | None:
        """A board by the family's own search, without a solver; None says nothing."""
        begun = time.monotonic()
        board = self.refinement.search(seconds, self._random)
        self.seconds = time.monotonic() - begun
        if board is None:
            return None
        self.status = SATISFIABLE
        return self._checked(board)

    def certified(self, limits: Limits | None = None) -> Outcome:
        """The formula of the pieces added so far, refuted by a solver binary whose proof is checked."""
        instance = make_instance(self.family, self.refinement.part(), self.encoding.name, **self.options)
        solver = proving_solver(self.solver)
        outcome = solve(instance, solver, limits=limits or self._limits, seed=self._seed, certify=True)
        if outcome.status == SATISFIABLE and self.status == UNSATISFIABLE:
            raise CnfgenError(f"{solver.name} satisfies the formula that {self.solver} refuted: one of them is wrong")
        return outcome

    def _refined(self, board: Board, step: Step) -> bool:
        """Whether the board breaks pieces; some of them have been added then."""
        broken = self.refinement.broken(board)
        self._tell(step, board, len(broken))
        if not broken:
            return False
        already = set(self.refinement.added)
        if not already.isdisjoint(broken):
            raise BrokenBoard(f"the board breaks {self.refinement.pieces} that the formula has: the encoding is at fault")
        self.refinement.add(self.refinement.choose(board, broken, self._add, self.choice, self._random))
        if self._state:
            self._state.write(self.refinement.added)
        return True

    def _checked(self, board: Board) -> Board:
        faults = self.family.check(self.puzzle, board)
        if faults:
            raise BrokenBoard(f"the board of this model breaks the rules of the puzzle: {'; '.join(faults[:3])}")
        return board

    def _block(self, session: Session, true: set[int]) -> None:
        """Other boards only, from now on: said in the session, not in the formula of the pieces."""
        projection = self.refinement.formula.projection
        session.add_flat(array("i", [*(-variable if variable in true else variable for variable in projection), 0]))

    def _tell(self, step: Step, board: Board | None = None, broken: int = 0) -> None:
        if self._progress:
            refinement = self.refinement
            self._progress(
                Round(
                    self.rounds,
                    len(refinement.added),
                    refinement.total,
                    refinement.formula.num_variables,
                    refinement.formula.num_clauses,
                    self.seconds,
                    step.statistics.get("conflicts"),
                    board,
                    broken,
                )
            )


def default_solver() -> str:
    """The incremental solver to use; without python-sat the best binary that is there."""
    return DEFAULT_SOLVER if importlib.util.find_spec("pysat") else f"bin:{pick_solver().name}"


def proving_solver(name: str) -> Solver:
    """The binary that refutes the final formula: the loop's solver if it writes proofs, else the best that does."""
    binary = name.removeprefix("bin:")
    known = None if name in INCREMENTAL else load_solvers().get(binary)
    if "/" in binary or (known and known.proof_format):
        return pick_solver(binary)
    preferred = find_solver(PROVING)
    return preferred if preferred.available() else pick_solver(proof=True)


class State:
    """The numbers of the pieces added so far, in a folder; it belongs to one puzzle."""

    def __init__(self, folder: Path, family: Family, puzzle: Puzzle):
        self._path = folder / STATE
        entry = json.dumps(family.puzzle_to_json(puzzle), sort_keys=True)
        self._about = {
            "family": family.name,
            "puzzle": family.describe(puzzle),
            "sha256": hashlib.sha256(entry.encode()).hexdigest(),
        }
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"is no folder to write to: {error.strerror}", source=str(folder)) from None

    def read(self, total: int) -> list[int]:
        """What has been kept; nothing in a new folder."""
        source = str(self._path)
        try:
            entry = json.loads(self._path.read_text(encoding="utf-8"))
            about, added = {key: entry[key] for key in self._about}, entry["added"]
        except FileNotFoundError:
            return []
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InputError(f"is no state of a loop: {type(error).__name__}: {error}", source=source) from None
        if about != self._about:
            raise InputError(f"found the state of another puzzle, {about['family']}: {about['puzzle']}", source=source)
        if not isinstance(added, list) or not all(type(number) is int and 0 <= number < total for number in added):
            raise InputError(f"found numbers that are not all from 0 to {total - 1}", source=source)
        return list(dict.fromkeys(added))

    def write(self, added: list[int]) -> None:
        """Keep these; a reader never sees half of them."""
        write_whole(self._path, json.dumps(self._about | {"added": added}) + "\n")
