"""One of the processes that enumerate: `python -m cnfgen_puzzles.counting.worker FOLDER NAME`.

It takes one part after the other that no other worker has taken (a file `taken-K`, made by whoever comes first) and prints

    part K              it begins
    s 3 17 99           a solution: the projection variables that are true, in ascending order
    end K 2             all solutions of the part have been printed, two of them

until no part is left; `Transcript` reads that. What it needs to know is in FOLDER (`give_work`). Whatever goes wrong is a line
on stderr and exit code 1; the part is then unfinished.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cnfgen_puzzles.counting.engines import make_engine
from cnfgen_puzzles.counting.problem import Part, Problem
from cnfgen_puzzles.ground.errors import CnfgenError

PROBLEM, WORK = "problem.json", "work.json"


def give_work(folder: Path, problem: str, parts: Mapping[int, Part], engine: Mapping[str, Any]) -> None:
    """Write what the workers of a folder need: the problem (`to_json`), their parts, the engine (`for_worker`)."""
    (folder / PROBLEM).write_text(problem)
    listed = [[number, part.cube, list(part.without)] for number, part in parts.items()]
    (folder / WORK).write_text(json.dumps({"parts": listed, **engine}))


def main(folder: Path, name: str) -> int:
    problem = Problem.from_json((folder / PROBLEM).read_text())
    told = json.loads((folder / WORK).read_text())
    own = folder / name
    own.mkdir()
    try:
        engine = make_engine(problem, told, own)
        for number, cube, without in told["parts"]:
            if _take(folder, number):
                print(f"part {number}", flush=True)
                count = 0
                for solution in engine.solutions(Part(tuple(cube), without)):
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


class Transcript:
    """Reads what a worker prints, line by line: `found` are the solutions of the part that it is at or has just finished."""

    def __init__(self):
        self.found: list[str] = []

    def read(self, line: str) -> int | None:
        """The number of the part that this line finishes, if it does."""
        word, _, rest = line.partition(" ")
        if word == "s":
            self.found.append(rest)
        elif word == "part":
            self.found = []
        elif line == f"end {rest.split(' ')[0]} {len(self.found)}":
            return int(rest.split(" ")[0])
        else:
            raise CnfgenError(f"a worker of an enumeration printed {line[:80]!r}")
        return None


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2]))
