"""A race of solvers: several calls, each in a thread of its own, until their answers are enough; the rest is ended then.

    answers = race([lambda: run_solver(kissat, file), lambda: run_solver(minisat, file)], enough=lambda found: 0 if ... else None)

What a solver starts is supervised as always, so no process outlives the race. Which answer counts is for the caller to decide
(`evidence.first`). This is no `pool`: that takes a tenth of a second to load.
"""

from __future__ import annotations

import queue
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from typing import TypeVar

from cnfgen_puzzles.solving.process import interrupt_runs, owner_of_runs, runs_of

R = TypeVar("R")


def race(
    calls: Sequence[Callable[[], R]],
    enough: Callable[[dict[int, R]], float | None],
    *,
    after: Sequence[float] = (),
) -> dict[int, R]:
    """The answers by the number of their call, in the order in which they came; those of calls that were ended are among them.

    `enough` is asked after each answer what those so far are worth: for how many seconds more to wait for others (0: not at all;
    None: until all have answered). `after`: how many seconds later than the race each call begins; where no other is left, it
    begins at once. The runs of `run_process` that are left then are ended. An exception of a call ends all and is raised.
    """
    owner = f"{owner_of_runs()}/{uuid.uuid4()}"
    came: queue.SimpleQueue[tuple[int, R | BaseException]] = queue.SimpleQueue()

    def call(number: int) -> None:
        with runs_of(owner):
            try:
                came.put((number, calls[number]()))
            except BaseException as error:  # for the thread that waits
                came.put((number, error))

    begun = time.monotonic()
    later = sorted(((after[number] if after else 0.0) + begun, number) for number in range(len(calls)))
    threads: list[threading.Thread] = []
    answers: dict[int, R] = {}
    until: float | None = None
    try:
        while len(answers) < len(calls):
            while later and (later[0][0] <= time.monotonic() or len(threads) == len(answers)):
                threads.append(threading.Thread(target=call, args=(later.pop(0)[1],), daemon=True))
                threads[-1].start()
            ends = [moment for moment in (until, later[0][0] if later else None) if moment is not None]
            try:
                number, answer = came.get(timeout=max(min(ends) - time.monotonic(), 0.0) if ends else None)
            except queue.Empty:
                if until is not None and until <= time.monotonic():
                    break
                continue
            answers[number] = _raise_or_return(answer)
            wait = enough(answers)
            if wait is not None:
                until = min(until or float("inf"), time.monotonic() + wait)
                if wait == 0:
                    break
    finally:
        interrupt_runs(owner)
        for thread in threads:
            thread.join()
    while not came.empty():
        number, answer = came.get()
        answers[number] = _raise_or_return(answer)
    return answers


def _raise_or_return(answer: R | BaseException) -> R:
    if isinstance(answer, BaseException):
        raise answer
    return answer
