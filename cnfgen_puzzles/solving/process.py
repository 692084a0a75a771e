"""Run one program under limits and say what it used: the caller's side.

    measurement = run_process(["kissat", "-q", "x.cnf"], stdout=Path("out"), stderr=Path("err"), limits=Limits(cpu=60))

The program and everything it starts are one tree: CPU time and memory are those of the whole tree, limits hold for the
whole tree, and no process of it outlives the run, whoever is killed. `docs/measuring.md` says what each number means.

Runs may be in flight in several threads. Each process that calls has a launcher of its own (see `supervision`), started
at its first run and ended with it; after a fork the child starts another.
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
from pathlib import Path
from typing import Any, BinaryIO

from cnfgen_puzzles.common.errors import CnfgenError
from cnfgen_puzzles.solving.confinement import TEMPORARY, Confinement
from cnfgen_puzzles.solving.supervision import CPU_LIMIT, INTERRUPTED, MEMORY_LIMIT, OUTPUT_LIMIT, WALL_LIMIT

DEFAULT_OUTPUT = 1 << 30  # bytes of stdout: a model of ten million variables takes a tenth of it
CONTROL_GROUPS = "CNFGEN_CONTROL_GROUPS"  # the environment variable that says `no` where they shall not be used
DEFAULT_PROOF = 64 << 30  # bytes: what a solver writes in hours at full speed, and some disks hold
STDERR_OUTPUT = 16 << 20  # bytes of stderr, unless `Limits.output` is less: complaints, not results

LIMITS = {
    CPU_LIMIT: "CPU time limit",
    WALL_LIMIT: "wall time limit",
    MEMORY_LIMIT: "memory limit",
    OUTPUT_LIMIT: "more output than the limit",
}
"""Why a limit has ended a run, in words."""

# A launcher that dies before it has passed a run on is replaced this often before we give up.
LAUNCH_ATTEMPTS = 5

WAKE_ROUND = 1.0  # seconds after which a launcher is continued, in case a program has stopped it


@dataclass(frozen=True)
class Limits:
    """What a run may use, its whole process tree together: `cpu` and `wall` in seconds, `memory`, `output` and `proof` in bytes.

    None is no limit. `Limits(cpu=60, memory=2 * 2**30)`: a minute of processor time, 2 GiB.
    """

    cpu: float | None = None  # seconds
    wall: float | None = None  # seconds
    memory: int | None = None  # bytes
    output: int = DEFAULT_OUTPUT  # bytes of stdout that are kept; more ends the run, and so does too much on stderr
    proof: int = DEFAULT_PROOF  # bytes of a proof; more ends the run


@dataclass(frozen=True)
class Measurement:
    """How a run ended and what its process tree used. Who used more than a limit has met it, even if it ended by itself."""

    ended: str  # one of the constants of `supervision`: EXIT, SIGNAL, a limit, INTERRUPTED, LAUNCH_FAILED, SUPERVISOR_LOST
    exit_code: int | None = None  # of the main process, whatever `ended` says; None if a signal ended it or it never ran
    signal: int | None = None
    cpu: float = 0.0  # seconds, user and system
    wall: float = 0.0  # seconds from exec to the end of the main process
    memory: int = 0  # bytes, the peak of the whole tree
    memory_method: str = ""  # which of the counters of docs/measuring.md gave the peak
    leftovers: int = 0  # processes still alive after the main one ended by itself; they were killed
    detail: str = ""  # why a launch failed, what passed the output limit, which processes resisted SIGKILL
    confinement: str = ""  # LANDLOCK where the kernel held the run to its `Confinement`


class SupervisorLost(CnfgenError):
    """The supervisor of a run was killed, by the run's own program or from outside: there is no measurement."""


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
    """Run `command` until it ends or passes a limit. Its whole process tree is gone when this returns or raises.

    stdout, stderr: files to write, from their beginning; they may be the same.
    stdin: a file to read; None is an empty input.
    env: None is the environment of this process, as it is now.
    cores: pin the tree to these; None leaves it where this process may run.
    written: files besides stdout and stderr, folders with all below them, and the bytes that each may have; more ends the run.
    confinement: what it may touch, as far as the system can hold it to that (`Measurement.confinement`); None is all that we may.
    Its scratch folder is the default of `cwd` and the run's folder for temporary files.

    A program that cannot be started is a measurement too (LAUNCH_FAILED). Raises OSError if a file cannot be opened,
    and SupervisorLost if there is nothing to tell because the run's supervisor was killed.
    """
    env = os.environ if env is None else env
    program, domain = os.fspath(command[0]), None
    if os.sep not in program:  # looked up on the run's PATH, here and not between fork and exec; what is not there fails in exec
        program = shutil.which(program, path=env.get("PATH", os.defpath)) or program
    if confinement is not None:
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
    message = json.dumps(order).encode() + b"\n"
    with Path(stdin or os.devnull).open("rb") as source, _open_output(stdout) as output, _open_output(stderr) as errors:
        files = [source.fileno(), output.fileno(), errors.fileno()]
        for _ in range(LAUNCH_ATTEMPTS):
            run = _Run()
            answer = run.converse(message, files)
            if answer is None and run.interrupted:
                return Measurement(INTERRUPTED, detail="before it was started")
            if answer is None:
                continue
            if "error" in answer:
                last = str(answer["error"]).strip().splitlines()[-1]  # of a traceback
                raise CnfgenError(f"the supervisor of {command[0]} failed: {last}")
            if "accepted" in answer:
                raise SupervisorLost(f"the supervisor of {command[0]} was killed, and its processes with it: there is no result")
            return Measurement(**answer)
    raise CnfgenError(f"cannot run {command[0]}: the launcher died {LAUNCH_ATTEMPTS} times before it could start it")


@contextlib.contextmanager
def runs_of(owner: str) -> Iterator[None]:
    """What this thread runs in the block belongs to `owner`, for `interrupt_runs`."""
    token = _owner.set(owner)
    try:
        yield
    finally:
        _owner.reset(token)


def interrupt_runs(owner: str | None = None) -> None:
    """End all runs that this process has in flight: each returns as INTERRUPTED, its tree gone.

    With an `owner` only that one's and of those within (`OWNER/...`), and for good: what they begin later returns as INTERRUPTED
    at once.
    """
    with _lock:
        if owner is not None:
            _ended.add(owner)
        for run in _runs:
            if owner is None or owner in _owners(run.owner):
                run.interrupt()


def owner_of_runs() -> str:
    """To whom belongs what this thread runs; empty for nobody."""
    return _owner.get() or ""


def _owners(owner: str | None) -> Iterator[str]:
    """The owner, the one in which it is, and so on."""
    while owner:
        yield owner
        owner = owner.rpartition("/")[0]


def _text(value: str | Path) -> str:
    """The launcher speaks UTF-8, whatever the locale is here; other bytes pass through as lone surrogates."""
    return os.fsencode(value).decode("utf-8", "surrogateescape")


def _open_output(path: Path) -> BinaryIO:
    """An empty file that the processes of a tree can share: each appends, so none overwrites another's output."""
    return open(path, "wb", opener=lambda name, flags: os.open(name, flags | os.O_APPEND, 0o666))


# What follows is this process's side of the sockets. The lock guards the three names below it. It is held while we have both
# ends of a socket, and during a fork: a child with a copy would keep the other side from noticing that someone is dead.
_lock = threading.Lock()
_launcher: _Launcher | None = None
_runs: set[_Run] = set()
_ended: set[str] = set()
_owner: ContextVar[str | None] = ContextVar("owner", default=None)


class _Run:
    """The conversation with one supervisor."""

    def __init__(self) -> None:
        self.interrupted = False
        self.owner = _owner.get()
        self.socket: socket.socket | None = None

    def converse(self, order: bytes, files: list[int]) -> dict[str, Any] | None:
        """The last that the supervisor says: first that it has the order, then the result. None if the launcher died before."""
        try:
            with _lock:
                if not _ended.isdisjoint(_owners(self.owner)):
                    self.interrupted = True
                    return None
                self.socket, theirs = socket.socketpair()
                _runs.add(self)
                with theirs:
                    _hand_over(theirs, files)
            with contextlib.suppress(BrokenPipeError):
                self.socket.sendall(order)
            lines = [line for line in _receive_all(self.socket).splitlines(keepends=True) if line.endswith(b"\n")]
            answer: dict[str, Any] | None = json.loads(lines[-1]) if lines else None
            return answer
        except BaseException:  # KeyboardInterrupt above all: no process may outlive the run
            self.interrupt()
            if self.socket is not None:
                _receive_all(self.socket)
            raise
        finally:
            with _lock:
                _runs.discard(self)
                self.close()

    def interrupt(self) -> None:
        """Tell the supervisor to end its run. It answers all the same."""
        self.interrupted = True
        if self.socket is not None:
            with contextlib.suppress(OSError):  # it has ended already
                self.socket.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """Let go of our end of the socket."""
        if self.socket is not None:
            self.socket.close()


def _receive_all(ours: socket.socket) -> bytes:
    """All that arrives until the other end is closed. Whatever stops the launcher meanwhile, stops it for a second."""
    text = bytearray()
    ours.settimeout(WAKE_ROUND)
    with contextlib.suppress(ConnectionResetError):
        while True:
            try:
                part = ours.recv(1 << 16)
            except TimeoutError:
                _wake_launcher()
                continue
            if not part:
                return bytes(text)
            text += part
    return bytes(text)


def _wake_launcher() -> None:
    if _lock.acquire(blocking=False):  # who holds it talks to the launcher just now
        try:
            if _launcher is not None:
                _launcher.wake()
        finally:
            _lock.release()


def _hand_over(theirs: socket.socket, files: list[int]) -> None:
    """Pass a run to the launcher, starting one if there is none. If it turns out dead, the run's socket just ends."""
    global _launcher
    if _launcher is None:
        _launcher = _Launcher()
    try:
        socket.send_fds(_launcher.control, [b"r"], [theirs.fileno(), *files])
    except (BrokenPipeError, ConnectionResetError):
        _launcher.close()
        _launcher = None


class _Launcher:
    """The small process that forks for us, and the socket to it, which is its stdin."""

    START = "import sys; sys.path.append(sys.argv[1]); from supervision.launcher import main; main()"

    def __init__(self) -> None:
        # isolated and without site-packages: it starts in 20 ms and stays small
        command = [sys.executable, "-I", "-S", "-X", "utf8", "-c", self.START, str(Path(__file__).parent)]
        self.control, theirs = socket.socketpair()
        with theirs:
            actions = [(os.POSIX_SPAWN_DUP2, theirs.fileno(), 0)]
            self.pid = os.posix_spawn(sys.executable, command, os.environ, file_actions=actions)

    def close(self) -> None:
        """Let it end, and wait until it has: that is when its last run is cleaned up."""
        self.control.close()
        self.wake()
        with contextlib.suppress(ChildProcessError):  # someone here waits for all children
            while os.WIFSTOPPED(os.waitpid(self.pid, os.WUNTRACED)[1]):
                self.wake()

    def wake(self) -> None:
        """Continue it, in case a program has stopped it."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGCONT)


def _forget_parent() -> None:
    """In a forked child: the parent's launcher and runs are not ours, and our copies of its sockets would hide its death."""
    global _launcher
    if _launcher is not None:
        _launcher.control.close()
        _launcher = None
    for run in _runs:
        run.close()
    _runs.clear()
    _lock.release()


def close_launcher() -> None:
    """End what daemon threads still run, then the launcher: at exit, or before what it has used is measured."""
    global _launcher
    with _lock:
        for run in _runs:
            run.interrupt()
        if _launcher is not None:
            _launcher.close()
            _launcher = None


os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_forget_parent)
atexit.register(close_launcher)
