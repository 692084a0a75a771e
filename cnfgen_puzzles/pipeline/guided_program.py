"""A solver guided by guesses of the puzzle's family (`Family.guesses`), as a program with the interface of SAT Competitions.

    python -m cnfgen_puzzles.pipeline.guided_program x.cnf

The comments of the file contain the variable map with the puzzle. The solver, Glucose 4 of python-sat, uses the values of each
guess as initial phases, for a limited number of conflicts, and repairs small errors of the guess. A guess only sets phases, so
it cannot make an answer wrong. After the last guess, or without a map, it solves without phases. Its recipe is `guided.yaml`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.formula import VariableMap, read_dimacs
from cnfgen_puzzles.formula.dimacs import DimacsFile
from cnfgen_puzzles.pipeline.instance import puzzle_of
from cnfgen_puzzles.solving.incremental import IncrementalSolver, print_answer

LED = "glucose4"
CONFLICTS = 20_000
"""The number of conflicts after which the next guess starts (docs/results/hardest.md)."""


def main(words: list[str]) -> int:
    """Solve the formula; returns the exit code: 10, 20, or 0 if there is no formula or answer."""
    file = read_dimacs(open_source(words[-1]))
    clauses = list(file.cnf.clauses())
    for number, guess in enumerate(guesses(file), start=1):
        print(f"c guesses: {number}", flush=True)
        if code := solve_clauses(clauses, guess, CONFLICTS):
            return code
    return solve_clauses(clauses)


def solve_clauses(clauses: Sequence[Sequence[int]], guess: Sequence[int] = (), budget: int | None = None) -> int:
    """Solve and print the answer; returns the exit code, which is 0 if the budget of conflicts is used up."""
    with IncrementalSolver(LED) as solver:  # a new solver each time, because it keeps its first phases
        solver.add_all(clauses)
        solver.prefer(guess)
        satisfiable = solver.solve(budget=budget)
        return 0 if satisfiable is None else print_answer(solver, satisfiable)


def guesses(file: DimacsFile) -> Iterator[Sequence[int]]:
    """The family's guesses for the puzzle of this formula; none if the file does not name the puzzle."""
    try:
        vmap = VariableMap.of_file(file, "the variable map")
        if vmap is None or vmap.renaming is not None:
            return
        family, puzzle = puzzle_of(vmap, "the variable map")
        made = family.guesses(puzzle)
        yield from made(vmap.blocks) if made else ()
    except InputError as error:
        print(f"c no guesses: {error.message:.200}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
