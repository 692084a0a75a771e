"""A certificate that is being written: beside the folder, under another name, until it is complete; then it is there at once.

What a killed process left under that name is removed by the next one that writes the same certificate.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Self

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.evidence.certificate.manifest import Entry, Manifest
from cnfgen_puzzles.evidence.certificate.names import FRAME, MANIFEST, NAME, README, SCRIPT, SUMS
from cnfgen_puzzles.evidence.certificate.opened import pieces, sums_of
from cnfgen_puzzles.evidence.certificate.readme import readme_text
from cnfgen_puzzles.evidence.certificate.script import script_text
from cnfgen_puzzles.evidence.certificate.verifying import stated

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def check_place(folder: Path, *, replaces: bool = False) -> None:
    """InputError unless a certificate may be written there: nothing is there, an empty folder, or one to be replaced."""
    if not os.path.lexists(folder):
        return
    if folder.is_symlink() or not folder.is_dir():
        raise InputError("found something else than a folder, expected a new folder", source=str(folder))
    there = os.listdir(folder)
    if not there:
        return
    if not {MANIFEST, SUMS} <= set(there):
        raise InputError("found a folder that is not empty and no certificate, expected a new one", source=str(folder))
    if not replaces:
        raise InputError(
            "found a certificate there already; --replace-certificate (replaces=True) replaces it", source=str(folder)
        )


class Draft:
    """The certificate for `folder`, while the block lasts; without `seal` nothing remains of it.

    InputError where it cannot be: a folder that is there and not empty, unless that is a certificate and `replaces` says so.
    """

    def __init__(self, folder: str | Path, *, replaces: bool = False):
        self.folder, self.replaces = Path(os.path.abspath(folder)), replaces
        check_place(self.folder, replaces=replaces)
        self._files: dict[str, Entry] = {}
        self._sealed = False

    def __enter__(self) -> Self:
        try:
            self.folder.parent.mkdir(parents=True, exist_ok=True)
            self.place, self._lock = _beside(self.folder)
        except OSError as error:
            raise InputError(f"cannot be written: {error.strerror}", source=str(self.folder)) from None
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        shutil.rmtree(self.place, ignore_errors=True)
        os.close(self._lock)
        if isinstance(error, OSError):
            raise InputError(f"cannot be written: {error.strerror or error}", source=str(self.folder)) from None

    def add(self, name: str, role: str, content: bytes) -> None:
        """A file with this content."""
        path = self._new(name)
        path.write_bytes(content)
        self._enter(name, role)

    def take(self, name: str, role: str, file: Path) -> None:
        """A file that is moved from where it is, for large ones."""
        shutil.move(file, self._new(name))
        self._enter(name, role)

    def enter(self, name: str, role: str) -> None:
        """A file that was written to its `path` already."""
        self._new(name)
        self._enter(name, role)

    @property
    def names(self) -> frozenset[str]:
        """The files so far."""
        return frozenset(self._files)

    def path(self, name: str) -> Path:
        """Where a file of the draft is for now."""
        return self.place / name

    def seal(self, manifest: Manifest) -> str:
        """Write what is made of the manifest, which learns the files; the folder is there. The SHA-256 of its SHA256SUMS."""
        manifest = replace(manifest, files=self._files)
        statement, checks = stated(manifest, str(self.folder / MANIFEST))
        frame = {
            MANIFEST: manifest.to_text().encode(),
            README: readme_text(manifest, statement.says).encode(),
            SCRIPT: script_text(manifest, statement.says, checks).encode(),
        }
        sums = sums_of(manifest, frame)
        for name, content in {**frame, SUMS: sums}.items():
            self.path(name).write_bytes(content)
        self._publish()
        return hashlib.sha256(sums).hexdigest()

    def _new(self, name: str) -> Path:
        if not NAME.fullmatch(name) or name in (*FRAME, SUMS) or name in self._files:
            raise ValueError(f"no name for a further file of a certificate: {name!r}")
        path = self.path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def _enter(self, name: str, role: str) -> None:
        digest, path = hashlib.sha256(), self.path(name)
        path.chmod(0o644)
        size = path.stat().st_size
        for piece in pieces(path, size):
            digest.update(piece)
        self._files[name] = Entry(role, size, digest.hexdigest())

    def _publish(self) -> None:
        check_place(self.folder, replaces=self.replaces)
        os.chmod(self.place, 0o755)
        if self.replaces and self.folder.exists():
            old = self.place.with_name(f"{self.place.name}.old")
            self.folder.rename(old)
            self.place.rename(self.folder)
            shutil.rmtree(old, ignore_errors=True)
        else:
            self.place.rename(self.folder)


def _beside(folder: Path) -> tuple[Path, int]:
    """An empty folder beside that one, locked; what a dead process left there is removed."""
    for name in (f".{folder.name}.partial", f".{folder.name}.{os.getpid()}.partial"):
        place = folder.with_name(name)
        for _ in range(2):
            place.mkdir(exist_ok=True)
            lock = os.open(place, FOLDER)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(lock)
                break
            if not os.listdir(place):
                return place, lock
            shutil.rmtree(place)
            os.close(lock)
    raise InputError("found another process that writes this certificate", source=str(folder))
