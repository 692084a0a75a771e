"""Comparison of two contestants: paired tests, effect sizes, speedup and PAR ratio with bootstrap intervals. Fits of power laws.

One instance is one observation, because outcomes on the same puzzle (encodings, solvers, seeds) are not independent.
docs/reference/scores.md has the formulas, their sources, and the treatment of runs that a limit ended. The functions need
numpy, and fits need scipy (the extra `bench`), which are imported on demand; the tests do without scipy, which takes a second.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

from cnfgen_puzzles.bench.analyse.scores import FLOOR, Grid, Performance
from cnfgen_puzzles.bench.record import Instance
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.installation import install_extra

RESAMPLES = 10_000
"""Resamples of a bootstrap; fewer for many instances (`MOST_DRAWS` draws in total, at least a tenth of the resamples)."""
MOST_DRAWS = 5_000_000
SEED = 0
LEVEL = 0.95
SIGNIFICANT = 0.05
FEW = 10
"""With fewer instances, the intervals of a bootstrap are too narrow, and a note says so."""
LEAST_SECONDS, LEAST_RATIO = 0.01, 1.05
"""Tests treat times as equal if they differ by less than either: the noise of clocks, startup, and caches."""
DISTURBED_SECONDS, DISTURBED_RATIO = 0.1, 1.25
"""The same thresholds if the machine was disturbed during one of the two runs."""
TIES = (
    f"Times that differ by less than {LEAST_SECONDS:g} s or {LEAST_RATIO - 1:.0%} are ties "
    f"({DISTURBED_SECONDS:g} s or {DISTURBED_RATIO - 1:.0%} on a disturbed machine)."
)
BATCH = 1_000_000
"""The instances that a bootstrap draws at a time."""


Sums = tuple[float, float, float, int]
"""The contribution of an instance to the ratios: seconds of A and B, sum and number of log ratios if both solve."""


@dataclass(frozen=True)
class Estimate:
    """A number with its confidence interval, which is None for too few observations."""

    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Comparison:
    """The comparison of A with B. Ratios above 1 and effects above 0 mean that A is better.

    `points` counts pairs of outcomes, on `instances` instances; `runs` are the numbers of runs of A and B. `speedup` compares
    times if both solve, None if there are none; `par_ratio` is PAR-k of B divided by PAR-k of A. `wilcoxon` and `sign` are
    two-sided p-values, `p` is that of `wilcoxon` after the correction for several comparisons; `wins`, `losses`, and `ties` of A
    count instances.
    """

    a: str
    b: str
    instances: int
    points: int
    runs: tuple[int, int]
    both: int
    only_a: int
    only_b: int
    par_a: float
    par_b: float
    wins: int
    losses: int
    ties: int
    wilcoxon: float
    p: float
    sign: float
    effect: float
    """Matched-pairs rank-biserial correlation, -1 to 1."""
    rows: tuple[Sums, ...] = field(repr=False)
    """The sums of each instance, for the ratios with their intervals."""
    disturbed: bool = False
    """Whether the machine was disturbed during most of the runs."""

    @cached_property
    def speedup(self) -> Estimate | None:
        pairs = [(logs, both) for *_, logs, both in self.rows if both]
        return estimate(pairs, geometric_mean) if pairs else None

    @cached_property
    def par_ratio(self) -> Estimate:
        return estimate([row[:2] for row in self.rows], par_ratio)

    @property
    def winner(self) -> str | None:
        """The contestant that is clearly better: the interval of the PAR ratio excludes 1, Wilcoxon's test is significant, and
        the difference is practically significant: in PAR-k by more than noise, or in the solved instances.
        """
        if self.p >= SIGNIFICANT:  # first, since the interval takes longer
            return None
        low, high, ratio = self.par_ratio.low, self.par_ratio.high, self.par_ratio.value
        certain = low is not None and high is not None and not low <= 1 <= high
        if not certain or (ratio > 1) != (self.effect > 0):
            return None
        material = max(ratio, 1 / ratio) >= (DISTURBED_RATIO if self.disturbed else LEAST_RATIO)
        if not material and sign_test(self.only_a, self.only_b) >= SIGNIFICANT:
            return None
        return self.a if self.effect > 0 else self.b


def compare(points: Grid, a: str, b: str) -> Comparison:
    """Compare two contestants of a grid at their common points. InputError if there are none."""
    if a == b:
        raise InputError(f"found {a!r} twice, expected two different names")
    pairs = {point: (found[a], found[b]) for point, found in points.items() if a in found and b in found}
    if not pairs:
        raise InputError(f"found no instance on which both {a} and {b} ran")
    instances: dict[Instance, list[tuple[Performance, Performance]]] = {}
    for point, pair in pairs.items():
        instances.setdefault(point[0], []).append(pair)
    sums = [sums_of(instances[instance]) for instance in sorted(instances)]
    rows, differences = [row for row, _ in sums], [difference for _, difference in sums]
    p_value, effect = signed_rank([-difference for difference in differences])
    wins, losses = sum(d < 0 for d in differences), sum(d > 0 for d in differences)
    solved = [(one.solved, other.solved) for one, other in pairs.values()]
    return Comparison(
        a,
        b,
        instances=len(instances),
        points=len(pairs),
        runs=(sum(len(one.runs) for one, _ in pairs.values()), sum(len(other.runs) for _, other in pairs.values())),
        both=solved.count((True, True)),
        only_a=solved.count((True, False)),
        only_b=solved.count((False, True)),
        par_a=sum(cost for cost, *_ in rows) / len(pairs),
        par_b=sum(cost for _, cost, *_ in rows) / len(pairs),
        wins=wins,
        losses=losses,
        ties=len(sums) - wins - losses,
        wilcoxon=p_value,
        p=p_value,
        sign=sign_test(wins, losses),
        effect=effect,
        rows=tuple(rows),
        disturbed=2 * sum(one.disturbed or other.disturbed for one, other in pairs.values()) > len(pairs),
    )


Name = TypeVar("Name")


def compare_all(
    pairs: Mapping[Name, tuple[Grid, str, str]], *, alone: Collection[Name] = (), among: int = 0
) -> dict[Name, Comparison]:
    """The comparisons of two contestants of a grid each, with Holm's correction for all of them except `alone` (see `holm`)."""
    found = {name: compare(*pair) for name, pair in pairs.items()}
    adjusted = holm({name: comparison.wilcoxon for name, comparison in found.items() if name not in alone}, among)
    return found | {name: replace(found[name], p=p) for name, p in adjusted.items()}


def differ(a: Performance, b: Performance) -> bool:
    """Whether one of two is better by more than noise: only one solves, or the times differ by seconds and by a factor.

    An unsolved run takes longer than its cost; nothing else is known. So it differs only from a solved one with a lower cost.
    """
    if not (a.solved and b.solved):
        return (a.solved and b.cost > a.cost) or (b.solved and a.cost > b.cost)
    disturbed = a.disturbed or b.disturbed
    seconds, ratio = (DISTURBED_SECONDS, DISTURBED_RATIO) if disturbed else (LEAST_SECONDS, LEAST_RATIO)
    low, high = sorted((a.cost, b.cost))
    return high - low >= seconds and high >= ratio * low


def sums_of(pairs: Sequence[tuple[Performance, Performance]]) -> tuple[Sums, float]:
    """The sums of an instance, and its difference for the tests: below 0 if the first is better, 0 for a tie."""
    # Rounded differences of logarithms: equal ratios are ties, and swapping the two changes only the sign.
    ratios = [round(math.log(max(a.cost, FLOOR)) - math.log(max(b.cost, FLOOR)), 9) for a, b in pairs]
    both = [ratio for ratio, (a, b) in zip(ratios, pairs, strict=True) if a.solved and b.solved]
    clear = [ratio for ratio, (a, b) in zip(ratios, pairs, strict=True) if differ(a, b)]
    cost_a, cost_b = (max(sum(pair[side].cost for pair in pairs), FLOOR * len(pairs)) for side in (0, 1))
    return (cost_a, cost_b, sum(both), len(both)), math.fsum(clear) / len(pairs)


# -- intervals ------------------------------------------------------------------------------------------------------------


def par_ratio(costs_a: Any, costs_b: Any, axis: int = -1) -> Any:
    return costs_b.sum(axis) / costs_a.sum(axis)


def geometric_mean(logs: Any, counts: Any, axis: int = -1) -> Any:
    """The speedup of A over B, of the sums and numbers of the logarithms of ratios."""
    return _need("numpy").exp(-logs.sum(axis) / counts.sum(axis))


def estimate(rows: Sequence[tuple[float, ...]], ratio: Callable[..., Any]) -> Estimate:
    """The ratio of the columns of the rows with its percentile interval, by a bootstrap of rows."""
    columns = tuple(_need("numpy").asarray(sorted(rows), dtype=float).T)  # so that the order does not matter
    value, count = float(ratio(*columns)), len(rows)
    if count < 2:
        return Estimate(value)
    draws, ratios = _need("numpy.random").RandomState(SEED), list[float]()
    resamples, batch = min(RESAMPLES, max(MOST_DRAWS // count, RESAMPLES // 10)), max(1, BATCH // count)
    while len(ratios) < resamples:
        drawn = draws.randint(count, size=(min(batch, resamples - len(ratios)), count))
        ratios.extend(ratio(*(column[drawn] for column in columns)))
    low, high = _need("numpy").percentile(ratios, (50 * (1 - LEVEL), 50 * (1 + LEVEL)))
    return Estimate(value, float(low), float(high))


# -- tests ----------------------------------------------------------------------------------------------------------------


EXACT = 50
"""The maximum number of differences for an exact p-value of Wilcoxon's test, as in scipy."""


def signed_rank(differences: Sequence[float]) -> tuple[float, float]:
    """The two-sided p-value of Wilcoxon's signed-rank test without zeros (1 if nothing is left), and the effect: the
    matched-pairs rank-biserial correlation, which is the positive rank sum minus the negative one, divided by their total.

    The p-value is exact for at most `EXACT` differences; for more, it is that of the normal approximation.
    """
    kept = [d for d in differences if d]
    if not kept:
        return 1.0, 0.0
    sizes, below, twice = Counter(map(abs, kept)), 0, dict[float, int]()  # twice the rank, since equal sizes share the mean rank
    for size in sorted(sizes):
        twice[size] = 2 * below + sizes[size] + 1
        below += sizes[size]
    ranks = [twice[abs(d)] for d in kept]
    difference = sum(rank if d > 0 else -rank for rank, d in zip(ranks, kept, strict=True))
    effect = difference / sum(ranks)
    if len(kept) > EXACT:
        return math.erfc(abs(difference) / math.sqrt(2 * sum(rank * rank for rank in ranks))), effect
    ways = _need("numpy").zeros(sum(ranks) + 1)  # the number of choices of signs for each rank sum: at most 2^50, so exact
    ways[0] = 1
    for rank in ranks:
        ways[rank:] += ways[:-rank]
    lesser = (sum(ranks) - abs(difference)) // 2
    return min(1.0, 2 * float(ways[: lesser + 1].sum()) / 2 ** len(kept)), effect


def sign_test(wins: int, losses: int) -> float:
    """The two-sided p-value of the sign test without ties: the share of tosses of a coin that are at least as extreme."""
    tosses = wins + losses
    ways = as_extreme = 1  # whole numbers, of any size
    for heads in range(min(wins, losses)):
        ways = ways * (tosses - heads) // (heads + 1)
        as_extreme += ways
    return float(min(1.0, 2 * as_extreme / 2**tosses))


def holm(p_values: Mapping[Any, float], among: int = 0) -> dict[Any, float]:
    """P-values with Holm's correction for several comparisons.

    `among` is the number of comparisons from which the same data selected these: the least p-value is multiplied by that number,
    the next one by one less, and so on. The correction holds for every selection.
    """
    several = max(len(p_values), among)
    adjusted: dict[Any, float] = {}
    highest = 0.0
    for number, (name, p) in enumerate(sorted(p_values.items(), key=lambda item: item[1])):
        highest = max(highest, min(1.0, p * (several - number)))
        adjusted[name] = highest
    return adjusted


LEAST_RUNS = 4
"""The minimum number of solved runs for a fit, of at least three sizes: two parameters and two degrees of freedom."""


@dataclass(frozen=True)
class Fit:
    """time = factor * size ** exponent; `low` and `high` bound the exponent with 95 % confidence."""

    exponent: float
    low: float
    high: float
    factor: float

    def __call__(self, size: float) -> float:
        return float(self.factor * size**self.exponent)


def fit_power(points: Sequence[tuple[float, float]]) -> Fit | None:
    """Least squares of log time on log size, with Student's interval of the slope; None for too few points.

    >>> fit = fit_power([(n, 3 * n**2) for n in (1, 2, 4, 8)])
    >>> f"{fit.exponent:.3f} {fit.factor:.3f}"
    '2.000 3.000'
    """
    if len(points) < LEAST_RUNS or len({size for size, _ in points}) < 3:
        return None
    stats = _need("scipy.stats")
    line = stats.linregress([math.log(size) for size, _ in points], [math.log(time) for _, time in points])
    half = float(stats.t.ppf((1 + LEVEL) / 2, len(points) - 2)) * line.stderr
    return Fit(line.slope, line.slope - half, line.slope + half, math.exp(line.intercept))


def available() -> bool:
    """Whether the package for intervals is installed."""
    from importlib.util import find_spec

    return find_spec("numpy") is not None


def _need(name: str) -> Any:
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError:
        raise InputError(f"this needs the package {name.split('.')[0]}: {install_extra('bench')}") from None
