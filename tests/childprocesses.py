"""The child processes of a test, by a word of their command line. Children may end while a test looks at them."""

import contextlib

import psutil


def command_line(process: psutil.Process) -> str:
    """The command line; nothing if the process has ended."""
    with contextlib.suppress(psutil.NoSuchProcess, psutil.AccessDenied):
        return " ".join(process.cmdline())
    return ""


def children_with(word: str, *, parent: int | None = None, recursive: bool = False) -> list[psutil.Process]:
    """The children (with `recursive`, the descendants) of a process, by default of this one, whose command line has this word."""
    return [child for child in psutil.Process(parent).children(recursive) if word in command_line(child)]
