"""Folders for files that nobody needs afterwards: gone at the end, and what a killed process left is swept by the next one.

    with scratch_folder("run") as folder:       # /tmp/cnfgen-run-k3v9x2aq.scratch
        ...

The owner holds a lock on the folder itself, which the kernel gives back when it ends, however it does. A folder of this kind, of
this user, whose lock is free, belongs to nobody and is removed: once a process, before it makes its first. No links are followed,
and folders that older versions made, or that are kept for the user (`cnfgen-kept-*`), have other names and stay.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import re
import shutil
import tempfile
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Self

from cnfgen_puzzles.common.errors import InputError

SUFFIX = ".scratch"
OURS = re.compile(r"cnfgen-[a-z]+-\w+\.scratch", re.ASCII)
ATTEMPTS = 100
"""A sweeper may be faster than the lock: then another folder is made."""

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS)
"""What a write meets, which does not know the name of its file."""

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class ScratchFolder:
    """A folder of this process, at `path` until `close`; `purpose` (lower-case letters) is a part of its name."""

    def __init__(self, purpose: str):
        _sweep_once(Path(tempfile.gettempdir()))
        for _ in range(ATTEMPTS):
            self.path = Path(tempfile.mkdtemp(prefix=f"cnfgen-{purpose}-", suffix=SUFFIX))
            lock = _locked(self.path)
            if lock is not None:
                self._removal = weakref.finalize(self, _remove, self.path, lock)  # at exit at the latest
                return
        raise InputError("found no folder for temporary files that stays", source=tempfile.gettempdir())

    def close(self) -> None:
        """Remove the folder."""
        self._removal()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@contextlib.contextmanager
def scratch_folder(purpose: str) -> Iterator[Path]:
    """A folder during the block. InputError if what is written in the block does not fit into it."""
    with ScratchFolder(purpose) as folder:
        try:
            yield folder.path
        except OSError as error:
            if error.filename is not None or error.errno not in NO_ROOM:
                raise
            raise InputError(f"a temporary file cannot be written: {error.strerror}", source=str(folder.path.parent)) from None


def _remove(path: Path, lock: int) -> None:
    shutil.rmtree(path, ignore_errors=True)
    os.close(lock)


def _locked(path: Path) -> int | None:
    """A descriptor that holds the lock of a folder; None if somebody else does, or the folder is not there any more."""
    try:
        descriptor = os.open(path, FOLDER)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.path.samestat(os.fstat(descriptor), os.stat(path, follow_symlinks=False)):
            return descriptor
    except (BlockingIOError, FileNotFoundError):
        pass
    except OSError:  # a file system without locks: then nobody sweeps there
        return descriptor
    os.close(descriptor)
    return None


# -- what others left -------------------------------------------------------------------------------------------------------

_swept: set[Path] = set()


def _sweep_once(place: Path) -> None:
    if place not in _swept:
        _swept.add(place)
        sweep(place)


def sweep(place: Path) -> None:
    """Remove what dead processes of this user left in a folder for temporary files. What cannot be removed stays."""
    with contextlib.suppress(OSError):
        for name in os.listdir(place):
            if OURS.fullmatch(name):
                with contextlib.suppress(OSError):
                    _remove_if_left(place / name)


def _remove_if_left(path: Path) -> None:
    descriptor = os.open(path, FOLDER)
    try:
        if os.fstat(descriptor).st_uid != os.geteuid():
            return
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)  # where there are no locks: an error, and it stays
        if os.path.samestat(os.fstat(descriptor), os.stat(path, follow_symlinks=False)):
            shutil.rmtree(path, ignore_errors=True)
    finally:
        os.close(descriptor)
