"""The answers to requests: `Outcome` of `solve`, `Uniqueness` of `unique`, `MusResult` of `mus`.

`Answer` is their common base, also of counts (`count.py`) and made puzzles (`making/`). An answer names its evidence. Its
sentence, its JSON, and its HTML state the same.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from cnfgen_puzzles.common import showing
from cnfgen_puzzles.common.errors import printable
from cnfgen_puzzles.evidence.evidence import Evidence, evidence_json
from cnfgen_puzzles.families import Board, Family, Puzzle
from cnfgen_puzzles.families.capabilities import Given, Givens
from cnfgen_puzzles.families.family import html_of_board
from cnfgen_puzzles.formula import Cnf
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE
from cnfgen_puzzles.solving.run import Run, record_of, side_by_side, usage_of
from cnfgen_puzzles.solving.supervision import INTERRUPTED

if TYPE_CHECKING:
    from cnfgen_puzzles.evidence.proofs import ProofCheck
    from cnfgen_puzzles.pipeline.instance import Instance


class Status(StrEnum):
    """The status of an answer, one of the statuses of a run (`solving.run`)."""

    SATISFIABLE = "SATISFIABLE"
    UNSATISFIABLE = "UNSATISFIABLE"
    UNKNOWN = "UNKNOWN"
    TIMEOUT = "TIMEOUT"
    MEMOUT = "MEMOUT"
    WRONG = "WRONG"
    ERROR = "ERROR"


class BoardCount(StrEnum):
    """The verdict of `unique`: a puzzle has one board, several, or none."""

    ONE = "one"
    SEVERAL = "several"
    NONE = "none"
    UNDECIDED = "undecided"
    ONE_UP_TO = "one up to symmetry"
    """One board up to symmetry, if the number of symmetric boards is unknown."""


SHOWN_DIFFERENCES = 10


class Answer(ABC):
    """The result of a request with its `evidence` (None if nothing was decided)."""

    evidence: Evidence | None

    @abstractmethod
    def sentence(self) -> str:
        """The result in a sentence; further lines have details."""

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """The result with all details, as JSON."""

    def facts(self) -> Sequence[str]:
        """Short facts for `repr`."""
        return [self.sentence()]

    def __repr__(self) -> str:
        return showing.in_brackets(type(self).__name__, *self.facts())

    def _repr_html_(self) -> str:
        return showing.words(self.sentence())


class BoardAnswer(Answer):
    """An answer by the `outcomes` of calls: each has a board, or the reason why there is no (other) one.

    `status` is that of the puzzle. If it has no board, `mus` has minimal unsatisfiable sets of its givens. `alarms` are wrong
    answers of solvers of a portfolio.
    """

    family: Family
    puzzle: Any
    status: Status
    mus: MusResult | None
    alarms: tuple[str, ...]

    @property
    @abstractmethod
    def outcomes(self) -> Sequence[Outcome]:
        """The outcome of each call, in order."""

    @property
    @abstractmethod
    def verdict(self) -> str:
        """The answer in a word."""

    def facts(self) -> Sequence[str]:
        first = "" if self.verdict == Status.SATISFIABLE else self.sentence().partition("\n")[0]
        return [self.verdict, self.family.describe(self.puzzle), first]

    def _repr_html_(self) -> str:
        words = [f"{self.family.describe(self.puzzle)}: {self.sentence()}", *self.measured()]
        boards = [
            html_of_board(self.family, self.puzzle, board, self.boards[0] if number else None)
            for number, board in enumerate(self.boards)
        ]
        return showing.words("\n".join(words)) + showing.side_by_side(boards)

    @property
    def remark(self) -> str:
        """A remark on the half-filled board of the puzzle, which needs no solver; empty if there is none."""
        return self.family.givens.of(self.puzzle).remark(self.puzzle) if self.family.givens else ""

    @property
    def boards(self) -> list[Board]:
        """The boards that were found; they are all different."""
        return [outcome.board for outcome in self.outcomes if outcome.board is not None]

    @property
    def failed(self) -> bool:
        """True if a solver failed, its proof was refused, or a required proof is missing."""
        return any(outcome.status in (Status.WRONG, Status.ERROR) for outcome in self.outcomes)

    def measured(self) -> list[str]:
        """The solvers and their resources, one per line."""
        return self.outcomes[-1].measured_with(self.outcomes)

    def to_json(self) -> dict[str, Any]:
        """Puzzle, answer, evidence, boards and work as JSON."""
        last = self.outcomes[-1]
        return {
            "family": self.family.name,
            "encoding": last.encoding,
            **({} if last.options is None else {"options": last.options}),
            "puzzle": self.family.puzzle_to_json(self.puzzle),
            "status": self.status,
            **({} if last.options is None else {"reason": last.reason}),
            "evidence": evidence_json(self.evidence),
            "boards": [self.family.board_to_json(self.puzzle, board) for board in self.boards],
            **({"remark": self.remark} if self.remark else {}),
            **last.work_json(self.outcomes),
        }


@dataclass(frozen=True, kw_only=True, repr=False)
class Outcome(BoardAnswer):
    """The decision whether a puzzle has a board (or another one): by an argument of its family, or by a board that the family
    finds. A subclass has the run of a solver.

    `board` exists if the status is SATISFIABLE, and `model` if it is that of a formula. `proof` is the result of the checker.
    `reason` says why nothing was decided. `options` are those of the encoding if no variable map has them.
    """

    family: Family
    puzzle: Any
    encoding: str
    options: Mapping[str, Any] | None = None
    status: Status
    reason: str = ""
    board: Board | None = None
    model: tuple[int, ...] | None = None
    evidence: Evidence | None = None
    proof: ProofCheck | None = None
    mus: MusResult | None = None
    alarms: tuple[str, ...] = ()

    @property
    def outcomes(self) -> Sequence[Outcome]:
        return [self]

    @property
    def verdict(self) -> str:
        return self.status

    @property
    def grounds(self) -> str:
        """The evidence of UNSATISFIABLE, as the end of a sentence."""
        return self.evidence.words() if self.evidence else ""

    def sentence(self) -> str:
        if self.status == Status.SATISFIABLE:
            return "A solution."
        if self.status != Status.UNSATISFIABLE:
            return f"Not decided: {self.reason}."
        return f"No solution{self.grounds}." + (f"\n{self.mus.sentence()}" if self.mus else "")

    def measured_with(self, outcomes: Sequence[Outcome]) -> list[str]:
        """The resources of these outcomes, of which this is the last."""
        ran = [outcome for outcome in outcomes if isinstance(outcome, FormulaOutcome)]
        found = [outcome for outcome in outcomes if not isinstance(outcome, FormulaOutcome) and outcome.model is not None]
        lines = [f"no solver, {outcome.encoding}: satisfiable" for outcome in found]
        for outcome in ran:
            for run in (outcome.run, *outcome.others):
                status = "ended" if run.measurement.ended == INTERRUPTED else run.status.lower()
                lines.append(f"{run.solver.name}, {outcome.encoding}: {status}, {usage_of(run)}")
        if any(outcome.others for outcome in ran):
            lines.append(f"all solvers together: cpu {sum(outcome.cpu for outcome in ran):.3f} s")
        return lines

    def work_json(self, outcomes: Sequence[Outcome]) -> dict[str, Any]:
        """The runs of these outcomes, of which this is the last, and the minimal unsatisfiable sets."""
        ran = [outcome for outcome in outcomes if isinstance(outcome, FormulaOutcome)]
        others = [(run, outcome.cnf) for outcome in ran for run in outcome.others]
        alarms = [alarm for outcome in outcomes for alarm in outcome.alarms]
        return {
            "runs": [record_of(each.run, each.cnf, proof=each.proof, evidence=evidence_json(each.evidence)) for each in ran],
            **({"contradiction": self.mus.to_json()} if self.mus else {}),
            **side_by_side(sum(outcome.cpu for outcome in ran), others, alarms),
        }


@dataclass(frozen=True, kw_only=True, repr=False)
class FormulaOutcome(Outcome):
    """The outcome of one run on `cnf`, which is the instance's formula or that with boards blocked.

    `others` are the other runs of the portfolio, ended or not.
    """

    instance: Instance
    run: Run
    cnf: Cnf
    others: tuple[Run, ...] = ()

    @property
    def cpu(self) -> float:
        """Seconds of processor time of all its solvers; without the check of the proof."""
        return sum(run.measurement.cpu for run in (self.run, *self.others))


@dataclass(frozen=True, repr=False)
class Uniqueness(BoardAnswer):
    """The uniqueness of a board: the outcome of the search for a board, and of the search for a `second` one.

    If the formula leaves out symmetric solutions, `up_to` names the convention, and `orbit` is the number of solutions symmetric
    to the first board, including itself; None if it is unknown.
    """

    first: Outcome
    second: Outcome | None = None
    up_to: str = ""
    orbit: int | None = 1

    @property
    def outcomes(self) -> Sequence[Outcome]:
        return [self.first] if self.second is None else [self.first, self.second]

    @property
    def family(self) -> Family:  # type: ignore[override]
        return self.first.family

    @property
    def puzzle(self) -> Any:
        return self.first.puzzle

    @property
    def status(self) -> Status:  # type: ignore[override]
        return self.first.status

    @property
    def evidence(self) -> Evidence | None:  # type: ignore[override]
        return self.outcomes[-1].evidence

    @property
    def mus(self) -> MusResult | None:  # type: ignore[override]
        return self.first.mus

    @property
    def alarms(self) -> tuple[str, ...]:  # type: ignore[override]
        return tuple(alarm for outcome in self.outcomes for alarm in outcome.alarms)

    @property
    def verdict(self) -> BoardCount:
        """The number of boards."""
        if self.second is None:
            return BoardCount.NONE if self.first.status == Status.UNSATISFIABLE else BoardCount.UNDECIDED
        if self.second.status == Status.UNSATISFIABLE and self.orbit != 1:
            return BoardCount.ONE_UP_TO if self.orbit is None else BoardCount.SEVERAL
        verdicts = {Status.SATISFIABLE: BoardCount.SEVERAL, Status.UNSATISFIABLE: BoardCount.ONE}
        return verdicts.get(self.second.status, BoardCount.UNDECIDED)

    def sentence(self) -> str:
        if self.second is None:
            return self.first.sentence()
        if self.second.status == Status.UNSATISFIABLE:
            up_to = f" {self.up_to}" if self.orbit != 1 else ""
            raw = f"; {self.orbit} in all" if self.orbit not in (None, 1) else ""
            return f"The only solution{up_to}{raw}{self.second.grounds}."
        if self.verdict == BoardCount.UNDECIDED:
            return f"A solution; not decided whether it is the only one: {self.second.reason}."
        places = [f"  {place}" for place in self.family.differences(self.puzzle, *self.boards)]
        more = [f"  and {len(places) - SHOWN_DIFFERENCES} more lines"] if len(places) > SHOWN_DIFFERENCES else []
        return "\n".join(["Several solutions. Two of them differ in:", *map(printable, places[:SHOWN_DIFFERENCES]), *more])

    def to_json(self) -> dict[str, Any]:
        entry = super().to_json() | {"solutions": self.verdict}
        return entry | ({"up_to": self.up_to, "orbit": self.orbit} if self.up_to else {})


# -- minimal unsatisfiable sets ------------------------------------------------------------------------------------------------

SHOWN, SHOWN_SETS = 12, 4
"""The most givens of a set, and the most sets, in a sentence."""


@dataclass(frozen=True)
class UnsatSet:
    """Givens that together contradict the rest of the puzzle. `minimal`: no proper subset does, as checked boards without each of
    them show. `numbers` are their places among all givens."""

    givens: tuple[Given, ...]
    numbers: tuple[int, ...]
    minimal: bool


@dataclass(frozen=True, repr=False)
class MusResult(Answer):
    """The givens that make a puzzle unsatisfiable, such as known cells or the digits of a sudoku.

    `alone` is the status of the puzzle without givens. The `sets` are disjoint; if `rest` is a board, it satisfies all givens
    that are in no set. `evidence` is that of the contradiction of the sets (or of the puzzle alone). `reason` says why the result
    is incomplete; it is empty for a complete result.
    """

    family: Family
    puzzle: Puzzle
    alone: str
    sets: tuple[UnsatSet, ...] = ()
    rest: Board | None = None
    evidence: Evidence | None = None
    reason: str = ""
    interrupted: bool = False

    def facts(self) -> Sequence[str]:
        sizes = f"sets of {', '.join(str(len(each.numbers)) for each in self.sets)}" if self.sets else ""
        return [self.family.describe(self.puzzle), sizes, self.reason]

    @property
    def _kind(self) -> Givens:
        assert self.family.givens is not None  # or there is no result
        return self.family.givens.of(self.puzzle)

    @property
    def numbers(self) -> list[int]:
        """The numbers of the givens in all sets."""
        return sorted(number for each in self.sets for number in each.numbers)

    def sentence(self) -> str:
        """The result, with the givens one per line."""
        name, rest, grounds = self._kind.name, self._kind.rest, self.evidence.words() if self.evidence else ""
        if self.alone == UNSATISFIABLE:
            return f"The {rest} alone have no solution{grounds}."
        if not self.sets and not self.reason:
            return f"The {name}s contradict nothing."
        if not self.sets:
            return f"It is not known which {name}s contradict the {rest}: {self.reason}."
        lines = [f"The {rest} alone have a solution."] if self.alone == SATISFIABLE else []
        singles = [each for each in self.sets if len(each.numbers) == 1 and each.minimal]
        several = [each for each in self.sets if each not in singles]
        for sets in filter(None, (singles, *([each] for each in several[:SHOWN_SETS]))):
            words = [f"  {given.words}" for each in sets for given in each.givens]
            count = len(sets[0].numbers)
            if len(sets) > 1:
                heading = f"Each of these {len(sets)} {name}s contradicts the {rest}{grounds}:"
            elif not sets[0].minimal:
                heading = f"These {count} {name}s contradict the {rest}{grounds}; fewer of them may do ({self.reason}):"
            elif count == 1:
                heading = f"This {name} contradicts the {rest}{grounds}:"
            else:
                heading = f"These {count} {name}s contradict the {rest} together, and no fewer of them do{grounds}:"
            lines += [heading, *words[:SHOWN]]
            lines += [f"  and {len(words) - SHOWN} more"] * (len(words) > SHOWN)
        lines += [f"And {len(several) - SHOWN_SETS} more such sets."] * (len(several) > SHOWN_SETS)
        if self._kind.count(self.puzzle) > len(self.numbers):
            without = f"Without {'it' if len(self.numbers) == 1 else 'them'} there is a solution."
            lines.append(
                without if self.rest is not None else f"It is not known whether there is a solution without them: {self.reason}."
            )
        return "\n".join(map(printable, lines))

    def to_json(self) -> dict[str, Any]:
        """The result as JSON; `solution_without`: whether the givens in no set have a board (null: unknown)."""
        return {
            "alone": self.alone,
            "given": self._kind.count(self.puzzle),
            "sets": [{"minimal": each.minimal, "given": [dict(given.entry) for given in each.givens]} for each in self.sets],
            "evidence": evidence_json(self.evidence),
            "solution_without": True if self.rest is not None else None,
            "reason": self.reason,
        }

    def boards(self) -> Sequence[Board]:
        """Two boards for a visual comparison: all givens, and the givens in no set. Empty if the family does not draw them."""
        return self._kind.boards(self.puzzle, self.numbers) if self.sets else []
