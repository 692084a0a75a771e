"""What a program writes: the files that it may write to, its last words, the numbers that it counted, an excerpt for a person.

Nothing here is believed for a verdict; that is the affair of `answers`.
"""

from __future__ import annotations

import contextlib
import functools
import os
import re
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

from cnfgen_puzzles.common.printable import printable

EXCERPT = 2000
"""Characters of an excerpt at most."""
GAP = "\n[...]\n"
LONGEST_LINE = 200
"""Characters of a line in a reason."""
LAST = 2000
"""Bytes at the end of an output in which its last line is looked for."""
ROOM = 1 << 16
"""A disk with fewer bytes than this is full."""
END = 1 << 20
"""Bytes at the beginning and at the end of an output in which something is looked for; between them there is only a model."""
NUMBER = re.compile(rb"[0-9]{1,30}")


class Outputs:
    """What a run writes into its folder: `stdout`, `stderr` and `model`, made here before it begins.

    They are read through the files that were opened then, never by name: what a program puts in place of them (a pipe, a device,
    a link to somebody's secret) is neither read nor kept.
    """

    NAMES = ("stdout", "stderr", "model")

    def __init__(self, folder: Path):
        with contextlib.ExitStack() as opened:
            self.stdout, self.stderr, self.model = (opened.enter_context((folder / name).open("xb+")) for name in self.NAMES)
            self._opened = opened.pop_all()

    def __enter__(self) -> Outputs:
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    def copy_to(self, folder: Path, most: int) -> None:
        """Files of the same names in another folder, but for a model that is empty; `most` bytes of each."""
        for name, file in zip(self.NAMES, (self.stdout, self.stderr, self.model), strict=True):
            size = min(most, file.seek(0, os.SEEK_END))
            file.seek(0)
            if size or name != "model":
                with (folder / name).open("xb") as copy:
                    for start in range(0, size, END):
                        copy.write(file.read(min(END, size - start)))


def content_of(file: BinaryIO) -> bytes:
    """All of an open file; the limit on what a program writes is the limit on this."""
    file.seek(0)
    return file.read()


def last_words(*files: BinaryIO) -> str:
    """The last line of the first file that has one, in brackets and printable; nothing if none has."""
    for file in files:
        file.seek(max(0, file.seek(0, os.SEEK_END) - LAST))
        words = [line.strip() for line in file.read(LAST).split(b"\n") if line.strip()]
        if words:
            return f" ({printable(words[-1].decode('utf-8', 'replace'))[:LONGEST_LINE]})"
    return ""


def without_room(*folders: Path) -> str:
    """That the disk of one of them is full, as the end of a reason; nothing if none is.

    A program whose writing fails says so in its own way or not at all, and what it wrote is cut short.
    """
    for folder in folders:
        with contextlib.suppress(OSError):
            disk = os.statvfs(folder)
            if disk.f_bavail * disk.f_frsize < ROOM:
                return f"; the disk of {printable(str(folder))} is full"
    return ""


def said_besides_the_model(file: BinaryIO) -> bytes:
    """The lines of an output less its `v` lines; of a very long one those near the beginning and near the end."""
    file.seek(0)
    printed = file.read(2 * END)
    if file.read(1):
        file.seek(-END, os.SEEK_END)
        head, tail = printed[:END], file.read(END)
        printed = head[: head.rfind(b"\n") + 1] + tail[tail.find(b"\n") + 1 :]
    return b"".join(line for line in printed.splitlines(keepends=True) if not line.startswith(b"v"))


def excerpt(said: bytes) -> str:
    """A text for a person: of a long one the first third and the last two, since statistics come last."""
    text = said.decode("utf-8", "replace").replace("\r", "")
    if len(text) <= EXCERPT:
        return text
    room = EXCERPT - len(GAP)
    return text[: room // 3] + GAP + text[-(room - room // 3) :]


def statistics_in(said: bytes, patterns: Iterable[tuple[str, str]]) -> dict[str, int]:
    """For each name the number in group 1 of its pattern where it matches last; names that were not found are left out."""
    found = {name: _compiled(pattern).findall(said) for name, pattern in patterns}
    return {name: int(numbers[-1]) for name, numbers in found.items() if numbers and NUMBER.fullmatch(numbers[-1])}


@functools.lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[bytes]:
    """`^` is the beginning of a line."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        return re.compile(pattern.encode(), re.MULTILINE)
