"""What a user might write, all of the public API: `test_entrance` has mypy --strict check it, and runs it."""

from __future__ import annotations

import sys

import cnfgen_puzzles as cp

LIMITS = cp.Limits(cpu=60, wall=120.0, memory=2 << 30)


def tell(count: cp.Count) -> None:
    print(count.solutions, count.complete, file=sys.stderr)


def rounds(round: cp.Round) -> None:
    print(round.number, round.added, file=sys.stderr)


def names(outcome: cp.Outcome, answer: cp.Uniqueness) -> str:
    return f"{outcome.status} {answer.verdict}: {answer.sentence()}"


def main() -> int:
    puzzle: cp.Puzzle = cp.read("tiling", board="2x3", pieces="3*domino")
    instance: cp.Instance = cp.encode("tiling", puzzle, "product")
    outcome: cp.FormulaOutcome = cp.solve(instance, limits=LIMITS, seed=1)
    print(outcome.run.measurement.ended, outcome.sentence())
    answer = cp.unique("tiling", puzzle, "product", solver="kissat", limits=LIMITS, certify=True)
    print(names(outcome, answer))
    board: cp.Board = answer.first.board
    print(len(cp.draw("tiling", puzzle, board)))
    solutions: cp.Solutions = cp.enumerate("tiling", puzzle, engine="clasp", jobs=1, progress=tell)
    for solution in solutions:
        print(solution.number, solution.orbit)
    print(cp.count(instance, "clasp", jobs=1, raw=True).sentence())
    maze = cp.read("maze", kind="thin", size="1x2", length=2)
    print(cp.solve("maze", maze, options={"lemmas": 2}, add=1, progress=rounds).sentence())
    try:
        cp.read("tiling", "no such file")
    except cp.InputError as error:
        print(error.source)
    return 0


if __name__ == "__main__":
    sys.exit(main())
