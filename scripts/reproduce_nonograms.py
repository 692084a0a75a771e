#!/usr/bin/env python3
"""The published numbers on nonograms, claimed beside measured, and our encoding beside the published one.

    python scripts/reproduce_nonograms.py [FOLDER] [--limit SECONDS] [--solver NAME] [--sizes-only]

For each of the 28 sample puzzles of the survey (webpbn-*.nin; only twelve may be shipped with the project, the others come from
the puzzle site, see fetch_webpbn.py): variables and clauses of the encoding `direct`, which must be the article's; whether there
is one solution or several; and CPU seconds of *everything*, our own process included, to read, encode, solve, decode, check and
decide uniqueness: by `order` with the default solver, and by `direct` with minisat as in the article (60 s limit on each call).
The article's seconds are of another machine (i7-2600K) and for the first solution only.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from tabulate import tabulate
from tqdm import tqdm

import cnfgen_puzzles as cp
from cnfgen_puzzles.pipeline.solve import pick_solver
from cnfgen_puzzles.pipeline.unique import UNDECIDED
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.table import find_solver

REPOSITORY = Path(__file__).resolve().parent.parent
SHIPPED = REPOSITORY / "instances" / "nonogram" / "webpbn"
SAMPLES = REPOSITORY.parent / "shared" / "data" / "nonogram"
"""Where all 28 lie for those who have them; else the twelve that are shipped are used."""

MOST_SECONDS = 10.0
LEAST_RATIO = 10.0


@dataclass
class Decided:
    """How many solutions, found in how many CPU seconds of all processes together."""

    verdict: str
    seconds: float


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=SAMPLES if SAMPLES.is_dir() else SHIPPED)
    parser.add_argument("--limit", type=float, default=60.0, help="CPU seconds for each call of a solver (default 60)")
    parser.add_argument("--solver", help="for the encoding `order`; by default the preferred one")
    parser.add_argument("--sizes-only", action="store_true", help="no solving")
    arguments = parser.parse_args()
    with (SHIPPED / "published.csv").open(encoding="utf-8") as table:
        published = list(csv.DictReader(table))
    solver = pick_solver(arguments.solver).name
    rows, both, faults = [], [], []
    for claim in tqdm(published, unit="puzzle", disable=not sys.stderr.isatty()):
        path = arguments.folder / f"{claim['puzzle']}.nin"
        if not path.exists():
            print(f"{claim['puzzle']}: not in {arguments.folder}", file=sys.stderr)
            continue
        row, pair = reproduce(claim, path, solver, arguments, faults)
        rows.append(row)
        both.append(pair)
    headers = ["puzzle", "variables", "clauses", "as claimed", "solutions", "as claimed", "article s"]
    headers += [f"order {solver} s", "direct minisat s"]
    print(tabulate(rows, headers=headers, floatfmt=".3f", missingval="-"))
    if not arguments.sizes_only:
        faults += totals(both)
    print("\n".join(faults) if faults else f"All {len(rows)} rows are as published.")
    return 1 if faults else 0


def reproduce(claim: dict[str, str], path: Path, solver: str, arguments: argparse.Namespace, faults: list[str]) -> tuple:
    """One row of the table, and the two Decided of its puzzle; what differs from the claim is added to `faults`."""
    instance = cp.encode("nonogram", cp.read("nonogram", path), "direct")
    sizes = (instance.cnf.num_variables, instance.cnf.num_clauses)
    same = sizes == (int(claim["variables"]), int(claim["clauses"]))
    if not same:
        faults.append(f"{path.stem}: {sizes} variables and clauses, claimed {claim['variables']} and {claim['clauses']}")
    row = [path.stem, *sizes, "yes" if same else "NO"]
    if arguments.sizes_only:
        return [*row, None, None, float(claim["user_seconds"]), None, None], None
    order = decide(path, "order", solver, arguments.limit)
    direct = decide(path, "direct", "minisat", arguments.limit)
    if order.verdict != claim["solutions"]:
        faults.append(f"{path.stem}: {order.verdict} solution(s), claimed {claim['solutions']}")
    if UNDECIDED not in (order.verdict, direct.verdict) and order.verdict != direct.verdict:
        faults.append(f"{path.stem}: order says {order.verdict}, direct says {direct.verdict}")
    if order.seconds > MOST_SECONDS:
        faults.append(f"{path.stem}: {order.seconds:.1f} s of CPU by order, target {MOST_SECONDS} s")
    row += [order.verdict, "yes" if order.verdict == claim["solutions"] else "NO", float(claim["user_seconds"])]
    return [*row, order.seconds, direct.seconds if direct.verdict != UNDECIDED else f"> {direct.seconds:.0f}"], (order, direct)


def decide(path: Path, encoding: str, solver: str, limit: float) -> Decided:
    """One solution, several or none: all of the road, from the file to the checked boards."""
    started = time.process_time()
    instance = cp.encode("nonogram", cp.read("nonogram", path), encoding)
    answer = cp.unique(instance, solver, limits=Limits(cpu=limit))
    ours = time.process_time() - started
    return Decided(answer.verdict, ours + sum(outcome.run.measurement.cpu for outcome in answer.outcomes))


def totals(both: list[tuple[Decided, Decided]]) -> list[str]:
    """Print the totals against the targets; what misses one."""
    finished = [(order, direct) for order, direct in both if UNDECIDED not in (order.verdict, direct.verdict)]
    order_all = sum(order.seconds for order, _ in both)
    order_both, direct_both = (sum(each.seconds for each in column) for column in zip(*finished, strict=True))
    print(
        f"\norder: {order_all:.2f} s of CPU for all {len(both)} puzzles, at most {max(o.seconds for o, _ in both):.2f} s for one"
    )
    print(
        f"on the {len(finished)} that direct with minisat decides: order {order_both:.2f} s, direct {direct_both:.2f} s, "
        f"ratio {direct_both / order_both:.1f} (target at least {LEAST_RATIO:.0f})"
    )
    return [] if direct_both >= LEAST_RATIO * order_both else ["order is not ten times faster than direct with minisat"]


if __name__ == "__main__":
    find_solver("minisat").locate()
    sys.exit(main())
