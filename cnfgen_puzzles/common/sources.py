"""Reads a path or `-` as bytes, with errors that name the file and the line.

The content determines whether a file is compressed, not its suffix. The limit `size` (`inputlimits.py`) applies to the file and
to its unpacked content: a few kilobytes can unpack to terabytes, and `/dev/zero` never ends.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import IO, NamedTuple

from cnfgen_puzzles.common.addresses import is_address
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.files import register_input
from cnfgen_puzzles.common.inputlimits import checked_amount, input_limits, too_much
from cnfgen_puzzles.common.samples import sample_name, sample_path

STDIN = "<stdin>"
PIECE = 1 << 20
"""Bytes read at once if the size is unknown."""

PACKED = {
    b"\x1f\x8b": "gzip",
    b"\xfd7zXZ\x00": "xz",
    **{b"BZh%d" % n: "bzip2" for n in range(1, 10)},
    b"\x28\xb5\x2f\xfd": "zstd",
}
"""The supported compressions, by the first bytes."""

PACKED_SUFFIXES = (".gz", ".xz", ".bz2", ".zst")

MODULES = {"gzip": ["gzip"], "xz": ["lzma"], "bzip2": ["bz2"], "zstd": ["compression.zstd", "backports.zstd"]}
"""The modules that can unpack a compression; for zstd that of Python from 3.14 on, and a package with the same interface."""

ZIP = b"PK\x03\x04"


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
    """The contents of the file at `path` (unpacked if it is compressed), of standard input for `-`, or of `sample:NAME`; or an
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
    if suffixes and suffixes[-1] in PACKED_SUFFIXES:
        suffixes.pop()
    return _source(name, data, suffixes[-1] if suffixes else "")


def _read(stream: IO[bytes] | io.FileIO, name: str, expected: int = 0) -> bytes:
    """The whole content, about `expected` bytes: a file may grow while it is read, a device may never end."""
    checked_amount("size", expected, source=name)
    limit = input_limits().size
    content = io.BytesIO(stream.read(min(max(expected + 1, PIECE), limit + 1)))  # a file is read at once, and not copied
    content.seek(0, os.SEEK_END)
    while content.tell() <= limit and (piece := stream.read(min(PIECE, limit + 1 - content.tell()))):
        content.write(piece)
    if content.tell() > limit:
        raise too_much("size", f"more than {limit} bytes", source=name)
    return content.getvalue()


def _source(name: str, data: bytes, suffix: str) -> Source:
    """`data` unpacked if it is compressed (recognized by its first bytes), else unchanged."""
    if data.startswith(ZIP):
        raise InputError(f"found a zip archive, expected text, plain or packed with {', '.join(MODULES)}", source=name)
    kind = next((kind for magic, kind in PACKED.items() if data.startswith(magic)), None)
    if kind is None:
        return Source(name, data, suffix)
    with _unpacking(kind, data, name) as stream:
        unpacked = _read(stream, f"{name} (unpacked)")
    if unpacked.startswith((*PACKED, ZIP)):
        raise InputError("found compressed data inside compressed data, expected text; unpack it once", source=name)
    return Source(name, unpacked, suffix, compressed=True)


@contextmanager
def _unpacking(kind: str, data: bytes, name: str) -> Iterator[IO[bytes]]:
    """A stream of the unpacked data, by a module or the program zstd; InputError where it is damaged."""
    for module in MODULES[kind]:
        with suppress(ImportError):
            unpacker = import_module(module)
            break
    else:
        with _zstd_program(data, name) as stream:
            yield stream
        return
    from lzma import LZMAError
    from zlib import error as ZlibError

    try:
        with unpacker.open(io.BytesIO(data)) as stream:
            yield stream
    except (EOFError, OSError, ZlibError, LZMAError, getattr(unpacker, "ZstdError", EOFError)) as error:
        raise InputError(f"the compressed data is damaged or cut short ({error})", source=name) from None


@contextmanager
def _zstd_program(data: bytes, name: str) -> Iterator[IO[bytes]]:
    """The output of the program zstd, which ends when its output is no longer read."""
    import shutil  # files are seldom compressed
    import subprocess
    import tempfile

    program = shutil.which("zstd")
    if program is None:
        fix = "install the program zstd or the package backports.zstd, or unpack the file: `zstd -d FILE`"
        raise InputError(f"found a file packed with zstd, which this Python cannot unpack; {fix}", source=name)
    with tempfile.TemporaryFile() as packed:
        packed.write(data)
        packed.seek(0)
        command = [program, "--decompress", "--stdout", "--quiet"]
        with subprocess.Popen(command, stdin=packed, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            assert process.stdout
            yield process.stdout
    if process.returncode:
        raise InputError(f"the compressed data is damaged or cut short (zstd: exit code {process.returncode})", source=name)
