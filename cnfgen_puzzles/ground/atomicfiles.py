"""Files that are there whole or not at all: written under another name first, then renamed."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from cnfgen_puzzles.ground.errors import InputError


@contextlib.contextmanager
def atomic_file(path: Path, *, durable: bool = False, parents: bool = False) -> Iterator[BinaryIO]:
    """A stream whose content becomes the file when the block ends well; nothing is left of it otherwise.

    With `durable` it is on the disk then, not only in the kernel; with `parents` its folder is made. InputError if it cannot be
    written.
    """
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        if parents:
            path.parent.mkdir(parents=True, exist_ok=True)
        with partial.open("wb") as stream:
            yield stream
            if durable:
                stream.flush()
                os.fsync(stream.fileno())
        partial.replace(path)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", source=str(path)) from None
    finally:
        partial.unlink(missing_ok=True)


def write_whole(path: Path, text: str | bytes) -> None:
    """The file with this content, on the disk when this returns."""
    with atomic_file(path, durable=True) as stream:
        stream.write(text if isinstance(text, bytes) else text.encode())
