"""Runs and watches commands and applies faults; finds surviving processes, and leftovers in the scratch folder.

The process that holds a stage becomes the subreaper of all processes that it starts (`prepare`), so that none escapes by losing
its parent. Signals go only to these processes, by their ids.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from cnfgen_puzzles.solving.supervision.tree import PR_SET_CHILD_SUBREAPER, set_process_control
from soak.faults import Fault

COMMANDS = Path(sys.executable).parent
PATIENCE = 150.0
"""The time limit in seconds for a pipeline that takes a few seconds: machines can be busy, and a hanging one is still found."""
SETTLING = 20.0
"""The time in seconds for processes to end after their command."""
MOST_SPACE = 8 << 30
"""The address space of each process, in bytes."""
MOST_READ = 64 << 20
TRACEBACK = "Traceback (most recent call last)"


@dataclass(frozen=True)
class Done:
    """The result of one command: `code` as in subprocess, negative for a signal."""

    words: tuple[str, ...]
    code: int
    out: str
    err: str


@dataclass
class Stage:
    """The folders of the commands of one event: `work` of the user, `out` in it for outputs, `scratch` for TMPDIR."""

    folder: Path
    stuck: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.work, self.scratch = self.folder / "work", self.folder / "tmp"
        self.out, self.said = self.work / "out", self.folder / "said"
        for folder in (self.work, self.out, self.scratch, self.said):
            folder.mkdir(parents=True, exist_ok=True)
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("CNFGEN_")}
        self.environment |= {
            "TMPDIR": str(self.scratch),
            "XDG_CONFIG_HOME": str(self.folder / "config"),
            "CNFGEN_SOLVERS_FILE": str(self.folder / "solvers.yaml"),
            "NUMBA_CACHE_DIR": str(self.folder.parent / "numba"),
        }

    def run(self, pipeline: Sequence[Sequence[str]], fault: Fault) -> list[Done]:
        """Run commands as a pipeline while the fault acts; returns after all have ended."""
        started: list[subprocess.Popen[bytes]] = []
        pipe = None
        for number, words in enumerate(pipeline):
            last = number == len(pipeline) - 1
            with (self.said / f"{number}.out").open("wb") as out, (self.said / f"{number}.err").open("wb") as err:
                started.append(
                    subprocess.Popen(
                        fault.wrapped([str(COMMANDS / words[0]), *words[1:]], self.scratch, self.out),
                        stdin=pipe or subprocess.DEVNULL,
                        stdout=fault.output(out) if last else subprocess.PIPE,
                        stderr=err,
                        cwd=fault.home(self.work),
                        env=self.environment,
                        preexec_fn=lambda: _limited(fault),
                    )
                )
            if pipe is not None:
                pipe.close()
            pipe = started[-1].stdout
        self.watch(started, fault)
        return [self.done(number, words, started[number].returncode) for number, words in enumerate(pipeline)]

    def watch(self, started: Sequence[subprocess.Popen[bytes]], fault: Fault) -> None:
        """Let the fault act until all commands have ended; commands that do not end are killed and reported."""
        begin = time.monotonic()
        if fault.closes_pipe and started[-1].stdout is not None:
            started[-1].stdout.close()
        while left := [process.pid for process in started if process.poll() is None]:
            elapsed = time.monotonic() - begin
            fault.act(elapsed, left)
            if elapsed > PATIENCE:
                self.stuck += [f"{pid} {described(pid)}" for pid in left]
                fault.end()
                kill(descendants())
            time.sleep(0.005)
        fault.end()

    def done(self, number: int, words: Sequence[str], code: int) -> Done:
        texts = []
        for stream in ("out", "err"):
            with (self.said / f"{number}.{stream}").open("rb") as file:
                texts.append(file.read(MOST_READ).decode("utf-8", "replace"))
        return Done(tuple(words), code, *texts)

    def survivors(self) -> list[str]:
        """The processes that are still alive a while after the commands; they are killed."""
        end = time.monotonic() + SETTLING
        while (left := descendants()) and time.monotonic() < end:
            time.sleep(0.02)
            reap()
        told = [f"{pid} {described(pid)}" for pid in left]
        kill(left)
        reap()
        return told

    def leftovers(self, told: str) -> list[str]:
        """Unwanted files: all in the scratch folder except kept output that `told` names, and partial files of outputs."""
        found = [name for name in sorted(os.listdir(self.scratch)) if not (name.startswith("cnfgen-kept-") and name in told)]
        hidden = (path for path in self.work.rglob("*") if path.name.startswith((".", "tmp")))
        return found + sorted(str(path.relative_to(self.work)) for path in hidden)


def prepare() -> None:
    """Make this process the parent of all orphaned processes below it."""
    set_process_control(PR_SET_CHILD_SUBREAPER, 1)


def descendants() -> list[int]:
    """The living processes below this one."""
    return [process.pid for process in _below() if process.is_running() and state(process.pid) != psutil.STATUS_ZOMBIE]


def reap() -> None:
    """Wait for all other processes that have ended; call it after waiting for the processes that this module started."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _below() -> list[psutil.Process]:
    with contextlib.suppress(psutil.NoSuchProcess):
        return psutil.Process().children(recursive=True)
    return []


def state(pid: int) -> str:
    """The status by psutil; a process that has ended counts as a zombie."""
    with contextlib.suppress(psutil.NoSuchProcess):
        return str(psutil.Process(pid).status())
    return psutil.STATUS_ZOMBIE


def kill(pids: Iterable[int]) -> None:
    """SIGKILL, which also ends stopped processes."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def described(pid: int) -> str:
    """The state and the command line of a process."""
    try:
        process = psutil.Process(pid)
        return f"{process.status()}: {' '.join(process.cmdline())[:200]}"
    except psutil.NoSuchProcess:
        return "gone"


def _limited(fault: Fault) -> None:
    """Called between fork and exec."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_SPACE, MOST_SPACE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # a background job's children ignore it
    fault.enter()
