"""Compare the published numbers on nonograms with measured ones, and the default encoding with the published encoding.

    python scripts/check/reproduce_nonograms.py [FOLDER] [--limit SECONDS] [--solver NAME] [--sizes-only]

For each of the 28 sample puzzles of the survey (webpbn-*.nin; twelve are in the project, fetch_webpbn.py downloads the others
from the puzzle site): variables and clauses of the encoding `direct`, which must equal those of the article; whether there is one
solution or several; and CPU seconds of all processes to read, encode, solve, decode, check, and decide uniqueness: by `order`
with the default solver, and by `direct` with minisat as in the article (60 s limit for each call). The seconds of the article are
for another machine (i7-2600K) and for the first solution only.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tabulate import tabulate
from tqdm import tqdm

from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.pipeline.answer import BoardCount
from cnfgen_puzzles.pipeline.solve import pick_solver
from cnfgen_puzzles.solving.table import find_solver
from studies.nonogram_survey.published import Published, published
from studies.nonogram_survey.survey import SAMPLES, SHIPPED, Decided, decide, sizes_of

MOST_SECONDS = 10.0
LEAST_RATIO = 10.0
SIZES = ("puzzle", "variables", "clauses", "as claimed", "solutions", "as claimed", "article s")


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=SAMPLES if SAMPLES.is_dir() else SHIPPED)
    parser.add_argument(
        "--limit", type=float, default=60.0, help="CPU time limit of each call of a solver in seconds (default 60)"
    )
    parser.add_argument("--solver", help="solver for the encoding `order` (default: the preferred one)")
    parser.add_argument("--sizes-only", action="store_true", help="compare only the sizes of formulas")
    arguments = parser.parse_args(words)
    try:
        find_solver("minisat").locate()
        return survey(arguments.folder, arguments.limit, pick_solver(arguments.solver).name, arguments.sizes_only)
    except CnfgenError as error:
        print(f"reproduce_nonograms: {error}", file=sys.stderr)
        return error.exit_code


def survey(folder: Path, limit: float, solver: str, sizes_only: bool) -> int:
    """Prints the table and returns the exit code."""
    rows: list[tuple[object, ...]] = []
    both: list[tuple[Decided, Decided]] = []
    faults: list[str] = []
    for claim in tqdm(published(), unit="puzzle", disable=not sys.stderr.isatty()):
        path = folder / f"{claim.puzzle}.nin"
        if not path.exists():
            print(f"{claim.puzzle}: not in {folder}", file=sys.stderr)
            continue
        sizes = sizes_of(path)
        same = sizes == (claim.variables, claim.clauses)
        if not same:
            faults.append(f"{path.stem}: {sizes} variables and clauses, claimed {claim.variables} and {claim.clauses}")
        row = (path.stem, *sizes, "yes" if same else "NO")
        if sizes_only:
            rows.append((*row, None, None, claim.user_seconds, None, None))
            continue
        order, direct = decide(path, "order", solver, limit), decide(path, "direct", "minisat", limit)
        faults += faults_of(claim, order, direct)
        right = "yes" if order.verdict == claim.solutions else "NO"
        seconds = direct.seconds if direct.verdict != BoardCount.UNDECIDED else f"> {direct.seconds:.0f}"
        rows.append((*row, order.verdict, right, claim.user_seconds, order.seconds, seconds))
        both.append((order, direct))
    headers = [*SIZES, f"order {solver} s", "direct minisat s"]
    print(tabulate(rows, headers=headers, floatfmt=".3f", missingval="-"))
    if both:
        faults += totals(both)
    print("\n".join(faults) if faults else f"All {len(rows)} rows are as published.")
    return 1 if faults else 0


def faults_of(claim: Published, order: Decided, direct: Decided) -> list[str]:
    """Differences from the claim, between the encodings, or from the target."""
    faults = []
    if order.verdict != claim.solutions:
        faults.append(f"{claim.puzzle}: {order.verdict} solution(s), claimed {claim.solutions}")
    if BoardCount.UNDECIDED not in (order.verdict, direct.verdict) and order.verdict != direct.verdict:
        faults.append(f"{claim.puzzle}: order says {order.verdict}, direct says {direct.verdict}")
    if order.seconds > MOST_SECONDS:
        faults.append(f"{claim.puzzle}: {order.seconds:.1f} s of CPU by order, target {MOST_SECONDS} s")
    return faults


def totals(both: list[tuple[Decided, Decided]]) -> list[str]:
    """Prints the totals; returns the missed targets."""
    finished = [(order, direct) for order, direct in both if BoardCount.UNDECIDED not in (order.verdict, direct.verdict)]
    order_all = sum(order.seconds for order, _ in both)
    order_both, direct_both = sum(order.seconds for order, _ in finished), sum(direct.seconds for _, direct in finished)
    worst = max(order.seconds for order, _ in both)
    print(f"\norder: {order_all:.2f} s of CPU for all {len(both)} puzzles, at most {worst:.2f} s for one")
    if not finished:
        return []
    print(
        f"on the {len(finished)} that direct with minisat decides: order {order_both:.2f} s, direct {direct_both:.2f} s, "
        f"ratio {direct_both / order_both:.1f} (target at least {LEAST_RATIO:.0f})"
    )
    return [] if direct_both >= LEAST_RATIO * order_both else ["order is not ten times faster than direct with minisat"]
