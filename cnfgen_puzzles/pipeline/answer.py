"""The results of requests: `Answer` of `solve` and `unique`, `MusResult` of `mus`.

`Result` is their common base, also of counts (`count.py`) and made puzzles (`making/`). A result names its evidence. Its
sentence, its JSON, and its HTML state the same.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple, Self

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


class Result(ABC):
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


BOARD, UNIQUE = "board", "unique"
"""The kinds of answers: of `solve` and `unique`."""


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Answer(Result):
    """The answer of `solve`, a board or the reason why there is none; that of `unique` has the answer of a `second` search.

    `status`, `reason`, `board`, `proof`, and `basis` (its evidence) belong to the first search; `model` exists if the board is
    that of a formula. The family answers by an argument, or by a board that it finds; a subclass has the run of a solver.
    `options` are those of the encoding if no variable map has them. If the puzzle has no board, `mus` has minimal unsatisfiable
    sets of its givens. `alarms` are wrong answers of solvers of a portfolio.

    If the formula leaves out symmetric solutions, `up_to` names the convention, and `orbit` is the number of solutions symmetric
    to the first board, including itself; None if it is unknown.
    """

    kind: str = BOARD
    family: Family
    puzzle: Any
    encoding: str
    options: Mapping[str, Any] | None = None
    status: Status
    reason: str = ""
    board: Board | None = None
    model: tuple[int, ...] | None = None
    basis: Evidence | None = None
    proof: ProofCheck | None = None
    mus: MusResult | None = None
    alarms: tuple[str, ...] = ()
    second: Answer | None = None
    up_to: str = ""
    orbit: int | None = 1

    def with_second(self, second: Answer | None = None, up_to: str = "", orbit: int | None = 1) -> Self:
        """The answer of `unique` with this first search and a second one."""
        alarms = (*self.alarms, *(second.alarms if second else ()))
        return replace(self, kind=UNIQUE, second=second, up_to=up_to, orbit=orbit, alarms=alarms)

    @property
    def searches(self) -> Sequence[Answer]:
        """The answer of each search, in order: each has a board, or the reason why there is no (other) one."""
        return [self] if self.second is None else [self, self.second]

    @property
    def evidence(self) -> Evidence | None:  # type: ignore[override]
        return self.searches[-1].basis

    @property
    def verdict(self) -> Status | BoardCount:
        """The answer in a word: the status, or for `unique` the number of boards."""
        if self.kind == BOARD:
            return self.status
        if self.second is None:
            return BoardCount.NONE if self.status == Status.UNSATISFIABLE else BoardCount.UNDECIDED
        if self.second.status == Status.UNSATISFIABLE and self.orbit != 1:
            return BoardCount.ONE_UP_TO if self.orbit is None else BoardCount.SEVERAL
        verdicts = {Status.SATISFIABLE: BoardCount.SEVERAL, Status.UNSATISFIABLE: BoardCount.ONE}
        return verdicts.get(self.second.status, BoardCount.UNDECIDED)

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
        return [search.board for search in self.searches if search.board is not None]

    @property
    def failed(self) -> bool:
        """True if a solver failed, its proof was refused, or a required proof is missing."""
        return any(search.status in (Status.WRONG, Status.ERROR) for search in self.searches)

    @property
    def grounds(self) -> str:
        """The evidence of UNSATISFIABLE, as the end of a sentence."""
        return self.basis.words() if self.basis else ""

    def sentence(self) -> str:
        if self.status == Status.UNSATISFIABLE:
            return f"No solution{self.grounds}." + (f"\n{self.mus.sentence()}" if self.mus else "")
        if self.status != Status.SATISFIABLE:
            return f"Not decided: {self.reason}."
        if self.second is None:
            return "A solution."
        if self.second.status == Status.UNSATISFIABLE:
            up_to = f" {self.up_to}" if self.orbit != 1 else ""
            raw = f"; {self.orbit} in all" if self.orbit not in (None, 1) else ""
            return f"The only solution{up_to}{raw}{self.second.grounds}."
        if self.verdict == BoardCount.UNDECIDED:
            return f"A solution; not decided whether it is the only one: {self.second.reason}."
        places = [f"  {place}" for place in self.family.differences(self.puzzle, *self.boards)]
        more = [f"  and {len(places) - SHOWN_DIFFERENCES} more lines"] if len(places) > SHOWN_DIFFERENCES else []
        return "\n".join(["Several solutions. Two of them differ in:", *map(printable, places[:SHOWN_DIFFERENCES]), *more])

    def measured(self) -> list[str]:
        """The solvers and their resources, one per line."""
        return self.searches[-1].measured_with(self.searches)

    def measured_with(self, searches: Sequence[Answer]) -> list[str]:
        """The resources of these searches, of which this is the last."""
        ran = [search for search in searches if isinstance(search, FormulaAnswer)]
        found = [search for search in searches if not isinstance(search, FormulaAnswer) and search.model is not None]
        lines = [f"no solver, {search.encoding}: satisfiable" for search in found]
        for search in ran:
            for run in (search.run, *search.others):
                status = "ended" if run.measurement.ended == INTERRUPTED else run.status.lower()
                lines.append(f"{run.solver.name}, {search.encoding}: {status}, {usage_of(run)}")
        if any(search.others for search in ran):
            lines.append(f"all solvers together: cpu {sum(search.cpu for search in ran):.3f} s")
        return lines

    def to_json(self) -> dict[str, Any]:
        """Puzzle, answer, evidence, boards and work as JSON."""
        last = self.searches[-1]
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
            **last.work_json(self.searches),
            **({} if self.kind == BOARD else {"solutions": self.verdict}),
            **({"up_to": self.up_to, "orbit": self.orbit} if self.up_to else {}),
        }

    def work_json(self, searches: Sequence[Answer]) -> dict[str, Any]:
        """The runs of these searches, of which this is the last, and the minimal unsatisfiable sets."""
        ran = [search for search in searches if isinstance(search, FormulaAnswer)]
        others = [(run, search.cnf) for search in ran for run in search.others]
        return {
            "runs": [
                record_of(
                    each.run, each.cnf, proof=each.proof.to_json() if each.proof else None, evidence=evidence_json(each.basis)
                )
                for each in ran
            ],
            **({"contradiction": self.mus.to_json()} if self.mus else {}),
            **side_by_side(sum(search.cpu for search in ran), others, searches[0].alarms),
        }


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class FormulaAnswer(Answer):
    """The answer of one run on `cnf`, which is the instance's formula or that with boards blocked.

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


# -- minimal unsatisfiable sets ------------------------------------------------------------------------------------------------

SHOWN, SHOWN_SETS = 12, 4
"""The most givens of a set, and the most sets, in a sentence."""


class UnsatSet(NamedTuple):
    """Givens that together contradict the rest of the puzzle. `minimal`: no proper subset does, as checked boards without each of
    them show. `numbers` are their places among all givens."""

    givens: tuple[Given, ...]
    numbers: tuple[int, ...]
    minimal: bool


@dataclass(frozen=True, eq=False, repr=False)
class MusResult(Result):
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
