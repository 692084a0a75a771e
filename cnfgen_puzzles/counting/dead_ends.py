"""Dead-end elimination (`formula.dead_ends`) for a part of a search: derives additional clauses for the part from the formula.

A part has fewer ways to meet each need than the whole formula: on 6x10 with pentominoes and a fixed cross, clasp then has 60% of
the conflicts. Literals in this module are true projection variables. Two clash if binary clauses lead from one to the negation of
the other, directly or through auxiliary variables. The needs are the clauses of positive literals of projection variables.

Most clauses of such a formula are *pairs*: binary clauses of negative literals of projection variables. The text of a part has
those between open variables only, so it is short enough to search many small parts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import compress

from cnfgen_puzzles.counting.problem import Problem, SearchPart
from cnfgen_puzzles.formula import Cnf
from cnfgen_puzzles.formula.dead_ends import DeadEnds, bits

MOST = 5000
"""The most projection variables: each one has a mask with a bit for every other."""

MOST_LITERALS = 5_000_000
"""Larger formulas are skipped, because reading them takes as long as the search of a small part."""

ONE = ord("1")


class PartDeadEnds:
    """`rest` are the clauses of the formula that are not pairs; with `text(part)`, they are the formula of the part. Without
    `needs`, which a large formula has not either, nothing can be derived."""

    def __init__(self, problem: Problem):
        self._variables = sorted(set(problem.projection))
        self._number = {variable: number for number, variable in enumerate(self._variables)}
        self.needs: list[int] = []  # dead ends are found only if there are some
        self._directly: list[int] = []  # by pairs
        self._clashing: list[int] = []
        self.rest = Cnf(problem.cnf.num_variables)
        if len(self._variables) <= MOST and len(problem.cnf.literals) <= MOST_LITERALS:
            self._read(problem.cnf)

    def _read(self, cnf: Cnf) -> None:
        number, last = self._number, len(self._variables) - 1
        rows = [bytearray(b"0") * (last + 1) for _ in number]  # the binary digits of `_clashing`
        following: dict[int, list[int]] = defaultdict(list)  # from a literal to the literals that binary clauses imply
        for clause in cnf.clauses():
            if len(clause) == 2:
                one, other = clause
                i, j = number.get(-one), number.get(-other)
                if i is not None and j is not None and i != j:  # -1 -1 is a unit clause
                    rows[i][last - j] = rows[j][last - i] = ONE
                    continue
                following[-one].append(other)
                following[-other].append(one)
            self.rest.literals.extend((*clause, 0))
            self.rest.num_clauses += 1
            if clause and clause[0] > 0 and number.keys() >= set(clause):
                self.needs.append(sum({1 << number[variable] for variable in clause}))
        self._directly = [int(row, 2) for row in rows]
        self._clashing = self._through_auxiliary(dict(zip(self._variables, self._directly, strict=True)), following)

    def text(self, part: SearchPart) -> tuple[str, int]:
        """Clauses in DIMACS and their number: derived unit clauses and pairs, the pairs of open variables, and a unit clause for
        each variable that the part makes false. With `rest` and the clauses of the part, they imply the formula, which implies
        them."""
        true, false, free = self._assume(part)
        needs = _narrow((need for need in self.needs if not need & true), free)
        before = _narrow((self._clashing[i] for i in bits(free)), free)
        dead = DeadEnds(needs, before)  # among the open variables
        directly = _narrow((self._directly[i] for i in bits(free)), free)
        open_ones = [str(self._variables[i]) for i in bits(free)]
        closed = [f"-{self._variables[i]}" for i in bits(false)]
        closed += [f"-{open_ones[i]}" for i in bits(~dead.alive & ((1 << len(open_ones)) - 1))]
        lines = [" 0\n".join([*closed, ""])]
        count = len(closed)
        for i in bits(dead.alive):
            others = [open_ones[j] for j in bits((directly[i] | dead.clashing[i] & ~before[i]) & (dead.alive >> i + 1 << i + 1))]
            count += len(others)
            if others:
                start = f"-{open_ones[i]} -"
                lines += [start, f" 0\n{start}".join(others), " 0\n"]
        return "".join(lines), count

    def _assume(self, part: SearchPart) -> tuple[int, int, int]:
        """The masks of the variables that the part's literals make true, of those that these make false, and of the open ones."""
        true, false, clashing = 0, 0, self._clashing
        literals = (*part.cube, *(-cube[0] for cube in part.without if len(cube) == 1))
        for literal in literals:
            number = self._number.get(abs(literal))
            if number is not None and literal > 0:
                true |= 1 << number
                false |= clashing[number] & ~(1 << number)
            elif number is not None:
                false |= 1 << number
        return true, false, ((1 << len(clashing)) - 1) & ~(true | false)

    def _through_auxiliary(self, directly: dict[int, int], following: Mapping[int, list[int]]) -> list[int]:
        """The mask of each variable: itself and the variables that are false if it is true."""
        number = self._number
        reached = dict(directly)  # from a literal to the mask that it makes false; incomplete if auxiliary literals form cycles
        onward = {literal: [other for other in others if abs(other) not in number] for literal, others in following.items()}
        for literal in _last_first(self._variables, onward):
            mask = reached.get(literal, 0)
            for other in following.get(literal, ()):
                mask |= 1 << number[-other] if -other in number else reached.get(other, 0)
            reached[literal] = mask
        return [reached[variable] | 1 << place for variable, place in number.items()]


def _last_first(starts: Iterable[int], following: Mapping[int, Sequence[int]]) -> Iterator[int]:
    """All reachable literals in reverse topological order, except where there are cycles."""
    seen: set[int] = set()
    waiting = [(start, False) for start in starts]
    while waiting:
        at, left = waiting.pop()
        if left:
            yield at
        elif at not in seen:
            seen.add(at)
            waiting.append((at, True))
            waiting += [(other, False) for other in following.get(at, ()) if other not in seen]


def _narrow(masks: Iterable[int], free: int) -> list[int]:
    """The bits of each mask at the positions of the ones in `free`, compressed to adjacent positions."""
    width = free.bit_length()
    ones = [digit == "1" for digit in f"{free:b}"]
    return [int("".join(compress(f"{mask & free:0{width}b}", ones)) or "0", 2) for mask in masks]
