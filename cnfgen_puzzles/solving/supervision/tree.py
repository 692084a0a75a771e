"""The processes of a run, signals to them, and the end of children.

On Linux, a supervisor is a subreaper: a process of the run that loses its parent becomes a child of the supervisor. So no process
leaves the tree with a double fork or a new session. The kernel lists the children of a process in 0.06 ms.

In portable mode, the processes of a run are those in the session of the supervisor, those that belonged to the run in an earlier
sample, and those below them. psutil reads all processes of the machine to find them. A process that starts a session and loses
its parent between two samples escapes.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import select
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from . import is_portable

if TYPE_CHECKING:
    import resource  # not in browsers

    import psutil

# linux/prctl.h
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36


@functools.cache
def libc() -> ctypes.CDLL:
    """The C library, for what Python does not offer. It is loaded once, in the launcher: every supervisor is a fork of it."""
    return ctypes.CDLL(None, use_errno=True)


def set_process_control(option: int, value: int) -> None:
    """prctl(option, value) for the calling process, on Linux."""
    if libc().prctl(option, *map(ctypes.c_ulong, (value, 0, 0, 0))) != 0:
        raise OSError(ctypes.get_errno(), f"prctl({option})")


class Tree:
    """The processes of one run of the calling supervisor."""

    def __init__(self) -> None:
        self._known: dict[int, psutil.Process] = {}

    def pids(self) -> Iterable[int]:
        """Their numbers, parents before their children. A process that starts or ends meanwhile may be missing."""
        if not is_portable():
            return _below(os.getpid())
        return members(os.getpid(), [pid for pid, process in self._known.items() if process.is_running()])

    def processes(self) -> list[psutil.Process]:
        """The same for psutil. Objects are kept between samples, which makes the next sample faster."""
        import psutil

        pids = list(self.pids())
        known, self._known = self._known, {}
        for pid in pids:
            process = known.get(pid)
            with contextlib.suppress(psutil.Error):
                self._known[pid] = process if process is not None and process.is_running() else psutil.Process(pid)
        return list(self._known.values())


class Ended(NamedTuple):
    """A child that was waited for."""

    pid: int
    status: int
    used: resource.struct_rusage
    moment: float  # on the monotonic clock


class EndedChildren:
    """Waits for children in the handler of SIGCHLD, so that their ends are timed exactly, and wakes `select`.

    A forked process makes another one, which replaces that of its parent.
    """

    def __init__(self) -> None:
        self._reader, writer = os.pipe()
        for end in (self._reader, writer):
            os.set_blocking(end, False)
        self._ended: list[Ended] = []
        self.are_left = False  # whether other children have not ended
        signal.signal(signal.SIGCHLD, self._wait_for)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)

    def fileno(self) -> int:
        return self._reader

    def _wait_for(self, *_: object) -> None:
        try:
            while (ended := os.wait4(-1, os.WNOHANG))[0]:
                self._ended.append(Ended(*ended, time.monotonic()))
            self.are_left = True
        except ChildProcessError:
            self.are_left = False

    def take(self) -> list[Ended]:
        """The children that have ended since the last call."""
        with contextlib.suppress(BlockingIOError):
            os.read(self._reader, 1 << 16)
        self._wait_for()
        found, self._ended = self._ended, []
        return found

    def wait(self, seconds: float) -> None:
        """Wait until a child ends, at most this long."""
        select.select([self], [], [], max(0.0, seconds))


def signal_groups(pids: Iterable[int], number: int) -> None:
    """Send a signal to the process group of each process.

    The kernel signals a group atomically, so that no process in it can escape by forking. A group stays within a session, and the
    sessions of a run contain only its processes and, in portable mode, the supervisor. Each number is used right after it was
    read: the kernel assigns it to another process only after all other numbers.
    """
    signaled = {os.getpgid(0)}
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            group = os.getpgid(pid)
            if group == os.getpgid(0):  # a program has joined the group of its supervisor
                os.kill(pid, number)
            elif group not in signaled:
                signaled.add(group)
                os.killpg(group, number)


def kill(processes: Callable[[], Iterable[int]]) -> None:
    """Kill processes. In portable mode, stop them first: none can then lose its parent, which names it, by a fork meanwhile."""
    if is_portable():
        signal_groups(processes(), signal.SIGSTOP)
    signal_groups(processes(), signal.SIGKILL)


def children_of(pid: int) -> Iterator[int]:
    """The children of all threads of a process, including zombies, on Linux."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children", "rb", buffering=0) as file:
                yield from map(int, file.readall().split())


def _below(root: int) -> Iterator[int]:
    pending = [root]
    while pending:
        found = list(children_of(pending.pop()))
        yield from found
        pending += found


def members(leader: int, known: Iterable[int] = ()) -> list[int]:
    """The processes of a session, known processes, and all processes below them, except the leader and those that have ended."""
    import psutil

    found: dict[int, psutil.Process] = {}
    for pid in [leader, *known, *psutil.pids()]:
        with contextlib.suppress(OSError, psutil.Error):
            if pid not in found and (pid in (leader, *known) or os.getsid(pid) == leader):
                found[pid] = psutil.Process(pid)
                found |= {child.pid: child for child in found[pid].children(recursive=True)}
    return [pid for pid, process in found.items() if pid != leader and _is_alive(process)]


def _is_alive(process: psutil.Process) -> bool:
    """Whether the process has not ended. A zombie has ended, but its parent has not waited for it."""
    import psutil

    with contextlib.suppress(psutil.Error):
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    return False
