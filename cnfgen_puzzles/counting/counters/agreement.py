"""What one or more model counters say of the same formulas, and what may be believed of it.

Counters that were asked run side by side where there are cores for it. All that came to an end must give the same numbers:
numbers that differ are an alarm, and none of them is the answer.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace

from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.common.wholenumbers import digits
from cnfgen_puzzles.counting.counters.calls import COUNTED, ERROR, INTERRUPTED, ModelCount, count_each
from cnfgen_puzzles.counting.counters.table import ModelCounter
from cnfgen_puzzles.counting.counters.worker import Clauses
from cnfgen_puzzles.evidence.basis import AGREEMENT, WORD, Evidence
from cnfgen_puzzles.formula import Cnf
from cnfgen_puzzles.solving.pool import ThreadExecutor
from cnfgen_puzzles.solving.process import Limits


@dataclass(frozen=True)
class Verdict:
    """What the calls of some counters amount to."""

    calls: tuple[ModelCount, ...]

    @property
    def counted(self) -> list[ModelCount]:
        """The calls that gave all numbers."""
        return [call for call in self.calls if call.status == COUNTED]

    @property
    def numbers(self) -> tuple[int, ...] | None:
        """What those say who came to an end; None if nobody did. CnfgenError if they differ, or one failed."""
        for call in self.calls:
            if call.status == ERROR:
                raise CnfgenError(f"the model counter {call.counter.name} {call.version}: {call.reason}")
        if len({call.numbers for call in self.counted}) > 1:
            raise CnfgenError(f"the model counters disagree, so at least one of them is wrong: {self._told()}")
        return self.counted[0].numbers if self.counted else None

    @property
    def reason(self) -> str:
        """Why there is no number: what ended the first that did not count."""
        return next((call.reason for call in self.calls if call.status != COUNTED), "")

    @property
    def interrupted(self) -> bool:
        return any(call.status == INTERRUPTED for call in self.calls)

    @property
    def by(self) -> str:
        """Whose number it is."""
        return " and ".join(call.counter.name for call in self.counted or self.calls)

    @property
    def cpu(self) -> float:
        """Seconds, all counters together."""
        return sum(call.cpu for call in self.calls)

    def evidence(self) -> Evidence:
        """On whose word it is."""
        if len(self.counted) > 1:
            return Evidence(AGREEMENT, self.by)
        notes = [call.counter.caveat for call in self.counted if call.counter.caveat]
        notes += [f"{call.counter.name} gave no number: {call.reason}" for call in self.calls if call.status != COUNTED]
        return Evidence(WORD, self.by, "; ".join(notes))

    def _told(self) -> str:
        each = list(zip(*(call.numbers for call in self.counted), strict=True))
        which = next(place for place, said in enumerate(each) if len(set(said)) > 1)
        said = (f"{call.counter.name} {call.version} counts {digits(call.numbers[which])}" for call in self.counted)
        return ", ".join(said)


def count_by(
    counters: Sequence[ModelCounter],
    cnf: Cnf,
    projection: Sequence[int],
    restrictions: Sequence[Clauses] = ((),),
    limits: Limits | None = None,
) -> Verdict:
    """Let these counters count the formula with each of the restrictions. `limits` are for all of them together: CPU time and
    memory are divided evenly."""
    if len(counters) == 1:
        return Verdict((count_each(cnf, projection, restrictions, counters[0], limits),))
    share = divided(limits or Limits(), len(counters))
    with ThreadExecutor(min(len(counters), len(os.sched_getaffinity(0)))) as executor:
        calls = [executor.submit(count_each, cnf, projection, restrictions, counter, share) for counter in counters]
        return Verdict(tuple(call.result() for call in calls))


def divided(limits: Limits, among: int) -> Limits:
    """What each of so many calls may use."""
    cpu = None if limits.cpu is None else limits.cpu / among
    memory = None if limits.memory is None else max(1, limits.memory // among)
    return replace(limits, cpu=cpu, memory=memory)
