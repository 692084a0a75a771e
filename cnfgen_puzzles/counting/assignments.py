"""An assignment: some parts of a search, done by one call of an executor, on any machine (`search_parts`).

The call runs the worker process under limits, tells solutions while they are found, and brings back those of the parts that it
finished. What it told may be lost on the way; what it brings back is all. Which parts go into which call is `schedule`'s affair.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.scratch import ScratchFolder, scratch_folder
from cnfgen_puzzles.common.version import __version__
from cnfgen_puzzles.counting.engines import Engine, available
from cnfgen_puzzles.counting.problem import Part
from cnfgen_puzzles.counting.worker import Transcript, give_work, worker_command
from cnfgen_puzzles.solving import process
from cnfgen_puzzles.solving.pool import WorkerLost, message_callback
from cnfgen_puzzles.solving.process import Limits, Measurement, run_process

LOOK = 0.1
"""Seconds between two looks at what a worker has printed."""

MESSAGE = 8 << 10
"""Bytes of solutions that are told at once."""

NOTE = "c "
"""Begins a line by which a worker tells what it does besides searching."""

KEPT_PROBLEMS = 2
"""Problems that a process of a cluster keeps."""

BY_LIMIT = {
    process.CPU_LIMIT: "CPU time limit",
    process.WALL_LIMIT: "wall time limit",
    process.MEMORY_LIMIT: "memory limit",
    process.OUTPUT_LIMIT: "more output than the limit",
}
"""Ends that make an enumeration partial; others that are not regular are errors."""


@dataclass(frozen=True)
class Assignment:
    """What a call does. The problem is a file, which a machine without it is sent (compressed) if it says that it needs it."""

    problem: Path
    content: bytes | None
    engine: Engine
    parts: dict[int, Part]
    limits: Limits
    version: str = __version__


@dataclass(frozen=True)
class Answer:
    """What a call brings back: solutions of finished parts, and those that it met in an unfinished one; all compressed."""

    finished: dict[int, bytes] = field(default_factory=dict)
    met: bytes = b""
    ended: str = process.EXIT
    cpu: float = 0.0
    unknown: bool = False
    """The machine does not have the problem."""


def packed(lines: Sequence[str]) -> bytes:
    """Solutions as an answer brings them, each a line."""
    return zlib.compress("".join(f"{line}\n" for line in lines).encode(), 1)


def unpacked(content: bytes) -> list[str]:
    """The lines of `packed`."""
    return zlib.decompress(content).decode().splitlines() if content else []


def search_parts(assignment: Assignment) -> Answer:
    """Search the parts one after the other until the limits are met."""
    if assignment.version != __version__:
        raise InputError(f"found cnfgen-puzzles {__version__} on a worker, expected {assignment.version}")
    if not available(assignment.engine.name):
        raise InputError(f"the engine {assignment.engine.name} is not there on a worker")
    with scratch_folder("enumeration") as folder:
        problem = _problems.file(assignment, folder)
        if problem is None:
            return Answer(unknown=True)
        give_work(folder, problem, assignment.parts, assignment.engine.for_worker())
        return _search(assignment, folder)


def _search(assignment: Assignment, folder: Path) -> Answer:
    stdout, stderr = folder / "stdout", folder / "stderr"
    with _told(stdout):
        measurement = run_process(worker_command(folder), stdout=stdout, stderr=stderr, limits=assignment.limits)
    by_limit = measurement.ended in BY_LIMIT
    if not by_limit:
        _check(measurement, stderr, assignment.engine)
    transcript, finished = Transcript(), {}
    with stdout.open(encoding="ascii", errors="replace") as lines:
        for line in lines:
            if not line.endswith("\n"):  # a limit was met in the middle of it
                break
            number = transcript.read(line[:-1])
            if number is not None:
                finished[number] = packed(transcript.found)
                transcript.found = []
    if not by_limit and finished.keys() != assignment.parts.keys():
        raise CnfgenError(f"a worker of the engine {assignment.engine} ended, but left parts undone")
    return Answer(finished, packed(transcript.found), measurement.ended, measurement.cpu)


def _check(measurement: Measurement, stderr: Path, engine: Engine) -> None:
    """Raise unless the worker ended by itself, with nothing to complain of. Who is killed from outside is lost, not wrong."""
    if measurement.ended == process.INTERRUPTED:
        raise WorkerLost("the call was interrupted")
    if measurement.signal == signal.SIGKILL:
        raise WorkerLost("signal 9")
    if (measurement.ended, measurement.exit_code) == (process.EXIT, 0):
        return
    if measurement.ended == process.LAUNCH_FAILED:
        raise CnfgenError(f"a worker of the engine {engine} could not be started: {measurement.detail}")
    how = f"signal {measurement.signal}" if measurement.signal else f"exit code {measurement.exit_code}"
    lines = stderr.read_bytes()[-2000:].decode("utf-8", "replace").strip().splitlines()
    raise CnfgenError(f"a worker of the engine {engine} failed with {how}{f': {lines[-1]}' if lines else ''}")


# -- telling --------------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _told(stdout: Path) -> Iterator[None]:
    """Tell whoever follows this call the solutions that a worker prints into the file during the block."""
    follow = message_callback()
    if follow is None:
        yield
        return
    over = threading.Event()
    stdout.touch()
    with stdout.open("rb") as stream:
        thread = threading.Thread(target=_tell, args=(stream, follow, over), daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()


def _tell(stream: BinaryIO, follow: Callable[[str], None], over: threading.Event) -> None:
    rest = b""
    last = False
    while not last:
        last = over.wait(LOOK)  # once more after the end
        while news := stream.read(MESSAGE):
            *lines, rest = (rest + news).split(b"\n")
            found = b"".join(line[2:] + b"\n" for line in lines if line[:2] in (b"s ", b"s"))
            notes = b"".join(line + b"\n" for line in lines if line.startswith(NOTE.encode()))
            if text := notes + found:
                follow(text.decode("ascii", "replace"))


# -- problems -------------------------------------------------------------------------------------------------------------


class _Problems:
    """The problems that this process has been sent: the last few, as files."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._folder: ScratchFolder | None = None
        self._kept: dict[str, Path] = {}

    def file(self, assignment: Assignment, folder: Path) -> Path | None:
        """The file of the assignment's problem: its owner's if that is seen here, or what was sent. `folder` gets a link to the
        latter, so that it stays until the call ends. None if it is not here."""
        path, name = assignment.problem, assignment.problem.name
        if path.exists():
            return path
        with self._lock:
            if assignment.content is not None and name not in self._kept:
                self._keep(name, zlib.decompress(assignment.content))
            if name not in self._kept:
                return None
            own = folder / "problem"
            os.link(self._kept[name], own)
            return own

    def _keep(self, name: str, content: bytes) -> None:
        self._folder = self._folder or ScratchFolder("problems")
        while len(self._kept) >= KEPT_PROBLEMS:
            self._kept.pop(next(iter(self._kept))).unlink()
        path = self._folder.path / name
        path.write_bytes(content)
        self._kept[name] = path


_problems = _Problems()
