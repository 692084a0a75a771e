"""A solver that is led by guesses of the puzzle's family (`Family.guesses`), as a program that speaks the competition's dialect.

    python -m cnfgen_puzzles.pipeline.guided_program x.cnf

The puzzle is in the map in the file's comments. Of each guess the solver, Glucose 4 of python-sat, takes the values first, for
some conflicts. So a guess with a few faults is repaired, and a guess is never believed: answers are the solver's. After the last
guess, and where there is no map, it solves as it does without. Its recipe is `guided.yaml`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import version

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.sources import open_source
from cnfgen_puzzles.formula import VariableMap, read_dimacs
from cnfgen_puzzles.formula.dimacs import DimacsFile
from cnfgen_puzzles.pipeline.instance import puzzle_of
from cnfgen_puzzles.solving.incremental import IncrementalSolver, print_answer

LED = "glucose4"
CONFLICTS = 20_000
"""After how many of them the next guess is better worth its time: docs/hardest.md."""


def main(words: list[str]) -> int:
    """The exit code: 10 or 20, 0 for anything but a formula."""
    if words == ["--version"]:
        print(f"python-sat {version('python-sat')} ({LED})")
        return 0
    file = read_dimacs(open_source(words[-1]))
    clauses = list(file.cnf.clauses())
    for number, guess in enumerate(guesses(file), start=1):
        print(f"c guesses: {number}", flush=True)
        if code := solve_clauses(clauses, guess, CONFLICTS):
            return code
    return solve_clauses(clauses)


def solve_clauses(clauses: Sequence[Sequence[int]], guess: Sequence[int] = (), budget: int | None = None) -> int:
    """The exit code after the answer was printed; 0 where the solver gave up after that many conflicts."""
    with IncrementalSolver(LED) as solver:  # anew: it keeps to the values that it was given first
        solver.add_all(clauses)
        solver.prefer(guess)
        satisfiable = solver.solve(budget=budget)
        return 0 if satisfiable is None else print_answer(solver, satisfiable)


def guesses(file: DimacsFile) -> Iterator[Sequence[int]]:
    """What the family guesses of the puzzle of this formula; nothing where the file does not say which that is."""
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
