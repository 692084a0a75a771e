"""The files that a run writes: their sizes and limits.

Output goes directly from the program to its files, so a flood costs the supervisor nothing and no pipe can fill up.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import stat
from typing import NamedTuple

# Entries of a folder that are examined in each check, to limit the work if a program makes many files.
MOST_ENTRIES = 10_000


class Output(NamedTuple):
    """An output of a run with its limit in bytes: an open file of the program, or the path of a file or folder."""

    name: str
    file: int | str
    limit: int

    @property
    def is_flood(self) -> bool:
        return bytes_written(self.file) > self.limit

    def cut(self) -> None:
        """Truncate an open file to its limit: the program can exceed a limit between two checks."""
        if isinstance(self.file, int) and self.is_flood:
            os.ftruncate(self.file, self.limit)


def bytes_written(file: int | str) -> int:
    """The size of a regular file, or the disk usage of a folder with its contents; 0 for everything else."""
    try:
        found = os.fstat(file) if isinstance(file, int) else os.lstat(file)
    except OSError:
        return 0
    if not stat.S_ISDIR(found.st_mode):
        return found.st_size if stat.S_ISREG(found.st_mode) else 0
    total, entries, folders = 0, 0, [str(file)]
    while folders and entries < MOST_ENTRIES:
        with contextlib.suppress(OSError), os.scandir(folders.pop()) as listing:  # removed meanwhile, or not accessible
            for entry in itertools.islice(listing, MOST_ENTRIES - entries):
                entries += 1
                total += entry.stat(follow_symlinks=False).st_blocks * 512
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
    return total
