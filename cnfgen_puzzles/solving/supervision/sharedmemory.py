"""Memory that a tree holds in files: memfd, POSIX shared memory. What of it nobody has mapped is in no resident set.

It is found among the open files of the processes, so what was closed is not seen; docs/measuring.md tells what else is not.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from .tree import Process, shared_of

SHM = "/dev/shm"


def memory_devices() -> set[int]:
    """The devices whose files are memory: the kernel's own, which has no name, and that of POSIX shared memory."""
    devices = set()
    try:
        devices.add(os.stat(SHM).st_dev)
        file = os.memfd_create("probe")
    except (OSError, AttributeError):  # another system, an old one, a container without
        return devices
    devices.add(os.fstat(file).st_dev)
    os.close(file)
    return devices


class SharedMemory:
    """What the processes of one run hold so; `own` are files that are output and no memory, wherever they lie."""

    def __init__(self, own: Iterable[str | int]):
        self._devices = memory_devices()
        self._own = list(own)

    def unmapped(self, processes: Iterable[Process]) -> int:
        """Bytes in files of memory that are in no resident set. A process that ends meanwhile has none."""
        alive = [process.pid for process in processes if process.alive]
        held = {key: size for pid in alive for key, size in self._held(pid)}
        for name in self._own if held else ():
            try:
                there = os.stat(name)
            except OSError:
                continue
            held.pop((there.st_dev, there.st_ino), None)
        return max(0, sum(held.values()) - sum(map(shared_of, alive))) if held else 0

    def _held(self, pid: int) -> Iterable[tuple[tuple[int, int], int]]:
        """Identity and size of the files of memory that a process has open."""
        folder = f"/proc/{pid}/fd"
        try:
            numbers = os.listdir(folder)
        except OSError:  # gone, or somebody else's
            return
        for number in numbers:
            try:
                there = os.stat(f"{folder}/{number}")
            except OSError:
                continue
            if there.st_dev in self._devices:
                yield (there.st_dev, there.st_ino), there.st_blocks * 512
