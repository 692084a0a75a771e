"""The tree of processes below one process: who is in it, what they use, signals to them, and when a child has ended.

`ProcTree` reads Linux's `/proc` and costs some 50 microseconds a process; `PsutilTree` serves other systems, and Linux
kernels that do not list a process's children. The measurement tells which it was, by `memory_note`.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import socket
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

TICK = 1 / os.sysconf("SC_CLK_TCK")  # seconds
RUSAGE_UNIT = 1 if sys.platform == "darwin" else 1024  # bytes in a unit of ru_maxrss

# linux/prctl.h
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36


def _load_prctl() -> Callable[[int, int, int, int, int], int] | None:
    """prctl(2), or None on a system that has none."""
    if sys.platform != "linux":
        return None
    function = ctypes.CDLL(None, use_errno=True).prctl
    function.argtypes = [ctypes.c_int, *4 * [ctypes.c_ulong]]
    return function


# Found out once, in the launcher: every supervisor is a fork of it.
_prctl = _load_prctl()
_lists_children = os.path.exists("/proc/thread-self/children")


def set_process_control(option: int, value: int) -> bool:
    """prctl(option, value) for the calling process; False where the system has no prctl."""
    if _prctl is None:
        return False
    if _prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), f"prctl({option})")
    return True


class Process(NamedTuple):
    """One process at the moment of a look. Number and start time together name it for good; numbers alone come back."""

    pid: int
    group: int
    started: float  # the system's own unit; only compared
    alive: bool  # not a zombie
    cpu: float  # seconds that it used itself
    waited_cpu: float  # seconds of its children that it has waited for
    resident: int  # bytes now
    high_water: int  # bytes, the most it ever was; 0 where the system does not tell


class ProcessTree(ABC):
    """The processes below one, whatever they are read from."""

    @abstractmethod
    def look(self) -> list[Process]:
        """All processes of the tree, parents before their children. One that comes or goes meanwhile may be missing."""

    @abstractmethod
    def children(self) -> list[int]:
        """The root's own children, zombies too."""

    @abstractmethod
    def is_still_there(self, process: Process) -> bool:
        """Whether the process has not ended since it was looked at."""

    def signal_groups(self, processes: Iterable[Process], number: int) -> None:
        """Signal each group that one of these processes, looked at just now, still vouches for.

        Groups rather than processes: the kernel signals a group at once, so that nobody in it can fork away meanwhile. The
        main process has a session of its own, and groups stay within a session: a group of the tree has no strangers in it.
        """
        signalled = set()
        for process in processes:
            if process.group not in signalled and self.is_still_there(process):
                signalled.add(process.group)
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.group, number)


class ProcTree(ProcessTree):
    """The processes below `root`, read from Linux's /proc."""

    memory_note = ""

    def __init__(self, root: int):
        self.root = root

    def look(self) -> list[Process]:
        found: list[Process] = []
        parents = {self.root}
        pending = list(_children(self.root))
        while pending:
            pid = pending.pop()
            stat = _stat(pid)
            # A number that was given to a stranger since we read it has a stranger's parent.
            if stat is None or int(stat[1]) not in parents:
                continue
            parents.add(pid)
            pending.extend(_children(pid))
            resident, high_water = memory_of(pid)
            found.append(
                Process(
                    pid=pid,
                    group=int(stat[2]),
                    started=int(stat[19]),
                    alive=stat[0] not in (b"Z", b"X"),
                    cpu=(int(stat[11]) + int(stat[12])) * TICK,
                    waited_cpu=(int(stat[13]) + int(stat[14])) * TICK,
                    resident=resident,
                    high_water=high_water,
                )
            )
        return found

    def children(self) -> list[int]:
        return list(_children(self.root))

    def is_still_there(self, process: Process) -> bool:
        stat = _stat(process.pid)
        return stat is not None and int(stat[19]) == process.started


def _read(path: str) -> bytes:
    """A small file of /proc at once; nothing if its process is gone."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except (FileNotFoundError, ProcessLookupError):
        return b""
    try:
        parts = []
        while part := os.read(descriptor, 1 << 16):
            parts.append(part)
        return b"".join(parts)
    except ProcessLookupError:
        return b""
    finally:
        os.close(descriptor)


def _stat(pid: int) -> list[bytes] | None:
    """The fields of /proc/PID/stat from the third (the state) on, or None if the process is gone.

    The second field is the program's name in parentheses and may hold anything, parentheses and spaces too.
    """
    text = _read(f"/proc/{pid}/stat")
    return text.rpartition(b")")[2].split() if text else None


def _children(pid: int) -> Iterator[int]:
    """The children of a process, over all its threads, since any of them may have forked."""
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except (FileNotFoundError, ProcessLookupError):
        return
    for thread in threads:
        yield from map(int, _read(f"/proc/{pid}/task/{thread}/children").split())


def memory_of(pid: int) -> tuple[int, int]:
    """Resident now and at most (VmRSS and VmHWM) in bytes; 0 for a zombie, whose memory is gone, and without a /proc.

    These are exact; the figures in /proc/PID/stat and those of getrusage may lag behind by megabytes.
    """
    status = _read(f"/proc/{pid}/status")
    return _kilobytes(status, b"\nVmRSS:"), _kilobytes(status, b"\nVmHWM:")


def shared_of(pid: int) -> int:
    """Bytes of shared memory that a process has mapped and resident; 0 where the kernel does not tell."""
    return _kilobytes(_read(f"/proc/{pid}/status"), b"\nRssShmem:")


def _kilobytes(status: bytes, name: bytes) -> int:
    _, found, rest = status.partition(name)
    return int(rest.split(None, 1)[0]) * 1024 if found else 0


class PsutilTree(ProcessTree):
    """The processes below `root` as psutil sees them: their memory is sampled, without the kernel's high-water marks."""

    memory_note = "psutil"

    def __init__(self, root: int):
        import psutil  # costs megabytes and milliseconds: only where it is needed

        self._psutil = psutil
        self._root = psutil.Process(root)

    def look(self) -> list[Process]:
        found = []
        for process in self._root.children(recursive=True):
            gone = (self._psutil.NoSuchProcess, self._psutil.AccessDenied, ProcessLookupError)
            with contextlib.suppress(*gone), process.oneshot():
                times = process.cpu_times()
                alive = process.status() != self._psutil.STATUS_ZOMBIE
                found.append(
                    Process(
                        pid=process.pid,
                        group=os.getpgid(process.pid),
                        started=process.create_time(),
                        alive=alive,
                        cpu=times.user + times.system,
                        waited_cpu=getattr(times, "children_user", 0.0) + getattr(times, "children_system", 0.0),
                        resident=process.memory_info().rss if alive else 0,
                        high_water=0,
                    )
                )
        return found

    def children(self) -> list[int]:
        return [process.pid for process in self._root.children()]

    def is_still_there(self, process: Process) -> bool:
        try:
            return self._psutil.Process(process.pid).create_time() == process.started
        except self._psutil.NoSuchProcess:
            return False


def tree_below(root: int) -> ProcTree | PsutilTree:
    """The best view of the processes below `root` that this system offers."""
    return ProcTree(root) if _lists_children else PsutilTree(root)


class ChildAlarm:
    """SIGCHLD for `select`. A process has one; one that was forked makes its own, in place of its parent's."""

    def __init__(self) -> None:
        self._reader, self._writer = socket.socketpair()
        self._reader.setblocking(False)
        self._writer.setblocking(False)
        signal.signal(signal.SIGCHLD, lambda _number, _frame: None)  # an ignored signal would not wake us
        signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)

    def fileno(self) -> int:
        return self._reader.fileno()

    def clear(self) -> None:
        """Forget the deaths so far; call it before waiting for children, or one may be missed."""
        with contextlib.suppress(BlockingIOError):
            while self._reader.recv(4096):
                pass

    def wait(self, seconds: float) -> None:
        """Until a child ends, but not longer than this."""
        select.select([self], [], [], max(0.0, seconds))
        self.clear()
