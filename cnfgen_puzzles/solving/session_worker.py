"""The worker of an incremental session: python-sat's solver behind standard input and output.

A message is a line of JSON, whose `ints` says how many 32-bit numbers follow it. Requests carry new clauses (flat, ended by 0)
and assumptions, answers the verdict and a model. The worker ends with its input. Run by `session.py` alone.
"""

from __future__ import annotations

import json
import sys
from array import array
from typing import Any, BinaryIO

INTS = "i"


def send(stream: BinaryIO, message: dict[str, Any], numbers: array) -> None:
    stream.write(json.dumps(message | {"ints": len(numbers)}).encode() + b"\n" + numbers.tobytes())
    stream.flush()


def receive(stream: BinaryIO) -> tuple[dict[str, Any], array] | None:
    """The next message; None where the other side has ended, be it in the middle of one."""
    line = stream.readline()
    if not line.endswith(b"\n"):
        return None
    message = json.loads(line)
    numbers = array(INTS)
    data = stream.read(numbers.itemsize * message["ints"])
    if len(data) < numbers.itemsize * message["ints"]:
        return None
    numbers.frombytes(data)
    return message, numbers


def main(name: str) -> None:
    from pysat.solvers import Solver

    dead = False  # some of these solvers take the empty clause for no clause
    alive = False  # and one of them crashes before there is any
    with Solver(name=name) as solver:
        while request := receive(sys.stdin.buffer):
            message, numbers = request
            clause: list[int] = []
            for literal in numbers:
                if literal:
                    clause.append(literal)
                else:
                    dead, alive = dead or not clause, True
                    solver.add_clause(clause)
                    clause = []
            assumptions = message["assumptions"]
            if alive:
                satisfiable = not dead and solver.solve(assumptions=assumptions)
                model = array(INTS, solver.get_model() or ()) if satisfiable else array(INTS)
            else:
                satisfiable = not any(-literal in assumptions for literal in assumptions)
                model = array(INTS, assumptions) if satisfiable else array(INTS)
            send(sys.stdout.buffer, {"satisfiable": satisfiable, "statistics": _statistics(solver)}, model)


def _statistics(solver: Any) -> dict[str, int]:
    """What the solver counts; not all of them count."""
    try:
        return dict(solver.accum_stats() or {})
    except NotImplementedError:
        return {}


if __name__ == "__main__":
    main(sys.argv[1])
