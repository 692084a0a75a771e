#!/usr/bin/env python3
"""Compare the difficulty of the sample puzzles of the survey with published results.

    python scripts/measure/measure_difficulty.py [--samples FOLDER] [--looks 600000] [--solver cadical195]

Published (instances/nonogram/webpbn/difficulty.csv): whether line logic solves the puzzle, from the performance page of Picross
Solver 0.1.0, and the seconds of the five solvers of the survey; `+`: not finished. Votes or times of people are not available.

Measured: class, score, and the parts of the score (docs/how-to/hints.md), and the conflicts of a solver. The script prints
Spearman's rank correlation of each with the mean rank of the published times, and, as a baseline, of the number of cells.
Puzzles that are not solved within the bound count as harder than all others. FOLDER has the puzzles that must not be
redistributed.
"""

from __future__ import annotations

import argparse
import csv
import math
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY))

import cnfgen_puzzles as cp  # noqa: E402  from the checkout

SHIPPED = REPOSITORY / "instances" / "nonogram" / "webpbn"
SOLVERS = ("wu", "syromolotov", "wolter", "olsak", "simpson")
COLUMNS = ("puzzle", "cells", "claimed", "by lines", "class", "score", "looks ahead", "depth", "conflicts", "rank", "seconds")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--samples", type=Path, default=SHIPPED, metavar="FOLDER")
    parser.add_argument("--looks", type=int, default=600_000)
    parser.add_argument("--depth", type=int, default=1)
    parser.add_argument("--solver", default="cadical195")
    options = parser.parse_args(arguments)
    with (SHIPPED / "difficulty.csv").open(encoding="utf-8") as table:
        published = {row["puzzle"]: row for row in csv.DictReader(table)}
    ranks = mean_ranks(published)
    print(f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}")
    rows = []
    for name in sorted(published, key=lambda name: ranks[name]):
        path = next((folder / f"{name}.nin" for folder in (SHIPPED, options.samples) if (folder / f"{name}.nin").exists()), None)
        if path is not None:
            rows.append(measured(name, path, published[name], ranks[name], options))
            print(f"| {' | '.join(str(rows[-1][column]) for column in COLUMNS)} |", flush=True)
    wrong = [row["puzzle"] for row in rows if row["claimed"] and (row["claimed"] == "yes") != (row["by lines"] == 1)]
    print(f"\nline logic solves the puzzles that the claims say: {f'no: {wrong}' if wrong else 'yes'}")
    for column in ("score", "conflicts", "cells"):
        pairs = [(row["rank"], key(row, column)) for row in rows if row[column] is not None]
        print(f"rank correlation of {column} with the published times, {len(pairs)} puzzles: {spearman(pairs):.2f}")
    return 1 if wrong else 0


def measured(name: str, path: Path, said: Mapping[str, str], rank: float, options: argparse.Namespace) -> dict[str, Any]:
    """A row of the table; `seconds` are CPU seconds of the explanation."""
    puzzle = cp.read(path, family="nonogram")
    begun = time.process_time()
    found = cp.explain(puzzle, depth=options.depth, looks=options.looks)
    seconds = round(time.process_time() - begun, 1)
    conflicts = cp.explain(puzzle, depth=0, solver=options.solver, limits=cp.Limits(cpu=20)).difficulty["conflicts"]
    row = {
        **found.difficulty,
        "puzzle": name,
        "cells": puzzle.width * puzzle.height,
        "claimed": said["lines"],
        "conflicts": conflicts,
    }
    return {**row, "rank": round(rank, 1), "seconds": seconds}


def key(row: Mapping[str, Any], column: str) -> tuple[bool, float]:
    """The sort key of a puzzle for a column."""
    return (column == "score" and row["class"] in ("not solved", "several solutions"), row[column])


def mean_ranks(published: Mapping[str, Mapping[str, str]]) -> dict[str, float]:
    """For each puzzle, the mean of its relative ranks by the times of the solvers that ran on it."""
    shares: dict[str, list[float]] = {name: [] for name in published}
    for solver in SOLVERS:
        times = {name: math.inf if row[solver] == "+" else float(row[solver]) for name, row in published.items() if row[solver]}
        for name, rank in zip(times, ranked(list(times.values())), strict=True):
            shares[name].append(100 * rank / len(times))
    return {name: sum(each) / len(each) for name, each in shares.items()}


def ranked(values: Sequence[Any]) -> list[float]:
    """Ranks from 1; equal values have the mean of their ranks."""
    return [sum(other < value for other in values) + (sum(other == value for other in values) + 1) / 2 for value in values]


def spearman(pairs: Sequence[tuple[Any, Any]]) -> float:
    """Spearman's coefficient: Pearson's coefficient of the ranks; nan if all values of one variable are equal."""
    first, second = (ranked(side) for side in zip(*pairs, strict=True))
    mean = (len(pairs) + 1) / 2
    across = sum((a - mean) * (b - mean) for a, b in zip(first, second, strict=True))
    spread = math.sqrt(sum((a - mean) ** 2 for a in first) * sum((b - mean) ** 2 for b in second))
    return across / spread if spread else math.nan


if __name__ == "__main__":
    sys.exit(main())
