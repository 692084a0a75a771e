"""Tasks in a separate Python process, under limits and confined: engines, model counters, and incremental solvers.

    @dataclass(frozen=True)
    class CountTask:
        formula: Path

        def run(self, folder: Path, answers: TextIO) -> None:
            print("count", count(self.formula), file=answers)

    measurement = run_worker(folder, CountTask(formula), limits, scratch=folder / "scratch")
    reason = failure_of(measurement, (folder / "stderr").read_bytes())

- start: `run_worker` writes the task, which is pickled, into the folder and starts this Python, without `site`;
- request: the task; the task of a `Worker` reads messages from its standard input until that ends;
- answer: `answers` is `folder/stdout`; all other output goes to `folder/stderr`;
- interrupt, limits: as for each run (`process`);
- death: a failure is the last line on stderr and the exit code 1; `failure_of` has the reason;
- retry: none; `distribute` repeats the call of a worker that was killed.
"""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import sys
import threading
import uuid
from array import array
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol, TextIO

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
INTS = "i"
"""The type of the numbers of a message."""


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


# -- workers that answer several requests -----------------------------------------------------------------------------------


class Worker:
    """A worker process that answers messages until it is closed, or until a limit or a signal ends it.

    Each answer has the CPU time of the process so far (`cpu`) and its peak `memory`. `owner`: see `process.interrupt_runs`.
    """

    def __init__(self, task: WorkerTask, limits: Limits):
        from cnfgen_puzzles.common.files import ScratchFolder
        from cnfgen_puzzles.solving.process import owner_of_runs

        self.measurement: Measurement | None = None
        self.limits, self.caller = limits, (os.getpid(), owner_of_runs())
        self.cpu, self.memory = 0.0, 0
        self.busy = False
        self.owner = f"{owner_of_runs()}/{uuid.uuid4()}"
        self._folder = ScratchFolder("worker")
        folder = self._folder.path
        for name in ("stdin", "stdout"):
            os.mkfifo(folder / name)
        (folder / "scratch").mkdir()
        (folder / "stderr").touch()
        self._errors = (folder / "stderr").open("rb")
        self._thread = threading.Thread(target=self._run, args=(folder, task, limits), daemon=True)
        self._thread.start()
        self._requests = (folder / "stdin").open("wb")
        self._answers = (folder / "stdout").open("rb")

    def _run(self, folder: Path, task: WorkerTask, limits: Limits) -> None:
        from cnfgen_puzzles.solving.process import count_cpu, runs_of

        with runs_of(self.owner):
            self.measurement = run_worker(folder, task, limits, scratch=folder / "scratch", stdin=folder / "stdin")
        count_cpu(-self.cpu)  # the run has counted it again

    def fits(self, limits: Limits) -> bool:
        """Whether a call with these limits, by this process and for the same owner, can use the worker."""
        from cnfgen_puzzles.solving.process import owner_of_runs

        return self._thread.is_alive() and not self.busy and (self.limits, *self.caller) == (limits, os.getpid(), owner_of_runs())

    def send(self, message: dict[str, Any], numbers: array[int]) -> None:
        """Send a message; BrokenPipeError if the process has ended."""
        send_message(self._requests, message, numbers)

    def ask(self, message: dict[str, Any], numbers: array[int]) -> tuple[dict[str, Any], array[int]] | None:
        """The answer to a message; None if the process has ended."""
        from cnfgen_puzzles.solving.process import count_cpu

        self.busy = True
        try:
            self.send(message, numbers)
            answer = receive_message(self._answers)
        except BrokenPipeError:
            answer = None
        self.busy = False
        if answer is not None:
            self._folder.close()  # the process has opened its files; a worker that outlives a call leaves none
            count_cpu(answer[0]["cpu"] - self.cpu)
            self.cpu, self.memory = answer[0]["cpu"], answer[0]["memory"]
        return answer

    def end(self) -> tuple[Measurement | None, str]:
        """Wait until the process has ended; returns its measurement, if there is one, and the reason of a failure."""
        self._thread.join()
        if self.measurement is None:
            return None, "lost its supervisor"
        return self.measurement, failure_of(self.measurement, self._errors.read())

    def close(self) -> None:
        """End the process, and its current call if the answer was not read (Ctrl-C during a call)."""
        from cnfgen_puzzles.solving.process import interrupt_runs

        if self.busy:
            interrupt_runs(self.owner)
        for stream in (self._requests, self._answers, self._errors):
            with contextlib.suppress(BrokenPipeError):
                stream.close()
        self._thread.join()
        self._folder.close()


def send_message(stream: BinaryIO, message: dict[str, Any], numbers: array[int]) -> None:
    """Write a line of JSON, whose `ints` says how many 32-bit numbers follow it, and these numbers."""
    stream.write(json.dumps(message | {"ints": len(numbers)}).encode() + b"\n" + numbers.tobytes())
    stream.flush()


def receive_message(stream: BinaryIO) -> tuple[dict[str, Any], array[int]] | None:
    """The next message; None if the other process has ended, also in the middle of a message."""
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
