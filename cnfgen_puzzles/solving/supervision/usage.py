"""The resource use of a tree: the kernel's numbers combined with samples, since both are incomplete.

With a control group, CPU time is at least the count of the group, which is exact. Memory is the count of the group if that counts
memory. It is complete, but it includes files that the tree was the first to read or write, such as a proof or a temporary file.
If these are large, memory is measured as without a group.

The kernel's numbers (`wait4`) are exact for processes that are waited for, with all descendants that were waited for in turn.
They miss children of a parent that ignores SIGCHLD, and their peak memory is that of the largest process. Samples include those
children and the sum over the tree, but only at the time of a sample. They also include memory in files (memfd, POSIX shared
memory) that no process has mapped but one has open; docs/explanation/measuring.md lists the gaps.
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

# exec uses more pages after the child has reported its peak, so only a peak that is higher by more belongs to the program.
EXEC_SLACK = 512 * 1024

# A process with less than this has just started: its program was not linked yet.
LEAST_PROGRAM = 256 * 1024

# The memory peak of a control group is not used if its processes read or wrote more bytes of files than this.
FILES_SLACK = 1 << 20

SHM = "/dev/shm"

# The method of the peak.
CONTROL_GROUP = "control group"  # kernel: the whole tree; exact
MAXRSS = "ru_maxrss"  # kernel: the largest process that was waited for; exact
HIGH_WATER = "VmHWM"  # kernel: the largest process at its last sample; exact until that sample
TREE_SUM = "sum of RSS"  # sampled: the sum of the resident sets of all processes, and memory files that none has mapped
UPPER_BOUND = "ru_maxrss, upper bound"  # ended before a sample, and needed no more than the process that launched it

# Entries of a folder that are examined in each sample, to limit the work if a program makes many files.
MOST_ENTRIES = 10_000


def bytes_written(path: str) -> int:
    """The size of a regular file, or the disk usage of a folder with its contents; 0 for everything else."""
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
        except OSError:  # removed meanwhile, or not accessible
            continue
    return total


def memory_devices() -> set[int]:
    """The devices whose files are memory: the kernel's unnamed one, and that of POSIX shared memory."""
    devices = set()
    try:
        devices.add(os.stat(SHM).st_dev)
        file = os.memfd_create("probe")
    except OSError:  # an old system, or a container without it
        return devices
    devices.add(os.fstat(file).st_dev)
    os.close(file)
    return devices


def memory_files_of(pid: int, devices: set[int]) -> Iterator[tuple[tuple[int, int], int]]:
    """Identity and size of the memory files that a process has open; empty if it has ended or belongs to another user."""
    folder = f"/proc/{pid}/fd"
    with contextlib.suppress(OSError):
        for number in os.listdir(folder):
            with contextlib.suppress(OSError):
                there = os.stat(f"{folder}/{number}")
                if there.st_dev in devices:
                    yield (there.st_dev, there.st_ino), there.st_blocks * 512


class ExecStart(NamedTuple):
    """The report of the child right before exec: its use until then does not belong to the program."""

    moment: float  # on the monotonic clock, in seconds
    cpu: float  # seconds
    peak: int  # bytes: exec keeps it, so that no later ru_maxrss is less
    in_group: bool  # whether it has joined the run's control group
    confined: bool  # whether the kernel enforces the domain of the order


class Usage:
    """CPU time and peak memory of a tree, updated by each sample and each process that is waited for.

    `own` are files (open ones, or paths) that count as output, not as memory, on any device.
    """

    def __init__(self, start: ExecStart, group: ControlGroup | None, own: Iterable[str | int]):
        self._start = start
        self._own = list(own)
        self._devices = memory_devices()
        self._group = group if start.in_group else None
        self._waited_cpu = -start.cpu  # wait4 includes the child's time before exec
        self._seen_cpu: dict[tuple[int, float], float] = {}  # own time of each sampled process
        self._seen_total = 0.0
        self._sampled_cpu = 0.0
        self._peaks = {MAXRSS: 0, HIGH_WATER: 0, TREE_SUM: 0}  # the first one has precedence in a tie
        self._group_peak = 0
        self._file_bytes = 0  # read from disks or written to files by processes that were waited for

    def add_ended(self, used: resource.struct_rusage) -> None:
        """Add a child that was waited for."""
        self._waited_cpu += used.ru_utime + used.ru_stime
        self._file_bytes += (used.ru_inblock + used.ru_oublock) * 512
        peak = used.ru_maxrss * 1024
        if peak > self._start.peak + EXEC_SLACK:
            self._raise_peak(MAXRSS, peak)

    def add_look(self, processes: list[Process]) -> None:
        """Add a sample of the tree, after all ended children were waited for.

        A process may be missing in one sample and present in the next, so its time stays open.
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
        """Bytes in memory files that are in no resident set. A process that ends meanwhile has none."""
        alive = [process.pid for process in processes if process.alive]
        held = {key: size for pid in alive for key, size in memory_files_of(pid, self._devices)}
        for name in self._own if held else ():
            with contextlib.suppress(OSError):
                there = os.stat(name)
                held.pop((there.st_dev, there.st_ino), None)
        return max(0, sum(held.values()) - sum(map(shared_of, alive))) if held else 0

    def end(self) -> None:
        """Finish after the end of the tree: the peak of the group counts unless it includes files, also deleted ones."""
        if self._group is not None and max(self._group.files, self._file_bytes) <= FILES_SLACK:
            self._group_peak = self._group.peak

    def _raise_peak(self, method: str, value: int) -> None:
        self._peaks[method] = max(self._peaks[method], value)

    @property
    def cpu(self) -> float:
        """Seconds so far. The group also counts children that ended between two samples while their parent ignored SIGCHLD."""
        grouped = 0.0 if self._group is None else self._group.cpu - self._start.cpu
        return max(self._waited_cpu, self._sampled_cpu, grouped)

    def is_memory_above(self, limit: int) -> bool:
        """Whether the peak so far is certainly above a limit. During the run, both numbers may be too high: samples count shared
        pages once for each process, and the group counts files."""
        if self._group_peak:
            return self._group_peak > limit
        return max(self._peaks.values()) > limit and (self._group is None or not 0 < self._group.peak <= limit)

    def memory(self) -> tuple[int, str]:
        """The peak in bytes and its method."""
        if self._group_peak:
            return self._group_peak, CONTROL_GROUP
        method = max(self._peaks, key=self._peaks.__getitem__)
        if self._peaks[method] < LEAST_PROGRAM:
            return self._start.peak, UPPER_BOUND
        return self._peaks[method], method
