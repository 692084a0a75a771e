"""Minimal sets of assumptions that contradict a formula, by one solver that keeps what it learns. No puzzles here.

    found = contradicting(session, groups)     # groups of literals, assumed together or not at all

A set is minimal if the formula has a model under any set that lacks one of its groups; another minimal set may be smaller. Found
are sets that have no group in common, until the groups that are left have a model with the formula: first all groups that alone
contradict it, then by deletion. That a set contradicts is the session's word; that a smaller one does not, a model it checked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE
from cnfgen_puzzles.solving.session import Session

INTERRUPTED = "interrupted"


@dataclass
class ContradictingSets:
    """What was found: sets of places of groups; `minimal` says of each whether it is that.

    `alone` is a model of the formula, None where there is none (`refuted`) or none is known; `rest` one with all the groups that
    are in no set. `reason` says why it ended before all was known.
    """

    sets: list[tuple[int, ...]] = field(default_factory=list)
    minimal: list[bool] = field(default_factory=list)
    alone: tuple[int, ...] | None = None
    refuted: bool = False
    rest: tuple[int, ...] | None = None
    reason: str = ""


class _Ended(Exception):
    """The solver was ended by a limit, or failed."""


def contradicting(
    session: Session, groups: Sequence[Sequence[int]], modelled: Callable[[Sequence[int], Sequence[int]], None]
) -> ContradictingSets:
    """The sets, as far as limits and Ctrl-C let them be found.

    `modelled(model, places)` is told of every model that shows something, with the groups that hold in it.
    """
    search = _Search(session, groups, modelled)
    try:
        search.run()
    except _Ended as ended:
        search.give_up(str(ended))
    except KeyboardInterrupt:
        search.give_up(INTERRUPTED)
    return search.found


class _Search:
    def __init__(
        self,
        session: Session,
        groups: Sequence[Sequence[int]],
        modelled: Callable[[Sequence[int], Sequence[int]], None],
    ):
        self.session, self.groups, self.modelled = session, groups, modelled
        self.of = {literal: place for place, group in enumerate(groups) for literal in group}
        self.left = list(range(len(groups)))
        self.suspects: list[int] = []  # they contradict, on the solver's word, and are not yet minimal
        self.found = ContradictingSets()

    def run(self) -> None:
        """Fills `found`."""
        self.found.rest = self.model(self.left)
        if self.found.rest is not None:
            self.found.alone = self.found.rest
            return
        self.found.alone = self.model([])
        if self.found.alone is None:
            self.found.refuted = True
            return
        self.singles(self.found.alone)
        while True:
            self.found.rest = self.model(self.left)
            if self.found.rest is not None:
                return
            self.shrink()
            self.take(self.suspects, minimal=True)

    def model(self, places: Sequence[int]) -> tuple[int, ...] | None:
        """A model in which these groups hold; None if there is none, and then `suspects` are those that are enough for that."""
        step = self.session.solve([literal for place in places for literal in self.groups[place]])
        if step.status == SATISFIABLE:
            self.modelled(step.model, places)
            return step.model
        if step.status != UNSATISFIABLE:
            raise _Ended(step.reason)
        self.suspects = sorted({self.of[literal] for literal in step.core})
        return None

    def singles(self, model: Sequence[int]) -> None:
        """Groups that hold in no model: each is a set for itself. Those that hold in a model at hand need not be tried."""
        enough, pending = self.suspects, self.failing(self.left, model)
        while pending:
            place = pending.pop(0)
            model_with = self.model([place])
            if model_with is None:
                self.take([place], minimal=True)
            else:
                pending = self.failing(pending, model_with)
            self.suspects = [] if self.found.sets else enough

    def failing(self, places: Sequence[int], model: Sequence[int]) -> list[int]:
        """Those of the groups that do not hold in the model."""
        true = set(model)
        return [place for place in places if not true.issuperset(self.groups[place])]

    def shrink(self) -> None:
        """Makes `suspects` minimal, by leaving out one after the other."""
        needed: set[int] = set()
        while open_ones := [place for place in self.suspects if place not in needed]:
            kept = self.suspects
            if self.model([place for place in kept if place != open_ones[0]]) is not None:
                needed.add(open_ones[0])
                self.suspects = kept

    def take(self, places: Sequence[int], *, minimal: bool) -> None:
        """One more set, whose groups are then left out of consideration."""
        self.found.sets.append(tuple(places))
        self.found.minimal.append(minimal)
        self.left = [place for place in self.left if place not in places]
        self.suspects = []

    def give_up(self, reason: str) -> None:
        """Keeps what contradicts, though it may not be minimal."""
        self.found.reason = reason
        if self.suspects:
            self.take(self.suspects, minimal=False)
