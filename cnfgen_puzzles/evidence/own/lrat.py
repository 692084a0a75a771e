"""Whether an LRAT proof refutes a formula: each lemma is checked when it comes, by the clauses that its hints name and no others.

Without search, so a proof takes about as long as it takes to read. Clauses of the formula are numbered from 1; a lemma has a
higher number than every clause before it. A hint must fix a literal or contradict; for RAT every clause with the negated first
literal of the lemma must be hinted at, but for those that one of the lemma's negated literals, or what followed, satisfies.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from cnfgen_puzzles.evidence.own.reading import HintedStep, NoProof
from cnfgen_puzzles.formula import Cnf


def refutes(cnf: Cnf, steps: Iterable[HintedStep]) -> None:
    """Return if the steps prove that the formula has no model; NoProof says why they do not."""
    checker = _Checker(cnf)
    for step in steps:
        if checker.refuted:
            break
        if step.number:
            checker.add(step.number, step.clause, step.hints)
        else:
            checker.delete(step.hints)
    if not checker.refuted:
        raise NoProof("the proof ends, and the formula is not refuted")


class _Checker:
    """The clauses that are there, by number."""

    def __init__(self, cnf: Cnf):
        self.clauses = {number: frozenset(clause) for number, clause in enumerate(cnf.clauses(), start=1)}
        self.last = len(self.clauses)
        self.refuted = frozenset() in self.clauses.values()
        self._occurs: defaultdict[int, set[int]] | None = None  # numbers by literal, from the first RAT on

    def add(self, number: int, literals: Sequence[int], hints: Sequence[int]) -> None:
        """A lemma, which must follow."""
        if number <= self.last:
            raise NoProof(f"lemma {number} comes after clause {self.last}")
        if not self._follows(literals, hints):
            raise NoProof(f"lemma {number} does not follow from its hints")
        self.clauses[number] = clause = frozenset(literals)
        self.last = number
        self.refuted = not literals
        if self._occurs is not None:
            for literal in clause:
                self._occurs[literal].add(number)

    def delete(self, numbers: Sequence[int]) -> None:
        """Clauses that must be there."""
        for number in numbers:
            clause = self._clause(number)
            del self.clauses[number]
            if self._occurs is not None:
                for literal in clause:
                    self._occurs[literal].discard(number)

    def _clause(self, number: int) -> frozenset[int]:
        if number not in self.clauses:
            raise NoProof(f"clause {number} is named and not there")
        return self.clauses[number]

    def _follows(self, literals: Sequence[int], hints: Sequence[int]) -> bool:
        """Whether the lemma follows by unit propagation, or by resolution on its first literal."""
        false = set(literals)
        first = next((place for place, hint in enumerate(hints) if hint < 0), len(hints))
        if self._contradicted(false, hints[:first]):
            return True
        return bool(literals) and self._resolved(literals[0], false, hints[first:])

    def _contradicted(self, false: set[int], hints: Sequence[int]) -> bool:
        """Whether the hinted clauses contradict, one after the other, what is false; `false` takes what they fix."""
        for hint in hints:
            rest = self._clause(hint) - false
            if not rest:
                return True
            if len(rest) > 1:
                raise NoProof(f"clause {hint} is hinted at and fixes nothing")
            false.update(-literal for literal in rest)
        return False

    def _resolved(self, pivot: int, false: set[int], hints: Sequence[int]) -> bool:
        """Whether the lemma follows once it is resolved with any of the clauses that have the negated pivot."""
        starts = [place for place, hint in enumerate(hints) if hint < 0]
        ends = [*starts[1:], len(hints)]
        groups = {-hints[start]: hints[start + 1 : end] for start, end in zip(starts, ends, strict=False)}
        for number in self._with(-pivot):
            others = self._clause(number) - {-pivot}
            if any(-literal in false for literal in others):
                continue
            if number not in groups or not self._contradicted(false | others, groups[number]):
                return False
        return True

    def _with(self, literal: int) -> set[int]:
        """The numbers of the clauses with this literal."""
        if self._occurs is None:
            self._occurs = defaultdict(set)
            for number, clause in self.clauses.items():
                for each in clause:
                    self._occurs[each].add(number)
        return self._occurs[literal]
