"""The launcher process, which starts solvers, and a supervisor process for each current run.

The peak memory of a program starts at the size of the process that forked it, and only a living ancestor can clean up the
children of a dead process. Therefore, solvers are not forked by the calling Python program, which may be large, and are not
monitored by one of its threads, which would die with it:

    caller (any size) ── launcher (small, one per caller) ── supervisor (one per current run) ── solver ── its children

`launcher` passes runs to supervisors, forks them, and cleans up after a killed one; `supervisor` measures, limits, and cleans up
runs, with `usage` (resource use), `sandbox` (confinement), and `tree` (the process tree). The caller's side is
`cnfgen_puzzles.solving.process`.

The launcher imports this package by its own name, without the packages around it: imports are relative, or of the standard
library (and psutil, if Linux's `/proc` is missing).
"""

from __future__ import annotations

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
