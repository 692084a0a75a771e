"""The tree of processes below one process: who is in it, what they use, signals to them, and when a child has ended.

It is read from Linux's `/proc`, some 50 microseconds a process.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import socket
from collections.abc import Iterable, Iterator
from typing import NamedTuple

TICK = 1 / os.sysconf("SC_CLK_TCK")  # seconds

# linux/prctl.h
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36

# Found out once, in the launcher: every supervisor is a fork of it.
_prctl = ctypes.CDLL(None, use_errno=True).prctl
_prctl.argtypes = [ctypes.c_int, *4 * [ctypes.c_ulong]]
_lists_children = os.path.exists("/proc/thread-self/children")


def set_process_control(option: int, value: int) -> None:
    """prctl(option, value) for the calling process."""
    if _prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), f"prctl({option})")


class Process(NamedTuple):
    """One process at the moment of a look. Number and start time together name it for good; numbers alone come back."""

    pid: int
    group: int
    started: int  # the system's own unit; only compared
    alive: bool  # not a zombie
    cpu: float  # seconds that it used itself
    waited_cpu: float  # seconds of its children that it has waited for
    resident: int  # bytes now
    high_water: int  # bytes, the most it ever was


def processes_below(root: int) -> list[Process]:
    """All processes of the tree, parents before their children. One that comes or goes meanwhile may be missing."""
    found: list[Process] = []
    parents = {root}
    pending = list(children_of(root))
    while pending:
        pid = pending.pop()
        stat = _stat(pid)
        # A number that was given to a stranger since we read it has a stranger's parent.
        if stat is None or int(stat[1]) not in parents:
            continue
        parents.add(pid)
        pending.extend(children_of(pid))
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


def signal_groups(processes: Iterable[Process], number: int) -> None:
    """Signal each group that one of these processes, looked at just now, still vouches for.

    Groups rather than processes: the kernel signals a group at once, so that nobody in it can fork away meanwhile. The
    main process has a session of its own, and groups stay within a session: a group of the tree has no strangers in it.
    """
    signalled = set()
    for process in processes:
        if process.group in signalled:
            continue
        stat = _stat(process.pid)
        if stat is not None and int(stat[19]) == process.started:
            signalled.add(process.group)
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.group, number)


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


def children_of(pid: int) -> Iterator[int]:
    """The children of a process, zombies too, over all its threads, since any of them may have forked."""
    if not _lists_children:  # a kernel without CONFIG_PROC_CHILDREN: whoever has this parent
        processes = [int(name) for name in os.listdir("/proc") if name.isdigit()]
        yield from (each for each in processes if (stat := _stat(each)) is not None and int(stat[1]) == pid)
        return
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except (FileNotFoundError, ProcessLookupError):
        return
    for thread in threads:
        yield from map(int, _read(f"/proc/{pid}/task/{thread}/children").split())


def memory_of(pid: int) -> tuple[int, int]:
    """Resident now and at most (VmRSS and VmHWM) in bytes; 0 for a zombie, whose memory is gone.

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
