"""Groups against solvers: the sizes of their formulas and the PAR-k of each solver side by side, one row a group.

This is the table of docs/encodings.md: `bench-cnf scores results/encodings --sizes`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import exp, log

from cnfgen_puzzles.bench.analyse.claims import claims_told
from cnfgen_puzzles.bench.analyse.groups import DEFAULT_GROUPS, FEATURES, grouped, instance_of, kept
from cnfgen_puzzles.bench.analyse.scores import SOLVER, name_of, scores
from cnfgen_puzzles.bench.record import Record
from cnfgen_puzzles.bench.runs import tallied
from cnfgen_puzzles.bench.show.tables import Table

OF_FORMULA = ("variables", "clauses", "sha256")
"""What must be known of a formula."""


def size_table(
    records: Iterable[Record], by: Sequence[str] = DEFAULT_GROUPS, *, k: float = 2, time: str = "cpu", title: str = ""
) -> Table:
    """Instances, geometric means of variables and clauses, seconds of encoding, PAR-k of each solver, and their mean.

    A group whose instances are not those of its neighbours shows it in their number. Within the groups that share all values
    but the last (the encodings of a family), the one with the least mean is pointed out.
    """
    records = kept(records)
    contestants = ("solver", "version") if "version" in by else SOLVER
    solvers = list(dict.fromkeys(name_of(contestants)(record) for record, _ in tallied(records, *contestants)))
    columns = [name.removeprefix(FEATURES) for name in by if name != "version"]
    found = {(score.values, score.solver): score for score in scores(records, by, k=k, time=time)}
    rows: list[list[str]] = []
    means: dict[tuple[str, ...], list[tuple[float, int]]] = {}
    for values, members in grouped(records, by).items():
        pars = [found[values, solver].par for solver in solvers if (values, solver) in found]
        solved = sum(found[values, solver].solved for solver in solvers if (values, solver) in found)
        every = sum(found[values, solver].instances for solver in solvers if (values, solver) in found)
        mean = sum(pars) / len(pars)
        means.setdefault(values[:-1], []).append((mean, len(rows)))
        formulas = _formulas(members)
        instances = len({instance_of(record) for record, _ in tallied(members, "suite", "family", "instance")})
        cells = [f"{instances}", *_sizes(formulas), f"{solved}/{every}"]
        cells += [f"{found[values, solver].par:.2f}" if (values, solver) in found else "" for solver in solvers]
        rows.append([*values, *cells, f"{mean:.2f}"])
    note = f"Variables, clauses: geometric means; encode: mean seconds; then PAR-{k:g} by {_clock(time)}, at last its mean."
    note = f"{note} {claims_told(records)}".rstrip()
    headers = [*columns, "instances", "variables", "clauses", "encode", "solved", *solvers, "mean"]
    best = frozenset(min(group)[1] for group in means.values())
    return Table(title, note, headers, rows, len(columns), best)


def _clock(time: str) -> str:
    return "CPU time" if time == "cpu" else "wall time"


def _formulas(records: Iterable[Record]) -> list[Record]:
    """One record for each formula that was made; a run that failed before there was a formula has none."""
    made = (record for record in records if all((record.get("cnf") or {}).get(name) is not None for name in OF_FORMULA))
    return list({record["cnf"]["sha256"]: record for record in made}.values())


def _sizes(formulas: list[Record]) -> list[str]:
    if not formulas:
        return ["", "", ""]
    cells = [f"{_geometric_mean(record['cnf'][name] for record in formulas):,.0f}" for name in ("variables", "clauses")]
    seconds = [record.get("encode_seconds") or 0.0 for record in formulas]
    return [*cells, f"{sum(seconds) / len(seconds):.2f}"]


def _geometric_mean(values: Iterable[float]) -> float:
    """Of sizes over some orders of magnitude; an empty formula counts as one of size 1."""
    logs = [log(max(value, 1)) for value in values]
    return exp(sum(logs) / len(logs))
