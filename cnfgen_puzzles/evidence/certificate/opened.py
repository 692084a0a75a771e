"""A folder that is said to be a certificate, looked at with distrust: only plain files, each as large and as its checksum says.

Nothing is read beyond what the manifest says the size is; links, pipes and devices are never opened. What is wrong with a
certificate is `Damaged`; what is no certificate at all is an InputError.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.inputlimits import checked_amount
from cnfgen_puzzles.common.printable import printable
from cnfgen_puzzles.evidence.certificate.manifest import PACKAGE, Manifest, OtherFormat, first_difference
from cnfgen_puzzles.evidence.certificate.names import FRAME, MANIFEST, MOST_FRAME, SUMS

PIECE = 1 << 20
SHOWN_FAULTS = 5


class Damaged(InputError):
    """Something in a certificate is not as it was made, or does not show what the folder claims."""

    exit_code = 1


class Opened:
    """A certificate whose files are those that its manifest names, unchanged since."""

    def __init__(self, folder: Path, manifest: Manifest, frame: Mapping[str, bytes]):
        self.folder, self.manifest, self.frame = folder, manifest, frame

    @property
    def other_words(self) -> str:
        """Why its words cannot be made anew and compared: another version wrote it, or so it says; empty if this one did."""
        package = printable(self.manifest.package)
        return (
            "" if package == PACKAGE else f"the words are of {package!r:.60} and were not compared, nor the scripts and drawings"
        )

    def path(self, name: str) -> Path:
        """Where a file is; Damaged if the manifest does not have it."""
        if name not in self.manifest.files:
            raise Damaged("is missing, and in the manifest, too", source=str(self.folder / name))
        return self.folder / name

    def data(self, name: str) -> bytes:
        """What is in one of the files that are read as a whole; its checksum is looked at once more."""
        path, entry = self.path(name), self.manifest.files[name]
        checked_amount("size", entry.bytes, source=str(path))
        data = b"".join(pieces(path, entry.bytes))
        if hashlib.sha256(data).hexdigest() != entry.sha256:
            raise Damaged("was changed while it was read", source=str(path))
        return data

    def text(self, name: str) -> str:
        """The same as text."""
        try:
            return self.data(name).decode()
        except UnicodeDecodeError:
            raise Damaged("is not UTF-8", source=str(self.folder / name)) from None


def open_certificate(folder: Path) -> Opened:
    """The certificate in a folder, all of whose files have the sizes and checksums of the manifest.

    InputError if the folder is none; Damaged if files are missing, too many, changed, or no plain files.
    """
    found = dict(everything_in(folder))
    if not found.keys() & {MANIFEST, SUMS}:
        raise InputError(f"not a certificate: it has no {MANIFEST}", source=str(folder))
    for name, mode in found.items():
        if not stat.S_ISREG(mode):
            raise Damaged("is no plain file, but a link, a pipe, a device or the like", source=str(folder / name))
    for name in (*FRAME, SUMS):
        if name not in found:
            raise Damaged("is missing", source=str(folder / name))
    frame = {name: read_bounded(folder / name) for name in (*FRAME, SUMS)}
    manifest = _manifest(folder, frame)
    expected = {*manifest.files, *FRAME, SUMS}
    faults = [f"{name} is missing" for name in sorted(expected - found.keys())]
    faults += [f"{name} is there, which the manifest does not name" for name in sorted(found.keys() - expected)]
    faults += _other_sums(sums_of(manifest, frame), frame[SUMS])
    faults += [fault for name in sorted(found.keys() & manifest.files.keys()) for fault in _changes(folder, manifest, name)]
    if faults:
        raise Damaged("; ".join(faults[:SHOWN_FAULTS]) + ("; and more" if faults[SHOWN_FAULTS:] else ""), source=str(folder))
    return Opened(folder, manifest, frame)


def _manifest(folder: Path, frame: Mapping[str, bytes]) -> Manifest:
    data = frame[MANIFEST]
    try:
        return Manifest.from_text(data, str(folder / MANIFEST))
    except OtherFormat as error:
        if f"{hashlib.sha256(data).hexdigest()}  {MANIFEST}\n".encode() in frame[SUMS]:
            raise  # as it was made: by a newer version, say
        raise Damaged(error.message, source=error.source, line=error.line) from None
    except InputError as error:
        raise Damaged(error.message, source=error.source, line=error.line) from None


def sums_of(manifest: Manifest, frame: Mapping[str, bytes]) -> bytes:
    """SHA256SUMS, in the form that `sha256sum -c` reads: all files but itself."""
    sums = {name: entry.sha256 for name, entry in manifest.files.items()}
    sums |= {name: hashlib.sha256(frame[name]).hexdigest() for name in FRAME}
    return "".join(f"{sums[name]}  {name}\n" for name in sorted(sums)).encode()


def _other_sums(expected: bytes, found: bytes) -> Iterator[str]:
    """How SHA256SUMS differs from what it should say."""
    lines = set(found.splitlines())
    missing = [line for line in expected.splitlines() if line not in lines]
    yield from (f"{line[66:].decode()} was changed, or its line in {SUMS}" for line in missing)
    if found != expected and not missing:
        yield f"{SUMS} has other lines than it should, or in another order (line {first_difference(expected, found)})"


def everything_in(folder: Path) -> Iterator[tuple[str, int]]:
    """Names below the folder of all that is no folder, with their modes; links are not followed. InputError if it is none."""
    try:
        waiting = [(folder, "")]
        while waiting:
            place, prefix = waiting.pop()
            with os.scandir(place) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append((place / entry.name, f"{prefix}{entry.name}/"))
                    else:
                        yield prefix + entry.name, entry.stat(follow_symlinks=False).st_mode
    except (OSError, ValueError) as error:
        raise InputError(f"not a certificate: {getattr(error, 'strerror', None) or error}", source=str(folder)) from None


def read_bounded(path: Path) -> bytes:
    """A whole plain file of the frame."""
    data = b"".join(pieces(path, MOST_FRAME + 1))
    if len(data) > MOST_FRAME:
        raise Damaged(f"found more than {MOST_FRAME} bytes", source=str(path))
    return data


def pieces(path: Path, most: int) -> Iterator[bytes]:
    """The content of a plain file, at most so many bytes of it."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb", buffering=0) as stream:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise Damaged("is no plain file", source=str(path))
            while most and (piece := stream.read(min(PIECE, most))):
                most -= len(piece)
                yield piece
    except OSError as error:
        raise Damaged(f"cannot be read: {error.strerror}", source=str(path)) from None


def _changes(folder: Path, manifest: Manifest, name: str) -> Iterator[str]:
    """What is not with a file as the manifest says; its bytes are read only where there are as many as it says."""
    entry = manifest.files[name]
    size = os.stat(folder / name, follow_symlinks=False).st_size
    if size != entry.bytes:
        yield f"{name} has {size} bytes, the manifest says {entry.bytes}"
        return
    digest = hashlib.sha256()
    for piece in pieces(folder / name, entry.bytes):
        digest.update(piece)
    if digest.hexdigest() != entry.sha256:
        yield f"{name} was changed: its SHA-256 is {digest.hexdigest()[:12]}..., the manifest says {entry.sha256[:12]}..."
