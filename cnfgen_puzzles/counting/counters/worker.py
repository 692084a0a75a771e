"""The process in which a model counter counts: `python -m cnfgen_puzzles.counting.counters.worker FOLDER`.

Several formulas may be counted, one after the other: the same clauses, each time with others besides. What it needs to know is in
FOLDER (`give_work`). It prints a line for each, `count 0x1f` (all digits, in the base that Python converts at once). What a
counter prints itself goes to stderr. Whatever goes wrong is a line on stderr and exit code 1.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.counting.counters.reduction import reduce_formula
from cnfgen_puzzles.counting.counters.table import COUNTERS
from cnfgen_puzzles.counting.problem import Problem
from cnfgen_puzzles.counting.problemfile import read_problem, write_problem

Clauses = Sequence[Sequence[int]]
WORK, PROBLEM = "work.json", "problem"


def worker_command(folder: Path) -> list[str]:
    """What runs the worker of a folder."""
    # -P: modules come from where they come from here, and never from the scratch folder
    return [sys.executable, "-P", "-m", "cnfgen_puzzles.counting.counters.worker", str(folder)]


def give_work(folder: Path, problem: Problem, counter: str, restrictions: Sequence[Clauses]) -> None:
    """Write what the worker of a folder needs."""
    write_problem(problem, folder / PROBLEM)
    (folder / WORK).write_text(json.dumps({"counter": counter, "restrictions": [list(map(list, each)) for each in restrictions]}))


def read_counts(text: str) -> list[int]:
    """The numbers that a worker has printed; a line that is cut off is none."""
    counts = []
    for line in text.splitlines(keepends=True):
        word, _, digits = line.partition(" ")
        if word != "count" or not digits.startswith("0x"):
            raise CnfgenError(f"a worker of a model counter printed {line[:80]!r}")
        if line.endswith("\n"):
            counts.append(int(digits, 16))
    return counts


def main(folder: Path) -> int:
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    sys.set_int_max_str_digits(0)  # pyganak makes its numbers of decimal digits
    try:
        told = json.loads((folder / WORK).read_text())
        counter, problem = COUNTERS[told["counter"]], read_problem(folder / PROBLEM)
        clauses = list(problem.cnf.clauses())
        for restriction in told["restrictions"]:
            reduced = reduce_formula([*clauses, *restriction], problem.projection)
            number = counter.count(reduced) if reduced.known is None else reduced.known
            print("count", hex(number * reduced.factor), file=answers, flush=True)
    except Exception as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
