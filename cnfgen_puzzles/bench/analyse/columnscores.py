"""Scores of runs as columns: the numbers of `scores.py`, digit by digit, for what counts millions.

Each sum is taken in the order in which `scores.py` takes it, so that both give the same floating-point numbers; a test compares
them. Needs polars and numpy. Not here: definitions (docs/scores.md), small results.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from cnfgen_puzzles.bench.analyse.columns import SLICE, Columns
from cnfgen_puzzles.bench.analyse.groups import AS_GIVEN
from cnfgen_puzzles.bench.analyse.scores import (
    BOTH,
    CONTRADICTED,
    FLOOR,
    SOLVER,
    Grid,
    Performance,
    Score,
    ScoringRuns,
    VirtualBest,
    limit_of,
    name_of,
    shares_of,
)
from cnfgen_puzzles.bench.record import Record
from cnfgen_puzzles.solving.answers import DECIDED, SATISFIABLE, UNSATISFIABLE
from cnfgen_puzzles.solving.run import FAILED

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, Any]
INSTANCE = ("suite", "family", "instance")


@dataclass
class Points:
    """What each contestant did at each point, a row each, by point in order of appearance: `scores.Grid` as columns.

    `order` is the place at which a contestant appeared at a point, `count` the number of points.
    """

    names: list[str]
    point: Array
    contestant: Array
    order: Array
    status: Array
    seconds: Array
    cost: Array
    worst: Array
    claimed: Array
    disturbed: Array
    count: int

    @property
    def solved(self) -> Array:
        import numpy

        return numpy.isin(self.status, DECIDED)

    def ranked(self, *keys: Array) -> Array:
        """Rows by point, within each by these keys (the first counts most), ties by order."""
        import numpy

        return numpy.lexsort((self.order, *reversed(keys), self.point))

    def first(self, rows: Array) -> Array:
        """Of rows that are sorted by point, the first of each point."""
        import numpy

        points = self.point[rows]
        return rows[numpy.flatnonzero(numpy.diff(points, prepend=-1))]

    def sums(self, amounts: Array, rows: Array | None = None) -> dict[str, float]:
        """What each contestant has in all, added from the first point to the last."""
        import numpy

        rows = numpy.arange(len(self.point)) if rows is None else rows
        found = {}
        for number, name in enumerate(self.names):
            own = amounts[self.contestant[rows] == number]
            found[name] = float(numpy.cumsum(own)[-1]) if len(own) else 0.0
        return found

    def unique(self) -> Counter[str]:
        """How many points each contestant solves that no other one does."""
        import numpy

        solved = self.solved
        solvers = numpy.bincount(self.point[solved], minlength=self.count)
        alone = solved & (solvers[self.point] == 1)
        numbers = numpy.bincount(self.contestant[alone], minlength=len(self.names)).tolist()
        return Counter({name: number for name, number in zip(self.names, numbers, strict=True) if number})


def virtual_best(points: Points) -> VirtualBest:
    """As `scores.virtual_best`."""

    solved = points.solved
    ranked = points.ranked(~solved, points.cost)
    best = points.first(ranked)
    statuses = Counter(points.status[best].tolist())
    marginal, owners = _marginals(points, ranked, best)
    return shares_of(
        points.count,
        statuses,
        int(points.claimed[best].sum()),
        points.cost[best].tolist(),
        points.unique(),
        points.sums(_firsts(points, solved)),
        points.sums(marginal, owners),
        points.sums(_shapley(points)),
    )


def _firsts(points: Points, solved: Array) -> Array:
    """Each row's part of a first place."""
    import numpy

    times = numpy.maximum(points.seconds, FLOOR)
    least = numpy.full(points.count, numpy.inf)
    numpy.minimum.at(least, points.point[solved], times[solved])
    winner = solved & (times == least[points.point])
    winners = numpy.bincount(points.point[winner], minlength=points.count)
    return numpy.where(winner, 1 / numpy.maximum(winners[points.point], 1), 0.0)


def _marginals(points: Points, ranked: Array, best: Array) -> tuple[Array, Array]:
    """What each point costs more without its best row."""
    import numpy

    starts = numpy.flatnonzero(numpy.diff(points.point[ranked], prepend=-1))
    sizes = numpy.diff(starts, append=len(ranked))
    others = ranked[numpy.minimum(starts + 1, len(ranked) - 1)]
    second = numpy.where(sizes > 1, points.cost[others], points.worst[best])
    return numpy.maximum(second - points.cost[best], 0.0), best


def _shapley(points: Points) -> Array:
    """Each row's part of the seconds that its point saves: step by step from the least saving, all points at a time."""
    import numpy

    saved = numpy.maximum(points.worst - points.cost, 0.0)
    ranked = points.ranked(saved)
    starts = numpy.flatnonzero(numpy.diff(points.point[ranked], prepend=-1))
    sizes = numpy.diff(starts, append=len(ranked))
    found = numpy.zeros(len(saved))
    value, below = numpy.zeros(len(starts)), numpy.zeros(len(starts))
    for number in range(int(sizes.max(initial=0))):
        here = numpy.flatnonzero(sizes > number)
        rows = ranked[starts[here] + number]
        value[here] += (saved[rows] - below[here]) / (sizes[here] - number)
        below[here] = saved[rows]
        found[rows] = value[here]
    return found


class ScoredColumns(Columns, ScoringRuns):
    """Columns that reckon their own scores."""

    # -- runs ---------------------------------------------------------------------------------------------------------------

    @cached_property
    def statuses(self) -> Array:
        """The status of each run that counts."""
        import numpy

        status = self.frame["status"].to_numpy().astype(object)
        instance = self.codes(*INSTANCE)
        model = (self.frame["status"] == SATISFIABLE) | (self.frame["expected"] == SATISFIABLE).fill_null(False)
        doubted = numpy.zeros(int(instance.max(initial=-1)) + 1, dtype=bool)
        doubted[instance[model.to_numpy()]] = True
        return self.doubting(status, doubted[instance])

    def doubting(self, status: Array, doubted: Array) -> Array:
        import numpy

        return numpy.where((status == UNSATISFIABLE) & doubted, CONTRADICTED, status).astype(str)

    # -- scores -------------------------------------------------------------------------------------------------------------

    def points(self, rows: Array, contestants: Sequence[str] = SOLVER, *, k: float = 2, time: str = "cpu") -> Points:
        """The performance of each contestant at each point, as `scores.grid` has it, for these rows."""
        import numpy

        rest = [name for name in BOTH if name not in contestants]
        told = name_of(contestants)
        fields = [name for name in ("solver", "version", "encoding") if name in contestants]
        names = [told(record) for record in self.different(*fields)]
        known: dict[str, int] = {}
        merged = numpy.array([known.setdefault(name, len(known)) for name in names], dtype=numpy.int64)
        point = _in_order(self.codes(*INSTANCE, *rest)[rows])
        contestant = merged[self.codes(*fields)][rows]
        status = self.statuses[rows]
        seconds, limit = (self.frame[name].to_numpy()[rows] for name in (time, f"{time}_limit"))
        solved = numpy.isin(status, DECIDED)
        if (without := numpy.flatnonzero(~solved & numpy.isnan(limit))).size:
            limit_of(self[int(rows[without[0]])], time)  # which tells it
        cost = numpy.where(solved, seconds, k * limit)
        worst = numpy.where(numpy.isnan(limit), seconds, k * limit)
        claimed = solved & self.frame["claimed"].to_numpy()[rows]
        disturbed = self.frame["warnings"].is_not_null().to_numpy()[rows]
        pair = _in_order(point * (int(contestant.max(initial=0)) + 1) + contestant)
        chosen, order = _medians(pair, ~solved, seconds)
        by_point = chosen[numpy.lexsort((order, point[chosen]))]
        places = numpy.sort(order) if len(order) == 0 else order[numpy.lexsort((order, point[chosen]))]
        columns = (point, contestant, status, seconds, cost, worst, claimed, disturbed)
        point, contestant, status, seconds, cost, worst, claimed, disturbed = (column[by_point] for column in columns)
        met = _in_order(contestant)
        numbers = list(known)
        listed = [numbers[c] for c in contestant[numpy.unique(met, return_index=True)[1]].tolist()] if len(met) else []
        count = int(point.max(initial=-1)) + 1
        return Points(listed, point, met, places, status, seconds, cost, worst, claimed, disturbed, count)

    def scores(self, by: Sequence[str], k: float, time: str) -> list[Score]:
        """As `scores.scores`."""
        contestants = ("solver", "version") if "version" in by else SOLVER
        found: list[Score] = []
        for values, rows in self.group_rows(by):
            points = self.points(rows, contestants, k=k, time=time)
            table = list(self._scores(values, rows, points, contestants))
            found += sorted(table, key=lambda score: (-score.solved, score.par, score.solver))
        return found

    def _scores(self, values: tuple[str, ...], rows: Array, points: Points, contestants: Sequence[str]) -> Iterator[Score]:
        import numpy

        unique = points.unique()
        told = name_of(contestants)
        names = [told(record) for record in self.different(*contestants)]
        runs_of = numpy.array([points.names.index(name) if name in points.names else -1 for name in names])
        runner = runs_of[self.codes(*contestants)][rows]
        amounts = {name: self.frame[name].fill_null(0).to_numpy()[rows] for name in ("cpu", "wall", "memory")}
        failed = numpy.isin(self.statuses[rows], list(FAILED))
        for number, name in enumerate(points.names):
            own, runs = points.contestant == number, runner == number
            statuses = Counter(points.status[own].tolist())
            yield Score(
                values,
                name,
                runs=int(runs.sum()),
                instances=int(own.sum()),
                sat=statuses[SATISFIABLE],
                unsat=statuses[UNSATISFIABLE],
                claimed=int(points.claimed[own].sum()),
                failed=int(failed[runs].sum()),
                unique=unique[name],
                par=sum(points.cost[own].tolist()) / int(own.sum()),
                cpu=sum(amounts["cpu"][runs].tolist()),
                wall=sum(amounts["wall"][runs].tolist()),
                memory=int(amounts["memory"][runs].max()),
            )

    def virtual_bests(
        self, by: Sequence[str], contestants: Sequence[str], k: float, time: str
    ) -> dict[tuple[str, ...], VirtualBest]:
        """As `scores.virtual_bests`."""
        return {values: virtual_best(self.points(rows, contestants, k=k, time=time)) for values, rows in self.group_rows(by)}

    def grids(self, by: Sequence[str], contestants: Sequence[str], k: float, time: str) -> Iterator[tuple[tuple[str, ...], Grid]]:
        """As `scores.grids`: the points of one group after another as `scores.Grid`, of which medians only are left."""
        names = self.different(*INSTANCE)
        for values, rows in self.group_rows(by):
            points = self.points(rows, contestants, k=k, time=time)
            rest = [name for name in BOTH if name not in contestants]
            _, first = _first_rows(self.codes(*INSTANCE, *rest)[rows])
            keys = []
            instances = self.codes(*INSTANCE)
            others = [self.frame[name][rows[first]].to_list() for name in rest]
            for place, row in enumerate(rows[first].tolist()):
                record = names[instances[row]]
                keys.append(((record["suite"], record["family"], record["instance"]), *(column[place] for column in others)))
            found: Grid = {key: {} for key in keys}
            columns = (points.status, points.seconds, points.cost, points.worst, points.claimed, points.disturbed)
            for point, name, *performance in zip(
                points.point.tolist(), points.contestant.tolist(), *(column.tolist() for column in columns), strict=True
            ):
                found[keys[point]][points.names[name]] = Performance(*performance)
            yield values, found

    # -- plots --------------------------------------------------------------------------------------------------------------

    def drawn(self, time: str, per_run: bool, sizes_of: Callable[[Record], Any]) -> Iterator[tuple[Any, ...]]:
        """As `scores.ScoringRuns.drawn`: medians in the order in which their first runs appear."""
        import numpy
        import polars

        status = self.statuses
        runs = None
        rows = numpy.arange(len(self))
        if not per_run:
            pair = self.codes("suite", "family", "instance", "encoding", "solver")
            rows, _ = _medians(pair, ~numpy.isin(status, DECIDED), self.frame[time].to_numpy())
            runs = numpy.bincount(pair)
        sizes = [sizes_of(record) for record in self.different("family", "size", "cnf")]
        of_size = self.codes("family", "size", "cnf")
        names = ("family", "instance", "encoding", "solver", "scramble", time, f"{time}_limit", "claimed")
        for start in range(0, len(rows), SLICE):
            part = rows[start : start + SLICE]
            told = self.frame.select(names)[part].with_columns(polars.col("encoding").cast(polars.String).replace("", None))
            told = told.with_columns(polars.col("encoding").fill_null(AS_GIVEN))
            if per_run:
                number = polars.format("{} scrambled {}", polars.col("instance").cast(polars.String), "scramble")
                told = told.with_columns(instance=polars.coalesce(number, polars.col("instance").cast(polars.String)))
            of = [sizes[code] for code in of_size[part].tolist()]
            many = [1] * len(part) if runs is None else runs[start : start + SLICE].tolist()
            shared: dict[str, str] = {}
            for row, said, size, count in zip(told.iter_rows(), map(str, status[part]), of, many, strict=True):
                family, instance, encoding, solver, _, seconds, limit, claimed = row
                once = (shared.setdefault(text, text) for text in (family, instance, encoding, solver))
                yield (*once, float(seconds or 0), shared.setdefault(said, said), limit, size, claimed, count)


def _first_rows(codes: Array) -> tuple[Array, Array]:
    """The different codes and where each is first, by where they are first."""
    import numpy

    values, first = numpy.unique(codes, return_index=True)
    order = numpy.argsort(first)
    return values[order], first[order]


def _in_order(codes: Array) -> Array:
    """Codes counted anew in order of appearance from 0."""
    import numpy

    _, first, inverse = numpy.unique(codes, return_index=True, return_inverse=True)
    order = numpy.empty(len(first), dtype=numpy.int64)
    order[numpy.argsort(first)] = numpy.arange(len(first))
    return order[inverse]


def _medians(pair: Array, unsolved: Array, seconds: Array) -> tuple[Array, Array]:
    """The row of each pair's median as `scores.median` has it, and the pair's number in order of appearance."""
    import numpy

    ranked = numpy.lexsort((seconds, unsolved, pair))
    starts = numpy.flatnonzero(numpy.diff(pair[ranked], prepend=-1))
    sizes = numpy.diff(starts, append=len(ranked))
    return ranked[starts + sizes // 2], numpy.arange(len(starts))
