"""The CEGAR loop (counterexample-guided refinement): solve with the constraints added so far, add some that the board violates.

    loop = CegarLoop(family, puzzle, solver="cadical195")
    for board in loop.boards():          # each obeys all rules; the loop ends if there is no other board, or at a limit
        ...
    loop.status, loop.rounds, loop.refinement.part()

The family supplies the lazy constraints (`Family.refinement`), and a session of `solving` the answers. `Family.check` checks each
board against the whole puzzle. An UNSAT answer holds for the constraints added so far, hence for the puzzle. `certify` encodes
these constraints as one formula, runs another solver on it, and has its proof checked.

The state of a loop is a journal of the constraints that each round added. A state cannot make an answer wrong: it only names
constraints of this puzzle, whose refutation refutes the puzzle, and each board is checked against the whole puzzle.
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
from typing import Any

from cnfgen_puzzles.common import showing
from cnfgen_puzzles.common.digests import digest_of_json
from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.journal import Journal, JournalLine
from cnfgen_puzzles.common.readers.strictjson import member
from cnfgen_puzzles.evidence.checkers import pick_checker, proving
from cnfgen_puzzles.evidence.evidence import ARGUMENT, CLAIMED, MODEL, Evidence, evidence_json
from cnfgen_puzzles.families import Board, Family, Puzzle, Refinement
from cnfgen_puzzles.pipeline.answer import Answer, FormulaAnswer, Status
from cnfgen_puzzles.pipeline.instance import BrokenBoard, Instance, check_rules, make_instance, with_blocked
from cnfgen_puzzles.pipeline.portfolio import AUTO, Entrant, Portfolio
from cnfgen_puzzles.pipeline.request import ADDED_AT_ONCE, CEGAR_SOLVER, ProofPolicy, SolveRequest
from cnfgen_puzzles.pipeline.solve import CHECK_FACTOR, CHECK_SECONDS, WAITING, FormulaTask, pick_solver
from cnfgen_puzzles.pipeline.unique import QUICK, solve_quickly
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNKNOWN, UNSATISFIABLE
from cnfgen_puzzles.solving.incremental import SOLVERS as INCREMENTAL
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.run import record_of, usage_of
from cnfgen_puzzles.solving.session import Session, open_session
from cnfgen_puzzles.solving.table import Solver, find_solver, solver_with_options, split_names

STATE_FILE = "state.jsonl"

PROVING = "glucose"
"""The binary that refutes the final formula if the loop's solver writes no proof: its proofs are the fastest to check."""


def open_state(folder: Path, family: Family, puzzle: Puzzle) -> Journal:
    """The journal of a state, which belongs to one puzzle."""
    digest = digest_of_json(family.puzzle_to_json(puzzle))
    return Journal(folder / STATE_FILE, head={"family": family.name, "puzzle": family.describe(puzzle), "sha256": digest})


class CegarLoop:
    """The loop for one puzzle. Its options are the family's `helpful_options`, overridden by the given ones.

    Unless `every` solution counts, these may omit symmetric solutions. Each round adds about `add` violated constraints. `state`
    is a folder in which added constraints are kept after each round; `boards` resumes from it; `limits` are those of the
    session, and its wall time is the loop's as well. `progress` gets the loop after each answer of the solver: the number of
    `rounds`, the solver's `board` (None: there is none), the number of constraints that it violates (`broken`), and the
    `conflicts` of the solver. `status` is that of the last answer, with the `reason` of UNKNOWN.
    `cpu` is the CPU time of the solver in seconds, once the boards have ended. `found` are the boards without violations, each
    with the values of the projection variables.
    """

    def __init__(
        self,
        family: Family,
        puzzle: Puzzle,
        encoding: str | None = None,
        options: Mapping[str, Any] | None = None,
        *,
        every: bool = True,
        solver: str | Sequence[str] = (),
        add: int | None = None,
        seed: int | None = None,
        limits: Limits | None = None,
        state: Path | None = None,
        progress: Callable[[CegarLoop], None] | None = None,
    ):
        if family.refinement is None:
            raise InputError(f"the CEGAR loop does not solve puzzles of the family {family.name}")
        self.family, self.puzzle = family, puzzle
        self.encoding = family.encoding(encoding or next(iter(family.refinement.encodings), None))
        known = {option.name for option in self.encoding.options}
        helpful = family.refinement.helpful_options(puzzle, every=every)
        self.options = {name: value for name, value in helpful.items() if name in known} | dict(options or {})
        self.refinement = family.refinement(puzzle, self.encoding, **self.options)
        names = solver if isinstance(solver, str) else ",".join(solver)
        self.solver = default_solver() if names in ("", AUTO) else names
        self.status, self.reason, self.rounds, self.seconds = UNKNOWN, "", 0, 0.0
        self.cpu = 0.0
        self.board: Board | None = None
        self.broken = 0
        self.conflicts: int | None = None
        self._add, self._seed = add or ADDED_AT_ONCE, seed
        self.limits = limits or Limits()
        self._progress = progress
        self.found: list[tuple[Board, list[bool]]] = []
        self._state = state

    def __repr__(self) -> str:
        return showing.in_brackets("CegarLoop", self.family.describe(self.puzzle), self.status, self.so_far())

    def boards(self) -> Generator[Board, None, None]:
        """Boards that differ in the projection set, each checked; ends with a `status` other than SATISFIABLE."""
        with contextlib.ExitStack() as stack:
            session = stack.enter_context(open_session(self.solver, self.limits))
            stack.callback(lambda: setattr(self, "cpu", session.cpu))
            journal = None
            if self._state is not None:
                journal = stack.enter_context(open_state(self._state, self.family, self.puzzle))
                journal.resume(self.add_line, "remove the folder to start again")
            yield from self._boards(session, journal)

    def add_line(self, line: JournalLine) -> None:
        """Add the constraints that a line of the state names."""
        added = map(self.refinement.constraint, member(line.entry, "added", list))
        self.refinement.add([each for each in dict.fromkeys(added) if each not in self.refinement.added])

    def _boards(self, session: Session, journal: Journal | None) -> Generator[Board, None, None]:
        begun, sent, refinement = time.monotonic(), 0, self.refinement
        while True:
            literals = refinement.formula.literals
            session.add_flat(literals[sent:])
            sent = len(literals)
            step = session.solve(refinement.guess, check=False)  # the constraints follow from the rules, whatever the model
            self.rounds += 1
            self.seconds = time.monotonic() - begun
            self.status, self.reason, self.conflicts = step.status, step.reason, step.statistics.get("conflicts")
            true = set(filter((0).__lt__, step.model))
            board: Any = None
            broken: Sequence[Any] = ()
            if step.status == SATISFIABLE:
                board, broken = refinement.inspect(true)
            self.board, self.broken = board, len(broken)
            if self._progress:
                self._progress(self)
            if step.status == UNSATISFIABLE and refinement.guess:
                refinement.guess = ()
                continue
            if step.status != SATISFIABLE:
                return
            if broken:
                if not set(refinement.added).isdisjoint(broken):
                    raise BrokenBoard(f"the board breaks {refinement.noun} that the formula has: the encoding is at fault")
                before = len(refinement.added)
                refinement.add(refinement.choose(broken, self._add))
                if journal is not None:
                    journal.append({"added": refinement.added[before:]})
                if self.limits.wall and self.seconds > self.limits.wall:
                    self.status, self.reason = UNKNOWN, "wall time limit"
                    return
                continue
            session.check_model(step.model)
            signs = [variable in true for variable in refinement.formula.projection]
            self.found.append((board, signs))
            yield check_rules(self.family, self.puzzle, board)
            pairs = zip(refinement.formula.projection, signs, strict=True)  # said in the session, not in the formula
            session.add_flat(array("i", [*(-variable if sign else variable for variable, sign in pairs), 0]))

    def certify(
        self, limits: Limits | None = None, *, checker: str | None = None, proof_to: Path | None = None, required: bool = True
    ) -> FormulaAnswer:
        """Refute the formula of the constraints added so far, without the boards found, by a binary with a checked proof.

        Without a checked proof, the outcome is an ERROR, or UNKNOWN within the limits. `checker` and `proof_to`: see FormulaTask.
        If no proof is `required`, the bounds are those of `solve`: half of the time for the refutation, half, times its patience,
        for the check. A solver and a checker that start quickly come first, unless the user chose another solver that writes
        proofs.
        """
        task = FormulaTask(limits=limits or self.limits, proof=ProofPolicy.REQUIRED, checker=checker, proof_to=proof_to)
        if not required:
            seconds = max(CHECK_SECONDS, CHECK_FACTOR * self.seconds) / 2
            bounds = Limits(cpu=seconds, wall=WAITING * seconds, memory=self.limits.memory)
            chosen = pick_checker(checker, proving(proving_solver(self.solver), checker).proof_format or "text")
            task = FormulaTask(limits=bounds, check_seconds=chosen.patience * seconds, checker=checker)
        instance = make_instance(self.family, self.refinement.part(), self.encoding.name, **self.options)
        cnf = instance.cnf
        for board, signs in self.found:
            true = [variable for variable, sign in zip(instance.projection, signs, strict=True) if sign]
            # the assignment comes from the formula that grew: here it must stand for the same board
            if self.family.decode(instance.puzzle, instance.map.blocks, true) != board:
                raise CnfgenError("the final formula decodes to a board that differs from the board of the loop")
            cnf = with_blocked(cnf, instance.projection, true)
        task = task._replace(seed=self._seed, cnf=cnf)
        refuting: Portfolio = (Entrant(proving_solver(self.solver)),)
        quick = self.solver in INCREMENTAL and not required
        outcome = solve_quickly(instance, refuting, task, QUICK if quick else None)
        if outcome.status == SATISFIABLE and self.status == UNSATISFIABLE:
            raise CnfgenError(f"{outcome.run.solver.name} satisfies the formula that {self.solver} refuted: one of them is wrong")
        return outcome

    def constraints_text(self) -> str:
        """The constraints added so far: as `cuts.txt`, or as a puzzle file in the family's first format."""
        return self.refinement.cuts_text() or self.family.write(self.refinement.part(), next(iter(self.family.formats)))

    def so_far(self) -> str:
        """The progress of the loop, in words."""
        rounds = f"{self.rounds} round{'s' * (self.rounds != 1)}"
        return f"{rounds}, {added_text(self.refinement)}"


def cut_instance(family: Family, puzzle: Puzzle, *, pseudo_boolean: bool = False) -> tuple[Instance, str]:
    """The formula with the constraints that the loop added until uniqueness was decided, and what was decided in words."""
    loop = CegarLoop(family, puzzle)
    with contextlib.closing(loop.boards()) as boards:
        found = sum(1 for _ in itertools.islice(boards, 2))
    if found < 2 and loop.status != UNSATISFIABLE:
        raise CnfgenError(f"the loop found no answer: {loop.reason}")
    instance = make_instance(family, loop.refinement.part(), loop.encoding.name, pseudo_boolean=pseudo_boolean, **loop.options)
    return instance, ("no solution", "exactly one solution", "more than one solution")[found]


def added_text(refinement: Refinement) -> str:
    """How many constraints were added, in words."""
    of_all = f" of {refinement.total}" if refinement.total is not None else ""
    noun = refinement.noun if len(refinement.added) != 1 or of_all else refinement.noun.removesuffix("s")
    return f"{len(refinement.added)}{of_all} {noun}"


def default_solver() -> str:
    """The default incremental solver; without python-sat, the best installed binary."""
    return CEGAR_SOLVER if importlib.util.find_spec("pysat") else f"bin:{pick_solver().name}"


def proving_solver(name: str) -> Solver:
    """The binary that refutes the final formula: the loop's solver if it writes proofs, or else the best one that does."""
    for known in (solver_with_options(each.removeprefix("bin:")) for each in split_names(name) if each not in INCREMENTAL):
        if "/" in name or known.proof_format:
            return known
    preferred = find_solver(PROVING)
    return preferred if preferred.available() else pick_solver(proof=True)


# -- what comes of it -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class CegarAnswer(Answer):
    """A board by the loop, or the reason for none; `certificate` is then the refutation of the final formula, if it was tried."""

    loop: CegarLoop
    certificate: FormulaAnswer | None = None

    @property
    def grounds(self) -> str:
        refinement = self.loop.refinement
        verb = "is" if len(refinement.added) == 1 and refinement.total is None else "are"
        others = "" if refinement.keeps_all or not self.loop.found else ", and the formula leaves out no other solution"
        return f": {added_text(refinement)} {verb} enough to show it{others}{super().grounds}"

    def measured_with(self, searches: Sequence[Answer]) -> list[str]:
        loop = self.loop
        size = f"{loop.refinement.formula.num_variables} variables, {loop.refinement.formula.num_clauses} clauses"
        lines = [f"{loop.solver}, {self.encoding}: {loop.status.lower()}, {loop.so_far()}, {size}, {loop.seconds:.2f} s"]
        if self.certificate is not None:
            run = self.certificate.run
            lines.append(f"{run.solver.name}, the final formula: {run.status.lower()}, {usage_of(run)}")
        return lines

    def work_json(self, searches: Sequence[Answer]) -> dict[str, Any]:
        loop, refinement, last = self.loop, self.loop.refinement, self.certificate
        entry = {
            "complete": loop.status == UNSATISFIABLE,
            "solver": loop.solver,
            "rounds": loop.rounds,
            "seconds": round(loop.seconds, 3),
            "variables": refinement.formula.num_variables,
            "clauses": refinement.formula.num_clauses,
            refinement.noun: refinement.added,
            **({"contradiction": self.mus.to_json()} if self.mus else {}),
        }
        if last is not None:
            entry["certificate"] = record_of(
                last.run, last.cnf, proof=last.proof.to_json() if last.proof else None, evidence=evidence_json(last.basis)
            )
        return entry


def answer_by_cegar(request: SolveRequest, proof_to: Path | None = None) -> CegarAnswer:
    """The answer by one board, or (`unique`) by two; if there are fewer, the last search says why. Ctrl-C raises
    KeyboardInterrupt with the progress as its message."""
    finds_others = request.family.refinement is not None and request.family.refinement.finds_others
    every = proof_to is not None if finds_others else request.unique  # a certificate states what its formula alone shows
    loop = CegarLoop(
        request.family, request.puzzle, request.encoding, request.options, every=every, solver=request.solver,
        seed=request.seed, limits=request.limits, add=request.add, progress=request.progress,
        state=None if request.state is None else Path(request.state),
    )  # fmt: skip
    if request.unique and not (loop.refinement.keeps_all or finds_others):
        raise InputError("uniqueness needs all solutions; the encoding, with these options, leaves out symmetric ones")
    most = 2 if request.unique else 1
    try:
        with contextlib.closing(loop.boards()) as found:
            boards = list(itertools.islice(found, 1))
            other = loop.refinement.another(boards[0]) if boards and request.unique else None
            if other is None:
                boards += itertools.islice(found, most - len(boards))
            else:
                boards.append(check_rules(loop.family, loop.puzzle, other))
        last = CegarAnswer(
            family=loop.family, puzzle=loop.puzzle, encoding=loop.encoding.name, options=loop.options, loop=loop,
            status=Status(loop.status), reason=loop.reason,
        )  # fmt: skip
        satisfied = replace(last, status=Status.SATISFIABLE, reason="", basis=Evidence(MODEL))
        searches = [replace(satisfied, board=board) for board in boards]
        if other is not None:  # no model of the formula, which leaves it out
            searches[1] = replace(searches[1], basis=Evidence(ARGUMENT, "the first board with a change, which obeys the rules"))
        if len(boards) < most:
            searches.append(_with_proof(last, request, proof_to))
        return searches[0].with_second(searches[1] if searches[1:] else None) if request.unique else searches[0]
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"after {loop.so_far()}") from None


def _with_proof(last: CegarAnswer, request: SolveRequest, proof_to: Path | None) -> CegarAnswer:
    """The reason why there are no more boards, with a checked proof if one is possible."""
    loop, required = last.loop, request.policy is ProofPolicy.REQUIRED
    if last.status != UNSATISFIABLE:
        return last
    last = replace(last, basis=Evidence(CLAIMED, loop.solver))
    if request.policy is ProofPolicy.NONE:
        return last
    try:
        certificate = loop.certify(checker=request.checker, proof_to=proof_to, required=required)
    except InputError as error:  # no solver that writes proofs, or no checker, is installed
        if required:
            raise
        return replace(last, basis=Evidence(CLAIMED, loop.solver, error.message))
    last = replace(last, certificate=certificate, proof=certificate.proof)
    if certificate.evidence is not None and certificate.evidence.certain:
        return replace(last, basis=certificate.evidence)
    if required or certificate.failed:
        return replace(last, status=Status.ERROR, reason=f"not certified: {certificate.reason}", basis=None)
    why = certificate.evidence.note if certificate.evidence else certificate.reason
    return replace(last, basis=Evidence(CLAIMED, loop.solver, f"the final formula was not refuted once more: {why}"))
