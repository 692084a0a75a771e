"""The rules of a comparison, and the notes that every table and caption has: rules, run counts, hosts, claims, wrong answers.

docs/reference/scores.md explains each rule. `Rules()` are those of the SAT competitions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cnfgen_puzzles.bench.record import Record, host_of, instance_of, is_claimed
from cnfgen_puzzles.common.errors import InputError, unknown_name
from cnfgen_puzzles.common.showing import numbered
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE
from cnfgen_puzzles.solving.run import TIMEOUT
from cnfgen_puzzles.solving.supervision import CPU_LIMIT, WALL_LIMIT

TIMES = {"cpu": "CPU time", "wall": "wall time"}
CHOICES: Mapping[str, tuple[str, ...]] = {
    "wrong_answer": ("disqualify", "unsolved"),
    "other_limit": ("unsolved", "omit", "time"),
    "hosts": ("any", "same"),
}
"""The values of each rule, the default first."""
MOST_NAMES = 6
"""The maximum number of names in a list of a note."""


@dataclass(frozen=True)
class Rules:
    """`par`: an unsolved run counts this many times its limit on `time`.

    `wrong_answer` disqualifies its solver, or counts as unsolved. `other_limit`: a run that the limit on the other time ended
    counts as unsolved, its formula is omitted for all solvers, or its cost is its time. `hosts`: runs of any hosts are compared,
    or only those of the same host.
    """

    par: float = 2
    time: str = "cpu"
    wrong_answer: str = "disqualify"
    other_limit: str = "unsolved"
    hosts: str = "any"

    def __post_init__(self) -> None:
        for name, known in {"time": tuple(TIMES), **CHOICES}.items():
            if getattr(self, name) not in known:
                raise InputError(unknown_name(name.replace("_", "-"), getattr(self, name), known))

    def __str__(self) -> str:
        return "Rules: " + " ".join(f"{name.replace('_', '-')}={getattr(self, name)}" for name in CHOICES) + "."


DEFAULT = Rules()
Formula = tuple[Any, ...]
"""An instance with its encoding."""
OTHER_LIMIT = {"cpu": WALL_LIMIT, "wall": CPU_LIMIT}
"""The limit on the time that is not scored."""


def at_other_limit(record: Record, rules: Rules) -> bool:
    """Whether a run was ended by the limit on the other time, before the limit on the scored one."""
    return record["status"] == TIMEOUT and record.get("ended") == OTHER_LIMIT[rules.time]


def formula_of(record: Record) -> Formula:
    return (*instance_of(record), record.get("encoding"))


def without_other_limit(records: Sequence[Record], rules: Rules) -> list[Record]:
    """The records without formulas on which the limit on the other time ended a run, for all solvers alike."""
    left_out = {formula_of(record) for record in records if at_other_limit(record, rules)}
    return [record for record in records if formula_of(record) not in left_out]


def several_hosts(records: Sequence[Record]) -> list[str]:
    """The hosts, if several of them made the same run; else none. Runs of different hosts are never one point then."""
    hosts = {host_of(record) for record in records}
    if len(hosts) < 2:
        return []
    first: dict[Any, str] = {}
    for record in records:
        run = (*formula_of(record), *(record.get(name) for name in ("solver", "scramble", "seed", "repetition")))
        if first.setdefault(run, host_of(record)) != host_of(record):
            return sorted(hosts)
    return []


def hosts_apart(records: Sequence[Record], rules: Rules) -> list[str]:
    """The hosts whose runs are never compared with those of another one: of the same runs, or by the rule."""
    hosts = sorted({host_of(record) for record in records}) if rules.hosts == "same" else []
    return hosts if len(hosts) > 1 else several_hosts(records)


# -- notes ----------------------------------------------------------------------------------------------------------------


def common_notes(records: Sequence[Record], rules: Rules, out: Mapping[str, str]) -> list[str]:
    """The end of every note and caption: run counts, claimed verdicts, the notes of `outcome_notes`, and the rules."""
    verdicts = Counter((record["status"], is_claimed(record)) for record in records)
    reasons = {SATISFIABLE: "their models were not checked", UNSATISFIABLE: "no proof was checked"}
    found = [
        f"{claimed} of {claimed + verdicts[status, False]} {status.lower()} verdicts are claimed: {why}."
        for status, why in reasons.items()
        if (claimed := verdicts[status, True])
    ]
    return [*run_counts(records, rules), *found, *outcome_notes(records, rules, out), str(rules)]


def outcome_notes(records: Iterable[Record], rules: Rules, out: Mapping[str, str]) -> list[str]:
    """Sentences on runs that the limit on the other time ended, and on disqualified contestants."""
    found = []
    counts = Counter(record["solver"] for record in records if at_other_limit(record, rules))
    if counts:
        this, other = ("CPU", "wall") if rules.time == "cpu" else ("wall", "CPU")
        counted = f"unsolved with their {this} time as cost" if rules.other_limit == "time" else "unsolved"
        ended = f"{numbered(counts.total(), 'run')} ended at the {other} limit before the {this} limit"
        found.append(f"{ended}, counted as {counted} ({_counts(counts)}).")
    return [*found, *(f"{name} is disqualified: {why}." for name, why in out.items())]


def run_counts(records: Sequence[Record], rules: Rules) -> list[str]:
    """Sentences on the numbers of runs of each solver, on formulas where they differ, and on hosts."""
    apart = bool(hosts_apart(records, rules))
    formulas: dict[Formula, list[tuple[str, str]]] = {}
    hosts: dict[str, Counter[str]] = {}
    for record in records:
        solver, host = record["solver"], host_of(record)
        formulas.setdefault((*formula_of(record), f" on {host}" * apart), []).append((solver, host))
        hosts.setdefault(host, Counter())[solver] += 1
    totals = sum(hosts.values(), Counter())
    alike = len(totals) > 1 == len(set(totals.values()))
    each = f"{max(totals.values())} of each solver" if alike else _counts(totals)
    notes = [f"Based on {numbered(len(records), 'run')} of {numbered(len(formulas), 'formula')} ({each})."]
    uneven, mixed = [], 0
    for (*_, instance, encoding, on), runs in formulas.items():
        own = Counter(solver for solver, _ in runs)
        mixed += min(len(own), len({host for _, host in runs})) > 1
        fewer = [f"{solver} {own[solver]} of {max(own.values())}" for solver in sorted(totals) if own[solver] < max(own.values())]
        if fewer:
            uneven.append(f"{instance}{f' with {encoding}' * bool(encoding)}{on} ({listed(fewer)})")
    if uneven:
        notes.append(f"Solvers have different numbers of runs on {numbered(len(uneven), 'formula')}: {listed(uneven)}.")
    if len(hosts) > 1:
        notes.append(f"Hosts: {listed([f'{host} ({_counts(own)})' for host, own in sorted(hosts.items())])}.")
    if mixed:
        notes.append(
            f"On {numbered(mixed, 'formula')}, solvers ran on different hosts: compare their times with care; the rule "
            "hosts=same compares runs of the same host only."
        )
    return notes


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))


def listed(names: Sequence[str]) -> str:
    """The first names, and the number of the others."""
    return ", ".join(names[:MOST_NAMES]) + (f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else "")
