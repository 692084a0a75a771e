"""A solver of python-sat as a program that speaks the competition's dialect: the last resort where there is no other one.

    python -m cnfgen_puzzles.solving.incremental.pysat_program x.cnf

Its recipe is `pysat.yaml`. Not for formulas that grow: `session` is.
"""

from __future__ import annotations

import sys
from importlib.metadata import version

from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.formula import read_dimacs
from cnfgen_puzzles.solving.answers import SATISFIABLE, UNSATISFIABLE, answer_lines
from cnfgen_puzzles.solving.incremental.pysat_solver import DEFAULT, IncrementalSolver


def main(words: list[str]) -> int:
    """The exit code: 10 or 20, 0 for anything but a formula."""
    if words == ["--version"]:
        print(f"python-sat {version('python-sat')} ({DEFAULT})")
        return 0
    cnf = read_dimacs(open_source(words[-1])).cnf
    with IncrementalSolver(DEFAULT) as solver:
        solver.add_all(cnf.clauses())
        satisfiable = solver.solve()
        return tell(solver, bool(satisfiable))


def tell(solver: IncrementalSolver, satisfiable: bool) -> int:
    """Print what the solver has counted and its answer; the exit code."""
    for name, number in solver.statistics().items():
        print(f"c {name}: {number}")
    verdict = SATISFIABLE if satisfiable else UNSATISFIABLE
    print("\n".join(answer_lines(verdict, solver.model if satisfiable else None)), flush=True)
    return 10 if satisfiable else 20


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
