"""The cores that this process may use, on Linux and elsewhere."""

from __future__ import annotations

import os
import sys


def usable_cores() -> list[int]:
    """The numbers of these cores. Linux can restrict a process to some of them; elsewhere these are all cores of the machine."""
    if sys.platform == "linux":
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))
