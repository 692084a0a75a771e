"""Comparison of two sets of results: regressions and gains of the new one, and whether they exceed noise.

    found = diff(old_records, new_records, {"kissat-old": "kissat-new"})

Runs are paired by instance, encoding, and solver. Two instances are the same if their formulas have the same hash (that of GBD,
else SHA-256), or, for puzzles, the same family and name, because another encoding has another formula.
`show/difftable.py` shows the comparison, `statistics.py` has tests and intervals.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from cnfgen_puzzles.bench.analyse.alarms import status_of
from cnfgen_puzzles.bench.analyse.rules import DEFAULT, Rules, outcome_notes, run_counts, several_hosts
from cnfgen_puzzles.bench.analyse.scores import MARK, SOLVER, Grid, Performance, disqualified, grid, group_of
from cnfgen_puzzles.bench.analyse.statistics import Comparison, compare_all, differ
from cnfgen_puzzles.bench.record import AS_GIVEN, Instance, Record, encoding_of, host_of, instance_of
from cnfgen_puzzles.bench.suite.plan import CNF
from cnfgen_puzzles.common.errors import InputError, unknown_name
from cnfgen_puzzles.solving.answers import DECIDED
from cnfgen_puzzles.solving.run import FAILED, TIMEOUT, WRONG

OLD, NEW = "old", "new"

# Kinds of changes, the worst first.
WRONG_NOW = "wrong"
CONFLICT = "conflict"
LOST = "lost"
SLOWER = "slower"
GAINED = "gained"
FASTER = "faster"
MENDED = "mended"
SAME = "unchanged"
REGRESSIONS = (WRONG_NOW, CONFLICT, LOST, SLOWER)
GAINS = (MENDED, GAINED, FASTER)
KINDS: Mapping[str, str] = {
    WRONG_NOW: "a wrong answer or an error, but not before",
    CONFLICT: "the opposite verdict",
    LOST: "solved before, unsolved now",
    SLOWER: "solved by both, slower now",
    MENDED: "a wrong answer or an error before",
    GAINED: "unsolved before, solved now",
    FASTER: "solved by both, faster now",
    SAME: "no change beyond noise",
}


RATIO, SECONDS = 1.5, 0.1
"""The minimum factor and seconds by which a single instance is slower or faster."""


@dataclass(frozen=True)
class Pair:
    """One instance in one encoding with one solver, old and new."""

    point: Instance
    group: str
    encoding: str
    solver: str
    old: Performance
    new: Performance
    kind: str
    near_limit: bool
    """Whether the time of a lost or gained solve is within the factor of the threshold from the limit: it may be noise."""

    @property
    def instance(self) -> str:
        return self.point[2]


@dataclass
class Diff:
    """The changes. `notes` are about the comparison: runs without a partner, different limits or machines."""

    pairs: list[Pair] = field(default_factory=list)
    comparisons: dict[tuple[str, str], Comparison] = field(default_factory=dict)
    """The comparisons of NEW with OLD by solver and group; the group "" is that of all pairs, and alone if there is only one."""
    notes: list[str] = field(default_factory=list)
    rules: Rules = DEFAULT
    disqualified: dict[str, str] = field(default_factory=dict)
    """The disqualified solvers of the new results, as their pairs name them, with the reason."""
    programs: tuple[list[str], list[str]] = ([], [])
    """The compared programs of OLD and of NEW: `kissat 4.0.2 1a2b3c4d5e6f`."""

    def of(self, kinds: Iterable[str]) -> list[Pair]:
        """The pairs of these kinds, worst or best first."""
        order = {kind: place for place, kind in enumerate(kinds)}

        def rank(pair: Pair) -> tuple[Any, ...]:
            low, high = sorted((max(pair.old.cost, 1e-3), max(pair.new.cost, 1e-3)))
            return order[pair.kind], -high / low, pair.instance, pair.encoding, pair.solver

        return sorted((pair for pair in self.pairs if pair.kind in order), key=rank)

    def kinds(self, solver: str, group: str) -> dict[str, int]:
        """The number of pairs of each kind."""
        found = Counter(pair.kind for pair in self.pairs if pair.solver == solver and group in ("", pair.group))
        return {kind: found[kind] for kind in KINDS}

    def verdict(self, solver: str, group: str) -> str:
        """`clearly worse`, `clearly better`, `disqualified`, or empty, for NEW."""
        if solver in self.disqualified:
            return "disqualified"
        return {NEW: "clearly better", OLD: "clearly worse"}.get(self.comparisons[solver, group].winner or "", "")

    def regressions(self, allow_lost: int = 0, allow_slower: int | None = None, worse: float = 1) -> list[str]:
        """The regressions that exceed the allowed numbers and the PAR ratio `worse`, as sentences."""
        wrong, conflicts, lost, slower = (len(self.of([kind])) for kind in REGRESSIONS)
        faults = [f"{wrong} wrong answers or errors"] if wrong else []
        faults += [f"{conflicts} opposite verdicts"] if conflicts else []
        faults += [f"{lost} lost solves ({allow_lost} allowed)"] if lost > allow_lost else []
        if allow_slower is not None and slower > allow_slower:
            faults.append(f"{slower} slower instances ({allow_slower} allowed)")
        for (solver, group), comparison in self.comparisons.items():
            ratio = 1 / comparison.par_ratio.value
            if self.verdict(solver, group) == "clearly worse" and ratio >= worse:
                where = f"{solver} on {group}" if group else solver
                faults.append(f"{where} is significantly worse (PAR ratio {ratio:.2f})")
        return faults


def diff(
    old: Sequence[Record],
    new: Sequence[Record],
    names: Mapping[str, str] | None = None,
    *,
    by: str = "family",
    rules: Rules = DEFAULT,
    ratio: float = RATIO,
    seconds: float = SECONDS,
) -> Diff:
    """Compare results; `names` pairs solvers, or encodings, whose names differ (old name: new name). `ratio` and `seconds` are
    the least factor and difference of a slower or faster instance."""
    found = Diff(rules=rules, notes=[str(rules)])
    names = names or {}
    sides = (old, new)
    for where, side in zip(("OLD", "NEW"), sides, strict=True):
        if rules.hosts != "same" and (hosts := several_hosts(side)):
            advice = "--filter host=NAME selects one, --rule hosts=same compares each with itself"
            raise InputError(f"found the same runs of several hosts in {where} ({', '.join(hosts)}), expected one: {advice}")
    out = [disqualified(side) for side in sides]
    labels = [{record["solver"] for record in side} for side in sides]
    encoded = [{encoding_of(record) for record in side} for side in sides]
    solvers = _partners("solver", labels[0], labels[1], names, found.notes)
    encodings = _partners("encoding", encoded[0], encoded[1], names, found.notes)
    for name in names:
        if name not in solvers and name not in encodings:
            raise InputError(unknown_name("solver or encoding", name, labels[0] | encoded[0]))
    limits = ((record.get("limits") or {}).get(rules.time) for side in sides for record in side)
    given = {float(limit) for limit in limits if limit is not None}
    limit = min(given, default=None)  # a run that took longer is unsolved
    if len(given) > 1:
        values = ", ".join(f"{each:g}" for each in sorted(given))
        found.notes.append(f"limits differ ({values} s): a run of more than {limit:g} s counts as unsolved")
    hosts = [", ".join(sorted({host_of(record) for record in side})) for side in sides]
    if hosts[0] != hosts[1] and rules.hosts != "same":
        on = f"OLD was measured on {hosts[0]}, NEW on {hosts[1]}"
        found.notes.append(f"{on}: do not compare times; compare solved instances with care")
    disturbed = [sum(bool(record.get("warnings")) for record in side) for side in sides]
    if any(disturbed):
        found.notes.append(
            f"{disturbed[0]} of {len(old)} runs of OLD and {disturbed[1]} of {len(new)} of NEW were measured on a disturbed "
            "machine: only larger differences count for these runs"
        )
    then, now = (_performances(side, rules, limit) for side in sides)
    same = _same_instances(old, new, encodings, found.notes)
    group = group_of(by, [record for side in sides for record in side])
    groups = {instance_of(record): group(record) for side in sides for record in side}
    missing = 0
    met: set[tuple[Any, ...]] = set()
    compared: dict[str, str] = {}
    for point, performance in then.items():
        instance, encoding, solver, *host = point
        if solver not in solvers or encoding not in encodings:
            continue
        other = (same.get(instance), encodings[encoding], solvers[solver], *host)
        if other not in now:
            missing += 1
            continue
        met.add(other)
        compared[solver] = other[2]
        kind, near = _kind(performance, now[other], ratio, seconds, limit or 0.0)
        label = " -> ".join(dict.fromkeys((encoding, other[1])))
        named = (name + MARK * (name in known) for name, known in zip((solver, other[2]), out, strict=True))
        called = " -> ".join(dict.fromkeys(named))
        if other[2] in out[1]:
            found.disqualified[called] = out[1][other[2]]
        found.pairs.append(Pair(instance, groups[instance], label, called, performance, now[other], kind, near))
    strange = sum(point not in met for point in now if point[2] in solvers.values() and point[1] in encodings.values())
    for where, count in (("OLD", missing), ("NEW", strange)):
        if count:
            found.notes.append(f"{count} results of {where} have no partner: other instances, or missing runs")
    if not found.pairs:
        raise InputError("found no common instance with the same solver and encoding; --map OLD=NEW pairs different names")
    every: dict[tuple[str, str], Grid] = {}
    parts: dict[tuple[str, str], Grid] = {}
    for pair in sorted(found.pairs, key=lambda pair: (pair.solver in found.disqualified, pair.solver, pair.group)):
        for grids, name in ((every, ""), (parts, pair.group)):
            point = (pair.point, pair.encoding, pair.solver, host_of(pair.old.record))
            grids.setdefault((pair.solver, name), {})[point] = {OLD: pair.old, NEW: pair.new}
    for grids in (every, parts) if len({pair.group for pair in found.pairs}) > 1 else (every,):
        found.comparisons |= compare_all({key: (own, NEW, OLD) for key, own in grids.items()})
    found.programs = _programs(old, compared.keys()), _programs(new, compared.values())
    for where, side, known in zip(("OLD", "NEW"), sides, out, strict=True):
        found.notes += [f"{where}: {note}" for note in (*run_counts(side, rules), *outcome_notes(side, rules, known))]
    return found


# -- pairing --------------------------------------------------------------------------------------------------------------


def _partners(what: str, old: Iterable[str], new: Iterable[str], names: Mapping[str, str], notes: list[str]) -> dict[str, str]:
    """The names in the old results with their names in the new ones."""
    then, now = set(old), set(new)
    given = {one: other for one, other in names.items() if one in then and other in now}
    if given:
        return given
    common = {name: name for name in sorted(then & now)}
    if not common and len(then) == len(now) == 1:
        notes.append(f"{what} {min(then)} of OLD is compared with {min(now)} of NEW")
        return {min(then): min(now)}
    if not common:
        message = f"OLD has {', '.join(sorted(then))}; NEW has {', '.join(sorted(now))}"
        raise InputError(f"found no common {what} ({message}); --map OLD=NEW pairs different names")
    for side, left in (("OLD", then - now), ("NEW", now - then)):
        if left:
            notes.append(f"not compared, because only {side} has the {what}{'s' * (len(left) > 1)}: {', '.join(sorted(left))}")
    return common


def _hashes(record: Record) -> list[tuple[str, str]]:
    """The hashes of a formula; none for a scrambled one."""
    cnf = record.get("cnf") or {}
    return [(name, cnf[name]) for name in ("gbd_hash", "sha256") if cnf.get(name) and record.get("scramble") is None]


def _same_instances(
    old: Sequence[Record], new: Sequence[Record], encodings: Mapping[str, str], notes: list[str]
) -> dict[Instance, Instance]:
    """The instance of the new results for each of the old ones. `encodings` pairs the encodings whose formulas are compared."""
    by_hash: dict[tuple[str, str], Instance] = {}
    by_name: dict[tuple[str, str], Instance] = {}
    hashes: dict[tuple[Instance, str], set[tuple[str, str]]] = {}
    for record in new:
        instance = instance_of(record)
        by_name.setdefault(instance[1:], instance)
        hashes.setdefault((instance, encoding_of(record)), set()).update(_hashes(record))
        for key in _hashes(record):
            by_hash.setdefault(key, instance)
    same: dict[Instance, Instance] = {}
    others: set[Instance] = set()
    for record in old:
        instance = instance_of(record)
        mine = _hashes(record)
        named = by_name.get(instance[1:])
        theirs = hashes.get((named, encodings.get(encoding_of(record), ""))) if named is not None else None
        if named is not None and (not mine or not theirs or theirs.intersection(mine)):
            same.setdefault(instance, named)
        elif found := next((by_hash[key] for key in mine if key in by_hash), None):
            same.setdefault(instance, found)
        elif named is not None and instance[1] != CNF:
            same.setdefault(instance, named)
            others.add(instance)
        elif named is not None:
            notes.append(f"{instance[2]} is another formula in NEW: not compared")
    if others:
        notes.append(f"{len(others)} puzzles have other formulas in NEW: the encoding has changed")
    return same


# -- changes --------------------------------------------------------------------------------------------------------------


def _performances(records: Sequence[Record], rules: Rules, limit: float | None) -> dict[tuple[Any, ...], Performance]:
    """The median of the runs of each instance, encoding, and solver (and host, by the rule) under the common limit; one wrong
    answer makes it wrong."""
    wrong = {(instance_of(r), encoding_of(r), r["solver"]) for r in records if status_of(r) == WRONG}
    if limit is not None:
        records = [
            record
            | {
                "limits": {rules.time: limit},
                "status": TIMEOUT if record["status"] in DECIDED and record[rules.time] > limit else record["status"],
            }
            for record in records
        ]
    found: dict[tuple[Any, ...], Performance] = {}
    for (instance, encoding, *host), contestants in grid(records, SOLVER, rules=rules).items():
        for solver, performance in contestants.items():
            point = (instance, encoding or AS_GIVEN, solver)
            found[*point, *host] = replace(performance, status=WRONG, cost=performance.worst) if point in wrong else performance
    return found


def _kind(old: Performance, new: Performance, ratio: float, seconds: float, limit: float) -> tuple[str, bool]:
    """The kind of change, and whether a limit was near."""
    near = limit > 0 and (old if old.solved else new).seconds * ratio > limit
    if new.status in FAILED and old.status not in FAILED:
        return (WRONG_NOW if new.status == WRONG or not old.solved else LOST), False
    if old.solved and new.solved and old.status != new.status:
        return CONFLICT, False
    if old.solved != new.solved:
        return (LOST if old.solved else MENDED if old.status in FAILED else GAINED), near
    if old.status in FAILED and new.status not in FAILED:
        return MENDED, False
    low, high = sorted((old.seconds, new.seconds))
    clear = high - low >= seconds and high >= ratio * low and differ(old, new)
    if not old.solved or not clear:
        return SAME, False
    return (SLOWER if new.seconds > old.seconds else FASTER), False


def _programs(records: Iterable[Record], solvers: Collection[str]) -> list[str]:
    """The program of each of these solvers."""
    found = {
        f"{r['solver']} {r.get('version') or 'unknown version'} {(r.get('binary_sha256') or '')[:12]}".strip()
        for r in records
        if r["solver"] in solvers
    }
    return sorted(found)
