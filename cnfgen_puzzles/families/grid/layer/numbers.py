"""Constraints on literals and numbers: functions of literals, sums, products, counts, and patterns.

A number is a mapping from its values to literals, or unary: a literal for each number from 1 on, which says that the number is at
least as large. The constants TRUE and FALSE are literals, too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate, pairwise, product
from operator import sub

from cnfgen_puzzles.formula import Formula
from cnfgen_puzzles.formula.formula import FALSE, TRUE


class NumberFormula(Formula):
    """A formula with constraints on numbers."""

    def new(self) -> int:
        """An auxiliary variable."""
        return self.auxiliary(1)[0]

    def iff_or(self, literals: Collection[int]) -> int:
        """A literal that is true exactly if one of these is, which may be constants."""
        kept = dict.fromkeys(literal for literal in literals if literal != FALSE)
        if TRUE in kept:
            return TRUE
        if len(kept) <= 1:
            return next(iter(kept), FALSE)
        result = self.new()
        self.add(-result, *kept)
        for literal in kept:
            self.add(result, -literal)
        return result

    def iff_and(self, literals: Collection[int]) -> int:
        """A literal that is true exactly if all of these are, which may be constants."""
        return -self.iff_or([-literal for literal in literals])

    def iff_xor(self, a: int, b: int) -> int:
        """A literal that is true exactly if one of the two is true and the other false; they may be constants."""
        for constant, other in ((a, b), (b, a)):
            if constant in (TRUE, FALSE):
                return -other if constant == TRUE else other
        result = self.new()
        self.add_clauses([(-result, a, b), (-result, -a, -b), (result, -a, b), (result, a, -b)])
        return result

    def forbid(self, literals: Iterable[int], unless: int = FALSE) -> None:
        """None of the literals is true, except if `unless` is; all may be constants."""
        for literal in literals:
            self.add_folded(unless, -literal)

    def all_equal(self, literals: Iterable[int]) -> None:
        """All literals, which may be constants, are true, or all are false: two binary clauses for each but the first."""
        for one, other in pairwise(literals):
            self.add_folded(-one, other)
            self.add_folded(one, -other)

    def all_different(self, ints: Iterable[Mapping[int, int]]) -> None:
        """No value is that of two of the cells; each value has to occur if there are as many values as cells."""
        listed = list(ints)
        values = dict.fromkeys(value for each in listed for value in each)
        for value in values:
            variables = [each[value] for each in listed if value in each]
            (self.exactly_one if len(values) == len(listed) else self.at_most_one)(variables, "pairwise")

    def consecutive(self, ints: Sequence[Mapping[int, int]]) -> None:
        """The numbers are different and consecutive, in any order.

        Size: values times the squared number of cells. Auxiliary variables, functions of the board: the least number has a value.
        """
        self.all_different(ints)
        values = sorted({value for each in ints for value in each})
        least = {value: self.new() for value in values}
        self.exactly_one(least.values())
        for each in ints:
            for value, literal in each.items():
                self.add(-literal, *(least[k] for k in range(value - len(ints) + 1, value + 1) if k in least))

    def leading(self, literals: Iterable[int]) -> list[int]:
        """How many of the literals are true before the first that is not: a unary number. Three clauses for each literal."""
        return list(accumulate(literals, lambda before, literal: self.iff_and([before, literal])))

    def visible_count(self, lines: Sequence[Sequence[int]], total: int) -> None:
        """Along the lines, so many cells in all can be seen until the first that is not in the set: literals, nearest first.

        The cells seen along a line are a unary number, so the sum is a totalizer (Bailleux, Boufkhad 2003). Size: quadratic in
        `total`. Auxiliary variables, functions of the set: at least so many cells are seen along a line, or some of the lines.
        """
        arms = [self.leading(line[: total + 1]) for line in lines]
        while len(arms) > 2:
            arms = [*arms[2:], self.unary_sum(arms[0], arms[1], total + 1)]
        one, other = (*arms, [], [])[:2]
        for k in range(total + 2):
            self.add_folded(-at_least(one, k), -at_least(other, total + 1 - k))
            self.add_folded(at_least(one, k), at_least(other, total + 1 - k))

    def unary_sum(self, one: Sequence[int], other: Sequence[int], most: int) -> list[int]:
        """The sum of two unary numbers, up to `most`: for each number from 1 on, a literal that says "at least"."""
        result = list(self.auxiliary(min(len(one) + len(other), most)))
        sums, ones, others = [TRUE, *result, FALSE], [TRUE, *one, FALSE], [TRUE, *other, FALSE]
        for i, j in product(range(len(one) + 1), range(len(other) + 1)):
            if i + j <= most:
                self.add_folded(-ones[i], -others[j], sums[i + j])
            if i + j < len(result):
                self.add_folded(ones[i + 1], others[j + 1], -result[i + j])
        return result

    def sum_of(self, line: Sequence[Mapping[int, int]], total: int) -> None:
        """The numbers have this sum.

        Size: cells times values times possible sums. Auxiliary variables, functions of the board: the first cells have a sum.
        """
        before = {0: TRUE}
        for k, each in enumerate(line):
            least, most = (sum(choose(other) for other in line[k + 1 :]) for choose in (min, max))
            possible = dict.fromkeys(s + value for s in before for value in each if least <= total - s - value <= most)
            before = self.step(before, each, possible, sub, last=k == len(line) - 1)
        if not line and total:
            self.add_folded()

    def step(
        self,
        before: Mapping[int, int],
        each: Mapping[int, int],
        possible: Iterable[int],
        back: Callable[[int, int], int],
        last: bool,
    ) -> dict[int, int]:
        """The results after one more number, which is `each`, from those before it: `back(result, number)` is the one before.
        The last result is the only one."""
        after = {result: TRUE if last else self.new() for result in possible}
        for value, literal in each.items():
            reached = {back(result, value): there for result, there in after.items()}
            for result, here in before.items():
                self.add_folded(-literal, -here, reached.get(result, FALSE))
            for result, there in after.items():
                self.add_folded(-literal, -there, before.get(back(result, value), FALSE))
        return after

    def sum_between(self, line: Sequence[Mapping[int, int]], total: int) -> None:
        """The numbers between the first and the last 0 have this sum, if there are two of them. At most two are 0, and no other
        number occurs twice.

        The sum is that of the values between the zeros, and their count is the distance of the zeros. Size: the square of the
        cells, cells times values, and values times possible counts and sums. Auxiliary variables, functions of the board: zeros
        at two places; of some distance; a cell between them has a value; a value is between them.
        """
        spread = range(len(line) - 1)
        places = ((k, k + 1 + gap) for gap in spread for k in spread[: len(spread) - gap])
        pairs = {(k, m): self.iff_and([line[k][0], line[m][0]]) for k, m in places}
        inside = [self.iff_or([pair for (k, m), pair in pairs.items() if k < n < m]) for n in range(len(line))]
        values = sorted({value for each in line for value in each if value}, reverse=True)
        many = sum(values) + total + 1
        terms: list[Mapping[int, int]] = []
        for value in values:
            here = [self.iff_and([within, each[value]]) for within, each in zip(inside, line, strict=True) if value in each]
            between = self.iff_or(here)
            terms.append({0: -between, value + many: between})
        gaps = {gap: self.iff_or([pair for (k, m), pair in pairs.items() if m - k - 1 == gap]) for gap in spread}
        ends = {-gap * many: literal for gap, literal in gaps.items()}
        ends[total] = self.iff_or([-self.iff_or(list(gaps.values())), ends.get(total, FALSE)])
        self.sum_of([*terms, ends], total)

    def counts(self, literals: Sequence[int], most: int | None = None) -> list[int]:
        """For each number from 1 on, up to `most`, a literal that is true exactly if at least so many of the literals are; size:
        literals times numbers."""
        return [*self.running_counts(literals, most)][-1]

    def running_counts(self, literals: Iterable[int], most: int | None = None) -> Iterator[list[int]]:
        """The same for no literal, for the first one, for the first two, and so on."""
        least: list[int] = []
        yield least
        for literal in literals:
            pairs = list(zip([TRUE, *least], [*least, FALSE], strict=True))[:most]
            least = [self.iff_or([same, self.iff_and([fewer, literal])]) for fewer, same in pairs]
            yield least

    def number_of(self, ints: Sequence[Mapping[int, int]], literals: Sequence[int]) -> list[int]:
        """Each of the numbers, if it is from 1 to the number of literals, says how many of them are true. Returns `counts`.

        Size: quadratic in the literals, and two clauses for each value.
        """
        least = self.counts(literals)
        for k, literal in enumerate(least, start=1):
            for each in (each for each in ints if k in each):
                self.add(-each[k], literal)
                for more in least[k : k + 1]:
                    self.add(-each[k], -more)
        return least

    def exactly_k_folded(self, literals: Iterable[int], k: int) -> None:
        """Exactly k of the literals are true, which may be constants."""
        listed = list(literals)
        self.exactly_k([each for each in listed if each not in (TRUE, FALSE)], k - listed.count(TRUE))

    def pattern(self, literals: Sequence[int], allowed: Collection[tuple[bool, ...]]) -> None:
        """The values of the literals, which may be constants, are one of the allowed patterns.

        The clauses are the prime implicates, so unit propagation finds all that follows; no auxiliary variables.
        """
        for clause in _prime_implicates(len(literals), frozenset(allowed)):
            self.add_folded(*[literals[k] if value else -literals[k] for k, value in clause])

    def binary_sum(self, one: Sequence[int], other: Sequence[int]) -> list[int]:
        """The sum of two binary numbers, lowest bit first, which has no more bits; functions of both."""
        result, carry = [], FALSE
        for a, b in zip(one, other, strict=True):
            half = self.iff_xor(a, b)
            result.append(self.iff_xor(half, carry))
            carry = self.iff_or([self.iff_and([a, b]), self.iff_and([half, carry])])
        self.add_folded(-carry)
        return result


@cache
def _prime_implicates(count: int, allowed: frozenset[tuple[bool, ...]]) -> list[list[tuple[int, bool]]]:
    """The smallest clauses that all allowed patterns obey, as places and values, by merging forbidden patterns in pairs."""
    found: list[list[tuple[int, bool]]] = []
    terms: set[tuple[bool | None, ...]] = {term for term in product((False, True), repeat=count) if term not in allowed}
    while terms:
        merged, primes = set(), []
        for term in sorted(terms, key=str):
            wider = [
                (*term[:k], None, *term[k + 1 :])
                for k, value in enumerate(term)
                if value is not None and (*term[:k], not value, *term[k + 1 :]) in terms
            ]
            merged.update(wider)
            primes += [] if wider else [term]
        found += [[(k, not value) for k, value in enumerate(term) if value is not None] for term in primes]
        terms = merged
    return found


def at_least(number: Sequence[int], k: int) -> int:
    """Whether a unary number is at least k."""
    return TRUE if k <= 0 else number[k - 1] if k <= len(number) else FALSE
