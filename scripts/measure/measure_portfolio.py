#!/usr/bin/env python3
"""Measure portfolios: CPU seconds of each solver on the formula of each puzzle, and the best of each pair.

    python scripts/measure/measure_portfolio.py FAMILY PUZZLE... [--solvers 'kissat,kissat --sat,minisat-core']
        [--seconds 10] [--unique]

The formula is in the first encoding of the family, and the answer is a checked model or UNSATISFIABLE. The solvers run one after
the other. The time of a pair on a puzzle is that of the faster solver, which is its wall time on two free cores; a run without an
answer counts as --seconds. With --unique, the table is followed by the CPU seconds of `unique` with its defaults on one core,
including all processes.
"""

from __future__ import annotations

import argparse
import itertools
import os
import subprocess
import sys
from pathlib import Path

from tabulate import tabulate

import cnfgen_puzzles as cp
from cnfgen_puzzles.common.files import scratch_folder
from cnfgen_puzzles.solving.process import Limits
from cnfgen_puzzles.solving.run import run_solver
from cnfgen_puzzles.solving.table import solver_with_options, split_names

SOLVERS = "kissat,kissat --sat,cadical,minisat-core"


def seconds_of(instance: cp.Instance, named: str, seconds: float) -> float | None:
    """The CPU seconds until the solver has answered; None without an answer."""
    with scratch_folder("sides") as folder:
        file = Path(folder) / "instance.cnf"
        with file.open("wb") as stream:
            instance.write(stream)
        run = run_solver(solver_with_options(named), file, cnf=instance.cnf, limits=Limits(cpu=seconds))
    return run.measurement.cpu if run.decided else None


UNIQUE = """
import sys, cnfgen_puzzles as cp
for path in sys.argv[2:]:
    print(path, cp.unique(cp.read(path, family=sys.argv[1]), cores=1).verdict, flush=True)
"""
"""The program of a separate process, whose children have ended when it ends."""


def used() -> float:
    """CPU seconds of the ended child processes and their descendants."""
    return os.times().children_user + os.times().children_system


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("family")
    parser.add_argument("puzzles", nargs="+", type=Path)
    parser.add_argument("--solvers", default=SOLVERS)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--unique", action="store_true")
    arguments = parser.parse_args()
    solvers = split_names(arguments.solvers)
    taken: dict[str, list[float | None]] = {name: [] for name in solvers}
    for path in arguments.puzzles:
        instance = cp.encode(cp.read(path, family=arguments.family))
        for name in solvers:
            taken[name].append(seconds_of(instance, name, arguments.seconds))
        print(path.name, *(f"{name}: {took[-1]}" for name, took in taken.items()), sep="  ", flush=True)
    rows = []
    for team in [*itertools.combinations(solvers, 1), *itertools.combinations(solvers, 2)]:
        best = [
            min((each for each in each_of if each is not None), default=None)
            for each_of in zip(*(taken[name] for name in team), strict=True)
        ]
        spent = [arguments.seconds if each is None else each for each in best]
        rows.append([" and ".join(team), sum(each is not None for each in best), sum(spent), max(spent)])
    print(tabulate(rows, headers=["solvers", "solved", "seconds", "most"], tablefmt="pipe", floatfmt=".2f"))
    if arguments.unique:
        begun = used()
        subprocess.run([sys.executable, "-c", UNIQUE, arguments.family, *arguments.puzzles], check=True)
        print(f"unique: {used() - begun:.1f} s of CPU")


if __name__ == "__main__":
    main()
