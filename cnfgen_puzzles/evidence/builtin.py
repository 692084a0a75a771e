"""The built-in checker of DRAT and LRAT proofs, in plain Python: for small proofs on machines without another checker.

    python -P -m cnfgen_puzzles.evidence.builtin FORMAT FORMULA PROOF

The program prints `s VERIFIED`, or `c ERROR` with the reason and `s NOT VERIFIED`, as DRAT-trim does. `evidence.steps` runs it
confined and under limits, `proofreader` reads the proofs, and docs/explanation/proofs.md describes it.

**DRAT** proofs are checked backward, with core-first unit propagation. The forward pass follows the steps until unit propagation
derives a contradiction. The backward pass marks the clauses that the contradiction needs. Each marked lemma must follow from the
earlier clauses, by unit propagation (RUP) or, on its first literal, by resolution with all of them (RAT). The clauses in that
derivation are marked as well. Therefore the marked lemmas, in order, are a proof. An unmarked lemma is not checked.

* A clause is a set of literals. Tautologies are ignored.
* A deletion must name an existing clause; otherwise, the proof does not belong to this formula and is refused.
* The deletion of a clause that has fixed a literal is ignored, as in DRAT-trim: solvers delete such clauses and keep the literal.
  The additional clause can only make RAT checks harder, and consequences of more valid clauses are valid.

The assignment of the forward pass is kept for every step, so the backward pass only truncates it.

**LRAT** proofs are checked forward: the hints of a lemma name the clauses for its check. There is no search, so checking takes
about as long as reading. The clauses of the formula are numbered from 1, and the numbers of lemmas ascend. Each hint must fix a
literal or be falsified. For RAT, the hints must name every clause with the negated first literal of the lemma, except those that
a negated literal of the lemma, or one that follows, satisfies.
"""

from __future__ import annotations

import gc
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.evidence.proofreader import HintedStep, NoProof, ProofStep, drat_steps, lrat_steps
from cnfgen_puzzles.formula import Cnf, read_dimacs

FREE, TRUE, FALSE = 0, 1, -1

Clause = list[int]
"""The number of the clause, then its literals as codes. The first two literals are watched."""
Pair = tuple[int, Clause]
"""An entry for a binary clause in the watch list of one of its literals: the other literal and the clause."""


def check_drat(cnf: Cnf, steps: Iterable[ProofStep]) -> None:
    """Verify that the steps prove that the formula has no model; raises NoProof with the reason otherwise."""
    BackwardChecker(cnf).check(steps)


class LiteralCodes(dict[int, int]):
    """Literals as whole numbers without gaps: 2v and 2v + 1 for a variable and its negation."""

    def __init__(self, new_variable: Callable[[], int]):
        self._new_variable = new_variable

    def __missing__(self, literal: int) -> int:
        code = self._new_variable()
        self[abs(literal)], self[-abs(literal)] = code, code + 1
        return self[literal]


class BackwardChecker:
    """The active clauses, the assignment that unit propagation derives from them, and the marks of needed clauses."""

    def __init__(self, cnf: Cnf):
        self.formula = cnf
        self.codes = LiteralCodes(self._new_variable)
        # indexed by clause number
        self.clauses: list[Clause] = []
        self.there = bytearray()
        self.core = bytearray()  # marked as needed; clauses of the formula need no check and are marked from the start
        self.watched = bytearray()
        self.copies: defaultdict[tuple[int, ...], list[int]] = defaultdict(list)  # clause numbers by literals, for deletions
        # indexed by literal
        self.value: list[int] = []
        self.pairs: tuple[list[list[Pair]], ...] = ([], [])  # the watch lists of binary clauses: core, others
        self.longer: tuple[list[list[Clause]], ...] = ([], [])
        self.occurs: defaultdict[int, list[Clause]] | None = None  # all clauses ever added; set by the first RAT check
        # indexed by variable
        self.reason: list[Clause | None] = []  # None for an unassigned or assumed variable
        self.explained = bytearray()  # its reason and the clauses that the reason depends on are marked
        self.trail: list[int] = []  # the true literals, in order of assignment
        self.seen = [0, 0]  # the numbers of literals that were propagated: in the core, in the other clauses

    def _new_variable(self) -> int:
        code = len(self.value)
        for rank in (0, 1):
            self.pairs[rank].extend(([], []))
            self.longer[rank].extend(([], []))
        self.value += (FREE, FREE)
        self.reason.append(None)
        self.explained.append(False)
        return code

    # -- the two passes ---------------------------------------------------------------------------------------------------

    def check(self, steps: Iterable[ProofStep]) -> None:
        contradiction = None
        for literals in self.formula.clauses():
            contradiction = contradiction or self._add(literals, core=True)
        contradiction = contradiction or self._propagate()
        done: list[tuple[bool, Clause, int, int]] = []  # is a deletion, clause, its first literal, length of the trail before
        for step in steps:
            if contradiction is not None:
                break
            if step.deletes:
                clause = self._deleted(step.clause)
                if clause is not None:
                    done.append((True, clause, 0, 0))
                continue
            before = len(self.trail)
            contradiction = self._add(step.clause, core=False) or self._propagate()
            pivot = self.codes[step.clause[0]] if step.clause else -1
            done.append((False, self.clauses[-1], pivot, before))
        if contradiction is None:
            raise NoProof("the proof ends without refuting the formula")
        self._explain([contradiction])
        for deletes, clause, pivot, before in reversed(done):
            if deletes:
                self._enter(clause)
                continue
            self._forget(before)
            self._leave(clause)
            if self.core[clause[0]] and not self._follows(clause, pivot):
                shown = " ".join(map(str, self._literals(clause)))
                raise NoProof(f"a lemma does not follow: {shown:.100} 0")

    def _add(self, literals: list[int], *, core: bool) -> Clause | None:
        """Add a clause; returns it if all its literals are false. A unit literal is assigned, but not propagated yet."""
        codes, value = self.codes, self.value
        clause = [len(self.clauses), *dict.fromkeys([codes[literal] for literal in literals])]
        known = set(clause[1:])
        self.copies[tuple(sorted(known))].append(clause[0])
        self.clauses.append(clause)
        self.there.append(False)
        self.core.append(core)
        self.watched.append(False)
        if any(literal ^ 1 in known for literal in known):
            return None
        open_places = [place for place in range(1, len(clause)) if value[clause[place]] != FALSE]
        for target, place in enumerate(open_places[:2], start=1):
            clause[target], clause[place] = clause[place], clause[target]
        # a clause with one open literal is not watched: that literal is true as long as the clause exists
        self.watched[clause[0]] = len(open_places) > 1
        self._enter(clause)
        if len(open_places) == 1 and value[clause[1]] == FREE:
            self._set(clause[1], clause)
        return None if open_places else clause

    def _deleted(self, literals: list[int]) -> Clause | None:
        """The deleted clause; None if the deletion is ignored."""
        copies = self.copies.get(tuple(sorted({self.codes[literal] for literal in literals})))
        if not copies:
            raise NoProof(f"the proof deletes a clause that does not exist: {' '.join(map(str, literals)):.100} 0")
        clause = self.clauses[copies.pop()]
        if not self.there[clause[0]]:  # a tautology
            return None
        if any(self.reason[literal >> 1] is clause for literal in clause[1:3]):
            return None
        self._leave(clause)
        return clause

    # -- clauses ----------------------------------------------------------------------------------------------------------

    def _enter(self, clause: Clause) -> None:
        number = clause[0]
        self.there[number] = True
        if not self.watched[number]:
            return
        rank = 0 if self.core[number] else 1
        if len(clause) == 3:
            self.pairs[rank][clause[1]].append((clause[2], clause))
            self.pairs[rank][clause[2]].append((clause[1], clause))
        else:
            self.longer[rank][clause[1]].append(clause)
            self.longer[rank][clause[2]].append(clause)

    def _leave(self, clause: Clause) -> None:
        number = clause[0]
        self.there[number] = False
        if not self.watched[number]:
            return
        rank = 0 if self.core[number] else 1
        if len(clause) == 3:
            self.pairs[rank][clause[1]].remove((clause[2], clause))
            self.pairs[rank][clause[2]].remove((clause[1], clause))
        else:
            self.longer[rank][clause[1]].remove(clause)
            self.longer[rank][clause[2]].remove(clause)

    # -- the assignment ---------------------------------------------------------------------------------------------------

    def _set(self, literal: int, reason: Clause | None) -> None:
        self.value[literal], self.value[literal ^ 1] = TRUE, FALSE
        self.reason[literal >> 1] = reason
        self.trail.append(literal)

    def _forget(self, before: int) -> None:
        """Undo all assignments after the first `before`; all of them were propagated."""
        for literal in self.trail[before:]:
            self.value[literal] = self.value[literal ^ 1] = FREE
            self.reason[literal >> 1] = None
            self.explained[literal >> 1] = False
        del self.trail[before:]
        self.seen = [before, before]

    def _propagate(self) -> Clause | None:
        """Run unit propagation, core clauses first; returns a falsified clause if there is one."""
        trail, value, reason = self.trail, self.value, self.reason
        seen = self.seen
        while True:
            rank = 0 if seen[0] < len(trail) else 1
            if seen[rank] == len(trail):
                return None
            false = trail[seen[rank]] ^ 1
            seen[rank] += 1
            for other, clause in self.pairs[rank][false]:
                known = value[other]
                if known == TRUE:
                    continue
                if known == FALSE:
                    return clause
                value[other], value[other ^ 1] = TRUE, FALSE
                reason[other >> 1] = clause
                trail.append(other)
            watching = self.longer[rank]
            visited = watching[false]
            watching[false] = kept = []
            for index, clause in enumerate(visited):
                other = clause[1]
                if other == false:
                    other = clause[1] = clause[2]
                    clause[2] = false
                if value[other] == TRUE:
                    kept.append(clause)
                    continue
                for place in range(3, len(clause)):
                    literal = clause[place]
                    if value[literal] != FALSE:
                        clause[2], clause[place] = literal, false
                        watching[literal].append(clause)
                        break
                else:
                    kept.append(clause)
                    if value[other] == FALSE:
                        kept += visited[index + 1 :]
                        return clause
                    value[other], value[other ^ 1] = TRUE, FALSE
                    reason[other >> 1] = clause
                    trail.append(other)

    # -- what follows -----------------------------------------------------------------------------------------------------

    def _follows(self, clause: Clause, pivot: int) -> bool:
        """Whether an inactive clause follows from the active ones by RUP, or by RAT on its pivot; marks the clauses used."""
        before = len(self.trail)
        follows = self._contradicted(clause[1:]) or (pivot >= 0 and all(
            self._resolved(other, pivot) for other in self._with(pivot ^ 1)
        ))  # fmt: skip
        self._forget(before)
        return follows

    def _resolved(self, other: Clause, pivot: int) -> bool:
        """Whether the resolvent with a clause that has the negated pivot follows; the literals of the lemma are false now."""
        before = len(self.trail)
        follows = self._contradicted([literal for literal in other[1:] if literal != pivot ^ 1])
        self._forget(before)
        return follows

    def _contradicted(self, literals: list[int]) -> bool:
        """Whether unit propagation derives a contradiction if these literals are also false."""
        for literal in literals:
            if self.value[literal] == TRUE:
                self._explain_value(literal)
                return True
            if self.value[literal] == FREE:
                self._set(literal ^ 1, None)
        contradiction = self._propagate()
        if contradiction is not None:
            self._explain([contradiction])
        return contradiction is not None

    def _explain_value(self, literal: int) -> None:
        reason = self.reason[literal >> 1]
        if reason is not None:
            self._explain([reason])

    def _explain(self, needed: list[Clause]) -> None:
        """Mark these clauses, whose literals are all assigned, and the reasons of the assignments."""
        explained, reason = self.explained, self.reason
        while needed:
            clause = needed.pop()
            if not self.core[clause[0]]:
                self._mark(clause)
            for literal in clause[1:]:
                variable = literal >> 1
                if not explained[variable]:
                    explained[variable] = True
                    why = reason[variable]
                    if why is not None:
                        needed.append(why)

    def _literals(self, clause: Clause) -> list[int]:
        names = {code: literal for literal, code in self.codes.items()}
        return [names[literal] for literal in clause[1:]]

    def _mark(self, clause: Clause) -> None:
        """Mark a clause as needed: propagation uses it first, and the backward pass checks it."""
        self._leave(clause)
        self.core[clause[0]] = True
        self._enter(clause)

    # -- for RAT ----------------------------------------------------------------------------------------------------------

    def _with(self, literal: int) -> Iterator[Clause]:
        """The active clauses with this literal."""
        if self.occurs is None:
            self.occurs = defaultdict(list)
            for clause in self.clauses:
                for each in clause[1:]:
                    self.occurs[each].append(clause)
        return (clause for clause in self.occurs[literal] if self.there[clause[0]])


# -- LRAT ---------------------------------------------------------------------------------------------------------------


def check_lrat(cnf: Cnf, steps: Iterable[HintedStep]) -> None:
    """Verify that the steps prove that the formula has no model; raises NoProof with the reason otherwise."""
    checker = HintChecker(cnf)
    for step in steps:
        if checker.refuted:
            break
        if step.number:
            checker.add(step.number, step.clause, step.hints)
        else:
            checker.delete(step.hints)
    if not checker.refuted:
        raise NoProof("the proof ends without refuting the formula")


class HintChecker:
    """The active clauses, by number."""

    def __init__(self, cnf: Cnf):
        self.clauses = {number: frozenset(clause) for number, clause in enumerate(cnf.clauses(), start=1)}
        self.last = len(self.clauses)
        self.refuted = frozenset() in self.clauses.values()
        self._occurs: defaultdict[int, set[int]] | None = None  # clause numbers by literal; set by the first RAT check

    def add(self, number: int, literals: Sequence[int], hints: Sequence[int]) -> None:
        """Add a lemma, which must follow from its hints."""
        if number <= self.last:
            raise NoProof(f"lemma {number} follows clause {self.last}: the numbers must ascend")
        if not self._follows(literals, hints):
            raise NoProof(f"lemma {number} does not follow from its hints")
        self.clauses[number] = clause = frozenset(literals)
        self.last = number
        self.refuted = not literals
        if self._occurs is not None:
            for literal in clause:
                self._occurs[literal].add(number)

    def delete(self, numbers: Sequence[int]) -> None:
        """Delete clauses, which must be active."""
        for number in numbers:
            clause = self._clause(number)
            del self.clauses[number]
            if self._occurs is not None:
                for literal in clause:
                    self._occurs[literal].discard(number)

    def _clause(self, number: int) -> frozenset[int]:
        if number not in self.clauses:
            raise NoProof(f"clause {number} does not exist")
        return self.clauses[number]

    def _follows(self, literals: Sequence[int], hints: Sequence[int]) -> bool:
        """Whether the lemma follows by unit propagation, or by resolution on its first literal."""
        false = set(literals)
        first = next((place for place, hint in enumerate(hints) if hint < 0), len(hints))
        if self._contradicted(false, hints[:first]):
            return True
        return bool(literals) and self._resolved(literals[0], false, hints[first:])

    def _contradicted(self, false: set[int], hints: Sequence[int]) -> bool:
        """Whether the hinted clauses, in order, contradict the false literals; adds the derived literals to `false`."""
        for hint in hints:
            rest = self._clause(hint) - false
            if not rest:
                return True
            if len(rest) > 1:
                raise NoProof(f"the hint {hint} fixes no literal")
            false.update(-literal for literal in rest)
        return False

    def _resolved(self, pivot: int, false: set[int], hints: Sequence[int]) -> bool:
        """Whether each resolvent of the lemma with a clause that has the negated pivot follows."""
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


# -- the program ----------------------------------------------------------------------------------------------------------


def check(cnf: Cnf, proof: bytes, proof_format: str) -> None:
    """Verify that the proof refutes the formula; raises NoProof otherwise. The formats are those of `checkers.BUILT_IN`."""
    match proof_format:
        case "text" | "binary":
            check_drat(cnf, drat_steps(proof, binary=proof_format == "binary"))
        case "lrat" | "binary-lrat":
            check_lrat(cnf, lrat_steps(proof, binary=proof_format == "binary-lrat"))
        case _:
            raise ValueError(f"{proof_format} is not a proof format")


def main(proof_format: str, formula: str, proof: str, *_: str) -> None:
    """Print the verdict. verify.sh can call this in place of DRAT-trim, so further arguments are ignored."""
    gc.disable()  # there are no reference cycles, and each collection would visit millions of lists
    try:
        check(read_dimacs(open_source(Path(formula))).cnf, Path(proof).read_bytes(), proof_format)
    except NoProof as error:
        print(f"c ERROR {error}\ns NOT VERIFIED")
    else:
        print("s VERIFIED")


if __name__ == "__main__":
    main(*sys.argv[1:])
