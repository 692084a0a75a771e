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
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Self

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.samples import FOLDER as SAMPLES

LONGEST_NAME = 200
"""Bytes of a file's name that its partial's takes over: file systems allow 255."""

PARTIAL = ".cnfgen-partial"
"""The ending of the file under which an output is written until it is whole."""

FIFO_PATIENCE = 10.0
"""Seconds for somebody to read a named pipe that is to be written."""

MOST_LINKS = 40
"""Links on the way to an output, as many as the kernel follows."""


# -- inputs that no output overwrites -----------------------------------------------------------------------------------------

_inputs: dict[tuple[int, int], tuple[str, str | int]] | None = None


@contextlib.contextmanager
def guarded_inputs() -> Iterator[None]:
    """In the block, which is a call of a command, no output may be a file that `register_input` names."""
    global _inputs
    _inputs = {}
    try:
        yield
    finally:
        _inputs = None


def register_input(file: str | Path | int, name: str = "") -> None:
    """Note that this file (or open descriptor) is read; `name` is for errors. A file is known by device and inode."""
    if _inputs is None:
        return
    with contextlib.suppress(OSError, ValueError):  # no such file: the reader says so
        status = os.stat(file)
        if stat.S_ISREG(status.st_mode):
            place = file if isinstance(file, int) else os.path.abspath(file)
            _inputs[status.st_dev, status.st_ino] = name or str(file), place


def check_output(file: str | Path | int) -> None:
    """InputError if this file (or open descriptor) is an input of the same call, under whatever name."""
    with contextlib.suppress(OSError):  # no such file, or an input that was removed: its inode may be used anew
        status = os.stat(file)
        name, place = (_inputs or {}).get((status.st_dev, status.st_ino), ("", ""))
        if name and os.path.samestat(os.stat(place), status):
            shown = "<stdout>" if isinstance(file, int) else str(file)
            raise InputError(f"found the input {name} as an output, expected another file", source=shown)


# -- files that appear as a whole ---------------------------------------------------------------------------------------------


@contextlib.contextmanager
def atomic_file(path: Path, *, durable: bool = False, parents: bool = False, updates: bool = False) -> Iterator[BinaryIO]:
    """A stream whose content becomes the file when the block ends well; nothing is left of it otherwise.

    With `durable` it is on the disk then, not only in the kernel; with `parents` its folder is made. InputError if it cannot be
    written, or if it is an input of the same call, unless `updates` says that it may be. Links are followed: their target is
    replaced. A device, a pipe, and an open descriptor (`/dev/stdout`, `/proc/self/fd/3`) are never replaced, but written as they
    are. What a killed process left in the folder is removed.
    """
    try:
        if parents:
            path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():  # renaming would tell it too, but after all was written
            raise IsADirectoryError(errno.EISDIR, "Is a directory")
        if os.path.dirname(os.path.realpath(path)) == str(SAMPLES):
            raise InputError("cannot overwrite a sample, expected another file (-o FILE)", source=str(path))
        if not updates:
            check_output(path)
        if special(path):
            with os.fdopen(_open_special(path), "wb") as stream:
                yield stream
            return
        path = _target(path)
        _sweep_partials(path.parent)
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
    """Whether this is neither a file nor a folder but a device, a pipe, or an open descriptor: there is nothing to replace."""
    with contextlib.suppress(OSError):  # that it cannot be written shows when it is
        if _is_descriptor(_target(path)):
            return True
        mode = path.stat().st_mode
        return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)
    return False


def _target(path: Path) -> Path:
    """The path to which links lead, but not through the link that the kernel has for an open descriptor."""
    for _ in range(MOST_LINKS):
        path = Path(os.path.realpath(path.parent), path.name)
        if _is_descriptor(path) or not path.is_symlink():
            return path
        path = path.parent / os.readlink(path)
    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))


def _is_descriptor(path: Path) -> bool:
    return re.fullmatch(r"/proc/\d+/(task/\d+/)?fd", str(path.parent)) is not None


def _open_special(path: Path) -> int:
    """The descriptor; of a named pipe when somebody has it open for reading."""
    target = _target(path)
    if _is_descriptor(target) and target.parts[2] == str(os.getpid()):
        if target.name == "1":
            sys.stdout.flush()
        return os.dup(int(target.name))  # opened anew, a file would be written from its beginning
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
    for partial in (path.with_name(f".{name}{PARTIAL}"), *[path.with_name(f".{name}.{own}{PARTIAL}")] * ATTEMPTS):
        try:
            descriptor = open_regular(partial, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW)
        except OSError as error:
            if not os.path.lexists(partial):
                raise
            refused = error  # a link, a folder, or somebody else's
            continue
        if _is_ours(descriptor, partial):
            os.truncate(descriptor, 0)
            return descriptor, partial
        os.close(descriptor)
        refused = BlockingIOError(errno.EWOULDBLOCK, f"{partial.name} beside it is in use")
    raise refused


def _sweep_partials(folder: Path) -> None:
    """Remove what dead processes of this user left in a folder, once a process."""
    if folder in _swept:
        return
    _swept.add(folder)
    with contextlib.suppress(OSError):
        for name in [name for name in os.listdir(folder) if name.startswith(".") and name.endswith(PARTIAL)]:
            with contextlib.suppress(OSError):
                descriptor = open_regular(folder / name, os.O_WRONLY | os.O_NOFOLLOW)
                if _is_ours(descriptor, folder / name):
                    (folder / name).unlink()
                os.close(descriptor)


def open_regular(path: Path, flags: int) -> int:
    """The descriptor of a file, which is not inherited; OSError, and no waiting, for a pipe and whatever else is not a file."""
    with contextlib.suppress(OSError):
        if not stat.S_ISREG(os.stat(path).st_mode):
            flags |= os.O_PATH  # opens nothing: some devices wait, and some act
    descriptor = os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC, 0o666)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "found something that is not a file, expected one", str(path))
    os.set_blocking(descriptor, True)
    return descriptor


def read_regular(path: Path) -> bytes:
    """The content of a file; OSError for what is not a file."""
    with os.fdopen(open_regular(path, os.O_RDONLY), "rb") as stream:
        return stream.read()


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
    return mine.st_uid == os.geteuid() and there is not None and os.path.samestat(mine, there)


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
