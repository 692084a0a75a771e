"""Runs a program under limits and measures it: the caller's side.

    measurement = run_process(["kissat", "-q", "x.cnf"], stdout=Path("out"), stderr=Path("err"), limits=Limits(cpu=60))

A program and all processes that it starts form a process tree. CPU time, memory, and limits are those of the whole tree, and no
process of it outlives the run, whichever process is killed. `docs/explanation/measuring.md` defines each number.

Several threads may run programs at the same time. Each calling process has its own launcher and supervisors (see `supervision`),
which start with the first run and end with the process. After a fork, the child starts others.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import shutil
import signal
import socket
import sys
import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.solving.confinement import TEMPORARY, Confinement
from cnfgen_puzzles.solving.supervision import (
    CPU_LIMIT,
    INTERRUPTED,
    MEMORY_LIMIT,
    OUTPUT_LIMIT,
    SUPERVISOR_LOST,
    WALL_LIMIT,
)  # fmt: skip

DEFAULT_OUTPUT = 1 << 30  # bytes of stdout: a model of ten million variables has a tenth of it
CONTROL_GROUPS = "CNFGEN_CONTROL_GROUPS"  # the environment variable that disables them with `no`
DEFAULT_PROOF = 64 << 30  # bytes: a solver writes this in hours at full speed
STDERR_OUTPUT = 16 << 20  # bytes of stderr, unless `Limits.output` is less

LIMITS = {
    CPU_LIMIT: "CPU time limit",
    WALL_LIMIT: "wall time limit",
    MEMORY_LIMIT: "memory limit",
    OUTPUT_LIMIT: "more output than the limit",
}
"""The limit that ended a run, in words."""

# A launcher or supervisor that dies before it starts a run is replaced up to this number of times.
LAUNCH_ATTEMPTS = 5

MOST_IDLE = 8  # supervisors that wait for a run; others end


@dataclass(frozen=True)
class Limits:
    """The limits of a run, for its whole process tree: `cpu` and `wall` in seconds, `memory`, `output`, and `proof` in bytes.

    None is no limit. `Limits(cpu=60, memory=2 * 2**30)`: one minute of CPU time, 2 GiB.
    """

    cpu: float | None = None  # seconds
    wall: float | None = None  # seconds
    memory: int | None = None  # bytes
    output: int = DEFAULT_OUTPUT  # bytes of stdout; more ends the run, as does too much on stderr
    proof: int = DEFAULT_PROOF  # bytes of a proof; more ends the run


class Measurement(NamedTuple):
    """How a run ended and what its process tree used. A run that used more than a limit has exceeded it, even if it ended
    itself."""

    ended: str  # one of the constants of `supervision`: EXIT, SIGNAL, a limit, INTERRUPTED, LAUNCH_FAILED, SUPERVISOR_LOST
    exit_code: int | None = None  # of the main process, for each value of `ended`; None if a signal ended it or it never ran
    signal: int | None = None
    cpu: float = 0.0  # seconds, user and system
    wall: float = 0.0  # seconds from exec to the end of the main process
    memory: int = 0  # bytes, the peak of the whole tree
    memory_method: str = ""  # the counter of docs/explanation/measuring.md that gave the peak
    leftovers: int = 0  # processes still alive after the main one ended by itself; they were killed
    detail: str = ""  # why a launch failed, which output exceeded its limit, or which processes survived SIGKILL
    confinement: str = ""  # LANDLOCK if the kernel enforced the `Confinement` of the run


def run_process(
    command: Sequence[str | Path],
    *,
    stdout: Path,
    stderr: Path,
    limits: Limits = Limits(),
    stdin: Path | None = None,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    cores: Collection[int] | None = None,
    written: Mapping[Path, int] | None = None,
    confinement: Confinement | None = None,
) -> Measurement:
    """Run `command` until it ends or exceeds a limit. Its whole process tree has ended when this returns or raises.

    stdout, stderr: files to write, from their beginning; they may be the same.
    stdin: a file to read; None is an empty input.
    env: None is the current environment of this process.
    cores: pin the tree to these; None keeps the cores of this process. Only Linux can pin.
    written: other files, and folders with their contents, with the maximal size of each in bytes; more ends the run.
    confinement: the files that the run may access, if the system can enforce that (`Measurement.confinement`); None is no
    restriction. Its scratch folder is the default of `cwd` and the run's folder for temporary files.

    A program that cannot be started gives a measurement, too (LAUNCH_FAILED), and so does a run whose supervisor was killed
    (SUPERVISOR_LOST). Raises OSError if a file cannot be opened.
    """
    env = os.environ if env is None else env
    program, domain = os.fspath(command[0]), None
    if os.sep not in program:  # searched on the run's PATH here, not between fork and exec; a missing program fails in exec
        program = shutil.which(program, path=env.get("PATH", os.defpath)) or program
    if confinement is not None:
        confinement.scratch.mkdir(exist_ok=True)
        domain = confinement.domain(Path(program), env)
        env, cwd = {**env, **dict.fromkeys(TEMPORARY, str(confinement.scratch))}, cwd or confinement.scratch
    order = {
        "program": _text(program),
        "command": [_text(part) for part in command],
        "cwd": _text(cwd or Path.cwd()),
        "confinement": domain and {right: [_text(path) for path in paths] for right, paths in domain.items()},
        "env": {_text(name): _text(value) for name, value in env.items()},
        "cores": None if cores is None else sorted(cores),
        "control_groups": os.environ.get(CONTROL_GROUPS) != "no",
        "limits": asdict(limits) | {"errors": min(limits.output, STDERR_OUTPUT)},
        "written": [(_text(path), most) for path, most in (written or {}).items()],
    }
    message = b"r" + json.dumps(order).encode() + b"\n"
    with Path(stdin or os.devnull).open("rb") as source, _open_output(stdout) as output, _open_output(stderr) as errors:
        files = [source.fileno(), output.fileno(), errors.fileno()]
        for _ in range(LAUNCH_ATTEMPTS):
            run = _Run()
            answer = run.converse(message, files)
            if answer is None and run.interrupted:
                return Measurement(INTERRUPTED, detail="before it was started")
            if answer is None:
                with _lock:  # the others have lost their launcher, too, if it died
                    _close_idle()
                continue
            if "error" in answer:
                last = str(answer["error"]).strip().splitlines()[-1]  # of a traceback
                raise CnfgenError(f"the supervisor of {command[0]} failed: {last}")
            if "accepted" in answer:
                detail = f"the supervisor of {command[0]} was killed together with its processes, so there is no result"
                return Measurement(SUPERVISOR_LOST, detail=detail)
            measurement = Measurement(**answer)
            global _cpu
            with _lock:
                _cpu += measurement.cpu
            return measurement
    raise CnfgenError(f"cannot run {command[0]}: the launcher died {LAUNCH_ATTEMPTS} times before the program started")


def cpu_of_runs() -> float:
    """The CPU time in seconds of all runs of this process that have ended."""
    return _cpu


@contextlib.contextmanager
def runs_of(owner: str) -> Iterator[None]:
    """The runs of this thread in the block belong to `owner`, for `interrupt_runs`."""
    token = _owner.set(owner)
    try:
        yield
    finally:
        _owner.reset(token)


def interrupt_runs(owner: str | None = None) -> None:
    """End all current runs of this process: each returns as INTERRUPTED after its tree has ended.

    With an `owner`, end only its runs and those of owners within it (`OWNER/...`). Their later runs return as INTERRUPTED at
    once.
    """
    with _lock:
        if owner is not None:
            _ended.add(owner)
        for run in _runs:
            if owner is None or owner in _owners(run.owner):
                run.interrupt()


def owner_of_runs() -> str:
    """The owner of the runs of this thread; empty for none."""
    return _owner.get() or ""


def _owners(owner: str | None) -> Iterator[str]:
    """The owner and all owners that contain it."""
    while owner:
        yield owner
        owner = owner.rpartition("/")[0]


def _text(value: str | Path) -> str:
    """The text as UTF-8 for the launcher, in any locale; other bytes pass through as lone surrogates."""
    return os.fsencode(value).decode("utf-8", "surrogateescape")


def _open_output(path: Path) -> BinaryIO:
    """An empty file that the processes of a tree can share: all of them append."""
    return open(path, "wb", opener=lambda name, flags: os.open(name, flags | os.O_APPEND, 0o666))


# This process's side of the sockets. The lock guards the names below it. It is held while this process has both ends of a
# socket, and during a fork: a child with a copy would hide from the other side that a process has died.
_lock = threading.Lock()
_cpu = 0.0
_launcher: _Launcher | None = None
_idle: list[socket.socket] = []  # connections to supervisors that wait for a run
_runs: set[_Run] = set()
_ended: set[str] = set()
_owner: ContextVar[str | None] = ContextVar("owner", default=None)


class _Run:
    """One run, and the connection to its supervisor."""

    def __init__(self) -> None:
        self.interrupted = False
        self.owner = _owner.get()
        self.socket: socket.socket | None = None

    def converse(self, order: bytes, files: list[int]) -> dict[str, Any] | None:
        """The last message of the supervisor: first that it has the order, then the result. None if it died before."""
        answer: dict[str, Any] | None = None
        try:
            with _lock:
                if not _ended.isdisjoint(_owners(self.owner)):
                    self.interrupted = True
                    return None
                self.socket = _idle.pop() if _idle else _new_supervisor()
                _runs.add(self)
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                sent = socket.send_fds(self.socket, [order], files)
                self.socket.sendall(order[sent:])
                for answer in _messages(self.socket):
                    if "accepted" not in answer:
                        break
            return answer
        except BaseException:  # such as KeyboardInterrupt: no process may outlive the run
            self.interrupt()
            if self.socket is not None:
                with contextlib.suppress(ConnectionResetError):
                    while self.socket.recv(1 << 16):
                        pass  # until the supervisor has closed its end
            raise
        finally:
            self.end(is_idle=answer is not None and "ended" in answer)

    def interrupt(self) -> None:
        """Ask the supervisor to end its run. It still answers, and then ends."""
        self.interrupted = True
        if self.socket is not None:
            with contextlib.suppress(OSError):  # it has ended already
                self.socket.shutdown(socket.SHUT_WR)

    def end(self, *, is_idle: bool) -> None:
        """Keep the connection for the next run if the supervisor waits for one, otherwise close it."""
        with _lock:
            _runs.discard(self)
            if self.socket is None:
                return
            if is_idle and not self.interrupted and len(_idle) < MOST_IDLE:
                _idle.append(self.socket)
            else:
                self.socket.close()


def _messages(ours: socket.socket) -> Iterator[dict[str, Any]]:
    """The messages of the other end: lines of JSON."""
    text = b""
    while part := ours.recv(1 << 16):
        *lines, text = (text + part).split(b"\n")
        yield from map(json.loads, lines)


def _new_supervisor() -> socket.socket:
    """The connection to a new supervisor, of the launcher, which is started if necessary. If the launcher is dead, it ends."""
    global _launcher
    ours, theirs = socket.socketpair()
    with theirs:
        if _launcher is None:
            _launcher = _Launcher()
        try:
            socket.send_fds(_launcher.control, [b"s"], [theirs.fileno()])
        except (BrokenPipeError, ConnectionResetError):
            _launcher.close()
            _launcher = None
    return ours


class _Launcher:
    """The small process that forks supervisors for this one, and the socket to it, which is its stdin."""

    START = "import sys; sys.path += sys.argv[1:]; from supervision.launcher import main; main()"

    def __init__(self) -> None:
        # isolated and without site-packages: it starts in 20 ms and stays small
        psutil = find_spec("psutil")
        if psutil is None or psutil.origin is None:
            raise CnfgenError("psutil is not installed; it measures runs")
        places = [str(Path(__file__).parent), str(Path(psutil.origin).parents[1])]
        command = [sys.executable, "-I", "-S", "-X", "utf8", "-c", self.START, *places]
        self.control, theirs = socket.socketpair()
        with theirs:
            actions = [(os.POSIX_SPAWN_DUP2, theirs.fileno(), 0)]
            # Ctrl-C reaches it until it starts a separate session: `launcher.main` drops what came before
            mask = [signal.SIGINT]
            self.pid = os.posix_spawn(sys.executable, command, os.environ, file_actions=actions, setsigmask=mask)

    def close(self) -> None:
        """End it and wait for it: then its last run is cleaned up."""
        self.control.close()
        with contextlib.suppress(ChildProcessError):  # another thread waits for all children
            os.waitpid(self.pid, 0)


def _forget_parent() -> None:
    """In a forked child: drop the parent's launcher and runs, since copies of its sockets would hide its death."""
    global _launcher
    if _launcher is not None:
        _launcher.control.close()
        _launcher = None
    for run in _runs:
        if run.socket is not None:
            run.socket.close()
    _runs.clear()
    _close_idle()
    _lock.release()


def _close_idle() -> None:
    """End the supervisors that wait for a run."""
    while _idle:
        _idle.pop().close()


def close_launcher() -> None:
    """End the runs of daemon threads, then the launcher: at exit, or before its resource use is measured."""
    global _launcher
    with _lock:
        for run in _runs:
            run.interrupt()
        _close_idle()
        if _launcher is not None:
            _launcher.close()
            _launcher = None


os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_forget_parent)
atexit.register(close_launcher)
