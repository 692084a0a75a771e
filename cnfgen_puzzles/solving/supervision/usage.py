"""The resource use of a run: the kernel's numbers combined with samples, since both are incomplete.

With a control group, CPU time is at least the count of the group, which is exact. Memory is the count of the group if that counts
memory. It is complete, but it includes files that the tree was the first to read or write, such as a proof or a temporary file.
If these are large, memory is measured as without a group.

`wait4` is exact for processes that are waited for, with all descendants that were waited for in turn. It misses children of a
parent that ignores SIGCHLD, and its peak memory is that of the largest process. Samples by psutil include those children and the
sum over the tree, but only at the time of a sample. docs/explanation/measuring.md lists the gaps.
"""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING, NamedTuple

from . import is_portable
from .controlgroup import ControlGroup

if TYPE_CHECKING:
    import resource  # not in browsers

    import psutil

MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1024  # bytes

# exec uses more pages after the child has reported its peak, and the kernel's count is late by up to 32 pages for each core and
# kind of page, so only a peak that is higher by more belongs to the program.
EXEC_SLACK = 1 << 20

# A process with less than this has just started: its program was not linked yet.
LEAST_PROGRAM = 256 * 1024

# The memory peak of a control group is not used if its processes read or wrote more bytes of files than this.
FILES_SLACK = 1 << 20

# The method of the peak.
CONTROL_GROUP = "control group"  # kernel: the whole tree; exact
MAXRSS = "ru_maxrss"  # kernel: the largest process that was waited for; exact
HIGH_WATER = "VmHWM"  # kernel: the largest process at its last sample; exact until that sample
TREE_SUM = "sum of RSS"  # sampled: the sum of the resident sets of all processes
UPPER_BOUND = "ru_maxrss, upper bound"  # ended before a sample, and needed no more than the process that started it


def high_water(pid: int | str) -> int:
    """The peak resident memory of a process in bytes, which psutil does not report; 0 for a zombie, and in portable mode."""
    if is_portable():
        return 0
    with contextlib.suppress(FileNotFoundError, ProcessLookupError), open(f"/proc/{pid}/status", "rb", buffering=0) as file:
        _, found, rest = file.readall().partition(b"\nVmHWM:")
        return int(rest.split(None, 1)[0]) * 1024 if found else 0
    return 0


class ExecStart(NamedTuple):
    """The report of the child right before exec: its use until then does not belong to the program."""

    moment: float  # on the monotonic clock, in seconds
    cpu: float  # seconds
    peak: int  # bytes: exec keeps it, so that no later ru_maxrss is less
    in_group: bool  # whether it has joined the run's control group
    confined: bool  # whether the kernel enforces the domain of the order


class Usage:
    """CPU time and peak memory of a tree, updated by each sample and each process that is waited for."""

    def __init__(self, start: ExecStart, group: ControlGroup | None):
        self._start = start
        self._group = group if start.in_group else None
        self._waited_cpu = -start.cpu  # wait4 includes the child's time before exec
        self._seen_cpu: dict[tuple[int, float], float] = {}  # own time of each sampled process, by number and start
        self._sampled_cpu = 0.0
        self._peaks = {MAXRSS: 0, HIGH_WATER: 0, TREE_SUM: 0}  # the first one has precedence in a tie
        self._group_peak = 0
        self._file_bytes = 0  # read from disks or written to files by processes that were waited for

    def add_ended(self, used: resource.struct_rusage) -> None:
        """Add a child that was waited for."""
        self._waited_cpu += used.ru_utime + used.ru_stime
        self._file_bytes += (used.ru_inblock + used.ru_oublock) * 512
        peak = used.ru_maxrss * MAXRSS_UNIT
        if peak > self._start.peak + EXEC_SLACK:
            self._raise_peak(MAXRSS, peak)

    def add_sample(self, processes: list[psutil.Process]) -> None:
        """Add a sample of the tree. Call `add_ended` for all ended children first: their time is not in the sample.

        A process may be missing in one sample and present in the next, so the sum over all processes seen so far counts, too.
        """
        import psutil  # in 65 ms; the launcher has not done so, since forks would be slower and short programs would look larger

        live_cpu, resident = 0.0, 0
        for process in processes:
            with contextlib.suppress(psutil.Error), process.oneshot():  # ended, or of another user
                times = process.cpu_times()
                resident += process.memory_info().rss
                own = times.user + times.system
                self._seen_cpu[process.pid, process.create_time()] = own
                live_cpu += own + times.children_user + times.children_system
                self._raise_peak(HIGH_WATER, high_water(process.pid))
        self._sampled_cpu = max(self._sampled_cpu, self._waited_cpu + live_cpu, sum(self._seen_cpu.values()))
        self._raise_peak(TREE_SUM, resident)

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
