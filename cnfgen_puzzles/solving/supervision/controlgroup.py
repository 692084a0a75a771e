"""A control group for each run: the kernel counts the memory of the whole tree and enforces a limit.

Groups are made beside or below the group of this process, if the system allows it: as root, or in a delegated part of the
hierarchy. Otherwise, runs are measured without groups. Both versions of Linux's interface are supported, by their files.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from typing import NamedTuple

PREFIX = "cnfgen-run-"  # followed by the supervisor's number
REMOVAL_PATIENCE = 0.5  # seconds for which the kernel may still count a dead process in a group
REMOVAL_ROUND = 0.005

# In addition to the sampled limit, for growth between two samples: far enough above it that a tree within the limit never reaches
# it, although the kernel also counts page tables and files.
BACKSTOP_PART = 16  # of the limit
BACKSTOP_EXTRA = 16 << 20


class Names(NamedTuple):
    """Files of a group, and words in them."""

    peak: str
    limit: str
    events: str
    files: str  # in memory.stat


V1 = Names("memory.max_usage_in_bytes", "memory.limit_in_bytes", "memory.oom_control", "cache")
V2 = Names("memory.peak", "memory.max", "memory.events", "file")


class Home(NamedTuple):
    """A directory in which groups can be made."""

    path: str
    names: Names


class ControlGroup:
    """The group of one run."""

    def __init__(self, path: str, names: Names):
        self._path, self._names = path, names

    def make(self) -> bool:
        """Make it; False if that fails, or if the kernel reports no peak (version 2 before Linux 5.19)."""
        try:
            os.mkdir(self._path)
        except OSError:
            return False
        if os.path.exists(f"{self._path}/{self._names.peak}"):
            return True
        self.remove()
        return False

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
        """Set the limit of the whole tree in bytes, a little above `size`."""
        with contextlib.suppress(OSError):
            self._write(self._names.limit, str(size + size // BACKSTOP_PART + BACKSTOP_EXTRA))

    @property
    def peak(self) -> int:
        """The peak of the tree in bytes, or 0 if unknown. It includes files that the tree was the first to read or write."""
        text = self._read(self._names.peak).strip()
        return int(text) if text.isdigit() else 0

    @property
    def files(self) -> int:
        """Bytes of files in memory that the group is charged for now."""
        return _number(self._read("memory.stat"), self._names.files)

    @property
    def out_of_memory(self) -> bool:
        """Whether the kernel has killed a process of the tree because of its memory."""
        return _number(self._read(self._names.events), "oom_kill") > 0

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


def sweep(home: Home | None) -> None:
    """Remove the groups of dead supervisors, for the case that a launcher was killed as well."""
    if home is None:
        return
    with contextlib.suppress(OSError):
        for name in os.listdir(home.path):
            number = name.removeprefix(PREFIX)
            if name != number and number.isdecimal() and not os.path.exists(f"/proc/{number}"):
                with contextlib.suppress(OSError):  # another process was faster, or a process is left in it
                    os.rmdir(f"{home.path}/{name}")


def group_of(home: Home | None, supervisor: int) -> ControlGroup | None:
    """The group of the run of a supervisor, which need not exist; None if groups are not possible."""
    return ControlGroup(f"{home.path}/{PREFIX}{supervisor}", home.names) if home else None


def find_home(cgroups: str = "/proc/self/cgroup", mounts: str = "/proc/self/mountinfo") -> Home | None:
    """The place for groups of runs: below the own group, or beside it, since version 2 allows none below a group with
    processes."""
    for path, names in _own_groups(cgroups, mounts):
        places = [path] if names is V1 else [path, os.path.dirname(path)]
        for place in places:
            if os.access(place, os.W_OK) and os.access(f"{place}/cgroup.procs", os.W_OK) and _counts_memory(place, names):
                return Home(place, names)
    return None


def _counts_memory(place: str, names: Names) -> bool:
    """Whether the memory of groups below this one is counted."""
    if names is V1:
        return os.path.exists(f"{place}/{names.peak}")
    with contextlib.suppress(OSError), open(f"{place}/cgroup.subtree_control", encoding="ascii") as file:
        return "memory" in file.read().split()
    return False


def _own_groups(cgroups: str, mounts: str) -> Iterator[tuple[str, Names]]:
    """The directories of the groups of this process that can count memory."""
    try:
        with open(cgroups, encoding="utf-8") as file:
            entries = [line.rstrip("\n").split(":", 2) for line in file]
        with open(mounts, encoding="utf-8") as file:
            mounted = [line.split() for line in file]
    except OSError:
        return
    for _, controllers, path in entries:
        if controllers and "memory" not in controllers.split(","):
            continue
        for fields in mounted:
            kind, options = fields[fields.index("-") + 1], fields[-1].split(",")
            wanted = kind == "cgroup" and "memory" in options if controllers else kind == "cgroup2"
            root = fields[3].rstrip("/")
            if wanted and (path + "/").startswith(root + "/"):
                yield (fields[4] + path[len(root) :]).rstrip("/"), V1 if controllers else V2
