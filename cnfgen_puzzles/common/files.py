"""Files of this package: written as a whole or not at all, and scratch folders.

    with atomic_file(path) as stream:           # appears under its name when the block ends well
    with scratch_folder("run") as folder:       # /tmp/cnfgen-run-k3v9x2aq.scratch, removed when the block ends

A scratch folder's owner holds a lock on it, which the kernel releases when the owner ends, however it ends. A folder of this kind
and of this user whose lock is free is removed: once a process, before it makes its first. Links are not followed. Folders
that are kept for the user (`cnfgen-kept-*`) stay.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import re
import shutil
import signal
import stat
import tempfile
import threading
import time
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Self

from cnfgen_puzzles.common.errors import InputError

LONGEST_NAME = 200
"""Bytes of a file's name that its partial's takes over: file systems allow 255."""


FIFO_PATIENCE = 10.0
"""Seconds for somebody to read a named pipe that is to be written."""


@contextlib.contextmanager
def atomic_file(path: Path, *, durable: bool = False, parents: bool = False) -> Iterator[BinaryIO]:
    """A stream whose content becomes the file when the block ends well; nothing is left of it otherwise.

    With `durable` it is on the disk then, not only in the kernel; with `parents` its folder is made. InputError if it cannot be
    written. The name under which it is written first is that of its target, so what a killed process left of it is used up by
    the next one that writes the same file. A device or a named pipe is never replaced, but written as it is.
    """
    try:
        if parents:
            path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():  # renaming would tell it too, but after all was written
            raise IsADirectoryError(errno.EISDIR, "Is a directory")
        if special(path):
            with os.fdopen(_open_special(path), "wb") as stream:
                yield stream
            return
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, ())
        try:
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # until there is somebody to remove the file
            descriptor, partial = _open_partial(path)
            try:
                signal.pthread_sigmask(signal.SIG_SETMASK, mask)
                with os.fdopen(descriptor, "wb") as stream:
                    yield stream
                    stream.flush()
                    if durable:
                        os.fsync(stream.fileno())
                    partial.replace(path)  # before the lock is given up
            except BaseException:
                partial.unlink(missing_ok=True)
                raise
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", source=str(path)) from None


def special(path: Path) -> bool:
    """Whether this is neither a file nor a folder but a device or a pipe: there is nothing to replace."""
    try:
        mode = path.stat().st_mode
    except OSError:  # not there, or that it cannot be written shows when it is
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _open_special(path: Path) -> int:
    """The descriptor; of a named pipe when somebody has it open for reading."""
    if not stat.S_ISFIFO(path.stat().st_mode):
        return os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    end = time.monotonic() + FIFO_PATIENCE
    while True:
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
        else:
            os.set_blocking(descriptor, True)
            return descriptor
        if time.monotonic() > end:
            raise InputError("is a named pipe that nobody reads", source=str(path))
        time.sleep(0.02)


def _open_partial(path: Path) -> tuple[int, Path]:
    """An empty file for what is to become `path`, locked: nobody else writes it. One that a dead process left is taken over."""
    name = os.fsdecode(os.fsencode(path.name)[:LONGEST_NAME])
    own = f"{os.getpid()}-{threading.get_ident()}"
    for partial in (path.with_name(f".{name}.partial"), path.with_name(f".{name}.{own}.partial")):
        try:
            descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o666)
        except OSError as error:
            if not os.path.lexists(partial):
                raise
            refused = error  # a link, a folder, or somebody else's
            continue
        if _is_ours(descriptor, partial):
            os.truncate(descriptor, 0)
            os.set_blocking(descriptor, True)
            return descriptor, partial
        os.close(descriptor)
        refused = BlockingIOError(errno.EWOULDBLOCK, f"{partial.name} beside it is in use")
    raise refused


def _is_ours(descriptor: int, partial: Path) -> bool:
    """Whether we have locked this file, and it is a plain one of this user that still has its name: its last owner may just have
    renamed it."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks: as before there were any
        pass
    mine, there = os.fstat(descriptor), os.stat(partial, follow_symlinks=False) if partial.exists() else None
    plain = stat.S_ISREG(mine.st_mode) and mine.st_uid == os.geteuid()
    return plain and there is not None and os.path.samestat(mine, there)


def write_whole(path: Path, text: str | bytes) -> None:
    """The file with this content, on the disk when this returns."""
    with atomic_file(path, durable=True) as stream:
        stream.write(text if isinstance(text, bytes) else text.encode())


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
        place = Path(tempfile.gettempdir())
        if place not in _swept:
            _swept.add(place)
            sweep(place)
        for _ in range(ATTEMPTS):
            self.path = Path(tempfile.mkdtemp(prefix=f"cnfgen-{purpose}-", suffix=SUFFIX))
            try:
                lock = _locked(self.path)
            except OSError:  # no locks: then nobody sweeps here
                lock = os.open(self.path, FOLDER)
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
    """A descriptor that holds the lock of a folder; None if somebody else does, or the folder is not there any more.

    OSError where the file system has no locks.
    """
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
    except OSError:
        os.close(descriptor)
        raise
    os.close(descriptor)
    return None


# -- what others left -------------------------------------------------------------------------------------------------------

_swept: set[Path] = set()


def sweep(place: Path) -> None:
    """Remove what dead processes of this user left in a folder for temporary files. What cannot be removed stays."""
    with contextlib.suppress(OSError):
        for name in filter(OURS.fullmatch, os.listdir(place)):
            path = place / name
            with contextlib.suppress(OSError):
                if path.lstat().st_uid == os.geteuid() and (lock := _locked(path)) is not None:
                    _remove(path, lock)
