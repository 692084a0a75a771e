"""Calls of the public API: the file type-checks under `mypy --strict` against the installed wheel, and runs."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import cnfgen_puzzles as cp


def told(count: cp.Count) -> None:
    print(count.solutions, file=sys.stderr)


def one_board(file: Path) -> cp.Answer:
    puzzle: cp.Puzzle = cp.read(file, family="nonogram")
    limits = cp.Limits(cpu=20, wall=60, memory=2**30)
    outcome = cp.solve(puzzle, limits=limits, seed=1)
    board: cp.Board | None = outcome.board
    if board is not None:
        text: str | bytes = cp.draw(puzzle, board)
        print(text)
    verdict: str = cp.unique(puzzle, encoding="order", certify=False, limits=limits).verdict
    print(outcome.status, outcome.sentence(), verdict, outcome.failed, outcome.to_json()["status"])
    return outcome


def a_formula(file: Path) -> cp.Answer:
    instance: cp.Instance = cp.encode(cp.read(str(file), family="nonogram"), "direct", amo="product")
    stream = io.BytesIO()
    instance.write(stream)
    variables: int = instance.cnf.num_variables
    outcome: cp.Answer = cp.solve(instance, limits=cp.Limits(cpu=20))
    assert isinstance(outcome, cp.FormulaAnswer)
    answer: cp.Answer = cp.unique(instance, proof=False)
    print(variables, outcome.run.measurement.cpu >= 0, answer.boards == [outcome.board], len(stream.getvalue()) > 100)
    return outcome


def all_boards() -> int:
    puzzle = cp.read(family="tiling", board="3x20", pieces="pentominoes")
    solutions: cp.Solutions = cp.solutions(puzzle, engine="blocking", jobs=1, progress=told)
    numbers: list[int] = [solution.number for solution in solutions]
    total: cp.Count = cp.count(puzzle, most=1)
    return numbers[-1] + total.solutions


if __name__ == "__main__":
    try:
        one_board(Path(sys.argv[1]))
        a_formula(Path(sys.argv[1]))
        print(all_boards())
        cp.read("no such file", family="nonogram")
    except cp.InputError as error:
        print("InputError", error.exit_code)
    except cp.CnfgenError as error:
        print("CnfgenError", error)
