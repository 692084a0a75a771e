"""Tasks in a separate Python process, under limits and confined: engines, model counters, and incremental solvers.

    @dataclass(frozen=True)
    class CountTask:
        formula: Path

        def run(self, folder: Path, answers: TextIO) -> None:
            print("count", count(self.formula), file=answers)

    measurement = run_worker(folder, CountTask(formula), limits, scratch=folder / "scratch")
    reason = failure_of(measurement, (folder / "stderr").read_bytes())

- start: `run_worker` writes the task, which is pickled, into the folder and starts this Python, without `site`;
- request: the task; that of a session reads more requests from its standard input until that ends;
- answer: `answers` is `folder/stdout`; all other output goes to `folder/stderr`;
- interrupt, limits: as for each run (`process`);
- death: a failure is the last line on stderr and the exit code 1; `failure_of` has the reason;
- retry: none; `distribute` repeats the call of a worker that was killed.
"""

from __future__ import annotations

import os
import pickle
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TextIO

from cnfgen_puzzles.common.errors import CnfgenError

if TYPE_CHECKING:
    from cnfgen_puzzles.solving.process import Limits, Measurement

TASK = "task"
START = (
    "import os, sys; sys.path[:0] = os.environ['PYTHONPATH'].split(os.pathsep); "
    "from cnfgen_puzzles.solving.workerprocess import main; sys.exit(main(sys.argv[1]))"
)
LAST_OUTPUT = 2000
"""Bytes at the end of stderr that are searched for the reason of a failure."""


class WorkerTask(Protocol):
    """The work of a worker process; it may make files in `folder`."""

    def run(self, folder: Path, answers: TextIO) -> None:
        """Do the work; any exception is a failure."""


def write_task(folder: Path, task: WorkerTask) -> list[str]:
    """Write the file with the task of a worker process; returns the command that starts the process."""
    (folder / TASK).write_bytes(pickle.dumps(task, pickle.HIGHEST_PROTOCOL))
    # -I, -S: modules have the same path as in this process, never the scratch folder; and it starts faster
    return [sys.executable, "-I", "-S", "-c", START, str(folder)]


def run_worker(
    folder: Path, task: WorkerTask, limits: Limits, *, scratch: Path | None = None, stdin: Path | None = None
) -> Measurement:
    """Run a worker process to its end. With a scratch folder, it may write only to that folder."""
    from cnfgen_puzzles.solving.confinement import Confinement, python_environment, python_files  # a worker does not need this
    from cnfgen_puzzles.solving.process import run_process

    confinement = None if scratch is None else Confinement(scratch, reads=[folder, *python_files()])
    return run_process(
        write_task(folder, task), stdin=stdin, stdout=folder / "stdout", stderr=folder / "stderr", limits=limits,
        env=python_environment(), confinement=confinement,
    )  # fmt: skip


def failure_of(measurement: Measurement, errors: bytes) -> str:
    """The reason for the failure of a worker process with this output on stderr, except limits; empty if it did not fail."""
    from cnfgen_puzzles.solving.supervision import EXIT, LAUNCH_FAILED, OUTPUT_LIMIT, SUPERVISOR_LOST

    if (measurement.ended, measurement.exit_code) == (EXIT, 0):
        return ""
    if measurement.ended == LAUNCH_FAILED:
        return f"could not be started: {measurement.detail}"
    if measurement.ended == SUPERVISOR_LOST:
        return measurement.detail
    if measurement.ended == OUTPUT_LIMIT:
        return "its output exceeded the limit"
    how = f"signal {measurement.signal}" if measurement.signal else f"exit code {measurement.exit_code}"
    lines = errors[-LAST_OUTPUT:].decode("utf-8", "replace").strip().splitlines()
    return f"failed with {how}{f': {lines[-1]}' if lines else ''}"


def main(folder: str) -> int:
    """In the worker process: do the task in a folder; returns the exit code."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    try:
        pickle.loads((Path(folder) / TASK).read_bytes()).run(Path(folder), answers)
    except Exception as error:
        print(error if isinstance(error, CnfgenError) else f"{type(error).__name__}: {error}", file=sys.stderr)
        return 1
    return 0
