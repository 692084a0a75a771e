"""The process tree below a process: its members, their resource use, signals to them, and the end of children.

It is read from Linux's `/proc`, in about 50 microseconds per process.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import socket
import sys
from collections.abc import Iterable, Iterator
from typing import NamedTuple

TICK = 1 / os.sysconf("SC_CLK_TCK")  # seconds

# linux/prctl.h
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36

# Determined once, in the launcher: each supervisor is a fork of it.
if sys.platform != "emscripten":  # browsers import this, but start no process
    _prctl = ctypes.CDLL(None, use_errno=True).prctl
    _prctl.argtypes = [ctypes.c_int, *4 * [ctypes.c_ulong]]
_lists_children = os.path.exists("/proc/thread-self/children")


def set_process_control(option: int, value: int) -> None:
    """prctl(option, value) for the calling process."""
    if _prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), f"prctl({option})")


class Process(NamedTuple):
    """One process at the time of a sample. Number and start time identify it; numbers alone are reused."""

    pid: int
    group: int
    started: int  # in the unit of the system; only compared
    alive: bool  # not a zombie
    cpu: float  # seconds, without its children
    waited_cpu: float  # seconds of its children that it has waited for
    resident: int  # current bytes
    high_water: int  # peak in bytes


def processes_below(root: int) -> list[Process]:
    """All processes of the tree, parents before their children. A process that starts or ends meanwhile may be missing."""
    found: list[Process] = []
    parents = {root}
    pending = list(children_of(root))
    while pending:
        pid = pending.pop()
        stat = _stat(pid)
        # A number that was reused since it was read has another parent.
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
    """Signal each process group that still contains one of these processes.

    The kernel signals a group atomically, so that no process in it can escape by forking. The main process has its own session,
    and groups stay within a session: a group of the tree contains only processes of the tree.
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
    """The content of a small file of /proc; empty if its process has ended."""
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
    """The fields of /proc/PID/stat from the third (the state), or None if the process has ended.

    The second field is the name of the program in parentheses and may contain parentheses and spaces.
    """
    text = _read(f"/proc/{pid}/stat")
    return text.rpartition(b")")[2].split() if text else None


def children_of(pid: int) -> Iterator[int]:
    """The children of all threads of a process, including zombies."""
    if not _lists_children:  # a kernel without CONFIG_PROC_CHILDREN: all processes with this parent
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
    """Current and peak resident memory (VmRSS and VmHWM) in bytes; 0 for a zombie.

    These are exact; the values in /proc/PID/stat and those of getrusage may differ by megabytes.
    """
    status = _read(f"/proc/{pid}/status")
    return _kilobytes(status, b"\nVmRSS:"), _kilobytes(status, b"\nVmHWM:")


def shared_of(pid: int) -> int:
    """Resident bytes of shared memory that a process has mapped; 0 if the kernel does not report them."""
    return _kilobytes(_read(f"/proc/{pid}/status"), b"\nRssShmem:")


def _kilobytes(status: bytes, name: bytes) -> int:
    _, found, rest = status.partition(name)
    return int(rest.split(None, 1)[0]) * 1024 if found else 0


class ChildAlarm:
    """SIGCHLD for `select`. Each process has one; a forked process replaces the one of its parent."""

    def __init__(self) -> None:
        self._reader, self._writer = socket.socketpair()
        self._reader.setblocking(False)
        self._writer.setblocking(False)
        signal.signal(signal.SIGCHLD, lambda _number, _frame: None)  # an ignored signal would not end `select`
        signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)

    def fileno(self) -> int:
        return self._reader.fileno()

    def clear(self) -> None:
        """Clear the signals so far; call it before waiting for children, otherwise one may be missed."""
        with contextlib.suppress(BlockingIOError):
            while self._reader.recv(4096):
                pass

    def wait(self, seconds: float) -> None:
        """Wait until a child ends, at most this long."""
        select.select([self], [], [], max(0.0, seconds))
        self.clear()
