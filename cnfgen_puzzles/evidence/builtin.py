"""The built-in checker of DRAT and LRAT proofs, in plain Python: for small proofs on machines without another checker.

    python -P -m cnfgen_puzzles.evidence.builtin FORMAT FORMULA PROOF

The program prints `s VERIFIED`, or `c ERROR` with the reason and `s NOT VERIFIED`, as DRAT-trim does. `evidence.proofs` runs it
confined and under limits, and docs/explanation/proofs.md describes it. It is written to be read, not to be fast.

**DRAT** proofs are checked forward, until unit propagation derives a contradiction. Each lemma must follow from the earlier
clauses, by unit propagation (RUP) or, on its first literal, by resolution with all of them (RAT).

* A clause is a set of literals. Tautologies are ignored.
* A deletion must name an existing clause; otherwise, the proof does not belong to this formula and is refused.
* The deletion of a clause that has fixed a literal is ignored, as in DRAT-trim: solvers delete such clauses and keep the literal.
  The additional clause can only make RAT checks harder, and consequences of more valid clauses are valid.

**LRAT** proofs are checked in the same way: the hints of a lemma name the clauses for its check. There is no search, so
checking takes about as long as reading. The clauses of the formula are numbered from 1, and the numbers of lemmas ascend. Each
hint must fix a literal or be falsified. For RAT, the hints must name every clause with the negated first literal of the lemma,
except those that a negated literal of the lemma, or one that follows, satisfies.
"""

from __future__ import annotations

import gc
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.formula import Cnf, read_dimacs

ProofStep = tuple[bool, list[int]]
"""A step of DRAT: whether it deletes the clause, and the clause."""
HintedStep = tuple[int, list[int], list[int]]
"""A step of LRAT: the number of a new clause, the clause, and its hints; number 0: the last list has the clauses to delete."""


class NoProof(Exception):
    """The reason why a file is not a valid proof."""


# -- reading --------------------------------------------------------------------------------------------------------------

MOST_LITERAL = 2**31 - 1
MOST_NUMBER = 2**62
MOST_BYTES = 10
"""The longest number of a binary proof, in bytes: 70 bits."""

NUMBER = rb"[1-9][0-9]{0,18}+(?=\s)"
LITERALS = rb"(?:-?" + NUMBER + rb"\s++)*+0(?=\s|\Z)"
COMMENT = rb"^c[^\n]*+(?:\n|\Z)"
DRAT = re.compile(rb"(?:\s++|" + COMMENT + rb"|(?:d\s++)?+" + LITERALS + rb")*+", re.MULTILINE)
LRAT = re.compile(
    rb"(?:\s++|" + COMMENT + rb"|" + NUMBER + rb"\s++(?:d\s++(?:" + NUMBER + rb"\s++)*+0(?=\s|\Z)|"
    + LITERALS + rb"\s++" + LITERALS + rb"))*+", re.MULTILINE,
)  # fmt: skip
COMMENTS = re.compile(COMMENT, re.MULTILINE)
"""The patterns are possessive, so matching takes linear time even for invalid files."""


def drat_steps(data: bytes, *, binary: bool = False) -> Iterator[ProofStep]:
    """The steps of a DRAT proof. NoProof if it is invalid; for text, before the first step."""
    if binary:
        source = _Bytes(data)
        yield from ((deletes, source.numbers(MOST_LITERAL)) for deletes in source.deletions())
        return
    clause: list[int] = []
    deletes = False
    for word in _words(data, DRAT):
        if word == b"0":
            yield deletes, clause
            clause, deletes = [], False
        elif word == b"d":
            deletes = True
        else:
            clause.append(_literal(word))


def lrat_steps(data: bytes, *, binary: bool = False) -> Iterator[HintedStep]:
    """The steps of an LRAT proof. NoProof if it is invalid; for text, before the first step."""
    if binary:
        source = _Bytes(data)
        for deletes in source.deletions():
            number = 0 if deletes else source.number(MOST_NUMBER)
            yield number, [] if deletes else source.numbers(MOST_LITERAL), source.numbers(MOST_NUMBER)
        return
    words = iter(_words(data, LRAT))
    for first in words:
        *literals, end = _until(words, (b"0", b"d"))
        hints = [int(word) for word in _until(words, (b"0",))[:-1]]
        yield 0 if end == b"d" else int(first), [_literal(word) for word in literals], hints


def _words(data: bytes, grammar: re.Pattern[bytes]) -> list[bytes]:
    """The words of a text without its comments; NoProof unless all of it matches the grammar."""
    found = grammar.match(data)
    end = found.end() if found else 0
    if end < len(data):
        line = data.count(b"\n", 0, end) + 1
        shown = repr(data[end : end + 40].split(b"\n")[0])[2:-1]
        raise NoProof(f"line {line}: found `{shown}`, expected a step that ends with 0")
    return COMMENTS.sub(b"", data).split()


def _until(words: Iterator[bytes], ends: Sequence[bytes]) -> list[bytes]:
    """The next words, up to one of these."""
    found = [next(words)]
    while found[-1] not in ends:
        found.append(next(words))
    return found


def _literal(word: bytes) -> int:
    literal = int(word)
    if abs(literal) > MOST_LITERAL:
        raise NoProof(f"found literal {literal}, expected one of at most {MOST_LITERAL}")
    return literal


class _Bytes:
    """The numbers of a binary proof: twice the number, plus 1 if it is negative, in bytes of seven bits, lowest first."""

    def __init__(self, data: bytes):
        self.data = data
        self.position = 0

    def deletions(self) -> Iterator[bool]:
        """Whether each step is a deletion, until the end of the data."""
        while self.position < len(self.data):
            kind = self.data[self.position]
            self.position += 1
            if kind not in b"ad":
                raise NoProof(f"byte {self.position}: found {kind:#04x}, expected a step: `a` or `d`")
            yield kind == ord("d")

    def numbers(self, most: int) -> list[int]:
        """The numbers up to the terminating 0."""
        return list(iter(lambda: self.number(most), 0))

    def number(self, most: int) -> int:
        value = shift = 0
        position = self.position
        for byte in self.data[position : position + MOST_BYTES]:
            position += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        else:
            raise NoProof(f"byte {position}: the proof ends within a step, or a number in it has no end")
        self.position = position
        if value == 1 or value >> 1 > most:
            raise NoProof(f"byte {position}: found {value}, expected the code of a number of at most {most}")
        return -(value >> 1) if value & 1 else value >> 1


# -- DRAT -----------------------------------------------------------------------------------------------------------------


@dataclass(eq=False, slots=True)
class Clause:
    """`watched`: the first two literals are. A tautology and a deleted clause are not `active`."""

    literals: list[int]
    active: bool = False
    watched: bool = False


class ClauseChecker:
    """The clauses so far, and the assignment that unit propagation derives from the active ones."""

    def __init__(self, cnf: Cnf):
        self.clauses: list[Clause] = []
        self.copies: defaultdict[frozenset[int], list[Clause]] = defaultdict(list)  # by literals, for deletions
        self.watches: defaultdict[int, list[Clause]] = defaultdict(list)
        self.true: dict[int, Clause | None] = {}  # from each true literal to its reason; None for an assumption
        self.trail: list[int] = []  # the true literals, in order of assignment
        self.propagated = 0
        self.refuted = False
        for literals in cnf.clauses():
            self.add(literals)

    def add(self, clause_literals: Iterable[int]) -> None:
        """Add a clause, and propagate it."""
        true, literals = self.true, list(dict.fromkeys(clause_literals))
        clause = Clause(literals)
        self.copies[frozenset(literals)].append(clause)
        if not {-literal for literal in literals}.isdisjoint(literals):
            return
        literals.sort(key=lambda literal: -literal in true)  # false literals come last
        free = sum(-literal not in true for literal in literals)
        # a clause with one such literal is not watched: that literal is true as long as the clause exists
        clause.active, clause.watched = True, free > 1
        self.clauses.append(clause)
        for literal in literals[: 2 * clause.watched]:
            self.watches[literal].append(clause)
        if free == 1 and literals[0] not in true:
            self._assign(literals[0], clause)
        self.refuted = self.refuted or not free or self._propagate()

    def delete(self, literals: Sequence[int]) -> None:
        """Delete a clause, which must exist; unless it is the reason of a literal."""
        copies = self.copies.get(frozenset(literals))
        if not copies:
            raise NoProof(f"the proof deletes a clause that does not exist: {' '.join(map(str, literals)):.100} 0")
        clause = copies.pop()
        if clause.active and not any(self.true.get(literal) is clause for literal in clause.literals[:2]):
            clause.active = False
            for literal in clause.literals[: 2 * clause.watched]:
                self.watches[literal].remove(clause)

    def follows(self, literals: Sequence[int]) -> bool:
        """Whether a clause follows from the active ones by RUP, or by RAT on its first literal."""
        before = len(self.trail)
        pivot = literals[0] if literals else 0
        follows = self._contradicted(literals) or (pivot != 0 and all(
            self._resolved(clause, pivot) for clause in self.clauses if clause.active and -pivot in clause.literals
        ))  # fmt: skip
        self._forget(before)
        return follows

    def _assign(self, literal: int, reason: Clause | None) -> None:
        self.true[literal] = reason
        self.trail.append(literal)

    def _forget(self, before: int) -> None:
        """Undo all assignments after the first `before`; all of those were propagated."""
        for literal in self.trail[before:]:
            del self.true[literal]
        del self.trail[before:]
        self.propagated = before

    def _propagate(self) -> bool:
        """Run unit propagation; returns whether a clause is falsified."""
        true, watches = self.true, self.watches
        while self.propagated < len(self.trail):
            false = -self.trail[self.propagated]
            self.propagated += 1
            visited = watches[false]
            watches[false] = kept = []
            for place, clause in enumerate(visited):
                literals = clause.literals
                if literals[0] == false:
                    literals[0], literals[1] = literals[1], false
                other = literals[0]
                if other in true:
                    kept.append(clause)
                    continue
                for at in range(2, len(literals)):
                    literal = literals[at]
                    if -literal not in true:
                        literals[1], literals[at] = literal, false
                        watches[literal].append(clause)
                        break
                else:
                    kept.append(clause)
                    if -other in true:
                        kept += visited[place + 1 :]
                        return True
                    self._assign(other, clause)
        return False

    def _resolved(self, clause: Clause, pivot: int) -> bool:
        """Whether the resolvent with a clause that has the negated pivot follows; the literals of the lemma are false now."""
        before = len(self.trail)
        follows = self._contradicted([literal for literal in clause.literals if literal != -pivot])
        self._forget(before)
        return follows

    def _contradicted(self, literals: Sequence[int]) -> bool:
        """Whether unit propagation derives a contradiction if these literals are also false."""
        for literal in literals:
            if literal in self.true:
                return True
            if -literal not in self.true:
                self._assign(-literal, None)
        return self._propagate()


def check_drat(cnf: Cnf, steps: Iterable[ProofStep]) -> None:
    """Verify that the steps prove that the formula has no model; raises NoProof with the reason otherwise."""
    checker = ClauseChecker(cnf)
    for deletes, literals in steps:
        if checker.refuted:
            break
        if deletes:
            checker.delete(literals)
        elif checker.follows(literals):
            checker.add(literals)
        else:
            raise NoProof(f"a lemma does not follow: {' '.join(map(str, literals)):.100} 0")
    if not checker.refuted:
        raise NoProof("the proof ends without refuting the formula")


# -- LRAT -----------------------------------------------------------------------------------------------------------------


def check_lrat(cnf: Cnf, steps: Iterable[HintedStep]) -> None:
    """Verify that the steps prove that the formula has no model; raises NoProof with the reason otherwise."""
    checker = HintChecker(cnf)
    for number, clause, hints in steps:
        if checker.refuted:
            break
        if number:
            checker.add(number, clause, hints)
        else:
            checker.delete(hints)
    if not checker.refuted:
        raise NoProof("the proof ends without refuting the formula")


class HintChecker:
    """The active clauses, by number."""

    def __init__(self, cnf: Cnf):
        self.clauses = {number: frozenset(clause) for number, clause in enumerate(cnf.clauses(), start=1)}
        self.last = len(self.clauses)
        self.refuted = frozenset() in self.clauses.values()

    def add(self, number: int, literals: Sequence[int], hints: Sequence[int]) -> None:
        """Add a lemma, which must follow from its hints by unit propagation, or by resolution on its first literal."""
        if number <= self.last:
            raise NoProof(f"lemma {number} follows clause {self.last}: the numbers must ascend")
        false = set(literals)
        first = next((place for place, hint in enumerate(hints) if hint < 0), len(hints))
        if not self._contradicted(false, hints[:first]) and not (literals and self._resolved(literals[0], false, hints[first:])):
            raise NoProof(f"lemma {number} does not follow from its hints")
        self.clauses[number] = frozenset(literals)
        self.last, self.refuted = number, not literals

    def delete(self, numbers: Sequence[int]) -> None:
        """Delete clauses, which must be active."""
        for number in numbers:
            self._clause(number)
            del self.clauses[number]

    def _clause(self, number: int) -> frozenset[int]:
        if number not in self.clauses:
            raise NoProof(f"clause {number} does not exist")
        return self.clauses[number]

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
        groups = {-hints[start]: hints[start + 1 : end] for start, end in zip(starts, [*starts[1:], None], strict=False)}
        for number, clause in self.clauses.items():
            others = clause - {-pivot}
            if len(others) == len(clause) or any(-literal in false for literal in others):
                continue
            if number not in groups or not self._contradicted(false | others, groups[number]):
                return False
        return True


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
