#!/usr/bin/env python3
"""Print what the records of the benchmark pack show: the tables of docs/results/pack.md that `bench-cnf scores` does not print.

    python scripts/make/show_pack.py [spread|evidence|runs|encodings|solvers|scaling|competition]...      # default: all tables

The tables come from `instances/pack/results.jsonl` and `runs.jsonl` only. `bench-cnf scores` compares in the same way.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from math import exp, inf
from typing import Any

from make_pack import MEASURED, ONE_SOLVER, read_runs, recorded, stage_and_name
from tabulate import tabulate

from cnfgen_puzzles.bench.analyse.alarms import judged
from cnfgen_puzzles.bench.analyse.scores import grid
from cnfgen_puzzles.bench.analyse.statistics import compare_all, fit_power
from cnfgen_puzzles.bench.show.tables import estimate_cells, p_cell
from cnfgen_puzzles.solving.answers import DECIDED, SATISFIABLE, UNSATISFIABLE

BOUNDS = (0, 0.1, 1, 10, 100, 3600)
SERIES = {
    "n-Dom without its solution, by n": r"nonogram\.ndom-size-(\d+)-.*\.(\w+)\.excluded",
    "dominoes on n x n without opposite corners, by n": r"tiling\.dominoes-on-(\d+)x.*\.(\w+)",
    "first 40 mazes, thin 3x2, by letters": r"maze\.thin-3x2-40-mazes-length-(\d+)\.(\w+)",
    "loop through all cells of n x n, n odd, by n": r"simpleloop\.simpleloop-(\d+)x\d*[13579]\.(\S+)",
}
"""Instances of growing size: a name of the series, and a pattern of names with the size and the encoding."""
LEAST = 0.02
"""A fit uses runs of at least this many CPU seconds; shorter ones consist of starting the solver."""


RESULTS, RUNS = list(recorded().values()), list(read_runs(MEASURED))


def spread() -> str:
    """Instances by the CPU seconds of the fastest solver and by verdict."""
    best = {line["name"]: inf for line in RESULTS}
    tried: Counter[str] = Counter()
    for run in RUNS:
        stage, name = stage_and_name(run)
        tried[name] += 1
        if run["status"] in DECIDED and stage != "plain":
            best[name] = min(best[name], run["cpu"])
    rows = []
    for low, high in pairwise(BOUNDS):
        rows.append((f"{low:g} to {high:g} s", [line for line in RESULTS if low <= best[line["name"]] < high]))
    rows.append(("no answer within the limits", [line for line in RESULTS if best[line["name"]] == inf and tried[line["name"]]]))
    rows.append(("not run", [line for line in RESULTS if not tried[line["name"]]]))
    return table(
        ["fastest solver", "satisfiable", "unsatisfiable", "instances"],
        [
            [title, *(sum(line["expected"] == verdict for line in found) for verdict in (SATISFIABLE, UNSATISFIABLE)), len(found)]
            for title, found in rows
        ],
    )


def evidence() -> str:
    """Instances by the strongest evidence for the verdict, and counts by their sources."""
    found = Counter((line["strongest"] or "none", line["expected"]) for line in RESULTS)
    kinds = ("model", "proof", "argument", "recorded fact", "two solvers", ONE_SOLVER, "none")
    rows = [[kind, found[kind, SATISFIABLE], found[kind, UNSATISFIABLE]] for kind in kinds]
    supported = sum(line["verdict"] is not None for line in RESULTS)
    engines = Counter(line["engines"] for line in RESULTS if line["count"])
    counts = f"{engines.total()} have a count: {engines[2]} by two engines, {engines[1]} by one, {engines[0]} recorded only."
    return table(["strongest evidence", "satisfiable", "unsatisfiable"], rows) + f"\n{supported} have a verdict. {counts}"


def runs() -> str:
    """Runs by stage and solver."""
    found: defaultdict[tuple[str, str, float], list[dict[str, Any]]] = defaultdict(list)
    for run in RUNS:
        found[stage_and_name(run)[0], run["solver"], run["limits"]["cpu"]].append(run)
    rows = []
    for (stage, solver, limit), own in sorted(found.items()):
        decided = Counter(run["status"] for run in own)
        checked = sum((run.get("evidence") or {}).get("kind") == "proof" for run in own)
        rows.append([stage, solver, f"{limit:g} s", len(own), decided[SATISFIABLE], decided[UNSATISFIABLE], checked])
        rows[-1].append(f"{sum(run['cpu'] for run in own) / 60:.1f}")
    return table(["stage", "solver", "limit", "runs", "sat", "unsat", "proofs checked", "CPU minutes"], rows)


def scaling() -> str:
    """Seconds by size, and the growth for each step of the size with Student's interval at 95 %."""
    rows = []
    for title, pattern in SERIES.items():
        points: defaultdict[tuple[str, str], dict[int, float | str]] = defaultdict(dict)
        for run in RUNS:
            stage, name = stage_and_name(run)
            if stage in ("times", "minute", "hour") and (match := re.fullmatch(pattern, name)):
                own, size = points[match[2], run["solver"]], int(match[1])
                if run["status"] in DECIDED:
                    own[size] = run["cpu"]
                elif not isinstance(own.get(size), float):
                    own[size] = f">{run['limits']['cpu']:g}"
        for (encoding, solver), own in sorted(points.items()):
            fit = fit_power([(exp(n), seconds) for n, seconds in own.items() if isinstance(seconds, float) and seconds >= LEAST])
            if fit is None:
                continue
            growth = " to ".join(f"{exp(value):.2f}" for value in (fit.low, fit.high))
            times = ", ".join(f"{n}: {own[n] if isinstance(own[n], str) else f'{own[n]:.2f}'}" for n in sorted(own))
            rows.append([title, encoding, solver, times, f"{exp(fit.exponent):.2f}", growth])
    return table(["series", "encoding", "solver", "seconds by size", "growth", "95 %"], rows)


def competition() -> str:
    """Instances that meet the rule of the SAT Competition for new benchmarks."""
    found = [line for line in RESULTS if line["competition"]]
    rows = [[line["name"], line["expected"], line["competition"]] for line in found]
    return table(["instance", "verdict", "measured"], rows) + f"\n{len(found)} instances."


COMPARED = (
    ("nonogram", "order", "direct"),
    ("nonogram", "order", "regular"),
    ("", "tree-cotree", "rank"),
    ("tiling", "product", "pairwise"),
    ("tiling", "product", "product regions=true"),
    ("maze", "pruned", "article"),
    ("maze", "pruned", "states"),
)
"""Pairs of encodings, and their family (empty: all grid genres)."""


def encodings() -> str:
    """Encodings in pairs, with kissat."""
    own = [run for run in RUNS if stage_and_name(run)[0] == "times" and run["solver"] == "kissat"]
    return compared(
        [(family or "grid puzzles", [run for run in own if family in run["family"]], a, b) for family, a, b in COMPARED],
        "encoding",
    )


def solvers() -> str:
    """kissat against the others, and against itself without preprocessing."""
    own = [run for run in RUNS if stage_and_name(run)[0] in ("times", "plain")]
    others = dict.fromkeys(run["solver"] for run in own if run["solver"] != "kissat")
    return compared([("all", own, "kissat", other) for other in others], "solver")


def compared(pairs: Sequence[tuple[str, Sequence[dict[str, Any]], str, str]], what: str) -> str:
    """A row for each pair of solvers or encodings: B's PAR-2 divided by A's, with its interval at 95 %."""
    found = compare_all({(group, a, b): (grid(judged(own), (what,)), a, b) for group, own, a, b in pairs})
    rows = []
    for (group, *_), c in found.items():
        solved = f"{c.both + c.only_a}, {c.both + c.only_b}"
        pars = f"{c.par_a:.2f}, {c.par_b:.2f}"
        rows.append([group, c.a, c.b, c.instances, solved, pars, *estimate_cells(c.par_ratio), f"{c.wins}, {c.losses}"])
        rows[-1] += [p_cell(c.p), c.winner or "neither"]
    head = ["on", "A", "B", "instances", "solved A, B", "PAR-2 A, B", "B / A", "95 %", "wins A, B", "p", "clearly better"]
    return tabulate(rows, headers=head, tablefmt="simple", disable_numparse=[6, 9])


def table(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    return tabulate(rows, headers=head, tablefmt="simple")


TABLES: dict[str, Callable[[], str]] = {
    each.__name__: each for each in (spread, evidence, runs, encodings, solvers, scaling, competition)
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=f"{', '.join(TABLES)} (default: all)")
    wanted = parser.parse_args().tables
    if unknown := [name for name in wanted if name not in TABLES]:
        parser.error(f"found {unknown[0]}, expected: {', '.join(TABLES)}")
    print("\n\n".join(TABLES[name]() for name in wanted or TABLES))
    return 0


if __name__ == "__main__":
    sys.exit(main())
