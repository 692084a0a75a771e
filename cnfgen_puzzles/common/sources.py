"""Reads a path or `-` as bytes, with errors that name the file and the line.

The content determines whether a file is compressed, not its suffix. The limit `size` (`inputlimits.py`) applies to the file and
to its unpacked content: a few kilobytes can unpack to terabytes, and `/dev/zero` never ends.
"""

from __future__ import annotations

import io
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import BinaryIO, NamedTuple

from cnfgen_puzzles.common.addresses import is_address
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.files import register_input
from cnfgen_puzzles.common.inputlimits import checked_amount, input_limits, too_much
from cnfgen_puzzles.common.samples import sample_name, sample_path

STDIN = "<stdin>"
PIECE = 1 << 20
"""Bytes read at once if the size is unknown."""

PACKED = {b"\x1f\x8b": "gzip", b"\xfd7zXZ\x00": "lzma"}
"""The modules of the supported compressions, by the first bytes."""

FOREIGN = {
    **{b"BZh%d1AY&SY" % level: "bzip2" for level in range(1, 10)},
    b"\x28\xb5\x2f\xfd": "zstd",
    b"PK\x03\x04": "zip",
}
"""Compressions that are refused by name, by the first bytes."""


class Source(NamedTuple):
    """The content of an input, and its name for errors.

    `suffix` is the lower-case suffix of the file without that of a compression (`x.nin.gz` -> `.nin`), `""` for a pipe.
    `compressed` is True if `data` is the unpacked content of the file.
    """

    name: str
    data: bytes
    suffix: str = ""
    compressed: bool = False

    def text(self) -> str:
        """The contents as UTF-8 text (a byte order mark is dropped, line ends become `\\n`).

        Raises InputError with the line of the first byte that is not UTF-8, or of the first NUL byte (UTF-16, a binary file).
        """
        nul = self.data.find(b"\0")
        if nul >= 0:
            raise InputError(f"found a NUL byte, expected UTF-8 text ({self._guess()})", source=self.name, line=self._line(nul))
        try:
            text = self.data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            byte = self.data[error.start]
            raise InputError(
                f"found byte 0x{byte:02x}, which is not UTF-8; expected UTF-8 text ({self._guess()})",
                source=self.name,
                line=self._line(error.start),
            ) from None
        return text.replace("\r\n", "\n").replace("\r", "\n")

    def check_puzzle(self) -> None:
        """InputError if the file is too large for a puzzle, or one of its lines is."""
        checked_amount("puzzle", len(self.data), source=self.name)
        most = input_limits().line
        if len(self.data) > most:
            lengths = [len(line) for line in self.data.replace(b"\r", b"\n").split(b"\n")]
            if max(lengths) > most:
                longest = max(lengths)
                found = f"a line of {longest} bytes in a puzzle file"
                checked_amount("line", longest, found=found, source=self.name, line=lengths.index(longest) + 1)

    def _line(self, offset: int) -> int:
        return self.data.count(b"\n", 0, offset) + 1

    def _guess(self) -> str:
        if self.data.startswith((b"\xff\xfe", b"\xfe\xff")):
            return "the file begins like UTF-16; convert it, for example with iconv"
        return "is this the right file? convert another encoding, for example with iconv"


def open_source(path: str | Path) -> Source:
    """The contents of the file at `path` (gzip and xz are unpacked), of standard input for `-`, or of `sample:NAME`; or an
    address of puzz.link itself."""
    if str(path) != "-" and not os.path.exists(path) and is_address(str(path)):
        return Source(str(path), str(path).encode(errors="replace"), ".url")
    if str(path) != "-":
        return open_file(sample_path(str(path)))
    if sys.stdin is None or sys.stdin.closed:
        raise InputError("standard input is closed, expected something to read from it", source=STDIN)
    try:
        register_input(0, STDIN)
        return _source(STDIN, _read(sys.stdin.buffer, STDIN), "")
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", source=STDIN) from None


def open_file(path: str | Path) -> Source:
    """As `open_source`, for a file, which may have the name `-`. Errors name a sample as users do."""
    name = sample_name(str(path))
    try:
        with open(path, "rb", buffering=0) as stream:
            register_input(path)
            data = _read(stream, name, os.fstat(stream.fileno()).st_size)
    except FileNotFoundError:
        raise InputError("no such file", source=name) from None
    except IsADirectoryError:
        raise InputError("found a directory, expected a file", source=name) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", source=name) from None
    except ValueError:
        raise InputError("found a NUL character in a file name, expected none", source=repr(name)) from None
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    if suffixes and suffixes[-1] in (".gz", ".xz"):
        suffixes.pop()
    return _source(name, data, suffixes[-1] if suffixes else "")


def _read(stream: BinaryIO | io.FileIO, name: str, expected: int = 0) -> bytes:
    """The whole content, about `expected` bytes: a file may grow while it is read, a device may never end."""
    checked_amount("size", expected, source=name)
    limit = input_limits().size
    pieces: list[bytes] = []
    total, wanted = 0, max(expected + 1, PIECE)
    while piece := stream.read(min(wanted, limit + 1 - total)):
        pieces.append(piece)
        total += len(piece)
        if total > limit:
            raise too_much("size", f"more than {limit} bytes", source=name)
        wanted = PIECE
    return b"".join(pieces)


def _source(name: str, data: bytes, suffix: str) -> Source:
    """`data` unpacked if it is gzip or xz (recognized by its first bytes), else unchanged."""
    for magic, kind in FOREIGN.items():
        if data.startswith(magic):
            raise InputError(f"found a file compressed with {kind}, expected text, plain or packed with gzip or xz", source=name)
    module = next((module for magic, module in PACKED.items() if data.startswith(magic)), None)
    if module is None:
        return Source(name, data, suffix)
    from lzma import LZMAError  # files are seldom compressed
    from zlib import error as ZlibError

    try:
        with import_module(module).open(io.BytesIO(data)) as stream:
            unpacked = _read(stream, f"{name} (unpacked)")
    except (EOFError, OSError, ZlibError, LZMAError) as error:
        raise InputError(f"the compressed data is damaged or cut short ({error})", source=name) from None
    if unpacked.startswith((*PACKED, *FOREIGN)):
        raise InputError("found compressed data inside compressed data, expected text; unpack it once", source=name)
    return Source(name, unpacked, suffix, compressed=True)
