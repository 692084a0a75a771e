"""One of the processes that enumerate: `python -m cnfgen_puzzles.solving.enumeration.worker FOLDER NAME`.

It takes one part after the other that no other worker has taken (a file `taken-K`, made by whoever comes first) and prints

    part K              it begins
    s 3 17 99           a solution: the projection variables that are true, in ascending order
    end K 2             all solutions of the part have been printed, two of them

until no part is left. Whatever goes wrong is a line on stderr and exit code 1; the part is then unfinished.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from cnfgen_puzzles.errors import CnfgenError
from cnfgen_puzzles.solving.enumeration.engines import make_engine
from cnfgen_puzzles.solving.enumeration.problem import parts_of, read_problem


def main(folder: Path, name: str) -> int:
    problem, told = read_problem(folder)
    own = folder / name
    own.mkdir()
    try:
        engine = make_engine(problem, told, own)
        parts = parts_of(told["cubes"])
        for number in told["todo"]:
            if _take(folder, number):
                print(f"part {number}", flush=True)
                count = 0
                for solution in engine.solutions(parts[number]):
                    print("s", *solution, flush=True)
                    count += 1
                print(f"end {number} {count}", flush=True)
    except CnfgenError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _take(folder: Path, number: int) -> bool:
    try:
        os.close(os.open(folder / f"taken-{number}", os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return False
    return True


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2]))
