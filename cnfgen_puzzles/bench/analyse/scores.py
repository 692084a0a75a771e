"""Scores of records: groups, claims, PAR-k, unique solves, the virtual best solver with marginal contributions.

docs/reference/scores.md has the definitions with formulas and sources. `results.py` reads files, `alarms.py` finds wrong answers,
`statistics.py` has tests and confidence intervals, `show/tables.py` shows the scores.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from operator import itemgetter
from typing import Any

from cnfgen_puzzles.bench.analyse.alarms import status_of
from cnfgen_puzzles.bench.analyse.rules import DEFAULT, Rules, at_other_limit, hosts_apart, several_hosts
from cnfgen_puzzles.bench.record import (
    BROKEN_ENCODING,
    DISQUALIFIED,
    Record,
    encoding_of,
    host_of,
    instance_of,
    is_claimed,
)
from cnfgen_puzzles.bench.suite.plan import CNF
from cnfgen_puzzles.common.errors import InputError, unknown_name
from cnfgen_puzzles.solving.answers import DECIDED, SATISFIABLE, UNSATISFIABLE
from cnfgen_puzzles.solving.run import FAILED

UNSAID = "unknown"
"""The group of instances without a feature."""


def size_class(record: Record) -> str:
    """The decade of the size of an instance by the first measure of its family: `cells 100-999`."""
    size = record.get("size") or {}
    if record["family"] == CNF or not size:
        size = {"clauses": (record.get("cnf") or {}).get("clauses")}
    name, value = next(iter(size.items()))
    if not isinstance(value, (int, float)) or value < 1:
        return f"{name} unknown" if value is None else f"{name} 0"
    digits = len(str(int(value)))
    return f"{name} {10 ** (digits - 1)}-{10**digits - 1}"


GROUPS: Mapping[str, Callable[[Record], str]] = {
    "family": itemgetter("family"),
    "encoding": encoding_of,
    "size": size_class,
    "suite": lambda record: record.get("suite") or "",
    "instance": itemgetter("instance"),
    "host": host_of,
}
DEFAULT_GROUPS = ("family", "encoding")
MARK = " (disqualified)"
"""Follows the name of a disqualified contestant in tables and plots."""
FEATURES = "features."
"""The prefix of a feature that has the name of a group: the family of a puzzle and that of a benchmark differ."""


def group_of(name: str, records: Iterable[Record]) -> Callable[[Record], str]:
    """The function from a record to its group by this name: one of `GROUPS`, or a feature of some record."""
    if name in GROUPS:
        return GROUPS[name]
    feature = name.removeprefix(FEATURES)
    known = feature_names(records)
    if feature not in known:
        raise InputError(unknown_name("group", name, (*GROUPS, "version", *known)))
    return lambda record: str((record.get("features") or {}).get(feature, UNSAID))


def feature_names(records: Iterable[Record]) -> set[str]:
    return {name for record in records for name in record.get("features") or ()}


def named_groups(names: Iterable[str], records: Iterable[Record]) -> list[str]:
    """The groups that a user names; the name of a feature of these instances means the feature.

    Sizes of families are not comparable, so `size` groups by family, too.
    """
    known, names = feature_names(records), list(names)
    first = ["family"] if "size" in names and "family" not in names else []
    return first + [f"{FEATURES}{name}" if name in known else name for name in names]


def default_groups(records: Sequence[Record], rules: Rules = DEFAULT) -> tuple[str, ...]:
    """The groups of tables: also by host, if their runs are kept apart."""
    return (*DEFAULT_GROUPS, *(["host"] if hosts_apart(records, rules) else []))


def grouped(records: Sequence[Record], by: Sequence[str]) -> dict[tuple[str, ...], list[Record]]:
    """Records by the values of `by`, in their order; `version` splits solvers, not groups."""
    of_group = [group_of(name, records) for name in by if name != "version"]
    groups: dict[tuple[str, ...], list[Record]] = {}
    for record in records:
        groups.setdefault(tuple(name(record) for name in of_group), []).append(record)
    return {values: groups[values] for values in sorted(groups)}


# -- claims ---------------------------------------------------------------------------------------------------------------


def proofs_matter(records: Iterable[Record]) -> bool:
    """Whether tables show claimed verdicts in a column: proofs were checked, or models of imported runs were not."""
    return any(r.get("proofs") or r.get("proof") or (r["status"] == UNSATISFIABLE) != is_claimed(r) for r in records)


FLOOR = 0.001
"""Seconds: shorter times are equal in ratios, in the comparison of the fastest solver, and on the logarithmic axes of plots."""
SOLVER = ("solver",)
BOTH = ("encoding", "solver")

Point = tuple[Any, ...]
"""The subject of a comparison: an instance, with the encoding if solvers compete, with the solver if encodings compete."""


@dataclass(slots=True)
class Performance:
    """The outcome of a contestant at a point: the median of its runs. `cost` is its PAR-k time, `worst` that of no answer."""

    status: str
    seconds: float
    cost: float
    worst: float
    claimed: bool = False
    """Whether the verdict is claimed."""
    disturbed: bool = False
    """Whether the machine was disturbed, so that the time is less reliable."""
    contestant: str = ""
    record: Record = field(default_factory=dict, compare=False, repr=False)
    """The run; of several runs, the median one."""
    runs: tuple[Record, ...] = field(default=(), compare=False, repr=False)
    """All runs."""

    @property
    def solved(self) -> bool:
        return self.status in DECIDED


Grid = dict[Point, dict[str, Performance]]
"""The performance of each contestant at each point."""


@dataclass(frozen=True)
class Share:
    """The contribution of a contestant to the virtual best.

    `fastest` is the fraction of the solved points where it is the fastest (ties are divided), `unique` counts points that only
    it solves, `marginal` is the increase of PAR-k without it, `shapley` its fraction of all seconds that the contestants save.
    """

    contestant: str
    fastest: float
    unique: int
    marginal: float
    shapley: float


@dataclass(frozen=True, kw_only=True)
class Score:
    """The score of a solver in a group, or of the virtual best solver: the hypothetical one that chooses the best at every point.

    `instances`, `sat`, `unsat`, `claimed`, `unique`, and `par` count instances (times encodings if a group has several), each
    by the median of the runs of the solver on it. `claimed` counts verdicts that are not independently verified. `runs` and
    `failed` count runs; seconds are sums over runs, memory is the highest peak. The virtual best solver has `shares` instead of
    runs.
    """

    values: tuple[str, ...]
    solver: str
    runs: int = 0
    instances: int
    sat: int
    unsat: int
    claimed: int
    failed: int = 0
    unique: int = 0
    par: float
    cpu: float = 0
    wall: float = 0
    memory: int = 0
    disqualified: str = ""
    """The wrong answer of a disqualified solver, which is listed last; empty for the others."""
    shares: tuple[Share, ...] = ()
    """The contributions to the virtual best solver, by decreasing fraction of fastest solves."""

    @property
    def solved(self) -> int:
        return self.sat + self.unsat


# -- runs -----------------------------------------------------------------------------------------------------------------


def disqualified(records: Iterable[Record], contestants: Sequence[str] = SOLVER) -> dict[str, str]:
    """The disqualified contestants among these records, with the reason: the wrong answer."""
    name, found = name_of(contestants), dict[str, str]()
    marks = [mark for mark, own in ((DISQUALIFIED, "solver"), (BROKEN_ENCODING, "encoding")) if own in contestants]
    for record in records:
        for mark in marks:
            if record.get(mark):
                found.setdefault(name(record), record[mark])
    return found


def performance_of(record: Record, rules: Rules, contestant: str, otherwise: float | None = None) -> Performance:
    """The performance in one run; `otherwise` is the limit of a run without one. InputError if an unsolved run has no limit."""
    status, seconds = status_of(record), record[rules.time]
    limit: float | None = (record.get("limits") or {}).get(rules.time) or otherwise
    if limit is None and status not in DECIDED:
        what = f"{record['solver']} on {record['instance']}"
        raise InputError(f"found no {rules.time} limit for {what}, which is unsolved; PAR by {rules.time} time needs a limit")
    worst = seconds if limit is None else rules.par * limit
    solved = status in DECIDED
    cost = seconds if solved or (rules.other_limit == "time" and at_other_limit(record, rules)) else worst
    claimed, disturbed = solved and is_claimed(record), bool(record.get("warnings"))
    return Performance(status, seconds, cost, worst, claimed, disturbed, contestant, record, (record,))


def grid(
    records: Sequence[Record],
    contestants: Sequence[str] = SOLVER,
    *,
    rules: Rules = DEFAULT,
    otherwise: float | None = None,
) -> Grid:
    """The performance of each contestant at each point. `otherwise` is the limit of runs without one.

    Solvers, encodings, hosts, or solvers with encodings compete (`contestants`); `version` separates the versions of a solver.
    Runs that differ in seed, repetition, or scrambling only are one point: their median, of an even number the worse of the two
    middle ones. If solvers do not compete, runs of disqualified solvers are left out.
    """
    rest = [name for name in BOTH if name not in contestants]
    apart = "host" not in contestants and (rules.hosts == "same" or bool(several_hosts(records)))
    name = name_of(contestants)

    runs: dict[tuple[Point, str], list[Performance]] = {}
    for record in records:
        if not ("solver" in rest and record.get(DISQUALIFIED)):
            point = (instance_of(record), *(record.get(each) for each in rest), *([host_of(record)] if apart else []))
            contestant = name(record)
            runs.setdefault((point, contestant), []).append(performance_of(record, rules, contestant, otherwise))
    found: Grid = {}
    for (point, contestant), performances in runs.items():
        found.setdefault(point, {})[contestant] = median(performances)
    return found


def median(performances: list[Performance]) -> Performance:
    """The median, where an unsolved run is longer than every time; of an even number the worse of the two middle ones."""
    if len(performances) == 1:
        return performances[0]
    middle = sorted(performances, key=lambda o: (not o.solved, o.seconds))[len(performances) // 2]
    return replace(middle, runs=tuple(performance.record for performance in performances))


def name_of(contestants: Sequence[str]) -> Callable[[Record], str]:
    """The function from a record to the name of its contestant: `kissat`, `order`, `kissat with order`, `kissat 4.0.2`."""
    known = (*BOTH, "version", "host")
    for name in contestants:
        if name not in known:
            raise InputError(unknown_name("contestant", name, known))

    def full_name(record: Record) -> str:
        solver = record["solver"] if "solver" in contestants else ""
        version = str(record.get("version") or "") if "version" in contestants else ""
        encoding = encoding_of(record) if "encoding" in contestants and (record.get("encoding") or not solver) else ""
        host = host_of(record) if "host" in contestants else ""
        program = " on ".join(filter(None, (" ".join(filter(None, (solver, version))), host)))
        return " with ".join(filter(None, (program, encoding)))

    return full_name


# -- scores ---------------------------------------------------------------------------------------------------------------


OF_BEST = ("instances", "sat", "unsat", "claimed", "par", "shares")
"""The fields of the virtual best solver in JSON."""


@dataclass(frozen=True)
class GroupScores:
    """The scores of a group, the best contestant first. `points` is its grid without disqualified contestants."""

    values: tuple[str, ...]
    members: list[Record] = field(compare=False)
    scores: list[Score]
    points: Grid
    best: Score
    """The virtual best solver."""

    def to_json(self, names: Iterable[str]) -> dict[str, Any]:
        """The scores as a JSON object; `names` are those of the values."""
        solvers = [
            {"solved": score.solved, **{name: value for name, value in asdict(score).items() if name not in ("values", "shares")}}
            for score in self.scores
        ]
        best = {name: value for name, value in asdict(self.best).items() if name in OF_BEST}
        return {"group": dict(zip(names, self.values, strict=False)), "solvers": solvers, "virtual_best": best}


def group_scores(
    records: Sequence[Record],
    by: Sequence[str] = DEFAULT_GROUPS,
    *,
    rules: Rules = DEFAULT,
    contestants: Sequence[str] = SOLVER,
) -> list[GroupScores]:
    """The scores of each group; with `version` in `by`, the versions of a solver compete."""
    contestants = (*contestants, "version") if "version" in by else contestants
    name = name_of(contestants)
    found: list[GroupScores] = []
    for values, members in grouped(records, by).items():
        points, out = grid(members, contestants, rules=rules), disqualified(members, contestants)
        fair = {point: {one: own for one, own in each.items() if one not in out} for point, each in points.items()}
        fair = {point: own for point, own in fair.items() if own}
        best = virtual_best(fair, values)
        unique = {share.contestant: share.unique for share in best.shares}
        runs: dict[str, list[Record]] = {}
        for record in members:
            runs.setdefault(name(record), []).append(record)
        table = [
            Score(
                values=values,
                solver=solver,
                **outcomes([point[solver] for point in points.values() if solver in point]),
                unique=unique.get(solver, 0),
                runs=len(own),
                failed=sum(status_of(record) in FAILED for record in own),
                cpu=sum(record["cpu"] for record in own),
                wall=sum(record["wall"] for record in own),
                memory=max(record.get("memory") or 0 for record in own),
                disqualified=out.get(solver, ""),
            )
            for solver, own in runs.items()
        ]
        ranked = sorted(table, key=lambda score: (bool(score.disqualified), -score.solved, score.par, score.solver))
        found.append(GroupScores(values, members, ranked, fair, best))
    return found


def outcomes(performances: Sequence[Performance]) -> dict[str, Any]:
    """The numbers of instances and verdicts, and PAR-k."""
    statuses = Counter(performance.status for performance in performances)
    return {
        "instances": len(performances),
        "sat": statuses[SATISFIABLE],
        "unsat": statuses[UNSATISFIABLE],
        "claimed": sum(performance.claimed for performance in performances),
        "par": sum(performance.cost for performance in performances) / max(len(performances), 1),
    }


# -- virtual best solver --------------------------------------------------------------------------------------------------

VBS = "VBS"
"""The name of the virtual best solver."""


def virtual_best(points: Grid, values: tuple[str, ...] = ()) -> Score:
    """The virtual best of all contestants, with the contribution of each."""
    best = Score(values=values, solver=VBS, **outcomes([min(point.values(), key=rank) for point in points.values()]))
    names = sorted({name for point in points.values() for name in point})
    fastest, marginal, shapley = (dict.fromkeys(names, 0.0) for _ in range(3))
    for point in points.values():
        for shared, amounts in ((fastest, fastest_of(point)), (marginal, marginals(point)), (shapley, shapley_values(point))):
            for name, amount in amounts.items():
                shared[name] += amount
    solvers = ([name for name, performance in point.items() if performance.solved] for point in points.values())
    unique, saved = Counter(names[0] for names in solvers if len(names) == 1), sum(shapley.values())
    shares = [
        Share(n, fastest[n] / max(best.solved, 1), unique[n], marginal[n] / len(points), shapley[n] / saved if saved else 0.0)
        for n in names
    ]
    return replace(best, shares=tuple(sorted(shares, key=lambda share: (-share.fastest, -share.shapley))))


def rank(performance: Performance) -> tuple[bool, float]:
    """The order of performances at a point, the best first."""
    return not performance.solved, performance.cost


def fastest_of(point: Mapping[str, Performance]) -> dict[str, float]:
    """One solve, divided by the contestants with the least time at the resolution of the clock; none if unsolved."""
    times = {name: max(performance.seconds, FLOOR) for name, performance in point.items() if performance.solved}
    least = min(times.values(), default=None)
    winners = [name for name, seconds in times.items() if seconds == least]
    return {name: 1 / len(winners) for name in winners}


def marginals(point: Mapping[str, Performance]) -> dict[str, float]:
    """The increase of the cost of a point without each contestant, which is 0 except for the best one."""
    ranked = sorted(point, key=lambda name: rank(point[name]))
    best = point[ranked[0]]
    second = point[ranked[1]].cost if len(ranked) > 1 else best.worst
    return {ranked[0]: max(second - best.cost, 0.0)}


def shapley_values(point: Mapping[str, Performance]) -> dict[str, float]:
    """The Shapley values: each contestant's mean contribution to the saved seconds over all orders of arrival.

    A set saves as much as its best member, so the values are those of the airport game: each step between neighbors in the
    order of savings is divided by all contestants that save at least that much.
    """
    saved = {name: max(one.worst - one.cost, 0.0) * one.solved for name, one in point.items()}
    ranked = sorted(saved, key=lambda name: saved[name])
    values: dict[str, float] = {}
    value = below = 0.0
    for number, name in enumerate(ranked):
        value += (saved[name] - below) / (len(ranked) - number)
        below = saved[name]
        values[name] = value
    return values
