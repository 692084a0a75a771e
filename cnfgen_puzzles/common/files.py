"""Atomic output files and scratch folders.

    with atomic_file(path) as stream:           # gets its name when the block ends without an exception
    with scratch_folder("run") as folder:       # /tmp/cnfgen-run-k3v9x2aq.scratch, removed when the block ends

The owner of a scratch folder holds a lock on it, which the kernel releases when the owner ends. Before a process makes its first
scratch folder, it removes those of this user whose lock is free. Links are not followed. Folders that are kept for the user
(`cnfgen-kept-*`) stay.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import re
import signal
import stat
import sys
import threading
import time
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.lazy import regex
from cnfgen_puzzles.common.samples import FOLDER as SAMPLES

LONGEST_NAME = 200
"""Bytes of a file's name in the name of its partial file: file systems allow 255."""

PARTIAL = ".cnfgen-partial"
"""The suffix of an output file until it is complete."""

FIFO_PATIENCE = 10.0
"""Seconds to wait for a reader of a named pipe that is an output."""

MOST_LINKS = 40
"""Maximal number of links on the path of an output, as in the kernel."""


# -- inputs that no output overwrites -----------------------------------------------------------------------------------------

_inputs: dict[tuple[int, int], tuple[str, str | int]] | None = None


@contextlib.contextmanager
def guarded_inputs() -> Iterator[None]:
    """In the block, which is a call of a command, an output must not be a file that was registered with `register_input`."""
    global _inputs
    _inputs = {}
    try:
        yield
    finally:
        _inputs = None


def register_input(file: str | Path | int, name: str = "") -> None:
    """Register this file (or open descriptor) as an input; `name` is for errors. Device and inode identify a file."""
    if _inputs is None:
        return
    with contextlib.suppress(OSError, ValueError):  # no such file: the reader reports it
        status = os.stat(file)
        if stat.S_ISREG(status.st_mode):
            place = file if isinstance(file, int) else os.path.abspath(file)
            _inputs[status.st_dev, status.st_ino] = name or str(file), place


def check_output(file: str | Path | int) -> None:
    """InputError if this file (or open descriptor) is an input of the same call, under any name."""
    with contextlib.suppress(OSError):  # no such file, or an input that was removed: its inode may be reused
        status = os.stat(file)
        name, place = (_inputs or {}).get((status.st_dev, status.st_ino), ("", ""))
        if name and os.path.samestat(os.stat(place), status):
            shown = "<stdout>" if isinstance(file, int) else str(file)
            raise InputError(f"found the input {name} as an output, expected another file", source=shown)


# -- files that appear as a whole ---------------------------------------------------------------------------------------------


@contextlib.contextmanager
def atomic_file(path: Path, *, durable: bool = False, parents: bool = False, updates: bool = False) -> Iterator[BinaryIO]:
    """A stream whose content becomes the file if the block ends without an exception; otherwise it is removed.

    With `durable`, the content is then on the disk, not only in the kernel; with `parents`, the folder is made. InputError if the
    file cannot be written, or if it is an input of the same call and `updates` is False. The target of a link is replaced, not
    the link. Devices, pipes, and open descriptors (`/dev/stdout`, `/proc/self/fd/3`) are written without replacement. Partial
    files of killed processes in the folder are removed.
    """
    try:
        if parents:
            path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():  # renaming would fail as well, but only at the end
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
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # until the file is certain to be removed
            descriptor, partial = _open_partial(path)
            try:
                signal.pthread_sigmask(signal.SIG_SETMASK, mask)
                with os.fdopen(descriptor, "wb") as stream:
                    yield stream
                    stream.flush()
                    if durable:
                        os.fsync(stream.fileno())
                    partial.replace(path)  # before the lock is released
            except BaseException:
                partial.unlink(missing_ok=True)
                raise
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", source=str(path)) from None


def special(path: Path) -> bool:
    """Whether this is a device, a pipe, or an open descriptor, which cannot be replaced."""
    with contextlib.suppress(OSError):  # an error appears again when it is written
        if _is_descriptor(_target(path)):
            return True
        mode = path.stat().st_mode
        return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)
    return False


def _target(path: Path) -> Path:
    """The target of links, except the kernel's link for an open descriptor."""
    for _ in range(MOST_LINKS):
        path = Path(os.path.realpath(path.parent), path.name)
        if _is_descriptor(path) or not path.is_symlink():
            return path
        path = path.parent / os.readlink(path)
    raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))


def _is_descriptor(path: Path) -> bool:
    return re.fullmatch(r"/proc/\d+/(task/\d+/)?fd", str(path.parent)) is not None


def _open_special(path: Path) -> int:
    """The descriptor; for a named pipe, after a reader has opened it."""
    target = _target(path)
    if _is_descriptor(target) and target.parts[2] == str(os.getpid()):
        if target.name == "1":
            sys.stdout.flush()
        return os.dup(int(target.name))  # opening it again would write a file from its beginning
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
            raise InputError("is a named pipe without a reader", source=str(path))
        time.sleep(0.02)


def _open_partial(path: Path) -> tuple[int, Path]:
    """A locked, empty file that will become `path`; one of a dead process is reused."""
    name = os.fsdecode(os.fsencode(path.name)[:LONGEST_NAME])
    own = f"{os.getpid()}-{threading.get_ident()}"
    for partial in (path.with_name(f".{name}{PARTIAL}"), *[path.with_name(f".{name}.{own}{PARTIAL}")] * ATTEMPTS):
        try:
            descriptor = open_regular(partial, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW)
        except OSError as error:
            if not os.path.lexists(partial):
                raise
            refused = error  # a link, a folder, or a file of another user
            continue
        if _is_ours(descriptor, partial):
            os.truncate(descriptor, 0)
            return descriptor, partial
        os.close(descriptor)
        refused = BlockingIOError(errno.EWOULDBLOCK, f"{partial.name} beside it is in use")
    raise refused


def _sweep_partials(folder: Path) -> None:
    """Remove partial files of dead processes of this user from a folder, once per process."""
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
    """The descriptor of a file, which is not inherited; OSError without waiting for a pipe and for anything else."""
    other = OSError(errno.EINVAL, "found something that is not a file, expected one", str(path))
    with contextlib.suppress(FileNotFoundError):  # one look: between two, another writer may rename the file
        if not stat.S_ISREG(os.stat(path).st_mode):  # opening some devices waits or has effects
            raise other
    descriptor = os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC, 0o666)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise other
    os.set_blocking(descriptor, True)
    return descriptor


def read_regular(path: Path) -> bytes:
    """The content of a file; OSError if it is not a file."""
    with os.fdopen(open_regular(path, os.O_RDONLY), "rb") as stream:
        return stream.read()


def lock(descriptor: int, *, wait: bool = False) -> bool:
    """Lock an open file or folder until it is closed; False if another process has the lock (with `wait`, wait for it instead).

    A kill also ends the lock. On a file system without locks, nothing is locked and the result is True.
    """
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno == errno.EBADF:
            raise
    return True


def _is_ours(descriptor: int, partial: Path) -> bool:
    """Lock this file; False if that fails, or if it is not a plain file of this user or lost its name: its last owner may have
    renamed it."""
    if not lock(descriptor):
        return False
    mine = os.fstat(descriptor)
    try:
        named = os.stat(partial, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return mine.st_uid == os.geteuid() and os.path.samestat(mine, named)


def write_whole(path: Path, text: str | bytes) -> None:
    """Write the file with this content; it is on the disk when this returns."""
    with atomic_file(path, durable=True) as stream:
        stream.write(text if isinstance(text, bytes) else text.encode())


SUFFIX = ".scratch"
OURS = regex(r"cnfgen-[a-z]+-\w+\.scratch", re.ASCII)
ATTEMPTS = 100
"""Another process may remove the folder before it is locked: then another folder is made."""

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS)
"""Errors of a write, which contain no file name."""

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class NoRoom(InputError):
    """A temporary file or folder cannot be written."""


class ScratchFolder:
    """A folder of this process, at `path` until `close`; `purpose` (lower-case letters) is a part of its name.

    NoRoom if no folder can be made.
    """

    def __init__(self, purpose: str):
        import tempfile  # seldom needed, as below

        try:
            place = Path(tempfile.gettempdir())
        except OSError as error:
            raise NoRoom(f"temporary files cannot be written: {error.strerror or error}", source="TMPDIR") from None
        if place not in _swept:
            _swept.add(place)
            sweep(place)
        for _ in range(ATTEMPTS):
            try:
                self.path = Path(tempfile.mkdtemp(prefix=f"cnfgen-{purpose}-", suffix=SUFFIX))
            except OSError as error:
                raise NoRoom(f"temporary files cannot be written: {error.strerror or error}", source=str(place)) from None
            if (held := _locked(self.path)) is not None:
                self._removal = weakref.finalize(self, _remove, self.path, held)  # at exit at the latest
                return
        raise NoRoom("cannot make a folder for temporary files that is not removed at once", source=str(place))

    def close(self) -> None:
        """Remove the folder."""
        self._removal()


@contextlib.contextmanager
def scratch_folder(purpose: str) -> Iterator[Path]:
    """A folder for the block. NoRoom if the disk is full."""
    folder = ScratchFolder(purpose)
    try:
        yield folder.path
    except OSError as error:
        if error.filename is not None or error.errno not in NO_ROOM:
            raise
        raise NoRoom(f"a temporary file cannot be written: {error.strerror}", source=str(folder.path.parent)) from None
    finally:
        folder.close()


def _remove(path: Path, held: int) -> None:
    import shutil

    shutil.rmtree(path, ignore_errors=True)
    os.close(held)


def _locked(path: Path) -> int | None:
    """A descriptor that holds the lock of a folder; None if another process holds it, or the folder was removed."""
    try:
        descriptor = os.open(path, FOLDER)
    except FileNotFoundError:
        return None
    with contextlib.suppress(FileNotFoundError):
        if lock(descriptor) and os.path.samestat(os.fstat(descriptor), os.stat(path, follow_symlinks=False)):
            return descriptor
    os.close(descriptor)
    return None


# -- leftovers of other processes ---------------------------------------------------------------------------------------------

_swept: set[Path] = set()


def sweep(place: Path) -> None:
    """Remove scratch folders of dead processes of this user, as far as possible."""
    with contextlib.suppress(OSError):
        for name in filter(OURS.fullmatch, os.listdir(place)):
            path = place / name
            with contextlib.suppress(OSError):
                if path.lstat().st_uid == os.geteuid() and (held := _locked(path)) is not None:
                    _remove(path, held)
