"""The worker of an incremental session: python-sat's solver behind standard input and output.

A message is a line of JSON, whose `ints` says how many 32-bit numbers follow it. Requests carry new clauses (flat, ended by 0)
and assumptions, answers the verdict and a model or a core. The worker ends with its input. Run by `session.py` alone.
"""

from __future__ import annotations

import json
import sys
from array import array
from typing import Any, BinaryIO

from cnfgen_puzzles.formula import Cnf
from cnfgen_puzzles.solving.pysat_solver import IncrementalSolver

INTS = "i"


def send(stream: BinaryIO, message: dict[str, Any], numbers: array[int]) -> None:
    stream.write(json.dumps(message | {"ints": len(numbers)}).encode() + b"\n" + numbers.tobytes())
    stream.flush()


def receive(stream: BinaryIO) -> tuple[dict[str, Any], array[int]] | None:
    """The next message; None where the other side has ended, be it in the middle of one."""
    line = stream.readline()
    if not line.endswith(b"\n"):
        return None
    message = json.loads(line)
    numbers: array[int] = array(INTS)
    data = stream.read(numbers.itemsize * message["ints"])
    if len(data) < numbers.itemsize * message["ints"]:
        return None
    numbers.frombytes(data)
    return message, numbers


def main(name: str) -> None:
    with IncrementalSolver(name) as solver:
        while request := receive(sys.stdin.buffer):
            message, numbers = request
            solver.add_all(Cnf(literals=numbers).clauses())
            satisfiable = solver.solve(message["assumptions"])
            numbers = array(INTS, solver.model if satisfiable else solver.core)
            send(sys.stdout.buffer, {"satisfiable": satisfiable, "statistics": solver.statistics()}, numbers)


if __name__ == "__main__":
    main(sys.argv[1])
