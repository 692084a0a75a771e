"""Ctrl-C, from the first instruction of a command to its last. Imports next to nothing: `start` begins with it."""

from __future__ import annotations

import errno
import os
import signal
import sys
from types import FrameType

INTERRUPTED = 130
AGAIN = 0.01  # seconds until an interrupt that came where no exception leaves is tried again
CANNOT_BE_WRITTEN = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EPIPE, errno.EIO, errno.EBADF)


def leave(_number: int = 0, _frame: object = None) -> None:
    """End the process now, with a line: nothing is open that would need an end, or somebody asked for the second time."""
    name = os.path.basename(sys.argv[0])
    try:  # noqa: SIM105 (contextlib takes time to load)
        os.write(2, f"{name}: interrupted\n".encode(errors="backslashreplace"))
    except OSError:
        pass
    os._exit(INTERRUPTED)


def interrupt_once(_number: int = 0, frame: FrameType | None = None) -> None:
    """Ctrl-C while a command is at work: it may end in its own way, but at the second one at once.

    While a module is loading no exception is raised: compiled modules, PyYAML's above all, drop what comes while they begin.
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
    """From now on Ctrl-C interrupts the command, or ends the process at once; nothing changes where it is ignored."""
    signal.setitimer(signal.ITIMER_REAL, 0)
    if signal.getsignal(signal.SIGINT) in (signal.SIG_DFL, signal.default_int_handler, interrupt_once, leave):
        signal.signal(signal.SIGINT, interrupt_once if wanted else leave)


def unraisable(report: sys.UnraisableHookArgs) -> None:
    """What met a destructor or a callback, from which no exception leaves: Ctrl-C, or once more a disk that is full."""
    if issubclass(report.exc_type, KeyboardInterrupt):
        _again()
        return
    if isinstance(report.exc_value, OSError) and report.exc_value.errno in CANNOT_BE_WRITTEN:
        return
    sys.__unraisablehook__(report)
