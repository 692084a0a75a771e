"""A control group (version 2) for each run: the kernel counts the CPU time of the whole tree and, where the memory controller is
enabled, its memory, and enforces a limit on that.

Groups are made below or beside the group of this process, if the system allows it: as root, or in a delegated part of the
hierarchy. Otherwise, runs are measured without groups.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Sequence

MOUNTS = ("/sys/fs/cgroup", "/sys/fs/cgroup/unified")  # of version 2: alone, or beside version 1
PREFIX = "cnfgen-run-"  # followed by the supervisor's number
REMOVAL_PATIENCE = 0.5  # seconds for which the kernel may still count a dead process in a group
REMOVAL_ROUND = 0.005

# In addition to the sampled limit, for growth between two samples: far enough above it that a tree within the limit never reaches
# it, although the kernel also counts page tables and files.
BACKSTOP_PART = 16  # of the limit
BACKSTOP_EXTRA = 16 << 20


class ControlGroup:
    """The group of one run."""

    def __init__(self, path: str):
        self._path = path

    def make(self) -> bool:
        """Make it; False if that fails."""
        try:
            os.mkdir(self._path)
        except OSError:
            return False
        return True

    def exists(self) -> bool:
        """Whether it exists: it was made, and not removed."""
        return os.path.exists(self._path)

    def join(self) -> bool:
        """Move the calling process into it; False if that is not allowed."""
        try:
            self._write("cgroup.procs", "0")
        except OSError:
            return False
        return True

    def limit(self, size: int) -> None:
        """Set the memory limit of the whole tree in bytes, a little above `size`, if the group counts memory."""
        with contextlib.suppress(OSError):
            self._write("memory.max", str(size + size // BACKSTOP_PART + BACKSTOP_EXTRA))

    @property
    def cpu(self) -> float:
        """The CPU time of all processes that were in the group, in seconds; 0 if unknown. It includes those that nobody waited
        for."""
        return _number(self._read("cpu.stat"), "usage_usec") / 1e6

    @property
    def peak(self) -> int:
        """The peak of the tree in bytes; 0 if the group does not count memory or the kernel reports no peak (before Linux 5.19).
        It includes files that the tree was the first to read or write."""
        text = self._read("memory.peak").strip()
        return int(text) if text.isdigit() else 0

    @property
    def files(self) -> int:
        """Bytes of files in memory that the group is charged for now."""
        return _number(self._read("memory.stat"), "file")

    @property
    def out_of_memory(self) -> bool:
        """Whether the kernel has killed a process of the tree because of its memory."""
        return _number(self._read("memory.events"), "oom_kill") > 0

    def kill(self) -> None:
        """Kill all its processes at once, so that none can fork meanwhile (since Linux 5.14)."""
        with contextlib.suppress(OSError):
            self._write("cgroup.kill", "1")

    def remove(self) -> None:
        """Remove it when no process is left in it."""
        deadline = time.monotonic() + REMOVAL_PATIENCE
        while self.exists():
            try:
                os.rmdir(self._path)
            except FileNotFoundError:
                return
            except OSError:
                if time.monotonic() > deadline:
                    return
                time.sleep(REMOVAL_ROUND)

    def _read(self, name: str) -> str:
        try:
            with open(f"{self._path}/{name}", encoding="ascii") as file:
                return file.read()
        except OSError:
            return ""

    def _write(self, name: str, text: str) -> None:
        with open(f"{self._path}/{name}", "w", encoding="ascii") as file:
            file.write(text)


def _number(text: str, word: str) -> int:
    """The number in the line that begins with this word, or 0."""
    for line in text.splitlines():
        name, _, value = line.partition(" ")
        if name == word and value.isdigit():
            return int(value)
    return 0


def sweep(home: str) -> None:
    """Remove the groups of dead supervisors, for the case that a launcher was killed as well."""
    with contextlib.suppress(OSError):
        for name in os.listdir(home):
            number = name.removeprefix(PREFIX)
            if name != number and number.isdecimal() and not os.path.exists(f"/proc/{number}"):
                with contextlib.suppress(OSError):  # another process was faster, or a process is left in it
                    os.rmdir(f"{home}/{name}")


def group_of(home: str | None, supervisor: int) -> ControlGroup | None:
    """The group of the run of a supervisor, which need not exist; None if groups are not possible."""
    return ControlGroup(f"{home}/{PREFIX}{supervisor}") if home else None


def find_home(cgroups: str = "/proc/self/cgroup", mounts: Sequence[str] = MOUNTS) -> str | None:
    """The folder for groups of runs: below the own group or beside it, where groups count memory if possible.

    A group with processes cannot have groups below it that count memory (except the root).
    """
    try:
        with open(cgroups, encoding="utf-8") as file:
            name = next(line.strip().removeprefix("0::") for line in file if line.startswith("0::"))
    except (OSError, StopIteration):
        return None
    own = [(mount + name).rstrip("/") for mount in mounts]
    places = [place for each in own for place in (each, os.path.dirname(each))]
    allowed = [place for place in places if os.access(place, os.W_OK) and os.access(f"{place}/cgroup.procs", os.W_OK)]
    return next(filter(_counts_memory, allowed), allowed[0] if allowed else None)


def _counts_memory(place: str) -> bool:
    """Whether the memory of groups below this one is counted."""
    with contextlib.suppress(OSError), open(f"{place}/cgroup.subtree_control", encoding="ascii") as file:
        return "memory" in file.read().split()
    return False
