"""The head of the report: what ran, where, under which limits, what to be wary of, and what cannot be true.

Not here: scores (`bench/show/tables.py`), single runs (`details.py`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cnfgen_puzzles.bench.analyse.scores import Instance, disagreements, instance_of, refused_proofs
from cnfgen_puzzles.bench.record import Record, limits_text, size_text
from cnfgen_puzzles.bench.runs import tallied
from cnfgen_puzzles.bench.show.tables import notes, sentence
from cnfgen_puzzles.solving.run import ERROR, STATUSES, WRONG

SHOWN_WARNINGS = 12


@dataclass(frozen=True)
class Alarm:
    """Why the results cannot all be true, and of which instance."""

    instance: Instance
    message: str


@dataclass(frozen=True)
class SolverFact:
    """A solver as it was called."""

    label: str
    version: str
    binary: str
    options: str
    threads: str


@dataclass(frozen=True)
class ReportSummary:
    """What the top of the page tells."""

    suites: Sequence[str]
    runs: int
    instances: int
    families: Mapping[str, int]
    statuses: Mapping[str, int]
    dates: tuple[str, str]
    cpu_seconds: float
    limits: Sequence[str]
    memory_methods: Sequence[str]
    machines: Sequence[Mapping[str, str]]
    versions: Sequence[str]
    solvers: Sequence[SolverFact]
    sentence: str
    notes: Sequence[str]
    warnings: Sequence[tuple[str, int]]
    more_warnings: int


def summary(records: Sequence[Record]) -> ReportSummary:
    """The facts of all runs; what differs among them is listed, not hidden."""
    dates = {record["date"] for record in records if record.get("date")}
    instances = dict.fromkeys(instance_of(record) for record, _ in tallied(records, "suite", "family", "instance"))
    statuses: Counter[str] = Counter()
    for record, runs in tallied(records, "status"):
        statuses[record["status"]] += runs
    warned = _warnings(records)
    return ReportSummary(
        suites=_values(records, "suite") or ["without a name"],
        runs=len(records),
        instances=len(instances),
        families=Counter(family for _, family, _ in instances),
        statuses={status: statuses[status] for status in (*STATUSES, *sorted(set(statuses) - set(STATUSES))) if statuses[status]},
        dates=(_date(min(dates, default="")), _date(max(dates, default=""))),
        cpu_seconds=sum(record.get("cpu") or 0 for record in records),
        limits=_distinct(limits_text(record.get("limits") or {}) for record, _ in tallied(records, "limits")),
        memory_methods=_values(records, "memory_method"),
        machines=_machines(records),
        versions=_values(records, "cnfgen_puzzles"),
        solvers=_solvers(records),
        sentence=sentence(records),
        notes=notes(records),
        warnings=warned[:SHOWN_WARNINGS],
        more_warnings=sum(count for _, count in warned[SHOWN_WARNINGS:]),
    )


def _date(text: str) -> str:
    return text[:16].replace("T", " ")


def _distinct(values: Iterable[Any]) -> list[str]:
    """Each value once, in order of appearance."""
    return list(dict.fromkeys(str(value) for value in values if value))


def _values(records: Sequence[Record], name: str) -> list[str]:
    return _distinct(record.get(name) for record, _ in tallied(records, name))


def _machines(records: Iterable[Record]) -> list[dict[str, str]]:
    """Each machine once, with how many runs it made."""
    counts: Counter[tuple[tuple[str, str], ...]] = Counter()
    for record, runs in tallied(records, "machine"):
        counts[tuple(sorted((key, str(value)) for key, value in (record.get("machine") or {}).items()))] += runs
    machines = [dict(pairs) | {"runs": str(count)} for pairs, count in counts.most_common() if pairs]
    for machine in machines:
        if machine.get("memory", "").isdigit():
            machine["memory"] = size_text(int(machine["memory"]))
    return machines


def _solvers(records: Iterable[Record]) -> list[SolverFact]:
    """Each solver once for every version, binary and set of options that it ran with."""
    facts = (
        SolverFact(
            record["solver"],
            str(record.get("version") or "?"),
            str(record.get("binary_sha256") or ""),
            " ".join(map(str, record.get("solver_options") or [])),
            str(record.get("threads") or 1),
        )
        for record, _ in tallied(records, "solver", "version", "binary_sha256", "solver_options", "threads")
    )
    return sorted(dict.fromkeys(facts), key=lambda fact: (fact.label, fact.version))


def _warnings(records: Iterable[Record]) -> list[tuple[str, int]]:
    """What to be wary of, with the number of runs that it is about, the most frequent first; numbers in it may differ."""
    alike: dict[str, Counter[str]] = {}
    for record, runs in tallied(records, "warnings", "status", "solver", "reason", "leftovers"):
        told = list(map(str, record.get("warnings") or []))
        if record["status"] == ERROR:
            told.append(f"a run of {record['solver']} failed: {record.get('reason') or 'no reason given'}")
        if record.get("leftovers"):
            told.append(f"{record['solver']} left processes behind, which were killed")
        for warning in told:
            alike.setdefault(re.sub(r"[\d.]+", "#", warning), Counter())[warning] += runs
    found = [(next(iter(texts)) + " and the like" * (len(texts) > 1), texts.total()) for texts in alike.values()]
    return sorted(found, key=lambda pair: -pair[1])


# -- alarms -------------------------------------------------------------------------------------------------------------


def alarms(records: Sequence[Record], revoked: Iterable[Record] = ()) -> list[Alarm]:
    """What cannot be true: disagreements first, then answers that were refuted, then proofs that were refused."""
    revoked = list(revoked)
    wrong = [
        (instance_of(r), f"{said_by(r)} gave a wrong answer on {r['instance']}: {r.get('reason') or 'no reason given'}")
        for r in (*records, *revoked)
        if r["status"] == WRONG
    ]
    found = [*disagreements(records, revoked), *wrong, *refused_proofs(records)]
    return [Alarm(instance, message) for instance, message in found]


def said_by(record: Record) -> str:
    """Solver and encoding: `kissat (order)`."""
    return f"{record['solver']} ({record['encoding']})" if record.get("encoding") else record["solver"]
