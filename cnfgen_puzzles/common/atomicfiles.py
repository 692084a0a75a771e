"""Files that are there whole or not at all: written under another name first, then renamed; and devices, and named pipes."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import signal
import stat
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

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
