"""Several calls of solvers side by side, each in a thread of its own, until their answers are enough; the rest is ended then.

    answers = race([lambda: run_solver(kissat, file), lambda: run_solver(minisat, file)], enough=lambda found: 0 if ... else None)

All begin at once, however many cores there are: then they share them. What a solver starts is supervised as always, so that no
process outlives the race, whoever wins it and whatever ends it. Which answer counts is the caller's affair (`evidence.first`).
"""

from __future__ import annotations

import os
import queue
import shlex
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.solving.process import interrupt_runs, owner_of_runs, runs_of
from cnfgen_puzzles.solving.table import Solver, find_solver

Answer = TypeVar("Answer")


def race(
    calls: Sequence[Callable[[], Answer]],
    enough: Callable[[dict[int, Answer]], float | None],
    *,
    after: Sequence[float] = (),
) -> dict[int, Answer]:
    """The answers by the number of their call, in the order in which they came; those of calls that were ended are among them.

    `enough` is asked after each answer what those so far are worth: for how many seconds more to wait for others (0: not at all;
    None: until all have answered). `after`: how many seconds later than the race each call begins; where no other is left, it
    begins at once. The runs of `run_process` that are left then are ended. An exception of a call ends all and is raised.
    """
    owner = f"{owner_of_runs()}/{uuid.uuid4()}"
    came: queue.SimpleQueue[tuple[int, Answer | BaseException]] = queue.SimpleQueue()

    def begin(number: int) -> threading.Thread:
        thread = threading.Thread(target=_call, args=(calls[number], owner, number, came), daemon=True)
        thread.start()
        return thread

    begun = time.monotonic()
    later = sorted(((after[number] if after else 0.0) + begun, number) for number in range(len(calls)))
    threads: list[threading.Thread] = []
    answers: dict[int, Answer] = {}
    until: float | None = None
    try:
        while len(answers) < len(calls):
            while later and (later[0][0] <= time.monotonic() or len(threads) == len(answers)):
                threads.append(begin(later.pop(0)[1]))
            ends = [moment for moment in (until, later[0][0] if later else None) if moment is not None]
            try:
                number, answer = came.get(timeout=max(min(ends) - time.monotonic(), 0.0) if ends else None)
            except queue.Empty:
                if until is not None and until <= time.monotonic():
                    break
                continue
            answers[number] = _raised(answer)
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
        answers[number] = _raised(answer)
    return answers


def _call(
    call: Callable[[], Answer], owner: str, number: int, came: queue.SimpleQueue[tuple[int, Answer | BaseException]]
) -> None:
    with runs_of(owner):
        try:
            came.put((number, call()))
        except BaseException as error:  # for the thread that waits
            came.put((number, error))


def _raised(answer: Answer | BaseException) -> Answer:
    if isinstance(answer, BaseException):
        raise answer
    return answer


def split_names(named: str | Iterable[str]) -> list[str]:
    """`kissat --sat,minisat-core` as the solvers that it names, each with its options; so, too, each of several such texts.

    A text that is the path of a file is one name, whatever is in it.
    """
    texts = [named] if isinstance(named, str) else list(named)
    parts = [part.strip() for text in texts for part in ([text] if os.path.isfile(text) else text.split(","))]
    if not parts or "" in parts:
        raise InputError(f"found {','.join(texts)!r}, expected solvers with commas between them, such as kissat,minisat-core")
    return parts


def solver_with_options(named: str) -> Solver:
    """The solver of that name or path, with the options after it: `kissat --sat`; it is called so in all that is told.

    InputError for a name that is none, and for quotes that do not end.
    """
    if os.path.isfile(named):
        return find_solver(named)
    try:
        name, *options = shlex.split(named)
    except ValueError as error:
        raise InputError(f"found the solver {named!r}: {error}") from None
    solver = find_solver(name)
    return solver.alike(" ".join([solver.name, *options]), options=tuple(options), executable=solver.executable,
                        title=solver.title, version=solver.version) if options else solver  # fmt: skip
