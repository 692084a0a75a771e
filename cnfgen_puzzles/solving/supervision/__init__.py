"""The launcher process, which starts supervisors, and a supervisor process for each current run.

The peak memory of a program starts at the size of the process that forked it, and only a living ancestor can clean up the
children of a dead process. Therefore, solvers are not forked by the calling Python program, which may be large, and are not
monitored by one of its threads, which would die with it:

    caller (any size) ── launcher (small, one per caller) ── supervisor (one per current run) ── solver ── its children

`launcher` forks supervisors and cleans up after a killed one; `supervisor` starts, limits, and ends programs, with `usage`
(resource use), `tree` (the processes of a run), `outputs` (files that it writes), `controlgroup`, and `landlock` (both Linux
only). The caller's side is `cnfgen_puzzles.solving.process`.

The launcher imports this package by its own name, without the packages around it: imports are relative, or of the standard
library. Supervisors import psutil when a run is 0.1 s old.
"""

from __future__ import annotations

import os

# Why a run ended.
EXIT = "exit"
SIGNAL = "signal"
CPU_LIMIT = "cpu-limit"
WALL_LIMIT = "wall-limit"
MEMORY_LIMIT = "memory-limit"
OUTPUT_LIMIT = "output-limit"
INTERRUPTED = "interrupted"
LAUNCH_FAILED = "launch-failed"
SUPERVISOR_LOST = "supervisor-lost"

# The mechanism that confined a run, if any.
LANDLOCK = "landlock"

PORTABLE = "CNFGEN_PORTABLE"
"""The environment variable that selects the portable mode on Linux with `yes`, when the first run starts the launcher."""


def is_portable() -> bool:
    """Whether runs use only what all Unix systems have, and psutil: not Linux's subreapers, control groups, and Landlock.

    A kernel that does not list children (CONFIG_PROC_CHILDREN) also needs that.
    """
    return os.environ.get(PORTABLE) == "yes" or not os.path.exists("/proc/thread-self/children")
