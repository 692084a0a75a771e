"""Scores of records: groups, alarms, claims, PAR-k, unique solves, the virtual best solver with marginal contributions.

docs/scores.md has the definitions with formulas and sources. `results.py` reads files, `statistics.py` has tests and confidence
intervals, `show/tables.py` shows the scores.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from cnfgen_puzzles.bench.record import Record, is_claimed
from cnfgen_puzzles.bench.runs import Runs, map_shared, tallied
from cnfgen_puzzles.bench.suite.plan import CNF
from cnfgen_puzzles.common.errors import InputError, unknown_name
from cnfgen_puzzles.solving.answers import DECIDED, SATISFIABLE, UNSATISFIABLE
from cnfgen_puzzles.solving.run import ERROR, FAILED, WRONG

AS_GIVEN = "as given"
"""The name of the encoding of a CNF file."""

Instance = tuple[str, str, str]
"""Suite, family, and name: equal names in two suites can mean different puzzles."""
UNSAID = "unknown"
"""The group of instances without a feature."""


def instance_of(record: Record) -> Instance:
    return record.get("suite") or "", record["family"], record["instance"]


def encoding_of(record: Record) -> str:
    return record.get("encoding") or AS_GIVEN


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
    "host": lambda record: (record.get("machine") or {}).get("host", "unknown"),
}
DEFAULT_GROUPS = ("family", "encoding")
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
    return {name for record, _ in tallied(records, "features") for name in record.get("features") or ()}


def named_groups(names: Iterable[str], records: Iterable[Record]) -> list[str]:
    """The groups that a user names; the name of a feature of these instances means the feature."""
    known = feature_names(records)
    return [f"{FEATURES}{name}" if name in known else name for name in names]


def grouped(records: Iterable[Record], by: Sequence[str]) -> dict[tuple[str, ...], Sequence[Record]]:
    """Records by the values of `by`, in their order; `version` splits solvers, not groups."""
    records = as_sequence(records)
    of_group = [group_of(name, records) for name in by if name != "version"]
    groups: dict[tuple[str, ...], list[Any]] = {}

    def values_of(record: Record) -> tuple[str, ...]:
        return tuple(name(record) for name in of_group)

    of_rows = records.map_shared(values_of) if isinstance(records, Runs) else ((values_of(record), record) for record in records)
    for values, row in of_rows:
        groups.setdefault(values, []).append(row)
    return {values: records.of(groups[values]) if isinstance(records, Runs) else groups[values] for values in sorted(groups)}


def as_sequence(records: Iterable[Record]) -> Sequence[Record]:
    """The records as a sequence."""
    return records if isinstance(records, Sequence) else list(records)


OF_CLAIMS = ("status", "proofs", "proof", "evidence", "verified", "solver", "solver_name")
"""The fields that determine whether a verdict is claimed."""

# -- alarms ---------------------------------------------------------------------------------------------------------------


def disagreements(records: Iterable[Record], revoked: Iterable[Record] = ()) -> list[tuple[Instance, str]]:
    """Contradictions: opposite verdicts on one instance, or a verdict that contradicts the expected one.

    `revoked` has earlier records of repeated runs with the opposite verdict.
    """
    claims: dict[Instance, dict[str, set[str]]] = {}
    expected: dict[Instance, tuple[str, str]] = {}
    for record, _ in (*tallied(records, *OF_CLAIMS, "suite", "family", "instance", "encoding", "expected"), *tallied(revoked)):
        instance = instance_of(record)
        if record.get("expected"):
            expected[instance] = record["expected"], record.get("expected_by") or "the suite"
        if record["status"] in DECIDED:
            claims.setdefault(instance, {}).setdefault(record["status"], set()).add(_claimant(record))
    alarms: list[tuple[Instance, str]] = []
    for instance, found in claims.items():
        said = "; ".join(f"{status.lower()} by {_names(found[status])}" for status in DECIDED if status in found)
        if len(found) == 2:
            alarms.append((instance, f"solvers disagree on {instance[2]}: {said}"))
        elif instance in expected and expected[instance][0] not in found:
            truth, by = expected[instance]
            alarms.append((instance, f"{instance[2]} is known to be {truth.lower()} (by {by}): {said}"))
    return alarms


def _claimant(record: Record) -> str:
    """The solver with its encoding and its evidence: a checked model, a checked proof, or none."""
    basis = "claimed" if is_claimed(record) else "checked model" if record["status"] == SATISFIABLE else "checked proof"
    return f"{record['solver']} ({encoding_of(record)}, {basis})"


def _names(found: set[str], most: int = 6) -> str:
    names = sorted(found)
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def refused_proofs(records: Iterable[Record]) -> list[tuple[Instance, str]]:
    """The runs that answered unsatisfiable with a wrong or missing proof: solver failures."""
    found = []
    for record, _ in tallied(records, "status", "proof", "solver", "suite", "family", "instance", "encoding"):
        proof = record.get("proof") or {}
        if record["status"] == ERROR and proof.get("refused"):
            said = f"{record['solver']} ({encoding_of(record)}) calls {record['instance']} unsatisfiable"
            found.append((instance_of(record), f"{said}, but its proof was refused: {proof.get('reason') or 'no reason given'}"))
    return found


# -- claims ---------------------------------------------------------------------------------------------------------------


def proofs_matter(records: Iterable[Record]) -> bool:
    """Whether tables show claimed verdicts in a column: proofs were checked, or models of imported runs were not."""
    runs = (record for record, _ in tallied(records, *OF_CLAIMS))
    return any(r.get("proofs") or r.get("proof") or (r["status"] == UNSATISFIABLE) != is_claimed(r) for r in runs)


def claims_told(records: Sequence[Record]) -> str:
    """A sentence on the claimed verdicts of each kind; empty if none is claimed."""
    verdicts = [(record["status"], is_claimed(record), runs) for record, runs in tallied(records, *OF_CLAIMS)]
    way = "" if proofs_matter(records) else "; `proofs: true` in a suite has proofs checked"
    reasons = {SATISFIABLE: "their models were not checked", UNSATISFIABLE: f"no proof was checked{way}"}
    told = []
    for status, why in reasons.items():
        every = sum(runs for found, _, runs in verdicts if found == status)
        claimed = sum(runs for found, is_claim, runs in verdicts if found == status and is_claim)
        if claimed:
            how_many = f"{claimed} of {every}" if claimed < every else f"All {claimed}" if every > 1 else "The only"
            are = f"verdict{'s' * (every > 1)} {'is' if claimed == 1 else 'are'}"
            told.append(f"{how_many} {status.lower()} {are} claimed: {why}.")
    return " ".join(told)


TIMES = ("cpu", "wall")
FLOOR = 0.001
"""Seconds: shorter times are equal in ratios and in the comparison of the fastest solver."""
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

    @property
    def solved(self) -> bool:
        return self.status in DECIDED


Grid = dict[Point, dict[str, Performance]]
"""The performance of each contestant at each point."""


@dataclass(frozen=True)
class Score:
    """The score of a solver in a group. `runs` and `failed` count runs; seconds are sums over runs, memory is the highest peak.

    `instances`, `sat`, `unsat`, `claimed`, `unique`, and `par` count instances (times encodings if a group has several), each
    by the median of the runs of the solver on it. `claimed` counts verdicts that are not independently verified.
    """

    values: tuple[str, ...]
    solver: str
    runs: int
    instances: int
    sat: int
    unsat: int
    claimed: int
    failed: int
    unique: int
    par: float
    cpu: float
    wall: float
    memory: int

    @property
    def group(self) -> str:
        return " ".join(self.values)

    @property
    def solved(self) -> int:
        return self.sat + self.unsat


@dataclass(frozen=True)
class Share:
    """The contribution of a contestant to the virtual best.

    `first` is the fraction of the solved points where it is the fastest (ties are divided), `unique` counts points that only it
    solves, `marginal` is the increase of PAR-k without it, `shapley` its fraction of all seconds that the contestants save.
    """

    contestant: str
    first: float
    unique: int
    marginal: float
    shapley: float


@dataclass(frozen=True)
class VirtualBest:
    """The hypothetical solver that chooses the best contestant at every point."""

    instances: int
    sat: int
    unsat: int
    claimed: int
    par: float
    shares: tuple[Share, ...]

    @property
    def solved(self) -> int:
        return self.sat + self.unsat


# -- runs -----------------------------------------------------------------------------------------------------------------


def contradicted(records: Iterable[Record]) -> set[tuple[Instance, str]]:
    """The verdicts that are wrong, by instance: a checked model, a checked proof, or the expected verdict contradicts them."""
    found = set()
    for record, _ in tallied(records, *OF_CLAIMS, "suite", "family", "instance", "expected"):
        known = {record.get("expected")} | ({record["status"]} if not is_claimed(record) else set())
        if SATISFIABLE in known:
            found.add((instance_of(record), UNSATISFIABLE))
        if UNSATISFIABLE in known:
            found.add((instance_of(record), SATISFIABLE))
    return found


def status_of(record: Record, doubted: Collection[tuple[Instance, str]]) -> str:
    """The status that counts: a contradicted verdict is wrong, except a checked model."""
    status: str = record["status"]
    if status not in DECIDED or (instance_of(record), status) not in doubted:
        return status
    return status if status == SATISFIABLE and not is_claimed(record) else WRONG


def par(records: Sequence[Record], k: float = 2, time: str = "cpu") -> float:
    """PAR-k of runs in seconds: the mean of their times, where an unsolved run counts k times its limit."""
    doubted = contradicted(records)
    costs = [_performance(record[time], *_terms(record, doubted, k, time)).cost for record in records]
    return sum(costs) / len(costs)


def _terms(
    record: Record, doubted: Collection[tuple[Instance, str]], k: float, time: str
) -> tuple[str, float | None, bool, bool]:
    """The performance without its time: status, the cost of no answer (None without a limit), claimed, disturbed."""
    status = status_of(record, doubted)
    limit: float | None = (record.get("limits") or {}).get(time)
    if limit is None and status not in DECIDED:
        what = f"{record['solver']} on {record['instance']}"
        raise InputError(f"found no {time} limit for {what}, which is unsolved; PAR by {time} time needs a limit")
    worst = None if limit is None else k * limit
    return status, worst, status in DECIDED and is_claimed(record), bool(record.get("warnings"))


def _performance(seconds: float, status: str, worst: float | None, claimed: bool, disturbed: bool) -> Performance:
    worst = seconds if worst is None else worst
    return Performance(status, seconds, seconds if status in DECIDED else worst, worst, claimed, disturbed)


def grid(
    records: Sequence[Record],
    contestants: Sequence[str] = SOLVER,
    *,
    k: float = 2,
    time: str = "cpu",
    doubted: Collection[tuple[Instance, str]] | None = None,
) -> Grid:
    """The performance of each contestant at each point.

    Solvers, encodings, or both together compete (`contestants`); `version` separates the versions of a solver. Runs that differ
    in seed, repetition, or scrambling only are one point: their median, of an even number the worse of the two middle ones.
    """
    if time not in TIMES:
        raise InputError(unknown_name("time", time, TIMES))
    doubted = contradicted(records) if doubted is None else doubted
    rest = [name for name in BOTH if name not in contestants]
    name = name_of(contestants)

    def tell(record: Record) -> tuple[tuple[Point, str], tuple[str, float | None, bool, bool]]:
        point = (instance_of(record), *(record.get(field) for field in rest))
        return (point, name(record)), _terms(record, doubted, k, time)

    runs: dict[tuple[Point, str], list[Performance]] = {}
    for (place, terms), own in map_shared(records, tell):
        runs.setdefault(place, []).append(_performance(own[time], *terms))
    found: Grid = {}
    for (point, contestant), performances in runs.items():
        found.setdefault(point, {})[contestant] = median(performances)
    return found


def median(performances: list[Performance]) -> Performance:
    """The median, where an unsolved run is longer than every time; of an even number the worse of the two middle ones."""
    if len(performances) == 1:
        return performances[0]
    return sorted(performances, key=lambda o: (not o.solved, o.seconds))[len(performances) // 2]


def name_of(contestants: Sequence[str]) -> Callable[[Record], str]:
    """The function from a record to the name of its contestant: `kissat`, `order`, `kissat with order`, `kissat 4.0.2`."""
    for name in contestants:
        if name not in (*BOTH, "version"):
            raise InputError(unknown_name("contestant", name, (*BOTH, "version")))

    def full_name(record: Record) -> str:
        solver = record["solver"] if "solver" in contestants else ""
        version = str(record.get("version") or "") if "version" in contestants else ""
        encoding = encoding_of(record) if "encoding" in contestants and (record.get("encoding") or not solver) else ""
        return " with ".join(filter(None, (" ".join(filter(None, (solver, version))), encoding)))

    return full_name


# -- scores ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class GroupScores:
    """The scores of a group, the best solver first, and its virtual best."""

    values: tuple[str, ...]
    scores: list[Score]
    best: VirtualBest


def scores(records: Iterable[Record], by: Sequence[str] = DEFAULT_GROUPS, *, k: float = 2, time: str = "cpu") -> list[Score]:
    """One score for each group and solver, the best solver of a group first."""
    return [score for group in group_scores(records, by, k=k, time=time) for score in group.scores]


def group_scores(
    records: Iterable[Record], by: Sequence[str] = DEFAULT_GROUPS, *, k: float = 2, time: str = "cpu"
) -> list[GroupScores]:
    """The scores of each group."""
    records = as_sequence(records)
    doubted = contradicted(records)
    contestants = ("solver", "version") if "version" in by else SOLVER
    name = name_of(contestants)
    found: list[GroupScores] = []
    for values, members in grouped(records, by).items():
        points = grid(members, contestants, k=k, time=time, doubted=doubted)
        unique, met = uniquely_solved(points), by_contestant(points)
        usage: dict[str, list[tuple[float, float, float, bool]]] = {}
        for (solver, bad), own in map_shared(members, lambda record: (name(record), status_of(record, doubted) in FAILED)):
            usage.setdefault(solver, []).append((own["cpu"], own["wall"], own.get("memory") or 0, bad))
        table = []
        for solver, runs in usage.items():
            statuses = Counter(performance.status for performance in met[solver])
            cpu, wall, memory, failed = zip(*runs, strict=True)
            score = Score(
                values,
                solver,
                runs=len(runs),
                instances=len(met[solver]),
                sat=statuses[SATISFIABLE],
                unsat=statuses[UNSATISFIABLE],
                claimed=sum(performance.claimed for performance in met[solver]),
                failed=sum(failed),
                unique=unique[solver],
                par=sum(performance.cost for performance in met[solver]) / len(met[solver]),
                cpu=sum(cpu),
                wall=sum(wall),
                memory=max(memory),
            )
            table.append(score)
        ranked = sorted(table, key=lambda score: (-score.solved, score.par, score.solver))
        found.append(GroupScores(values, ranked, virtual_best(points)))
    return found


def by_contestant(points: Grid) -> dict[str, list[Performance]]:
    """The performances of each contestant."""
    found: dict[str, list[Performance]] = {}
    for point in points.values():
        for contestant, performance in point.items():
            found.setdefault(contestant, []).append(performance)
    return found


def uniquely_solved(points: Grid) -> Counter[str]:
    """The number of points that only one contestant solves, by contestant."""
    solvers = ([name for name, performance in point.items() if performance.solved] for point in points.values())
    return Counter(names[0] for names in solvers if len(names) == 1)


# -- virtual best solver --------------------------------------------------------------------------------------------------


def grids(
    records: Iterable[Record], by: Sequence[str], contestants: Sequence[str], *, k: float = 2, time: str = "cpu"
) -> Iterator[tuple[tuple[str, ...], Grid]]:
    """The grid of each group. Contradicting verdicts of other groups count, too."""
    records = as_sequence(records)
    doubted = contradicted(records)
    for values, members in grouped(records, by).items():
        yield values, grid(members, contestants, k=k, time=time, doubted=doubted)


def virtual_bests(
    records: Iterable[Record], by: Sequence[str], contestants: Sequence[str], *, k: float = 2, time: str = "cpu"
) -> dict[tuple[str, ...], VirtualBest]:
    """The virtual best of each group."""
    return {values: virtual_best(points) for values, points in grids(records, by, contestants, k=k, time=time)}


def virtual_best(points: Grid) -> VirtualBest:
    """The virtual best of all contestants, with the contribution of each, by decreasing fraction of first places."""
    best = [min(point.values(), key=lambda o: (not o.solved, o.cost)) for point in points.values()]
    statuses = Counter(performance.status for performance in best)
    names = sorted({name for point in points.values() for name in point})
    first, marginal, shapley = (dict.fromkeys(names, 0.0) for _ in range(3))
    for point in points.values():
        for shared, amounts in ((first, firsts(point)), (marginal, marginals(point)), (shapley, shapley_values(point))):
            for name, amount in amounts.items():
                shared[name] += amount
    solved, unique = statuses[SATISFIABLE] + statuses[UNSATISFIABLE], uniquely_solved(points)
    saved = sum(shapley[name] for name in names)
    shares = [
        Share(n, first[n] / max(solved, 1), unique[n], marginal[n] / len(points), shapley[n] / saved if saved else 0.0)
        for n in names
    ]
    return VirtualBest(
        len(points),
        statuses[SATISFIABLE],
        statuses[UNSATISFIABLE],
        sum(performance.claimed for performance in best),
        sum(performance.cost for performance in best) / max(len(points), 1),
        tuple(sorted(shares, key=lambda share: (-share.first, -share.shapley))),
    )


def firsts(point: Mapping[str, Performance]) -> dict[str, float]:
    """One first place, divided by the contestants with the least time at the resolution of the clock; none if unsolved."""
    times = {name: max(performance.seconds, FLOOR) for name, performance in point.items() if performance.solved}
    least = min(times.values(), default=None)
    winners = [name for name, seconds in times.items() if seconds == least]
    return {name: 1 / len(winners) for name in winners}


def marginals(point: Mapping[str, Performance]) -> dict[str, float]:
    """The increase of the cost of a point without each contestant, which is 0 except for the best one."""
    ranked = sorted(point, key=lambda name: (not point[name].solved, point[name].cost))
    best = point[ranked[0]]
    second = point[ranked[1]].cost if len(ranked) > 1 else best.worst
    return {ranked[0]: max(second - best.cost, 0.0)}


def shapley_values(point: Mapping[str, Performance]) -> dict[str, float]:
    """The Shapley values: each contestant's mean contribution to the saved seconds over all orders of arrival.

    A set saves as much as its best member, so the values are those of the airport game: each step between neighbors in the
    order of savings is divided by all contestants that save at least that much.
    """
    saved = {name: max(performance.worst - performance.cost, 0.0) for name, performance in point.items()}
    ranked = sorted(saved, key=lambda name: saved[name])
    values: dict[str, float] = {}
    value = below = 0.0
    for number, name in enumerate(ranked):
        value += (saved[name] - below) / (len(ranked) - number)
        below = saved[name]
        values[name] = value
    return values
