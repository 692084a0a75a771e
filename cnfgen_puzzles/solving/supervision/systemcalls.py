"""System calls that Python has no function for, by their numbers."""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from collections.abc import Callable


def _load() -> Callable[[int, int, int, int, int], int] | None:
    """syscall(2) with four arguments besides the number, or None on a system that has another."""
    if sys.platform != "linux":
        return None
    function = ctypes.CDLL(None, use_errno=True).syscall
    function.restype = ctypes.c_long
    function.argtypes = [ctypes.c_long, *4 * [ctypes.c_size_t]]
    return function


# Found out once, in the launcher: every child is a fork of it.
_syscall = _load()


def system_call(number: int, first: int = 0, second: int = 0, third: int = 0, fourth: int = 0) -> int:
    """What the call returns; pointers are passed as addresses. OSError where it fails."""
    if _syscall is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    result = _syscall(number, first, second, third, fourth)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result
