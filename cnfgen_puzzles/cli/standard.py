"""The standard streams, made fit for use whatever the caller left of them.

A stream that the caller closed is replaced by one whose use fails as a closed one's does: else the next file that is opened would
take its number, and what is meant for the terminal would end in that file. What cannot be told on standard error is not told.
"""

import contextlib
import io
import os
import sys


def mend_streams() -> None:
    """Make all three streams usable, whatever they are: closed, full, of an encoding that lacks our characters."""
    for descriptor, mode in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_WRONLY)):
        _occupy(descriptor, mode)
    if sys.stdin is None:
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    if not isinstance(getattr(getattr(sys.stdout, "buffer", None), "raw", None), _Named):
        encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
        output = io.BufferedWriter(_Named(1, "w", closefd=False))
        sys.stdout = io.TextIOWrapper(output, encoding=encoding, errors="backslashreplace", line_buffering=os.isatty(1))
    if not isinstance(getattr(sys.stderr, "buffer", None), _Forgiving):
        encoding = getattr(sys.stderr, "encoding", None) or "utf-8"
        sys.stderr = io.TextIOWrapper(_Forgiving(), encoding=encoding, errors="backslashreplace", write_through=True)


def _occupy(descriptor: int, mode: int) -> None:
    """A descriptor that is closed is taken by the null device, in the mode that nobody wants."""
    try:
        os.fstat(descriptor)
    except OSError:
        os.open(os.devnull, mode)  # the lowest that is free: this one


class _Named(io.FileIO):
    """Standard output: what goes wrong with it says that it was this."""

    def write(self, data) -> int:  # type: ignore[no-untyped-def]  # as below
        try:
            return super().write(data)
        except OSError as error:
            error.filename = "<stdout>"
            raise


class _Forgiving(io.RawIOBase):
    """Standard error: what it does not take is lost."""

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return 2

    def isatty(self) -> bool:
        return os.isatty(2)

    def write(self, data) -> int:  # type: ignore[no-untyped-def]  # Buffer: its module takes time to load
        view = memoryview(data).cast("B")
        left = view
        try:
            while left:
                left = left[os.write(2, left) :]
        except OSError:
            pass
        return len(view)


def colours_wanted() -> bool:
    """Whether what is printed on standard output may have colours.

    Not with NO_COLOR (no-color.org), then everywhere with FORCE_COLOR or CLICOLOR_FORCE, else in a terminal that has some; an
    empty variable is as if it were not set, and 0 takes a force back.
    """
    if os.environ.get("NO_COLOR"):
        return False
    if any(os.environ.get(name, "0") not in ("", "0") for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb" and os.environ.get("CLICOLOR") != "0"


def drop_stdout() -> None:
    """Standard output takes nothing more: what it does not take now, and at exit, is lost without noise."""
    with contextlib.suppress(OSError):
        sys.stdout.flush()
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.close(null)
