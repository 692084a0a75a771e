"""The process of a command: Ctrl-C at any moment, and standard streams that are always usable.

A stream that the caller closed is replaced by one that fails. Otherwise the next opened file would get its number, and text for
the terminal would go to that file. Text that standard error refuses is lost.

`start` imports this module first, so it imports little.
"""

from __future__ import annotations

import atexit
import errno
import io
import os
import signal
import sys
from types import FrameType

INTERRUPTED = 130
AGAIN = 0.01  # seconds until an interrupt that came where no exception leaves is tried again
CANNOT_BE_WRITTEN = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EPIPE, errno.EIO, errno.EBADF)


def leave(_number: int = 0, _frame: object = None, text: str = "interrupted", code: int = INTERRUPTED) -> None:
    """Print a line and end the process at once: before it has opened anything, or at the second Ctrl-C."""
    name = os.path.basename(sys.argv[0])
    try:  # noqa: SIM105 (contextlib takes time to load)
        os.write(2, f"{name}: {text}\n".encode(errors="backslashreplace"))
    except OSError:
        pass
    os._exit(code)


def end(code: object) -> None:
    """End the process with this exit code as Python would, but without taking its modules apart, a sixth of a short call.

    Returns if Python has to end it: with another thread, a code that is no number, or output that cannot be written.
    """
    if not isinstance(code, int) or len(sys._current_frames()) > 1:
        return
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        return
    os._exit(code)


def interrupt_once(_number: int = 0, frame: FrameType | None = None) -> None:
    """Handle Ctrl-C: raise KeyboardInterrupt, and end the process at the second one.

    While a module is loading, the interrupt is delayed: compiled modules, such as PyYAML's, drop exceptions at that time.
    """
    signal.signal(signal.SIGINT, leave)
    if _loading(frame):
        _again()
    else:
        raise KeyboardInterrupt


def _again() -> None:
    """Interrupt the command a moment later."""
    signal.signal(signal.SIGALRM, interrupt_once)
    signal.setitimer(signal.ITIMER_REAL, AGAIN)


def _loading(frame: FrameType | None) -> bool:
    """Whether a module is being loaded there."""
    while frame is not None and not frame.f_code.co_filename.startswith("<frozen importlib"):
        frame = frame.f_back
    return frame is not None


def interruptible(wanted: bool) -> None:
    """Set the effect of Ctrl-C: interrupt the command, or end the process at once. An ignored Ctrl-C stays ignored."""
    signal.setitimer(signal.ITIMER_REAL, 0)
    if signal.getsignal(signal.SIGINT) in (signal.SIG_DFL, signal.default_int_handler, interrupt_once, leave):
        signal.signal(signal.SIGINT, interrupt_once if wanted else leave)


def unraisable(report: sys.UnraisableHookArgs) -> None:
    """Handle an exception in a destructor or callback: repeat Ctrl-C, ignore repeated write errors, report the rest."""
    if issubclass(report.exc_type, KeyboardInterrupt):
        _again()
        return
    if isinstance(report.exc_value, OSError) and report.exc_value.errno in CANNOT_BE_WRITTEN:
        return
    sys.__unraisablehook__(report)


# -- the standard streams ------------------------------------------------------------------------------------------


def mend_streams() -> None:
    """Make the three standard streams usable, even if they are closed, full, or have a limited encoding."""
    for descriptor, mode in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(descriptor)
        except OSError:  # closed: open the null device in the wrong mode
            os.open(os.devnull, mode)  # gets the lowest free number: this one
    if sys.stdin is None:
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        if isinstance(sys.stdout.buffer, io.RawIOBase) and sys.stdout is sys.__stdout__:
            # PYTHONUNBUFFERED: a short write would lose the rest
            encoding = sys.stdout.encoding
            sys.stdout = io.TextIOWrapper(io.BufferedWriter(sys.stdout.detach()), encoding=encoding, line_buffering=True)
        sys.stdout.reconfigure(errors="backslashreplace")
    if not isinstance(getattr(sys.stderr, "buffer", None), _Forgiving):
        encoding = getattr(sys.stderr, "encoding", None) or "utf-8"
        sys.stderr = io.TextIOWrapper(_Forgiving(), encoding=encoding, errors="backslashreplace", write_through=True)


class _Forgiving(io.RawIOBase):
    """Standard error. Text that it refuses is lost."""

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


def colors_wanted() -> bool:
    """Whether text on standard output may have colors.

    NO_COLOR (no-color.org) disables them, FORCE_COLOR or CLICOLOR_FORCE enables them; otherwise a terminal that supports them has
    them. An empty variable has no effect, and neither has a forcing one with the value 0.
    """
    if os.environ.get("NO_COLOR"):
        return False
    if any(os.environ.get(name, "0") not in ("", "0") for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb" and os.environ.get("CLICOLOR") != "0"


def drop_stdout() -> None:
    """Close standard output. Text that it refuses is lost without a message."""
    try:  # noqa: SIM105
        sys.stdout.flush()
    except OSError:
        pass
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.close(null)
