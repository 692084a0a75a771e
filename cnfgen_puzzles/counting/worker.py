"""The process that enumerates: `python -m cnfgen_puzzles.counting.worker FOLDER`.

It takes one part after the other and prints

    part K              it begins
    s 3 17 99           a solution: the projection variables that are true, in ascending order
    end K 2             all solutions of the part have been printed, two of them
    c compiling ...     what it does besides searching; `c ` alone when that is over

`Transcript` reads that. What it needs to know is in FOLDER (`give_work`), which is also for its engine's files. Whatever goes
wrong is a line on stderr and exit code 1; the part is then unfinished.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cnfgen_puzzles.common.activity import listening
from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.counting.engines import make_engine
from cnfgen_puzzles.counting.problem import Part
from cnfgen_puzzles.counting.problemfile import read_problem

WORK = "work.json"


def worker_command(folder: Path) -> list[str]:
    """What runs the worker of a folder."""
    return [sys.executable, "-m", "cnfgen_puzzles.counting.worker", str(folder)]


def give_work(folder: Path, problem: Path, parts: Mapping[int, Part], engine: Mapping[str, Any]) -> None:
    """Write what the worker of a folder needs: the file of the problem, its parts, the engine (`for_worker`)."""
    listed = [[number, part.cube, list(part.without)] for number, part in parts.items()]
    (folder / WORK).write_text(json.dumps({"problem": str(problem), "parts": listed, **engine}))


def main(folder: Path) -> int:
    told = json.loads((folder / WORK).read_text())
    try:
        engine = make_engine(read_problem(Path(told["problem"])), told, folder)
        with listening(lambda what: print("c", what, flush=True)):
            for number, cube, without in told["parts"]:
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


class Transcript:
    """Reads what a worker prints, line by line: `found` are the solutions of the part that it is at or has just finished."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def read(self, line: str) -> int | None:
        """The number of the part that this line finishes, if it does."""
        word, _, rest = line.partition(" ")
        if word == "s":
            self.found.append(rest)
        elif word == "part":
            self.found = []
        elif word == "c":
            pass  # for who watches (`assignments`)
        elif line == f"end {rest.split(' ')[0]} {len(self.found)}":
            return int(rest.split(" ")[0])
        else:
            raise CnfgenError(f"a worker of an enumeration printed {line[:80]!r}")
        return None


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
