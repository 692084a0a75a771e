"""Reading what the user names: a path or `-`, as bytes, with errors that name the file and the line.

Knows nothing of puzzles or formulas; compressed files are opened by what they contain, not by their ending.
"""

from __future__ import annotations

import gzip
import lzma
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path

from cnfgen_puzzles.ground.errors import InputError

GZIP_MAGIC = b"\x1f\x8b"
XZ_MAGIC = b"\xfd7zXZ\x00"


@dataclass(frozen=True)
class Source:
    """The contents of one input and the name to give it in errors.

    `suffix` is the lower-case ending of the file without that of a compression (`x.nin.gz` -> `.nin`), `""` for a pipe.
    `compressed` says that `data` is not what stands in the file, but what was packed in it.
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

    def _line(self, offset: int) -> int:
        return self.data.count(b"\n", 0, offset) + 1

    def _guess(self) -> str:
        if self.data.startswith((b"\xff\xfe", b"\xfe\xff")):
            return "the file begins like UTF-16; convert it, for example with iconv"
        return "is this the right file? convert another encoding, for example with iconv"


def open_source(path: str | Path) -> Source:
    """The contents of the file at `path`, or of standard input for `-`; gzip and xz are unpacked."""
    name = str(path)
    if name == "-":
        return _source("<stdin>", sys.stdin.buffer.read(), "")
    try:
        data = Path(path).read_bytes()
    except FileNotFoundError:
        raise InputError("no such file", source=name) from None
    except IsADirectoryError:
        raise InputError("found a directory, expected a file", source=name) from None
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", source=name) from None
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    if suffixes and suffixes[-1] in (".gz", ".xz"):
        suffixes.pop()
    return _source(name, data, suffixes[-1] if suffixes else "")


def _source(name: str, data: bytes, suffix: str) -> Source:
    """`data` unpacked if it is gzip or xz (recognised by its first bytes), else as it is."""
    try:
        if data.startswith(GZIP_MAGIC):
            return Source(name, gzip.decompress(data), suffix, compressed=True)
        if data.startswith(XZ_MAGIC):
            return Source(name, lzma.decompress(data), suffix, compressed=True)
    except (EOFError, OSError, zlib.error, lzma.LZMAError) as error:
        raise InputError(f"the compressed data is damaged or cut short ({error})", source=name) from None
    return Source(name, data, suffix)
