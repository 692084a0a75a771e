"""Whether files are still what they were before a program ran, and how they become so again.

    guard = Guard([Guarded(cnf_file, same=..., content=...), Guarded(other_binary)])
    ...                                     # the program runs
    for damage in guard.damages(): ...      # nothing, mostly: it costs a call of stat a file
    guard.repair(kept)

A file whose identity (device, inode, size, times, mode) has changed is looked into: one that was only touched is no damage. What
is found in place of a file is kept in a folder before it is repaired, since it may be somebody's work.

Not here: what keeps a program from doing damage (`confinement`).
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import stat
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NamedTuple

TICK = 20_000_000
"""Nanoseconds: where kernels count times in ticks, a file that changed twice within one looks unchanged."""
AS_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file, read now."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@dataclass(frozen=True)
class Guarded:
    """A file that no program but ours may change."""

    path: Path
    same: Callable[[Path], bool] = lambda _: False
    """Whether a file has the right content. It is asked only where the file's identity has changed; by default that is enough."""
    content: Callable[[], bytes] | None = None
    """The right content, to repair it; None where nobody has it."""

    @classmethod
    def with_checksum(cls, path: Path, sha256: str) -> Guarded:
        """A file whose checksum is known; it cannot be repaired."""
        return cls(path, lambda there: sha256_of(there) == sha256)

    @classmethod
    def with_content(cls, path: Path, content: bytes) -> Guarded:
        """A file whose bytes are at hand."""
        return cls(path, lambda there: there.read_bytes() == content, lambda: content)


class _State(NamedTuple):
    """A file at one moment; `link` is where its name leads if that is a symbolic link."""

    identity: tuple[int, ...]
    link: str | None
    mode: int
    times: tuple[int, int]
    recent: bool


class Damage(NamedTuple):
    """What has become of a file."""

    guarded: Guarded
    what: str  # "changed", "gone", "replaced by ...", "its mode changed to ..."

    def __str__(self) -> str:
        return f"{self.guarded.path} ({self.what})"


class Guard:
    """The states of files as they are now, to be compared with what they will be."""

    def __init__(self, files: Iterable[Guarded]):
        self._files = [(guarded, state) for guarded in files if (state := _state(guarded.path)) is not None]

    def damages(self, confined: bool = False) -> list[Damage]:
        """The files that are not what they were; `confined` says that the kernel kept the program from writing to them."""
        found = ((guarded, _damage(guarded, state, confined)) for guarded, state in self._files)
        return [Damage(guarded, what) for guarded, what in found if what]

    def repair(self, damages: Iterable[Damage], kept: Path, confined: bool = False) -> list[Damage]:
        """Make the files again what they were; those that cannot be. What was found in their place goes to the folder `kept`.

        What a program changed that was `confined` is its mode at most; another content is then somebody else's, and stays.
        """
        states = {guarded.path: state for guarded, state in self._files}
        return [damage for damage in damages if not _repair(damage.guarded, states[damage.guarded.path], kept, confined)]


def _state(path: Path) -> _State | None:
    """None where there is no regular file: devices and pipes have no content to guard."""
    try:
        there, link = os.lstat(path), None  # this is asked before and after each run, so without pathlib
        if stat.S_ISLNK(there.st_mode):
            there, link = os.stat(path), os.readlink(path)
    except OSError:
        return None
    if not stat.S_ISREG(there.st_mode):
        return None
    identity = (there.st_dev, there.st_ino, there.st_size, there.st_mtime_ns, there.st_ctime_ns)
    recent = time.time_ns() - there.st_ctime_ns < TICK
    return _State(identity, link, stat.S_IMODE(there.st_mode), (there.st_atime_ns, there.st_mtime_ns), recent)


def _damage(guarded: Guarded, before: _State, confined: bool) -> str:
    """What happened to a file in a few words; empty if nothing that matters."""
    now = _state(guarded.path)
    if now is None:
        return "gone" if not os.path.lexists(guarded.path) else "replaced by something that is no file"
    if now.link != before.link:
        return f"replaced by a link to {now.link}" if now.link else "no longer a link"
    if now.mode != before.mode:
        return f"its mode changed from {before.mode:o} to {now.mode:o}"
    if now.identity == before.identity and (confined or not before.recent):
        return ""
    try:
        return "" if guarded.same(guarded.path) else "changed"
    except Exception as error:  # whatever cannot be read any more is not what it was
        return f"changed: {error}"


def _repair(guarded: Guarded, before: _State, kept: Path, confined: bool) -> bool:
    """Whether the file is again what it was."""
    path = guarded.path
    with contextlib.suppress(OSError):
        if (now := _state(path)) is not None and now.link == before.link:
            path.chmod(before.mode)
            if guarded.same(path):
                return True
    if guarded.content is None or confined:
        return False
    content = guarded.content()
    try:
        _make_way(path, before, kept)
        path.write_bytes(content)  # into the old file where it is still there: its other names have it then, too
        path.chmod(before.mode)
        os.utime(path, ns=before.times)
    except OSError:
        return False
    return True


def _make_way(path: Path, before: _State, kept: Path) -> None:
    """Keep what is there, and remove it unless it can be written over."""
    path.parent.mkdir(parents=True, exist_ok=True)
    now = _state(path)
    if now is not None:
        shutil.copyfile(path, kept / f"found-as-{path.name}")
        if now.link == before.link and now.identity[:2] == before.identity[:2]:
            return
    if path.is_dir() and not path.is_symlink():
        path.rename(kept / f"found-as-{path.name}")
    else:
        path.unlink(missing_ok=True)
    if before.link is not None:
        path.symlink_to(before.link)


# -- files that a program writes for us ---------------------------------------------------------------------------------------


class OwnFile:
    """A file that a program may write: made before it runs, so that its folder need not be opened to the program, and empty.

    Afterwards it must be this very file still, under one name: not a link to somebody else's, nor somebody else's file. One that
    the program never opened is removed again. Where there is a device or a pipe at that path, it is left as it is.
    """

    def __init__(self, path: Path):
        """Raises OSError where the file cannot be made."""
        self.path = path.resolve()
        self._file: BinaryIO | None = None  # held open, so that no other file can have its number meanwhile
        if not self.path.exists() or self.path.is_file():
            self._file = self.path.open("wb")
            os.utime(self._file.fileno(), (0, 0))  # whoever opens it to write will change that

    def fault(self) -> str:
        """What is wrong with it, empty if nothing is. To be asked once, after the run."""
        if self._file is None:
            return ""
        with self._file:
            made = os.fstat(self._file.fileno())
            try:
                there = os.lstat(self.path)
            except OSError:
                return f"removed {self.path}, which it was to write"
            with contextlib.suppress(OSError):
                if (there.st_dev, there.st_ino) != (made.st_dev, made.st_ino):
                    self.path.unlink()  # so that nobody reads it as ours
                    return f"put something else in place of {self.path}, which it was to write"
                if made.st_size == 0 and made.st_mtime_ns == 0:
                    self.path.unlink()
        return ""


def empty_folder(folder: Path) -> None:
    """Remove all that is in a folder which a program could fill as it liked, however deep its folders are.

    (`shutil.rmtree` calls itself for each level, and holds a file open for it.)
    """
    folder.chmod(stat.S_IRWXU)
    below: list[str] = []  # the names from `folder` to where we are
    here = os.open(folder, AS_FOLDER)
    try:
        while True:
            inner = _remove_files(here)
            if inner is None and not below:
                return
            there = os.open("..", AS_FOLDER, dir_fd=here) if inner is None else os.open(inner, AS_FOLDER, dir_fd=here)
            os.close(here)
            here = there
            if inner is None:
                os.rmdir(below.pop(), dir_fd=here)
            else:
                below.append(inner)
    finally:
        os.close(here)


def _remove_files(folder: int) -> str | None:
    """Remove what is in an open folder up to the first folder in it, and the name of that."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                os.chmod(entry.name, stat.S_IRWXU, dir_fd=folder)
                return entry.name
            os.unlink(entry.name, dir_fd=folder)
    return None
