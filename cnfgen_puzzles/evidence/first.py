"""The first checked answer of several solvers that run side by side, and what the others said that does not go with it.

A model that was checked counts at once, and so does UNSATISFIABLE with a proof that was verified. On a solver's word alone it
counts if nobody else can prove it: else there is a wait for a proof or a model, as long as the check of a proof may take. An
answer whose proof was refused is none, and the next one counts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.evidence.basis import Evidence
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE
from cnfgen_puzzles.solving.process import INTERRUPTED
from cnfgen_puzzles.solving.race import race
from cnfgen_puzzles.solving.run import FAILED, Run


class Checked(Protocol):
    """The run of one solver after its answer was checked, and what that rests on."""

    @property
    def run(self) -> Run: ...

    @property
    def evidence(self) -> Evidence | None: ...


Kind = TypeVar("Kind", bound=Checked)


@dataclass(frozen=True)
class First(Generic[Kind]):
    """The answer that counts, and its number; the runs of the others; and what of these a user should know.

    `alarms` are faults: a wrong model, a refused proof, another verdict. `cpu` are the seconds of all runs together.
    """

    answer: Kind
    number: int
    others: tuple[Run, ...] = ()
    alarms: tuple[str, ...] = ()

    @property
    def cpu(self) -> float:
        return self.answer.run.measurement.cpu + sum(run.measurement.cpu for run in self.others)


def first_checked(
    calls: Sequence[Callable[[], Kind]],
    proves: Sequence[bool],
    patience: Callable[[Run], float | None],
    *,
    after: Sequence[float] = (),
) -> First[Kind]:
    """Make the calls side by side until an answer counts, and end the rest.

    `proves` says which of the calls have a proof checked, where proofs are wanted; `patience` for how many seconds an unproved
    UNSATISFIABLE waits for one (None: until all have answered); `after` as in `race`. CnfgenError where two answers that were
    checked contradict each other.
    """

    def enough(answers: dict[int, Kind]) -> float | None:
        if any(_certain(answer) for answer in answers.values()):
            return 0
        words = [answer.run for answer in answers.values() if answer.run.status == UNSATISFIABLE]
        if not words:
            return None
        return patience(words[0]) if any(able for number, able in enumerate(proves) if number not in answers) else 0

    answers = race(calls, enough, after=after)
    ranked = sorted(answers.items(), key=lambda item: _rank(item[1]))  # stable: of equals the first
    number, best = ranked[0]
    rest = [answer for _, answer in ranked[1:]]
    return First(best, number, tuple(answer.run for answer in rest), tuple(_alarms(best, rest)))


def _certain(answer: Checked) -> bool:
    """Whether the answer was checked: a model always is."""
    return answer.run.decided and answer.evidence is not None and answer.evidence.certain


def _rank(answer: Checked) -> int:
    """The best answer first: checked, on a word, none, a fault, ended from outside."""
    if answer.run.decided:
        return 0 if _certain(answer) else 1
    if answer.run.measurement.ended == INTERRUPTED:
        return 4
    return 3 if answer.run.status in FAILED else 2


def _alarms(best: Checked, rest: Sequence[Checked]) -> list[str]:
    """What others said that is wrong, or cannot be right beside the best answer."""
    alarms = []
    for answer in rest:
        run, name = answer.run, answer.run.solver.name
        if run.status in FAILED:
            alarms.append(f"{name}: {run.status}, {run.reason}" + (f"; its output is kept in {run.kept}" if run.kept else ""))
        elif run.decided and best.run.decided and run.status != best.run.status:
            if _certain(answer) and _certain(best):
                raise CnfgenError(
                    f"{best.run.solver.name} says {best.run.status}, {name} says {run.status}, and both were checked: "
                    "this cannot be, and is a fault of this program or of a checker"
                )
            alarms.append(f"{name} says {run.status}, which is wrong: {_why(best)}")
    return alarms


def _why(best: Checked) -> str:
    by = best.run.solver.name
    return f"the model of {by} was checked" if best.run.status == SATISFIABLE else f"{by} has a proof that was verified"
