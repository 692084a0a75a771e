"""What a tree has used: the kernel's account and the sampled one put together, since each of them misses something.

Memory is the control group's count where there is one. It misses nothing, but it has files in it that the tree was the first to
read or write: a proof, say. If these are many, memory is what it is without a group.

The kernel's account (`wait4`) is exact for whoever is waited for, with all descendants that were waited for in turn. It
misses children of a parent that ignores SIGCHLD, and its peak memory is that of the largest single process. Looks see
those children, and the sum over the tree, but only what is there at that moment. They also see memory in files (memfd, POSIX
shared memory) that nobody has mapped, as long as a process has them open; docs/measuring.md tells what they do not see.
"""

from __future__ import annotations

import contextlib
import os
import resource
import stat
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .controlgroup import ControlGroup
from .tree import Process, shared_of

# exec still touches pages after the child has reported its peak, so only what is above it by more is the program's.
EXEC_SLACK = 512 * 1024

# A process seen with less than this has hardly begun: its program was not even linked yet.
LEAST_PROGRAM = 256 * 1024

# A control group that has more of files in memory than this is not believed.
FILES_SLACK = 1 << 20

SHM = "/dev/shm"

# How the peak was obtained.
CONTROL_GROUP = "control group"  # kernel: the whole tree; exact
MAXRSS = "ru_maxrss"  # kernel: the largest process that was waited for; exact
HIGH_WATER = "VmHWM"  # kernel: the largest process at its last look; exact up to that look
TREE_SUM = "sum of RSS"  # sampled: resident sets of all processes, added up, and files of memory that none has mapped
UPPER_BOUND = "ru_maxrss, upper bound"  # ended unseen, and needed no more than the process that launched it

# Entries of a folder that are looked at each time, so that a program cannot keep us busy with files.
MOST_ENTRIES = 10_000


def bytes_written(path: str) -> int:
    """The size of a regular file; what a folder with all below it takes on the disk. 0 for what is not there or neither."""
    try:
        there = os.lstat(path)
    except OSError:
        return 0
    if not stat.S_ISDIR(there.st_mode):
        return there.st_size if stat.S_ISREG(there.st_mode) else 0
    total, entries, folders = 0, 0, [path]
    while folders and entries < MOST_ENTRIES:
        try:
            with os.scandir(folders.pop()) as found:
                for entry in found:
                    entries += 1
                    total += entry.stat(follow_symlinks=False).st_blocks * 512
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
                    if entries >= MOST_ENTRIES:
                        break
        except OSError:  # gone meanwhile, or closed to us
            continue
    return total


def memory_devices() -> set[int]:
    """The devices whose files are memory: the kernel's own, which has no name, and that of POSIX shared memory."""
    devices = set()
    try:
        devices.add(os.stat(SHM).st_dev)
        file = os.memfd_create("probe")
    except OSError:  # an old system, a container without
        return devices
    devices.add(os.fstat(file).st_dev)
    os.close(file)
    return devices


def memory_files_of(pid: int, devices: set[int]) -> Iterator[tuple[tuple[int, int], int]]:
    """Identity and size of the files of memory that a process has open; nothing if it is gone, or somebody else's."""
    folder = f"/proc/{pid}/fd"
    with contextlib.suppress(OSError):
        for number in os.listdir(folder):
            with contextlib.suppress(OSError):
                there = os.stat(f"{folder}/{number}")
                if there.st_dev in devices:
                    yield (there.st_dev, there.st_ino), there.st_blocks * 512


class ExecStart(NamedTuple):
    """What the child says right before exec: all that it used until then is ours and not the program's."""

    moment: float  # of the monotonic clock, in seconds
    cpu: float  # seconds
    peak: int  # bytes: exec hands it on, so that no later ru_maxrss is less
    in_group: bool  # whether it has joined the run's control group
    confined: bool  # whether the kernel holds it to the order's domain


class Usage:
    """CPU time and peak memory of a tree, growing with each look and each process that is waited for.

    `own` are files (open ones, or paths) that are output and no memory, wherever they lie.
    """

    def __init__(self, start: ExecStart, group: ControlGroup | None, own: Iterable[str | int]):
        self._start = start
        self._own = list(own)
        self._devices = memory_devices()
        self._group = group if start.in_group else None
        self._waited_cpu = -start.cpu  # the child's share before exec is in what wait4 reports of it
        self._seen_cpu: dict[tuple[int, float], float] = {}  # own time of each process that was ever seen
        self._seen_total = 0.0
        self._sampled_cpu = 0.0
        self._peaks = {MAXRSS: 0, HIGH_WATER: 0, TREE_SUM: 0}  # on a tie the earlier one is named
        self._group_peak = 0

    def add_ended(self, used: resource.struct_rusage) -> None:
        """A child was waited for."""
        self._waited_cpu += used.ru_utime + used.ru_stime
        peak = used.ru_maxrss * 1024
        if peak > self._start.peak + EXEC_SLACK:
            self._raise_peak(MAXRSS, peak)

    def add_look(self, processes: list[Process]) -> None:
        """The tree was looked at, all ended children having been waited for.

        A process that a look happens to miss may be back in the next one, so nobody's share is ever closed.
        """
        for process in processes:
            key = (process.pid, process.started)
            self._seen_total += process.cpu - self._seen_cpu.get(key, 0.0)
            self._seen_cpu[key] = process.cpu
        live_cpu = sum(process.cpu + process.waited_cpu for process in processes)
        self._sampled_cpu = max(self._sampled_cpu, self._waited_cpu + live_cpu, self._seen_total)
        self._raise_peak(TREE_SUM, sum(process.resident for process in processes) + self._unmapped_bytes(processes))
        self._raise_peak(HIGH_WATER, max((process.high_water for process in processes), default=0))

    def _unmapped_bytes(self, processes: Iterable[Process]) -> int:
        """Bytes in files of memory that are in no resident set. A process that ends meanwhile has none."""
        alive = [process.pid for process in processes if process.alive]
        held = {key: size for pid in alive for key, size in memory_files_of(pid, self._devices)}
        for name in self._own if held else ():
            with contextlib.suppress(OSError):
                there = os.stat(name)
                held.pop((there.st_dev, there.st_ino), None)
        return max(0, sum(held.values()) - sum(map(shared_of, alive))) if held else 0

    def end(self) -> None:
        """The tree is gone: the group's peak counts, unless files are in it."""
        if self._group is not None and self._group.files <= FILES_SLACK:
            self._group_peak = self._group.peak

    def _raise_peak(self, method: str, value: int) -> None:
        self._peaks[method] = max(self._peaks[method], value)

    @property
    def cpu(self) -> float:
        """Seconds so far."""
        return max(self._waited_cpu, self._sampled_cpu)

    def is_memory_above(self, limit: int) -> bool:
        """Whether the peak so far is known to be above a limit. Both accounts may be too high while the run lasts: looks count
        shared pages once for each process, and the group counts files."""
        if self._group_peak:
            return self._group_peak > limit
        return max(self._peaks.values()) > limit and (self._group is None or self._group.peak > limit)

    def memory(self) -> tuple[int, str]:
        """The peak in bytes and how it was obtained."""
        if self._group_peak:
            return self._group_peak, CONTROL_GROUP
        method = max(self._peaks, key=self._peaks.__getitem__)
        if self._peaks[method] < LEAST_PROGRAM:
            return self._start.peak, UPPER_BOUND
        return self._peaks[method], method
