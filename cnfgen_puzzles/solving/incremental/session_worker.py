"""The worker of an incremental session: python-sat's solver behind standard input and output.

A message is a line of JSON, whose `ints` says how many 32-bit numbers follow it. Requests carry new clauses (flat, ended by 0),
the literals that shall be tried first (the last `phases` numbers), assumptions, and after how many conflicts to give up
(`budget`); answers the verdict (null: given up) and a model or a core. The worker ends with its input. It is run by `session.py`
alone.
"""

from __future__ import annotations

import json
import sys
from array import array
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

from cnfgen_puzzles.solving.incremental.pysat_solver import IncrementalSolver

INTS = "i"
START = (
    "import os, sys; sys.path[:0] = os.environ['PYTHONPATH'].split(os.pathsep); "
    "from cnfgen_puzzles.solving.incremental.session_worker import main; main(*sys.argv[1:])"
)
"""What the interpreter runs, with the words of `main`."""


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


def clauses(numbers: Sequence[int]) -> Iterator[list[int]]:
    """Those of a flat list."""
    literals, start = list(numbers), 0
    index, size = literals.index, len(literals)
    while start < size:
        end = index(0, start)
        yield literals[start:end]
        start = end + 1


def main(name: str) -> None:
    """Answer until there is no more input."""
    with IncrementalSolver(name) as solver:
        while request := receive(sys.stdin.buffer):
            message, numbers = request
            added = len(numbers) - message.get("phases", 0)
            solver.add_all(clauses(numbers[:added]))
            if numbers[added:]:
                solver.prefer(numbers[added:].tolist())
            satisfiable = solver.solve(message["assumptions"], message.get("budget"))
            told = array(INTS, solver.model if satisfiable else solver.core)
            said = {"satisfiable": satisfiable, "statistics": solver.statistics()}
            send(sys.stdout.buffer, said, told)
