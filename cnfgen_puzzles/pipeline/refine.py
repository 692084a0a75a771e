"""Counterexample-guided solving: solve what was said so far, look which pieces of the puzzle the board breaks, say some of those.

    loop = Loop(family, puzzle, solver="cadical195")
    for board in loop.boards():          # each obeys all rules; the loop ends where there is no more, or at a limit
        ...
    loop.status, loop.rounds, loop.refinement.part()

The family brings the pieces (`Family.refinement`), a session of `solving` the answers. A board that leaves here was checked by
`Family.check` against the whole puzzle. UNSAT is said of the pieces added so far, hence of the puzzle; with them anyone can make
one formula, run another solver on it and have the proof checked: `certified`. `outcomes` is the whole road, with its words.
"""

from __future__ import annotations

import contextlib
import importlib.util
import itertools
import time
from array import array
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, Self

from cnfgen_puzzles.common import showing
from cnfgen_puzzles.common.activity import doing
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.suggestions import unknown_name
from cnfgen_puzzles.evidence.basis import MODEL, WORD, Evidence, evidence_json
from cnfgen_puzzles.evidence.checkers import pick_checker, proving
from cnfgen_puzzles.families import Board, Family, Puzzle
from cnfgen_puzzles.pipeline.asking.sides import AUTO
from cnfgen_puzzles.pipeline.instance import Instance, make_instance
from cnfgen_puzzles.pipeline.loopstate import ADDED_AT_ONCE, DEFAULT_SOLVER, State
from cnfgen_puzzles.pipeline.solve import (
    CHECK_FACTOR,
    CHECK_SECONDS,
    BrokenBoard,
    FormulaOutcome,
    Outcome,
    obeying,
    pick_solver,
    solve,
    with_blocked,
)
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNKNOWN, UNSATISFIABLE
from cnfgen_puzzles.solving.incremental import SOLVERS as INCREMENTAL
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.run import ERROR, record_of, usage_of
from cnfgen_puzzles.solving.session import Session, SessionAnswer, open_session
from cnfgen_puzzles.solving.table import Solver, find_solver, solver_with_options, split_names

PROVING = "glucose"
"""The binary that refutes the final formula where the loop's solver writes no proof: its proofs are the fastest to check."""


@dataclass(frozen=True)
class Round:
    """The loop after an answer: `board` is what the solver found (None: there is none), `broken` how many pieces it breaks.

    `pieces` is what they are called; `added` of a `total` were in the formula.
    """

    number: int
    pieces: str
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
        solver: str | Sequence[str] | None = None,
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
        self.solver = default_solver() if solver in (None, AUTO) else ",".join([solver] if isinstance(solver, str) else solver)
        self.status, self.reason, self.rounds, self.seconds = UNKNOWN, "", 0, 0.0
        self.cpu: float | None = None
        self._add, self._random, self._seed = add, Random(seed), seed
        self.limits = limits or Limits()
        self._progress = progress
        self._found: list[tuple[Board, list[bool]]] = []  # with its projection variables, in order
        self._state = State(state, family, puzzle) if state else None
        if self._state:
            self.refinement.add(self._state.read(self.refinement.total))

    def __repr__(self) -> str:
        return showing.in_brackets("Loop", self.family.describe(self.puzzle), self.status, self.so_far())

    def boards(self) -> Generator[Board, None, None]:
        """Boards that differ in the projection set, each checked; ends with a `status` other than SATISFIABLE."""
        session = open_session(self.solver, self.limits)
        try:
            with session:
                yield from self._boards(session)
        finally:
            measurement = getattr(session, "measurement", None)
            self.cpu = measurement.cpu if measurement else None

    def _boards(self, session: Session) -> Generator[Board, None, None]:
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
                if self.limits.wall and self.seconds > self.limits.wall:
                    self.status, self.reason = UNKNOWN, "wall time limit"
                    return
                continue
            self._found.append((board, [variable in true for variable in self.refinement.formula.projection]))
            yield obeying(self.family, self.puzzle, board)
            self._block(session)

    def search(self, seconds: float) -> Board | None:
        """A board by the family's own search, without a solver; None says nothing."""
        begun = time.monotonic()
        with doing("looking for a board by local search"):
            board = self.refinement.search(seconds, self._random)
        self.seconds = time.monotonic() - begun
        if board is None:
            return None
        self.status = SATISFIABLE
        return obeying(self.family, self.puzzle, board)

    def certified(self, limits: Limits | None = None, **how: Any) -> FormulaOutcome:
        """The formula of the pieces added so far, without the boards found, refuted by a solver binary whose proof is checked.

        Without a checked proof the outcome is an ERROR, or UNKNOWN within the limits. `how`: `checker` and `proof_to` of `solve`.
        """
        return self._refuted_once_more(limits or self.limits, certify=True, **how)

    def proved(self, checker: str | None = None) -> FormulaOutcome:
        """The same within the bounds of `solve`: half of the time for the refutation, half, times its patience, for the check."""
        seconds = max(CHECK_SECONDS, CHECK_FACTOR * self.seconds) / 2
        limits = Limits(cpu=seconds, wall=seconds, memory=self.limits.memory)
        chosen = pick_checker(checker, proving(proving_solver(self.solver), checker).proof_format or "text")
        return self._refuted_once_more(limits, check_seconds=chosen.patience * seconds, checker=checker)

    def _refuted_once_more(self, limits: Limits, **how: Any) -> FormulaOutcome:
        instance = make_instance(self.family, self.refinement.part(), self.encoding.name, **self.options)
        solver = proving_solver(self.solver)
        cnf = instance.cnf
        for board, signs in self._found:
            true = [variable for variable, sign in zip(instance.projection, signs, strict=True) if sign]
            self._check_same(board, instance, true)
            cnf = with_blocked(cnf, instance.projection, true)
        outcome = solve(instance, solver, limits=limits, seed=self._seed, cnf=cnf, **how)
        if outcome.status == SATISFIABLE and self.status == UNSATISFIABLE:
            raise CnfgenError(f"{solver.name} satisfies the formula that {self.solver} refuted: one of them is wrong")
        return outcome

    def _check_same(self, board: Board, instance: Instance, true: list[int]) -> None:
        """Blocking these variables blocks that board, whose assignment comes from the formula that grew."""
        if instance.family.decode(instance.puzzle, instance.map.blocks, true) != board:
            raise CnfgenError("the variables of the final formula stand for another board than those of the loop's")

    def pieces_text(self) -> str:
        """The pieces added so far as a puzzle file of their own, in the family's first format."""
        return self.family.write(self.refinement.part(), next(iter(self.family.formats)))

    def keep_sufficient(self) -> Path | None:
        """Beside the state: the pieces that were enough for a refutation. None where there is no state, or no piece."""
        if self._state is None or not self.refinement.added:
            return None
        return self._state.write_sufficient(self.pieces_text(), next(iter(self.family.formats.values())).suffixes[0])

    def so_far(self) -> str:
        """How far it came, in words."""
        rounds = f"{self.rounds} round{'s' * (self.rounds != 1)}"
        return f"{rounds}, {len(self.refinement.added)} of {self.refinement.total} {self.refinement.pieces}"

    def _refined(self, board: Board, step: SessionAnswer) -> bool:
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

    def signs_of(self, board: Board) -> list[bool]:
        """The values of the projection variables, in order, by which the solver gave a board."""
        for found, signs in self._found:
            if found == board:
                return signs
        raise InputError("found a board by local search, which has no model; expected one of the solver's, without search")

    def _block(self, session: Session) -> None:
        """Other boards than the last, from now on: said in the session, not in the formula of the pieces."""
        signs = zip(self.refinement.formula.projection, self._found[-1][1], strict=True)
        session.add_flat(array("i", [*(-variable if sign else variable for variable, sign in signs), 0]))

    def _tell(self, step: SessionAnswer, board: Board | None = None, broken: int = 0) -> None:
        if self._progress:
            refinement = self.refinement
            self._progress(
                Round(
                    self.rounds,
                    refinement.pieces,
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
    for known in (solver_with_options(each.removeprefix("bin:")) for each in split_names(name) if each not in INCREMENTAL):
        if "/" in name or known.proof_format:
            return known
    preferred = find_solver(PROVING)
    return preferred if preferred.available() else pick_solver(proof=True)


# -- what comes of it -----------------------------------------------------------------------------------------------------


class Interrupted(KeyboardInterrupt):
    """Ctrl-C in a loop; the message says how far it had come."""


@dataclass(frozen=True, kw_only=True, repr=False)
class LoopOutcome(Outcome):
    """A board by the loop, or why it found no more: then `certificate` is the final formula refuted once more, where tried.

    `sufficient` is the file of the pieces that were enough, where a state was kept.
    """

    loop: Loop
    certificate: FormulaOutcome | None = None
    sufficient: Path | None = None

    @property
    def grounds(self) -> str:
        refinement = self.loop.refinement
        enough = f"{len(refinement.added)} of {refinement.total} {refinement.pieces} are enough to show it"
        return f": {enough}{super().grounds}"

    def measured(self, *earlier: Self) -> list[str]:
        loop = self.loop
        if not loop.rounds:
            return [f"local search: {loop.status.lower()}, {loop.seconds:.2f} s"]
        size = f"{loop.refinement.formula.num_variables} variables, {loop.refinement.formula.num_clauses} clauses"
        lines = [f"{loop.solver}, {self.encoding}: {loop.status.lower()}, {loop.so_far()}, {size}, {loop.seconds:.2f} s"]
        if self.certificate is not None:
            run = self.certificate.run
            lines.append(f"{run.solver.name}, the final formula: {run.status.lower()}, {usage_of(run)}")
        return lines

    def to_json(self, *earlier: Self) -> dict[str, Any]:
        each, loop, refinement = (*earlier, self), self.loop, self.loop.refinement
        entry = {
            "family": self.family.name,
            "encoding": self.encoding,
            "options": loop.options,
            "puzzle": self.family.puzzle_to_json(self.puzzle),
            "status": each[0].status,
            "reason": self.reason,
            "evidence": evidence_json(each[0].evidence),
            "boards": [self.family.board_to_json(self.puzzle, board) for one in each for board in one.boards],
            "complete": loop.status == UNSATISFIABLE,
            "solver": loop.solver,
            "rounds": loop.rounds,
            "seconds": round(loop.seconds, 3),
            "variables": refinement.formula.num_variables,
            "clauses": refinement.formula.num_clauses,
            refinement.pieces: refinement.added,
        }
        if self.certificate is not None:
            made = self.certificate
            entry["certificate"] = record_of(made.run, made.cnf, proof=made.proof, evidence=evidence_json(made.evidence))
        return entry


def outcomes(
    loop: Loop,
    most: int,
    *,
    search: float | None = None,
    proof: bool = True,
    certify: bool = False,
    **how: Any,
) -> list[LoopOutcome]:
    """So many boards, each an outcome, or as many as there are and why there are no more; Interrupted on Ctrl-C.

    `search` is for how many seconds to look first for one by the family's own search; the others are as in `solve`, `how` being
    `checker` and `proof_to`.
    """
    try:
        boards = _first_boards(loop, most, search)
        facts: dict[str, Any] = {"family": loop.family, "puzzle": loop.puzzle, "encoding": loop.encoding.name, "loop": loop}
        found = [LoopOutcome(**facts, status=SATISFIABLE, board=board, evidence=Evidence(MODEL)) for board in boards]
        if len(boards) == most:
            return found
        return [*found, _last_outcome(loop, facts, proof, certify, **how)]
    except KeyboardInterrupt:
        raise Interrupted(f"after {loop.so_far()}") from None


def _last_outcome(loop: Loop, facts: dict[str, Any], proof: bool, certify: bool, **how: Any) -> LoopOutcome:
    """Why there are no more boards; that there are none rests on a proof where it can be had."""
    last = LoopOutcome(**facts, status=loop.status, reason=loop.reason)
    if loop.status != UNSATISFIABLE:
        return last
    last = replace(last, evidence=Evidence(WORD, loop.solver), sufficient=loop.keep_sufficient())
    if not (proof or certify):
        return last
    try:
        certificate = loop.certified(**how) if certify else loop.proved(how.get("checker"))
    except InputError as error:  # no solver that writes proofs, or no checker
        if certify:
            raise
        return replace(last, evidence=Evidence(WORD, loop.solver, error.message))
    last = replace(last, certificate=certificate, proof=certificate.proof)
    if certificate.evidence is not None and certificate.evidence.certain:
        return replace(last, evidence=certificate.evidence)
    if certify or certificate.failed:
        return replace(last, status=ERROR, reason=f"not certified: {certificate.reason}", evidence=None)
    why = certificate.evidence.note if certificate.evidence else f"{certificate.reason}"
    return replace(last, evidence=Evidence(WORD, loop.solver, f"the final formula was not refuted once more: {why}"))


def _first_boards(loop: Loop, most: int, search: float | None) -> list[Board]:
    if search is not None and (board := loop.search(search)) is not None:
        return [board]
    with contextlib.closing(loop.boards()) as boards:
        return list(itertools.islice(boards, most))
