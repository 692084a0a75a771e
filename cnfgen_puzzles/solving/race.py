"""A race of solvers: several calls in threads run until their answers suffice; then the remaining calls are ended.

    answers = race([lambda: run_solver(kissat, file), lambda: run_solver(minisat, file)], enough=lambda found: 0 if ... else None)

Supervision ends all processes of the solvers with the race. The caller decides which answer counts (`pipeline.portfolio`). This
module does not use `concurrent.futures`, which takes 0.02 s to load: as long as many calls of a solver.
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
    """The answers by the number of their call, in the order of their arrival, including those of calls that were ended.

    `enough` gets the answers so far, after each answer and when the time has passed that it returned before. It returns how many
    seconds to wait for others (0: none; None: until the next answer). `after` is the delay in seconds of each call; a call starts
    at once if no other is running. Then the remaining runs of `run_process` are ended. An exception in a call ends all calls and
    is raised.
    """
    owner = f"{owner_of_runs()}/{uuid.uuid4()}"
    came: queue.SimpleQueue[tuple[int, R | BaseException]] = queue.SimpleQueue()

    def call(number: int) -> None:
        with runs_of(owner):
            try:
                came.put((number, calls[number]()))
            except BaseException as error:  # for the waiting thread
                came.put((number, error))

    def take(seconds: float | None) -> None:
        number, answer = came.get(timeout=seconds)
        if isinstance(answer, BaseException):
            raise answer
        answers[number] = answer

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
                take(max(min(ends) - time.monotonic(), 0.0) if ends else None)
            except queue.Empty:
                if until is None or until > time.monotonic():
                    continue
            wait = enough(answers)
            if wait is not None and wait <= 0:
                break
            until = None if wait is None else time.monotonic() + wait
    finally:
        interrupt_runs(owner)
        for thread in threads:
            thread.join()
    while not came.empty():
        take(None)
    return answers
