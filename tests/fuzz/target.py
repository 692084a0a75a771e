"""The contract of every reader as a program: any bytes give a value or an InputError, in limited time and memory.

A `Target` is one reader (`targets.py` lists all); `run_target` checks the contract.
"""

from __future__ import annotations

import contextlib
import re
import resource
import signal
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from cnfgen_puzzles.common.errors import InputError

SECONDS = 10
"""The CPU time limit of an input in seconds."""
MEMORY = 2 << 30
"""The limit on additional address space for an input, in bytes."""
MOST_TOLD = 1000
"""The longest message, in characters: one readable line."""


NAME = "fuzz"
"""The name of inputs from memory: their errors name one of its lines."""


@dataclass(frozen=True)
class Target:
    """One reader.

    `read(data)` returns a value or raises InputError; `then(value)` asserts the properties of each value and raises nothing else.
    `seeds()` returns good inputs, `shape` is the kind of damage (`mutations.SHAPES`).
    """

    name: str
    read: Callable[[bytes], Any]
    seeds: Callable[[], Iterable[bytes]]
    then: Callable[[Any], None] = lambda value: None
    shape: str = "lines"

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words and signs of the format: those of the seeds."""
        text = b"\n".join(self.seeds()).decode("utf-8", "replace")
        return tuple(dict.fromkeys(re.findall(r"[\w.-]{1,30}|[^\w\s]", text)))


class TooSlow(BaseException):
    """An input took too long. This is a BaseException, so that `except Exception` in a reader does not catch it."""


def run_target(target: Target, data: bytes) -> str | None:
    """Read one input: None for a value, or the message of the InputError. Other exceptions are raised."""
    try:
        value = target.read(data)
    except InputError as error:
        told = str(error)
        assert told and "\n" not in told and len(told) <= MOST_TOLD, f"an InputError of more than one short line: {told[:2000]!r}"
        lines = len((data.decode("utf-8", "replace") + "x").splitlines())  # YAML knows more ends of lines than \n
        assert error.line is None or 1 <= error.line <= lines or error.source != NAME, f"{told!r} of {lines} lines"
        return told
    target.then(value)
    return None


@contextlib.contextmanager
def bounded(memory: bool = True) -> Iterator[None]:
    """In the block, SECONDS of CPU time raise TooSlow, and MEMORY raises MemoryError."""

    def stop(*_: object) -> None:
        raise TooSlow(f"more than {SECONDS} s of CPU time")

    before = signal.signal(signal.SIGVTALRM, stop)
    limits = resource.getrlimit(resource.RLIMIT_AS)
    if memory:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + MEMORY, limits[1]))
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
        resource.setrlimit(resource.RLIMIT_AS, limits)


_FOLDERS: dict[str, tempfile.TemporaryDirectory[str]] = {}


def folder(name: str) -> Path:
    """A folder of this process for readers of files; it is removed when the process ends."""
    if name not in _FOLDERS:
        _FOLDERS[name] = tempfile.TemporaryDirectory(prefix=f"cnfgen-fuzz-{name}-")
    return Path(_FOLDERS[name].name)


def written(name: str, file: str, data: bytes) -> Path:
    """A file with these bytes in the folder of that name."""
    path = folder(name) / file
    path.write_bytes(data)
    return path
