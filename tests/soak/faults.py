"""Faults while commands run: killed and stopped processes, full disks, missing file descriptors.

`random_fault` determines a fault with all its numbers; only the exact moment at which it strikes depends on the machine.
"""

from __future__ import annotations

import contextlib
import functools
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, BinaryIO

import psutil

LAUNCHER = "supervision.launcher"
"""The command lines of launchers and of supervisors, which are forks of a launcher, contain this text."""
ROLES = ("command", "launcher", "supervisor", "solver", "any")


class Fault:
    """No fault. If `again`, the same commands run again afterwards, as if there had been no fault."""

    name = "none"
    again = False
    harmless = True
    """Whether the commands must answer despite the fault."""
    closes_pipe = False

    def __init__(self, chance: Random):
        self.hit = ""
        """The action of the fault, and the process that it hit."""

    def wrapped(self, words: list[str], scratch: Path, out: Path) -> list[str]:
        """The command line that runs."""
        return words

    def home(self, work: Path) -> Path:
        """The working folder of commands."""
        return work

    def output(self, file: BinaryIO) -> Any:
        """The standard output of the last command."""
        return file

    def enter(self) -> None:
        """Called in a new process before it executes a command."""

    def act(self, elapsed: float, commands: Sequence[int]) -> None:
        """Called every few milliseconds, `elapsed` seconds after the start, while `commands` run."""

    def end(self) -> None:
        """Called when the commands have ended, or must end."""


# -- signals --------------------------------------------------------------------------------------------------------------


class Signal(Fault):
    """A signal to one process: SIGKILL to any process, SIGINT and SIGTERM to a command, as by a user."""

    again = True
    harmless = False

    def __init__(self, chance: Random, number: signal.Signals, role: str):
        super().__init__(chance)
        self.number, self.role = number, role
        self.name = f"{number.name} {role}"
        self.chance = Random(chance.random())
        early = role == "command" and chance.random() < 0.5
        self.delay = chance.uniform(0, 0.5 if early else 2.5) if role in ("command", "any") else chance.expovariate(4)
        self.seen: float | None = None
        self.target: int | None = None

    def act(self, elapsed: float, commands: Sequence[int]) -> None:
        if self.hit:
            return
        candidates = sorted(find(self.role, commands))
        if candidates and self.seen is None:
            self.seen = 0.0 if self.role == "command" else elapsed
        if candidates and self.seen is not None and elapsed - self.seen >= self.delay:
            self.strike(self.chance.choice(candidates), elapsed)

    def strike(self, pid: int, elapsed: float) -> None:
        with contextlib.suppress(psutil.Error, ProcessLookupError):
            words = " ".join(psutil.Process(pid).cmdline())[:120]
            os.kill(pid, self.number)
            self.target, self.hit = pid, f"{self.name} after {elapsed:.2f} s: {words}"


class Stop(Signal):
    """SIGSTOP to a process, SIGCONT a while later."""

    again = False

    def __init__(self, chance: Random, role: str):
        super().__init__(chance, signal.SIGSTOP, role)
        self.pause, self.until = chance.uniform(0.05, 1.5), 0.0

    def act(self, elapsed: float, commands: Sequence[int]) -> None:
        super().act(elapsed, commands)
        if self.target is not None:
            self.until = self.until or elapsed + self.pause
            if elapsed >= self.until:
                self.end()

    def end(self) -> None:
        if self.target is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.target, signal.SIGCONT)
            self.target = None


def find(role: str, commands: Sequence[int]) -> Iterator[int]:
    """The processes of this role below the commands."""
    for command in commands:
        if role in ("command", "any"):
            yield command
        if role == "command":
            continue
        with contextlib.suppress(psutil.Error):
            below = psutil.Process(command).children(recursive=True)
            watchers = {process.pid for process in below if is_watcher(process)}
            for process in below:
                with contextlib.suppress(psutil.Error):
                    if role in ("any", role_of(process, watchers)):
                        yield process.pid


def is_watcher(process: psutil.Process) -> bool:
    with contextlib.suppress(psutil.Error):
        return any(LAUNCHER in word for word in process.cmdline())
    return False


def role_of(process: psutil.Process, watchers: set[int]) -> str:
    if process.pid in watchers:
        return "supervisor" if process.ppid() in watchers else "launcher"
    return "solver" if process.ppid() in watchers else ""


# -- places to write to ---------------------------------------------------------------------------------------------------


class FullDisk(Fault):
    """A small separate file system for the scratch folder or the folder of outputs; it is removed after the command."""

    name = "full disk"
    harmless = False

    def __init__(self, chance: Random):
        super().__init__(chance)
        self.pages, self.scratch = chance.choice((1, 2, 4, 16, 64)), chance.random() < 0.5

    def wrapped(self, words: list[str], scratch: Path, out: Path) -> list[str]:
        self.hit = f"{4 * self.pages} KiB for {'scratch files' if self.scratch else 'outputs'}"
        mount = f'mount -t tmpfs -o size={4 * self.pages}k soak "$0" && exec "$@"'
        return ["unshare", "--mount", "sh", "-c", mount, str(scratch if self.scratch else out), *words]


@functools.cache
def can_mount() -> bool:
    """Whether this user can mount file systems."""
    words = ["unshare", "--mount", "mount", "-t", "tmpfs", "soak", "/tmp"]
    with contextlib.suppress(OSError):
        return subprocess.run(words, capture_output=True, check=False).returncode == 0
    return False


class Entering(Fault):
    """A change of a process before it executes a command."""

    harmless = False

    def __init__(self, chance: Random, name: str, doing: Callable[[Random], None]):
        super().__init__(chance)
        self.name, self.doing, self.seed = name, doing, chance.random()
        self.hit = name

    def enter(self) -> None:
        self.doing(Random(self.seed))


def small_files(chance: Random) -> None:
    size = chance.choice((0, 100, 2000, 20_000))
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def few_files(chance: Random) -> None:
    number = chance.randint(6, 24)
    resource.setrlimit(resource.RLIMIT_NOFILE, (number, number))


def closed(chance: Random) -> None:
    os.close(chance.choice((0, 1, 1, 2)))


def no_folder(_chance: Random) -> None:
    os.rmdir(Path.cwd())


class GoneFolder(Entering):
    """The working folder is deleted before the command begins."""

    def __init__(self, chance: Random):
        super().__init__(chance, "gone folder", no_folder)

    def home(self, work: Path) -> Path:
        gone = work / f"gone-{time.monotonic_ns()}"
        gone.mkdir()
        return gone


class NoOutput(Fault):
    """Standard output is /dev/full, or a pipe whose reader has gone."""

    harmless = False

    def __init__(self, chance: Random):
        super().__init__(chance)
        self.closes_pipe = chance.random() < 0.5
        self.name = self.hit = "closed pipe" if self.closes_pipe else "full output"

    def output(self, file: BinaryIO) -> Any:
        return subprocess.PIPE if self.closes_pipe else open("/dev/full", "wb")


# -- load -----------------------------------------------------------------------------------------------------------------


class Load(Fault):
    """Busy processes in parallel with the commands, for their time or a little less."""

    name = "load"

    def __init__(self, chance: Random):
        super().__init__(chance)
        self.number, self.seconds = chance.randint(1, 4), chance.uniform(0.5, 4)
        self.busy: list[subprocess.Popen[bytes]] = []

    def act(self, elapsed: float, commands: Sequence[int]) -> None:
        if not self.hit:
            words = [sys.executable, "-ISc", "while True: pass"]
            self.busy = [subprocess.Popen(words) for _ in range(self.number)]
            self.hit = f"{self.number} busy processes for {self.seconds:.1f} s"
        elif elapsed > self.seconds:
            self.end()

    def end(self) -> None:
        for process in self.busy:
            process.kill()
            process.wait()
        self.busy = []


# -- the table ------------------------------------------------------------------------------------------------------------


def full_disk(chance: Random) -> Fault:
    return FullDisk(chance) if can_mount() else Entering(chance, "small files", small_files)


FAULTS: Mapping[str, Callable[[Random], Fault]] = {
    "none": Fault,
    "kill command": lambda chance: Signal(chance, signal.SIGKILL, "command"),
    "kill launcher": lambda chance: Signal(chance, signal.SIGKILL, "launcher"),
    "kill supervisor": lambda chance: Signal(chance, signal.SIGKILL, "supervisor"),
    "kill solver": lambda chance: Signal(chance, signal.SIGKILL, "solver"),
    "kill any": lambda chance: Signal(chance, signal.SIGKILL, "any"),
    "interrupt": lambda chance: Signal(chance, signal.SIGINT, "command"),
    "terminate": lambda chance: Signal(chance, signal.SIGTERM, "command"),
    "stop": lambda chance: Stop(chance, chance.choice(ROLES)),
    "full disk": full_disk,
    "small files": lambda chance: Entering(chance, "small files", small_files),
    "few files": lambda chance: Entering(chance, "few files", few_files),
    "closed descriptor": lambda chance: Entering(chance, "closed descriptor", closed),
    "gone folder": GoneFolder,
    "no output": NoOutput,
    "load": Load,
    "limits": Fault,  # tiny ones, of CPU time, wall time or memory: a road asks for them
    "liar": Fault,  # a road takes one as its solver
}
