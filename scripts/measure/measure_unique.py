#!/usr/bin/env python3
"""Measure what each speed-up of `unique` gains: CPU seconds of all processes, with all of them and without each one.

    python scripts/measure/measure_unique.py PUZZLE... [--family nonogram] [--without plain,finder]

The puzzles are solved one after the other in one process for each row. docs/explanation/portfolio.md has a table.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
from collections.abc import Callable
from typing import Any

from tabulate import tabulate

import cnfgen_puzzles as cp
from cnfgen_puzzles.pipeline import portfolio, solve, unique


def without_plain() -> None:
    vars(unique)["plain_board"] = lambda instance: None


def without_quick() -> None:
    quickly: Any = unique.solve_quickly
    vars(unique)["solve_quickly"] = lambda instance, solvers, task, name: quickly(instance, solvers, task, None)


def without_finder() -> None:
    vars(unique)["FINDER"] = unique.QUICK


def without_phase() -> None:
    run: Any = solve.run_on_instance
    for module in (solve, portfolio):
        vars(module)["run_on_instance"] = lambda instance, solver, task: run(instance, solver, task._replace(phase=()))


def without_false() -> None:
    vars(portfolio)["TOWARD_FALSE"] = {}


SPEEDUPS: dict[str, Callable[[], None]] = {
    "plain": without_plain,
    "quick": without_quick,
    "finder": without_finder,
    "phase": without_phase,
    "false": without_false,
}
"""The speed-ups, and functions that disable them in this process."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("puzzles", nargs="+")
    parser.add_argument("--family", default="nonogram")
    parser.add_argument("--without", default=",".join(SPEEDUPS), help="measure without each of these: " + ", ".join(SPEEDUPS))
    parser.add_argument("--only", help=argparse.SUPPRESS)  # the process of a row
    given = parser.parse_args()
    if given.only is not None:
        if given.only:
            SPEEDUPS[given.only]()
        for path in given.puzzles:
            cp.unique(cp.read(path, family=given.family))
        return
    rows = []
    for name in ("", *given.without.split(",")):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, __file__, *given.puzzles, "--family", given.family, "--only", name]
        subprocess.run(command, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        rows.append((f"without {name}" if name else "all", after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime))
    print(tabulate([(name, seconds, seconds / rows[0][1]) for name, seconds in rows], ("", "CPU s", "ratio"), floatfmt=".2f"))


if __name__ == "__main__":
    main()
