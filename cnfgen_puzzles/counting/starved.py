"""What starves in a part of a search (`formula.starving`), from the formula's clauses alone: clauses that follow for that part.

A part has fewer ways to meet each need than the whole: on 6x10 with pentominoes, with the cross in its place, clasp then has half
of the conflicts. Literals are projection variables that are true. Two clash if binary clauses lead from one to the other's negation,
by way of auxiliary variables or directly; needs are the clauses of positive literals of projection variables.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import compress

from cnfgen_puzzles.counting.problem import Part, Problem
from cnfgen_puzzles.formula.starving import Starving, bits

FEWEST, MOST = 16, 5000
"""Numbers of projection variables in needs between which it is worth looking: each has a mask as wide as all."""

ZERO, ONE = b"01"


class StarvedParts:
    """`clauses(part)` are what follows in the part; none where the formula has no needs, or too many variables in them."""

    def __init__(self, problem: Problem):
        among = frozenset(problem.projection)
        self._clauses: list[tuple[int, ...]] = []
        needs: list[list[int]] = []
        self._directly: dict[int, list[int]] = defaultdict(list)  # from a literal to those that binary clauses imply
        for clause in problem.cnf.clauses():
            if len(clause) == 2:
                self._directly[-clause[0]].append(clause[1])
                self._directly[-clause[1]].append(clause[0])
            if among.issuperset(clause):
                needs.append(clause)
        self._variables = sorted({variable for need in needs for variable in need})
        self._number = {variable: number for number, variable in enumerate(self._variables)}
        self._needs = [sum(1 << self._number[variable] for variable in need) for need in needs]
        self._clashing: list[int] | None = None

    def clauses(self, part: Part) -> Iterator[tuple[int, ...]]:
        """Units and pairs of negative literals."""
        if not FEWEST <= len(self._variables) <= MOST:
            return
        clashing = self._clashing = self._clashing or self._all_clashing()
        true, free = self._assumed(part, clashing)
        chosen = list(bits(free))
        needs = _narrowed((need for need in self._needs if not need & true), free)
        before = _narrowed((clashing[i] for i in chosen), free)
        starved = Starving(needs, before)
        name = [self._variables[i] for i in chosen]
        yield from ((-name[i],) for i in bits(~starved.alive & ((1 << len(name)) - 1)))
        for i in bits(starved.alive):
            new = starved.clashing[i] & ~before[i] & (starved.alive >> i << i)
            yield from ((-name[i], -name[j]) for j in bits(new))

    def _assumed(self, part: Part, clashing: list[int]) -> tuple[int, int]:
        """Those that the part's literals make true, and those that they leave open."""
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

    def _all_clashing(self) -> list[int]:
        """For each variable those that are false where it is true, and itself."""
        false = {literal: self._made_false(implied) for literal, implied in self._directly.items()}
        auxiliary = {
            literal: [other for other in implied if abs(other) not in self._number] for literal, implied in self._directly.items()
        }
        reached: dict[int, int] = {}  # from a literal: what it makes false by way of auxiliary ones; less where these go in circles
        for literal in _last_first(self._variables, auxiliary):
            mask = false.get(literal, 0)
            for other in auxiliary.get(literal, ()):
                mask |= reached.get(other, 0)
            reached[literal] = mask
        return [reached[variable] | 1 << number for variable, number in self._number.items()]

    def _made_false(self, implied: Iterable[int]) -> int:
        number, last = self._number.get, len(self._number)
        digits = bytearray(b"0") * (last + 1)  # of a binary number, the lowest last; the first is for what is no variable here
        for literal in implied:
            digits[last - number(-literal, last)] = ONE
        digits[0] = ZERO
        return int(digits, 2)


def _last_first(starts: Iterable[int], following: Mapping[int, Sequence[int]]) -> Iterator[int]:
    """All that can be reached, each after those that follow it, as far as there are no circles."""
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


def _narrowed(masks: Iterable[int], free: int) -> list[int]:
    """The bits of each mask at the places where `free` has ones, side by side."""
    width = free.bit_length()
    ones = [digit == "1" for digit in f"{free:b}"]
    return [int("".join(compress(f"{mask & free:0{width}b}", ones)) or "0", 2) for mask in masks]
