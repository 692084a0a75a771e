"""Dead-end elimination (`formula.dead_ends`) for a part of a search: derives additional clauses for the part from the formula.

A part has fewer ways to meet each need than the whole formula: on 6x10 with pentominoes and a fixed cross, clasp then has 60% of
the conflicts. Literals in this module are true projection variables. Two clash if binary clauses lead from one to the negation of
the other, directly or through auxiliary variables. The needs are the clauses of positive literals of projection variables.
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
    """`clauses(part)` are clauses that hold in the part; none if the formula has no needs or too many variables."""

    def __init__(self, problem: Problem):
        self._variables = sorted(set(problem.projection))
        self._number = {variable: number for number, variable in enumerate(self._variables)}
        self._needs: list[int] = []
        self._clashing: list[int] = []
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
                if i is not None and j is not None:
                    rows[i][last - j] = rows[j][last - i] = ONE
                else:
                    following[-one].append(other)
                    following[-other].append(one)
            if clause and clause[0] > 0 and number.keys() >= set(clause):
                self._needs.append(sum({1 << number[variable] for variable in clause}))
        directly = dict(zip(self._variables, (int(row, 2) for row in rows), strict=True))
        self._clashing = self._through_auxiliary(directly, following)

    def clauses(self, part: SearchPart) -> Iterator[tuple[int, ...]]:
        """Unit clauses and binary clauses of negative literals."""
        if not self._needs:
            return
        clashing = self._clashing
        true, free = self._assume(part, clashing)
        chosen = list(bits(free))
        if not chosen:
            return
        needs = _narrow((need for need in self._needs if not need & true), free)
        before = _narrow((clashing[i] for i in chosen), free)
        dead = DeadEnds(needs, before)
        name = [self._variables[i] for i in chosen]
        yield from ((-name[i],) for i in bits(~dead.alive & ((1 << len(name)) - 1)))
        for i in bits(dead.alive):
            new = dead.clashing[i] & ~before[i] & (dead.alive >> i << i)
            yield from ((-name[i], -name[j]) for j in bits(new))

    def _assume(self, part: SearchPart, clashing: list[int]) -> tuple[int, int]:
        """The masks of the variables that the part's literals make true, and of those that remain open."""
        true, false = 0, 0
        literals = (*part.cube, *(-cube[0] for cube in part.without if len(cube) == 1))
        for literal in literals:
            number = self._number.get(abs(literal))
            if number is not None and literal > 0:
                true |= 1 << number
                false |= clashing[number]
            elif number is not None:
                false |= 1 << number
        return true, ((1 << len(clashing)) - 1) & ~(true | false)

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
