"""Atomic output files and scratch folders.

    with atomic_file(path) as stream:           # gets its name when the block ends without an exception
    with scratch_folder("run") as folder:       # /tmp/cnfgen-run-3f9ac20b71e4.scratch, removed when the block ends

An output is written in a scratch folder beside it until it is complete.

The owner of a scratch folder holds a lock on it, which the kernel releases when the owner ends. Before a process makes its first
scratch folder in a place, it removes those of this user whose lock is free. Links are not followed. Folders that are kept for the
user (`cnfgen-kept-*`) stay.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import re
import signal
import stat
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.lazy import regex
from cnfgen_puzzles.common.samples import FOLDER as SAMPLES

DESCRIPTORS = ("/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/")
"""The beginnings of the paths of open files."""


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
def atomic_file(path: Path, *, parents: bool = False, updates: bool = False) -> Iterator[BinaryIO]:
    """A stream whose content becomes the file if the block ends without an exception; otherwise it is removed.

    With `parents`, the folder is made. InputError if the file cannot be written, or if it is an input of the same call and
    `updates` is False. The target of a link is replaced, not the link. Devices, pipes, and open files (`/dev/stdout`,
    `/dev/fd/3`) are written without replacement.
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
            with path.open("ab") as stream:  # open files keep their content
                yield stream
            return
        path = Path(os.path.realpath(path))
        with contextlib.closing(ScratchFolder("output", path.parent)) as folder:
            partial = folder.path / path.name
            with partial.open("xb") as stream:
                yield stream
            partial.replace(path)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", source=str(path)) from None


def special(path: Path) -> bool:
    """Whether this is a device, a pipe, or an open descriptor, which cannot be replaced."""
    return str(path).startswith(DESCRIPTORS) or (os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path))


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


SUFFIX = ".scratch"
OURS = regex(r"\.?cnfgen-[a-z]+-\w+\.scratch", re.ASCII)
ATTEMPTS = 100
"""Another process may remove the folder before it is locked: then another folder is made."""

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS)
"""Errors of a write, which contain no file name."""

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class NoRoom(InputError):
    """A temporary file or folder cannot be written."""


class ScratchFolder:
    """A folder of this process, at `path` until `close`; `purpose` (lower-case letters) is a part of its name.

    It is hidden in the folder `beside`, or in the folder for temporary files: then NoRoom if no folder can be made, else OSError.
    """

    def __init__(self, purpose: str, beside: Path | None = None):
        try:
            place = beside or _temporary_files()
            if place not in _swept:
                _swept.add(place)
                sweep(place)
            mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # until the folder is certain to be removed
            try:
                self.path, held = _new_folder(place, f"{'.' * (beside is not None)}cnfgen-{purpose}-")
                self._removal = weakref.finalize(self, _remove, self.path, held)  # at exit at the latest
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        except OSError as error:
            if beside is not None:
                raise
            raise NoRoom(f"temporary files cannot be written: {error.strerror}", source=error.filename or "TMPDIR") from None

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


def _temporary_files() -> Path:
    """The folder for temporary files."""
    import tempfile  # seldom needed

    return Path(tempfile.gettempdir())


def _new_folder(place: Path, prefix: str) -> tuple[Path, int]:
    """An empty folder for this user alone, and the descriptor that holds its lock."""
    for _ in range(ATTEMPTS):
        path = place / f"{prefix}{os.urandom(6).hex()}{SUFFIX}"
        path.mkdir(0o700)
        if (held := _locked(path)) is not None:
            return path, held
    raise OSError(errno.EAGAIN, "each new folder is removed at once", str(place))


def _remove(path: Path, held: int) -> None:
    import shutil

    try:
        with contextlib.suppress(RecursionError):
            shutil.rmtree(path, ignore_errors=True)
        if path.exists():  # a program has made very deep folders in it, or folders without rights
            import subprocess

            for command in (["chmod", "-R", "u+rwX"], ["rm", "-rf"]):
                subprocess.run([*command, "--", path], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    finally:
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
