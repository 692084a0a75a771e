"""The search of a part by one call of an executor, on any machine (`search_part`), in a process under limits.

On this machine, the output of a call can be read while it grows (`RunningOutput`).
"""

from __future__ import annotations

import contextlib
import signal
import zlib
from dataclasses import dataclass
from pathlib import Path

from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.files import scratch_folder
from cnfgen_puzzles.common.version import __version__
from cnfgen_puzzles.counting.engines import EngineChoice, SearchWork, available
from cnfgen_puzzles.counting.problem import Cube
from cnfgen_puzzles.solving.distribute import WorkerLost
from cnfgen_puzzles.solving.process import LIMITS, Limits
from cnfgen_puzzles.solving.supervision import INTERRUPTED
from cnfgen_puzzles.solving.workerprocess import failure_of, run_worker

MOST_READ = 1 << 20
"""The maximum number of bytes that are read at once from the output of a running call."""


@dataclass(frozen=True)
class SearchCall:
    """The arguments of a call. The problem is a file; its compressed `content` is included if the call may run elsewhere; if not,
    `folder` is for the output."""

    problem: Path
    content: bytes | None
    engine: EngineChoice
    cube: Cube
    limits: Limits
    folder: Path | None = None
    version: str = __version__


@dataclass(frozen=True)
class SearchResult:
    """The result of a call: its compressed output, its end, and its CPU time in seconds."""

    output: bytes
    ended: str
    cpu: float

    def solutions(self) -> tuple[list[str], bool]:
        """The solutions, and whether these are all of the part."""
        lines = zlib.decompress(self.output).decode("ascii").split("\n")
        found = solutions_in(lines[:-1])  # a limit can truncate the last line
        return found, lines[-2:] == [f"end {len(found)}", ""]


def solutions_in(lines: list[str]) -> list[str]:
    """The solutions in lines of `SearchWork`."""
    return [line[2:] for line in lines if line.startswith("s")]


def search_part(call: SearchCall) -> SearchResult:
    """Search a part until its end or a limit."""
    if call.version != __version__:
        raise InputError(f"found cnfgen-puzzles {__version__} on a worker, expected {call.version}")
    if not available(call.engine.name):
        raise InputError(f"the engine {call.engine.name} is not installed on a worker")
    with scratch_folder("enumeration") if call.folder is None else contextlib.nullcontext(call.folder) as folder:
        problem = call.problem
        if call.content is not None and not problem.exists():
            problem = folder / "problem"
            problem.write_bytes(zlib.decompress(call.content))
        measurement = run_worker(folder, SearchWork(problem, call.engine, call.cube), call.limits)
        if measurement.ended == INTERRUPTED:
            raise WorkerLost("the call was interrupted")
        if measurement.ended not in LIMITS:
            if measurement.signal == signal.SIGKILL:  # killed from outside: the call is lost, not wrong
                raise WorkerLost("signal 9")
            if reason := failure_of(measurement, (folder / "stderr").read_bytes()):
                raise CnfgenError(f"a worker of the engine {call.engine} {reason}")
        return SearchResult(zlib.compress((folder / "stdout").read_bytes(), 1), measurement.ended, measurement.cpu)


class RunningOutput:
    """The output of a call on this machine, which is still running."""

    def __init__(self, folder: Path):
        self.folder, self._read = folder, 0

    def news(self) -> list[str]:
        """The solutions since the last call."""
        with contextlib.suppress(FileNotFoundError), (self.folder / "stdout").open("rb") as stream:
            stream.seek(self._read)
            new = stream.read(MOST_READ)
            new = new[: new.rfind(b"\n") + 1]
            self._read += len(new)
            return solutions_in(new.decode("ascii").splitlines())
        return []
