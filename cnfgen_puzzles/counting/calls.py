"""The search of some parts by one call of an executor, on any machine (`search_parts`), in a process under limits.

The call returns the solutions of the parts that it finished. On this machine, its output can be read while it grows
(`RunningOutput`). `enumeration` decides which parts belong to which call.
"""

from __future__ import annotations

import contextlib
import signal
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cnfgen_puzzles.common.errors import CnfgenError, InputError
from cnfgen_puzzles.common.files import scratch_folder
from cnfgen_puzzles.common.version import __version__
from cnfgen_puzzles.counting.engines import EngineChoice, SearchWork, available
from cnfgen_puzzles.counting.problem import SearchPart
from cnfgen_puzzles.solving.distribute import WorkerLost
from cnfgen_puzzles.solving.process import LIMITS, Limits
from cnfgen_puzzles.solving.supervision import EXIT, INTERRUPTED
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
    parts: dict[int, SearchPart]
    limits: Limits
    folder: Path | None = None
    version: str = __version__


@dataclass(frozen=True)
class SearchResult:
    """The result of a call: the solutions of finished parts, and those found so far in an unfinished part; all compressed."""

    finished: dict[int, bytes] = field(default_factory=dict)
    unfinished: bytes = b""
    ended: str = EXIT
    cpu: float = 0.0


def pack_lines(lines: Sequence[str]) -> bytes:
    """Compress solutions, one per line, for a result."""
    return zlib.compress("".join(f"{line}\n" for line in lines).encode(), 1)


def unpack_lines(content: bytes) -> list[str]:
    """The lines that `pack_lines` compressed."""
    return zlib.decompress(content).decode().splitlines() if content else []


def search_parts(call: SearchCall) -> SearchResult:
    """Search the parts one after another, until a limit is reached or the call takes long."""
    if call.version != __version__:
        raise InputError(f"found cnfgen-puzzles {__version__} on a worker, expected {call.version}")
    if not available(call.engine.name):
        raise InputError(f"the engine {call.engine.name} is not installed on a worker")
    with scratch_folder("enumeration") if call.folder is None else contextlib.nullcontext(call.folder) as folder:
        problem = call.problem
        if call.content is not None and not problem.exists():
            problem = folder / "problem"
            problem.write_bytes(zlib.decompress(call.content))
        measurement = run_worker(folder, SearchWork(problem, call.engine, call.parts), call.limits)
        by_limit = measurement.ended in LIMITS
        if not by_limit:
            if measurement.ended == INTERRUPTED:
                raise WorkerLost("the call was interrupted")
            if measurement.signal == signal.SIGKILL:  # killed from outside: the call is lost, not wrong
                raise WorkerLost("signal 9")
            if reason := failure_of(measurement, (folder / "stderr").read_bytes()):
                raise CnfgenError(f"a worker of the engine {call.engine} {reason}")
        finished, unfinished = read_transcript(folder / "stdout")
    if not by_limit and not finished:
        raise CnfgenError(f"a worker of the engine {call.engine} ended without finishing a part")
    return SearchResult(finished, unfinished, measurement.ended, measurement.cpu)


class RunningOutput:
    """The output of a call on this machine, which is still running."""

    def __init__(self, folder: Path):
        self.folder = folder
        self._read, self._rest = 0, b""

    def news(self) -> list[str]:
        """The solutions since the last call."""
        with contextlib.suppress(FileNotFoundError), (self.folder / "stdout").open("rb") as stream:
            stream.seek(self._read)
            new = stream.read(MOST_READ)
            self._read += len(new)
            *lines, self._rest = (self._rest + new).split(b"\n")
            return [line[2:].decode("ascii", "replace") for line in lines if line == b"s" or line.startswith(b"s ")]
        return []


def read_transcript(path: Path) -> tuple[dict[int, bytes], bytes]:
    """The output of `SearchWork`: packed solutions of each finished part, and of the unfinished one."""
    finished: dict[int, bytes] = {}
    found: list[str] = []
    with path.open(encoding="ascii", errors="replace") as lines:
        for line in lines:
            if not line.endswith("\n"):  # a limit truncated the line
                break
            word, _, rest = line[:-1].partition(" ")
            number = rest.partition(" ")[0]
            if word == "s":
                found.append(rest)
            elif word == "part":
                found = []
            elif word == "end" and rest == f"{number} {len(found)}":
                finished[int(number)] = pack_lines(found)
                found = []
            else:
                raise CnfgenError(f"a worker of an enumeration printed {line[:80]!r}")
    return finished, pack_lines(found)
