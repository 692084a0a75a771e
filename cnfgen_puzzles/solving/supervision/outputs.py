"""The files that a run writes: their sizes and limits.

Output goes directly from the program to its files, so a flood costs the supervisor nothing and no pipe can fill up.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from typing import NamedTuple

# Entries of a folder that are examined in each check, to limit the work if a program makes many files.
MOST_ENTRIES = 10_000


class Stream(NamedTuple):
    """An open output file of the program with its limit in bytes."""

    name: str
    file: int
    limit: int

    @property
    def size(self) -> int:
        """Bytes; 0 for a device or a pipe."""
        found = os.fstat(self.file)
        return found.st_size if stat.S_ISREG(found.st_mode) else 0


class Outputs:
    """Standard output and error of a run, and `written`: other files and folders, each with its limit."""

    def __init__(self, streams: Sequence[Stream], written: Sequence[tuple[str, int]]):
        self._streams = streams
        self._written = written

    def flood(self) -> str:
        """The output that exceeds its limit, in words; empty if there is none."""
        sizes = [(stream.name, stream.size, stream.limit) for stream in self._streams]
        sizes += [(os.path.basename(path), bytes_written(path), limit) for path, limit in self._written]
        return next((f"{name} has more than {limit} bytes" for name, size, limit in sizes if size > limit), "")

    def cut(self) -> None:
        """Truncate the streams to their limits: the program can exceed a limit between two checks."""
        for stream in self._streams:
            if stream.size > stream.limit:
                os.ftruncate(stream.file, stream.limit)


def bytes_written(path: str) -> int:
    """The size of a regular file, or the disk usage of a folder with its contents; 0 for everything else."""
    try:
        found = os.lstat(path)
    except OSError:
        return 0
    if not stat.S_ISDIR(found.st_mode):
        return found.st_size if stat.S_ISREG(found.st_mode) else 0
    total, entries, folders = 0, 0, [path]
    while folders and entries < MOST_ENTRIES:
        try:
            with os.scandir(folders.pop()) as listing:
                for entry in listing:
                    entries += 1
                    total += entry.stat(follow_symlinks=False).st_blocks * 512
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
                    if entries >= MOST_ENTRIES:
                        break
        except OSError:  # removed meanwhile, or not accessible
            continue
    return total
